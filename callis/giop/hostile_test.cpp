// SPDX-License-Identifier: Apache-2.0
// Recorded messages cut at every byte and with every bit flipped, arriving in slices of any size: the engine
// yields messages or one clean fault, the same ones however the bytes were sliced, and always comes to rest.
#include <callis/giop/giop.h>
#include <callis/giop/testing/driver.h>
#include <gtest/gtest.h>
#include <random>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::Driver;
using testing::Recorded;
using testing::Seen;

struct Outcome {
  std::vector<Seen> seen;
  State state;
  Fault end;
  std::size_t unconsumed;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class Next>
Outcome run(bool to_server, const Bytes& bytes, Next&& next) {
  Driver d(to_server ? Role::Server : Role::Client);
  d.on_message = testing::decode_anything;
  d.arrive_in_slices(bytes, next);
  EXPECT_FALSE(d.broken);
  return {d.seen, d.connection.state(), d.connection.end_fault(),
          d.connection.state() == State::Closed ? 0 : d.unconsumed()};
}

// The three ways of arriving must not differ; at most one event ends the connection, and it is the last.
void expect_clean(bool to_server, const Bytes& bytes, std::mt19937& random, const std::string& what) {
  const Outcome whole = run(to_server, bytes, [&] { return bytes.size() + 1; });
  ASSERT_EQ(whole, run(to_server, bytes, [] { return std::size_t{1}; })) << what;
  ASSERT_EQ(whole, run(to_server, bytes, [&] { return std::size_t{1 + random() % 20}; })) << what;
  for (std::size_t i = 0; i < whole.seen.size(); ++i) {
    const bool ends = whole.seen[i].kind != EventKind::Message;
    ASSERT_EQ(ends, whole.state == State::Closed && i + 1 == whole.seen.size()) << what;
    ASSERT_EQ(whole.seen[i].kind == EventKind::ProtocolError, whole.seen[i].fault != Fault::None) << what;
  }
}

TEST(Recorded, AreMoreThanFiftyAndAllGood) {
  const auto all = testing::recorded();
  EXPECT_GE(all.size(), 50u);
  for (const Recorded& m : all) {
    const Outcome r = run(m.to_server, m.bytes, [&] { return m.bytes.size() + 1; });
    ASSERT_FALSE(r.seen.empty()) << m.name;
    for (const Seen& s : r.seen) EXPECT_NE(s.kind, EventKind::ProtocolError) << m.name << ": " << to_string(s);
    EXPECT_EQ(r.unconsumed, 0u) << m.name;
  }
}

TEST(Recorded, YieldTheSameHoweverTheyAreSliced) {
  std::mt19937 random(1);
  for (const Recorded& m : testing::recorded()) expect_clean(m.to_server, m.bytes, random, m.name);
}

TEST(Recorded, CutAtEveryByteComeToRest) {
  std::mt19937 random(2);
  for (const Recorded& m : testing::recorded()) {
    for (std::size_t n = 0; n < m.bytes.size(); ++n) {
      const Bytes cut(m.bytes.begin(), m.bytes.begin() + static_cast<std::ptrdiff_t>(n));
      expect_clean(m.to_server, cut, random, m.name + " cut at " + std::to_string(n));
      // A prefix of good bytes is never a fault: the rest may still come.
      const Outcome r = run(m.to_server, cut, [&] { return cut.size() + 1; });
      for (const Seen& s : r.seen) ASSERT_EQ(s.fault, Fault::None) << m.name << " cut at " << n;
    }
  }
}

TEST(Recorded, WithAnyBitFlippedComeToRest) {
  std::mt19937 random(3);
  std::size_t faults = 0, messages = 0;
  for (const Recorded& m : testing::recorded()) {
    for (std::size_t bit = 0; bit < m.bytes.size() * 8; ++bit) {
      Bytes flipped = m.bytes;
      flipped[bit / 8] = static_cast<Byte>(flipped[bit / 8] ^ (1 << bit % 8));
      expect_clean(m.to_server, flipped, random, m.name + " bit " + std::to_string(bit));
      if (HasFatalFailure()) return;
      const Outcome r = run(m.to_server, flipped, [&] { return flipped.size() + 1; });
      for (const Seen& s : r.seen) ++(s.kind == EventKind::ProtocolError ? faults : messages);
    }
  }
  EXPECT_GT(faults, 1000u);    // headers broken
  EXPECT_GT(messages, 1000u);  // bodies changed
}

TEST(Recorded, ToTheWrongRoleAreCleanFaults) {
  std::mt19937 random(4);
  for (const Recorded& m : testing::recorded()) expect_clean(!m.to_server, m.bytes, random, m.name);
}

// Trains of whole messages and fragments in random order with random changes.
TEST(Streams, OfRandomMessagesComeToRest) {
  std::mt19937 random(5);
  const auto all = testing::recorded();
  for (int i = 0; i < 3000; ++i) {
    const bool to_server = random() % 2 == 0;
    Bytes stream;
    for (std::size_t n = 1 + random() % 6; n != 0; --n) {
      const Recorded& m = all[random() % all.size()];
      if (m.to_server == to_server) stream.insert(stream.end(), m.bytes.begin(), m.bytes.end());
    }
    if (stream.empty()) continue;
    for (std::size_t n = random() % 4; n != 0; --n) stream[random() % stream.size()] = static_cast<Byte>(random());
    expect_clean(to_server, stream, random, "stream " + std::to_string(i));
    if (HasFatalFailure()) return;
  }
}

TEST(Streams, OfNoiseAreRefusedAtOnce) {
  std::mt19937 random(6);
  for (int i = 0; i < 2000; ++i) {
    Bytes noise(random() % 64);
    for (Byte& x : noise) x = static_cast<Byte>(random());
    expect_clean(true, noise, random, "noise");
  }
}

// Noise behind a good header: the bodies that decoders must survive.
TEST(Streams, OfNoiseInsideGoodHeadersComeToRest) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const bool to_server = random() % 2 == 0;
    static const int types[2][3] = {{1, 4, 1}, {0, 2, 3}};
    const int type = types[to_server ? 1 : 0][random() % 3];
    const auto order = static_cast<ByteOrder>(random() % 2);
    Bytes b = testing::giop_message(order, static_cast<int>(random() % 3), type, "");
    const std::size_t n = type == 2 ? 4 : random() % 120;
    b[order == ByteOrder::Big ? 11 : 8] = static_cast<Byte>(n);
    // Mostly small numbers, so that counts are often plausible.
    for (std::size_t k = 0; k < n; ++k) {
      b.push_back(static_cast<Byte>(random() % 4 != 0 ? 0 : random() % (k % 3 == 0 ? 256 : 8)));
    }
    const Outcome r = run(to_server, b, [&] { return b.size() + 1; });
    ASSERT_EQ(r.seen.size(), 1u);
    ASSERT_EQ(r.seen[0].kind, EventKind::Message);
  }
}

// Reliability: a thousand headers that each claim the largest message commit little.
TEST(Streams, HeadersThatClaimMuchCommitLittle) {
  Driver d(Role::Server);
  d.arrive(testing::wire(ByteOrder::Big, "'GIOP' 01 02 00 00 00ffffff"));
  EXPECT_TRUE(d.seen.empty());
  EXPECT_LE(d.connection.wanted_bytes(), Limits{}.initial_message_bytes);
  EXPECT_EQ(d.connection.reassembly_bytes(), 0u);
}

}  // namespace
}  // namespace callis::giop
