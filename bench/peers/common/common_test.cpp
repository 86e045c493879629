// SPDX-License-Identifier: Apache-2.0
// What the peers' programs share: arguments and their check, counting, options.
#include <callis/cdr/encoder.h>
#include <gtest/gtest.h>
#include "latency.h"
#include "plain.h"
#include <utility>

namespace {

using namespace bench;

// The same arguments by callis's encoder.
void put_string(callis::cdr::Encoder& e, unsigned seed) { e.put_string(text(seed)); }
void put_strings(callis::cdr::Encoder& e, unsigned seed) {
  e.put_ulong(kElements);
  for (unsigned i = 0; i < kElements; ++i) put_string(e, seed + i);
}
void put_struct(callis::cdr::Encoder& e, unsigned seed) {
  put_string(e, seed);
  put_string(e, seed + 1);
  put_strings(e, seed + 2);
}
void put_argument(callis::cdr::Encoder& e, const std::string& operation, unsigned seed) {
  if (operation == "test_short") {
    e.put(static_cast<std::int16_t>(seed));
  } else if (operation == "test_unbounded_string") {
    put_string(e, seed);
  } else if (operation == "test_fixed_struct") {
    e.put(static_cast<std::int32_t>(seed));
    e.put('c');
    e.put(std::int16_t{2});
    e.put_octet(3);
    e.put(4.5f);
    e.put_boolean(true);
    e.put(6.5);
  } else if (operation == "test_strseq") {
    put_strings(e, seed);
  } else if (operation == "test_struct_sequence") {
    e.put_ulong(kElements);
    for (unsigned i = 0; i < kElements; ++i) put_struct(e, seed + 10 * i);
  } else {
    put_struct(e, seed);
  }
}

TEST(Floor, SendsTheBytesThatCdrMakesOfTheArguments) {
  ASSERT_EQ(plain::operations().size(), 7u);
  for (const plain::Operation& op : plain::operations()) {
    callis::Buffer buffer;
    {
      callis::cdr::Encoder e(buffer);
      for (const unsigned seed : {1u, 2u, 3u}) put_argument(e, op.name, seed);
    }
    const auto bytes = reinterpret_cast<const char*>(buffer.data());
    EXPECT_EQ(plain::encoded(op, {1, 2, 3}), std::vector<char>(bytes, bytes + buffer.size())) << op.name;
  }
}

TEST(Floor, AnswersThreeTimesTheFirstArgument) {
  for (const plain::Operation& op : plain::operations()) {
    const plain::Exchange x = plain::exchange_of(op, 1);
    const std::vector<char> in = plain::encoded(op, {1, 2});
    ASSERT_EQ(in.size(), x.request) << op.name;
    std::vector<char> out(x.reply);
    plain::copy_argument(x, in.data(), out.data());
    EXPECT_EQ(out, plain::encoded(op, {1, 1, 1})) << op.name;
    EXPECT_TRUE(plain::holds_argument(x, in.data(), out.data()));
    out.back() = static_cast<char>(out.back() ^ 1);
    EXPECT_FALSE(plain::holds_argument(x, in.data(), out.data()));
  }
}

template <class T>
void expect_corruption_is_found() {
  const auto right = elements<T>(300, false), wrong = elements<T>(300, true);
  EXPECT_TRUE(intact(right.data(), right.size()));
  EXPECT_FALSE(intact(wrong.data(), wrong.size()));
  EXPECT_FALSE(intact(right.data() + 1, right.size() - 1));
  EXPECT_FALSE(intact(right.data(), 0));
}
TEST(Elements, OfEveryTypeTellIfTheFirstOrLastIsWrong) {
  expect_corruption_is_found<std::int16_t>();
  expect_corruption_is_found<char>();
  expect_corruption_is_found<std::int32_t>();
  expect_corruption_is_found<std::uint8_t>();
  expect_corruption_is_found<double>();
  expect_corruption_is_found<BinStruct>();
}

TEST(Tally, CountsSinceItWasLastAsked) {
  Tally tally;
  tally.add(10, true);
  tally.add(20, false);
  const Receipt r = tally.take();
  EXPECT_EQ(r.arrived, 30u);
  EXPECT_EQ(r.intact, 10u);
  tally.add(5, true);
  const Receipt next = tally.take();
  EXPECT_EQ(next.arrived, 5u);
  EXPECT_EQ(next.ns, 0u);  // one buffer takes no time from the first to the last
}

Options parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  return parse(static_cast<int>(argv.size()), argv.data());
}

TEST(Options, OfPrograms) {
  const Options o = parsed({"ttcp", "--reference", "r", "--sizes", "2K,1M", "--types", "char", "--buffered"});
  EXPECT_EQ(o.suite, "ttcp");
  EXPECT_EQ(o.sizes, (std::vector<std::uint64_t>{2'048, 1'048'576}));
  EXPECT_TRUE(wanted(o.types, "char"));
  EXPECT_FALSE(wanted(o.types, "short"));
  EXPECT_TRUE(o.buffered);
  EXPECT_EQ(parsed({"ttcp", "--reference", "r"}).sizes.size(), 10u);
  EXPECT_THROW(parsed({"ttcp"}), std::invalid_argument);
  EXPECT_THROW(parsed({"ttcp", "--reference", "r", "--colour", "red"}), std::invalid_argument);
  EXPECT_THROW(parsed({"ttcp", "--reference", "r", "--sizes", "2X"}), std::invalid_argument);
}

class Flood : public testing::Test {
 protected:
  // Megabytes of buffers of 64 KB; the receiver spoils or loses so many bytes of each point.
  std::string flooded(std::uint64_t spoiled, std::uint64_t lost) {
    Options o;
    o.megabytes = 1;
    std::uint64_t sent = 0;
    testing::internal::CaptureStdout();
    try {
      flood(
          o, "octet", 65'536, [&] { sent += 65'536; },
          [&](std::uint64_t) {
            const std::uint64_t arrived = std::exchange(sent, 0) - lost;
            return Receipt{arrived - spoiled, arrived, 1'000};
          });
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }
};
TEST_F(Flood, PrintsBothSides) {
  const std::string out = flooded(0, 0);
  EXPECT_NE(out.find("\"octet/64K\", \"metric\": \"gbit_s\""), std::string::npos) << out;
  // 15 of the 16 buffers in a microsecond
  EXPECT_NE(out.find("\"receiver_gbit_s\", \"value\": 7864.32}"), std::string::npos) << out;
}
TEST_F(Flood, FailsWhenABufferIsSpoiledOrLost) {
  EXPECT_THROW(flooded(65'536, 0), std::runtime_error);
  EXPECT_THROW(flooded(0, 65'536), std::runtime_error);
}

TEST(Latency, FailsWhenACheckDoes) {
  int made = 0;
  EXPECT_THROW(latency("x", 1, 3, [&] { ++made; }, [&] { return made < 3; }), std::runtime_error);
  EXPECT_EQ(made, 3);
}
TEST(Latency, ReportsSharesOfTheSamples) {
  std::vector<std::uint32_t> ns;
  for (std::uint32_t i = 1'000; i > 0; --i) ns.push_back(i * 1'000);
  testing::internal::CaptureStdout();
  report_latencies("x", ns, 500'500'000);
  const std::string out = testing::internal::GetCapturedStdout();
  for (const char* expected : {"\"p50_us\", \"value\": 500}", "\"p99_us\", \"value\": 990}",
                               "\"p999_us\", \"value\": 999}", "\"calls_per_s\", \"value\": 1998}"})
    EXPECT_NE(out.find(expected), std::string::npos) << out;
}

}  // namespace
