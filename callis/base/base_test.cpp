// SPDX-License-Identifier: Apache-2.0
// Bytes at any address and in either order, buffers, results and clocks.
#include <callis/base/base.h>
#include <callis/base/text.h>
#include <gtest/gtest.h>
#include <cerrno>
#include <cstring>

namespace callis {
namespace {

TEST(Endian, SwapsEverySize) {
  EXPECT_EQ(byte_swap(std::uint16_t{0x0102}), 0x0201);
  EXPECT_EQ(byte_swap(std::uint32_t{0x01020304}), 0x04030201u);
  EXPECT_EQ(byte_swap(std::uint64_t{0x0102030405060708}), 0x0807060504030201u);
}

TEST(Endian, LoadsAndStoresAtOddAddresses) {
  Byte b[12] = {};
  store<std::uint32_t>(b + 1, 0xA1B2C3D4u, kNativeOrder == ByteOrder::Little);
  EXPECT_EQ(b[1], 0xA1);
  EXPECT_EQ(b[4], 0xD4);
  EXPECT_EQ(load<std::uint32_t>(b + 1, kNativeOrder == ByteOrder::Little), 0xA1B2C3D4u);
  store<double>(b + 3, 1.5);
  EXPECT_EQ(load<double>(b + 3), 1.5);
}

TEST(CopySwapped, ReversesEveryElementAtEveryLengthAndAddress) {
  std::vector<Byte> from(1024), to(1024);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = Byte(i * 7);
  for (std::size_t size = 2; size <= 8; size *= 2)
    for (std::size_t n = 0; n < 40; ++n)
      for (std::size_t offset = 0; offset < 3; ++offset) {
        std::fill(to.begin(), to.end(), Byte{0xEE});
        copy_swapped(to.data() + offset, from.data() + 5, n, size);
        for (std::size_t i = 0; i < n * size; ++i)
          ASSERT_EQ(to[offset + i], from[5 + i / size * size + (size - 1 - i % size)]) << size << ' ' << n;
        ASSERT_EQ(to[offset + n * size], 0xEE);
      }
}

TEST(CopySwapped, ReversesLongArraysAtEveryAddressThatIsAlignedForThem) {
  std::vector<Byte> from(8192), to(8192);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = Byte(i * 7 + i / 251);
  for (std::size_t size = 2; size <= 8; size *= 2)
    for (std::size_t n = 16; n < 600; n = n * 9 / 8)
      for (std::size_t offset = 0; offset < 64; offset += size) {
        std::fill(to.begin(), to.end(), Byte{0xEE});
        copy_swapped(to.data() + offset, from.data() + 4, n, size);
        for (std::size_t i = 0; i < n * size; ++i)
          ASSERT_EQ(to[offset + i], from[4 + i / size * size + (size - 1 - i % size)])
              << size << ' ' << n << ' ' << offset;
        ASSERT_EQ(to[offset + n * size], 0xEE);
      }
}

TEST(CopySwapped, WorksInPlace) {
  std::vector<Byte> bytes(4096);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = Byte(i * 7 + i / 251);
  const std::vector<Byte> before = bytes;
  copy_swapped(bytes.data() + 8, bytes.data() + 8, 500, 8);
  for (std::size_t i = 0; i < 4000; ++i) ASSERT_EQ(bytes[8 + i], before[8 + i / 8 * 8 + 7 - i % 8]) << i;
}

TEST(CopyArray, CopiesEveryLengthToEveryAddress) {
  std::vector<Byte> from(70000), to(70000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = Byte(i * 7 + i / 251);
  for (std::size_t n = 1; n < 69000; n = n * 9 / 8 + 1)
    for (std::size_t offset = 0; offset < 64; offset += 7) {
      std::fill(to.begin(), to.end(), Byte{0xEE});
      copy_array(to.data() + offset, from.data() + 5, n);
      ASSERT_EQ(std::memcmp(to.data() + offset, from.data() + 5, n), 0) << n << ' ' << offset;
      ASSERT_EQ(to[offset + n], 0xEE);
    }
}

TEST(AlignUp, RoundsToPowersOfTwo) {
  EXPECT_EQ(align_up(0, 8), 0u);
  EXPECT_EQ(align_up(1, 8), 8u);
  EXPECT_EQ(align_up(8, 8), 8u);
  EXPECT_EQ(align_up(13, 4), 16u);
}

TEST(Buffer, GrowsAndKeepsItsContents) {
  Buffer b;
  for (int i = 0; i < 1000; ++i) {
    const Byte x[3] = {Byte(i), Byte(i >> 8), 7};
    ASSERT_TRUE(b.append(x));
  }
  ASSERT_EQ(b.size(), 3000u);
  EXPECT_EQ(b.data()[3 * 999], Byte(999));
  EXPECT_EQ(b.data()[3 * 999 + 1], Byte(999 >> 8));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % alignof(std::max_align_t), 0u);
}

TEST(Buffer, RefusesSizesThatWrap) {
  Buffer b;
  EXPECT_FALSE(b.reserve(SIZE_MAX));
  EXPECT_FALSE(b.reserve(SIZE_MAX - 8));
  EXPECT_EQ(b.capacity(), 0u);
}

TEST(Buffer, DropsTheFront) {
  Buffer b;
  const Byte x[5] = {1, 2, 3, 4, 5};
  ASSERT_TRUE(b.append(x));
  b.drop_front(3);
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(b.data()[0], 4);
  b.drop_front(2);
  EXPECT_TRUE(b.empty());
}

TEST(Limits, DecodeBudgetIsFourTimesTheMessagePlusOneMebibyteAndCapped) {
  Limits l;
  EXPECT_EQ(l.decode_budget(0), 1u << 20);
  EXPECT_EQ(l.decode_budget(1000), 4000u + (1u << 20));
  EXPECT_EQ(l.decode_budget(16u << 20), 64u << 20);
  EXPECT_EQ(l.decode_budget(SIZE_MAX), 64u << 20);
  l.decode_budget_max_bytes = 0xffffffff;
  EXPECT_EQ(l.decode_budget(0x40000001), 0xffffffff) << "four times that is beyond 32 bits";
}

TEST(Deadline, NeverPassesUnlessSet) {
  ManualClock c;
  EXPECT_FALSE(Deadline::never().passed(c));
  EXPECT_EQ(Deadline::never().poll_ms(c), -1);
  EXPECT_TRUE(Deadline::in(Duration{0}, c).is_never());
}

TEST(Deadline, PassesAtItsTime) {
  ManualClock c;
  auto d = Deadline::in(Duration{100}, c);
  EXPECT_EQ(d.poll_ms(c), 100);
  c.advance(Duration{99});
  EXPECT_FALSE(d.passed(c));
  EXPECT_EQ(d.poll_ms(c), 1);
  c.advance(Duration{1});
  EXPECT_TRUE(d.passed(c));
  EXPECT_EQ(d.poll_ms(c), 0);
}

TEST(Result, CarriesAValueOrAnError) {
  Result<int> r = 7;
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.value(), 7);
  Result<int> e = Error{Fault::ConnectRefused, 111, "127.0.0.1:9"};
  ASSERT_FALSE(e.ok());
  EXPECT_EQ(e.fault(), Fault::ConnectRefused);
  EXPECT_NE(e.error().text().find("127.0.0.1:9"), std::string::npos);
  EXPECT_NE(e.error().text().find("111"), std::string::npos);
  Result<void> v;
  EXPECT_TRUE(v.ok());
  v = Fault::TooDeep;
  EXPECT_EQ(v.fault(), Fault::TooDeep);
}

TEST(Fault, EveryFaultHasAName) {
  EXPECT_STREQ(fault_name(Fault::None), "None");
  EXPECT_STREQ(fault_name(Fault::NullPointer), "NullPointer");
  EXPECT_STREQ(fault_name(Fault::NotTrusted), "NotTrusted");
  EXPECT_STREQ(fault_name(Fault(int(Fault::NotTrusted) + 1)), "?");
  EXPECT_STREQ(fault_name(Fault(255)), "?");
  for (int i = 0; i <= int(Fault::NotTrusted); ++i)
    EXPECT_STRNE(fault_name(Fault(i)), "?") << i;
}

// What is logged while it is there, from warnings on.
class LogLines {
 public:
  LogLines() {
    set_log_sink([](LogLevel, std::string_view t, void* c) {
      static_cast<LogLines*>(c)->lines.emplace_back(t);
    }, this);
    set_log_level(LogLevel::Warning);
  }
  ~LogLines() {
    set_log_level(before_);
    set_log_sink(nullptr, nullptr);
  }
  std::vector<std::string> lines;

 private:
  const LogLevel before_ = log_level();
};

TEST(Log, SinkSeesMessagesAtOrAboveTheLevel) {
  const LogLines seen;
  log(LogLevel::Info, "quiet");
  log(LogLevel::Info, {"quiet", ", too"});
  log(LogLevel::Warning, "loud");
  EXPECT_EQ(seen.lines, (std::vector<std::string>{"loud"}));
}

TEST(Log, PutsPartsTogetherAndCutsThemAsOneText) {
  const LogLines seen;
  log(LogLevel::Warning, {"one", "", " and two"});
  const std::string most(Printable::kMost, 'x');
  log(LogLevel::Warning, {most.substr(1), "y"});
  log(LogLevel::Warning, {most, "y", "z"});
  EXPECT_EQ(seen.lines, (std::vector<std::string>{"one and two", most.substr(1) + "y", most + "..."}));
}

TEST(Log, SaysWhatFailedAndTheErrno) {
  const LogLines seen;
  log_failed("no thread for a connection", EAGAIN);
  ASSERT_EQ(seen.lines.size(), 1u);
  EXPECT_EQ(seen.lines[0], "no thread for a connection (errno 11, " + std::string(std::strerror(EAGAIN)) + ")");
}

}  // namespace
}  // namespace callis
