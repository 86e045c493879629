// SPDX-License-Identifier: Apache-2.0
// Chars and strings in another code set than memory's (CORBA 3.3 part 2, 7.10.2), byte by byte.
#include <callis/base/buffer.h>
#include <algorithm>
#include <callis/cdr/cdr.h>
#include <callis/cdr/testing/octets.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace callis::cdr {
namespace {

using testing::kOrders;
using testing::Octets;

constexpr CharForm kUtf8 = CharForm::Utf8ForLatin1, kLatin1 = CharForm::Latin1ForUtf8;

Octets written(std::string_view s, CharForm form, Fault expected = Fault::None, ByteOrder order = ByteOrder::Big) {
  Buffer b;
  Encoder e(b, order);
  e.set_text({WideForm::Octets, form});
  e.put_text(s);
  e.finish();
  EXPECT_EQ(e.fault(), expected) << s;
  return {b.data(), b.data() + b.size()};
}

struct Reading {
  std::string text;
  Fault fault;
  std::uint32_t room;
};
Reading read(const Octets& in, CharForm form, std::uint32_t bound = 0, ByteOrder order = ByteOrder::Big) {
  Budget budget{10000, 1};
  Decoder d(in, order, budget);
  d.set_text({WideForm::Octets, form});
  const std::uint32_t room = d.text_room(bound);
  std::string to(room, '\xff');
  if (room != 0) d.get_text(to.data(), room, bound);
  if (!d.ok()) return {"", d.fault(), room};
  EXPECT_EQ(d.remaining(), 0u);
  return {to.c_str(), d.fault(), room};
}
Octets counted(const Octets& bytes) {
  Octets out(4 + bytes.size() + 1);
  out[3] = static_cast<Byte>(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), out.begin() + 4);
  return out;
}
std::string text(const Octets& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Text, Latin1InMemoryIsUtf8OnTheWire) {
  EXPECT_EQ(written("A\xE4\xFF", kUtf8), (Octets{0, 0, 0, 6, 'A', 0xC3, 0xA4, 0xC3, 0xBF, 0}));
  EXPECT_EQ(written("A\xE4", kUtf8, Fault::None, ByteOrder::Little), (Octets{4, 0, 0, 0, 'A', 0xC3, 0xA4, 0}));
  EXPECT_EQ(read({0, 0, 0, 6, 'A', 0xC3, 0xA4, 0xC3, 0xBF, 0}, kUtf8).text, "A\xE4\xFF");
  EXPECT_EQ(read({4, 0, 0, 0, 'A', 0xC3, 0xA4, 0}, kUtf8, 0, ByteOrder::Little).text, "A\xE4");
}

TEST(Text, Utf8InMemoryIsLatin1OnTheWire) {
  EXPECT_EQ(written("A\xC3\xA4\xC3\xBF", kLatin1), (Octets{0, 0, 0, 4, 'A', 0xE4, 0xFF, 0}));
  EXPECT_EQ(written("\xC2\x80", kLatin1, Fault::None, ByteOrder::Little), (Octets{2, 0, 0, 0, 0x80, 0}));
  EXPECT_EQ(read({0, 0, 0, 4, 'A', 0xE4, 0xFF, 0}, kLatin1).text, "A\xC3\xA4\xC3\xBF");
  EXPECT_EQ(read({2, 0, 0, 0, 0x80, 0}, kLatin1, 0, ByteOrder::Little).text, "\xC2\x80");
}

TEST(Text, EveryCharacterOfLatin1GoesThereAndBack) {
  for (const CharForm form : {kUtf8, kLatin1}) {
    for (unsigned c = 1; c < 256; ++c) {
      const Octets latin{static_cast<Byte>(c)};
      const Octets utf =
          c < 0x80 ? latin : Octets{static_cast<Byte>(0xC0 | c >> 6), static_cast<Byte>(0x80 | (c & 0x3F))};
      const Octets& memory = form == kUtf8 ? latin : utf;
      const Octets& wire = form == kUtf8 ? utf : latin;
      EXPECT_EQ(written(text(memory), form), counted(wire)) << c;
      EXPECT_EQ(read(counted(wire), form).text, text(memory)) << c;
    }
  }
}

TEST(Text, TheSameCodeSetTakesAnyBytes) {
  EXPECT_EQ(written("\xFF\xC0\x80", CharForm::AsIs), counted({0xFF, 0xC0, 0x80}));
  EXPECT_EQ(read(counted({0xFF, 0xC0, 0x80}), CharForm::AsIs).text, "\xFF\xC0\x80");
}

TEST(Text, WhatIsNotUtf8OrNotInLatin1IsRefused) {
  const Octets bad[] = {
      {0xC0, 0x80}, {0xC1, 0xBF},              // longer forms than needed: U+0000, U+007F
      {0xE0, 0x80, 0x80}, {0xE0, 0x83, 0xA4},  // of U+00E4 in three octets
      {0xF0, 0x80, 0x83, 0xA4},
      {0xC3}, {0xC3, 'A'}, {0xC3, 0xC3},       // the end is missing
      {0x80}, {0xBF}, {'A', 0xA4},             // the lead is missing
      {0xC4, 0x80},                            // U+0100
      {0xE2, 0x82, 0xAC},                      // U+20AC
      {0xED, 0xA0, 0x80},                      // a surrogate
      {0xF0, 0x9F, 0x98, 0x80},                // U+1F600
      {0xF4, 0x90, 0x80, 0x80}, {0xF8}, {0xFE}, {0xFF},
  };
  for (const Octets& bytes : bad) {
    written(text(bytes), kLatin1, Fault::BadCharacter);
    EXPECT_EQ(read(counted(bytes), kUtf8).fault, Fault::BadCharacter) << ::testing::PrintToString(bytes);
  }
}

TEST(Text, BoundsCountTheCharsInMemory) {
  EXPECT_EQ(read({0, 0, 0, 5, 0xC3, 0xA4, 0xC3, 0xA4, 0}, kUtf8, 2).text, "\xE4\xE4");
  EXPECT_EQ(read({0, 0, 0, 5, 0xC3, 0xA4, 0xC3, 0xA4, 0}, kUtf8, 1).fault, Fault::BadBound);
  EXPECT_EQ(read({0, 0, 0, 4, 'a', 'b', 'c', 0}, kUtf8, 2).fault, Fault::BadBound);
  EXPECT_EQ(read({0, 0, 0, 7, 'a', 'b', 'c', 'd', 'e', 'f', 0}, kUtf8, 2).fault, Fault::BadBound);
  EXPECT_EQ(read({0, 0, 0, 3, 0xE4, 'b', 0}, kLatin1, 3).text, "\xC3\xA4" "b");
  EXPECT_EQ(read({0, 0, 0, 3, 0xE4, 'b', 0}, kLatin1, 2).fault, Fault::BadBound);
  EXPECT_EQ(read({0, 0, 0, 4, 'a', 'b', 'c', 0}, kLatin1, 2).fault, Fault::BadBound);
}

TEST(Text, LengthAndTerminatorAreChecked) {
  for (const CharForm form : {kUtf8, kLatin1}) {
    EXPECT_EQ(read({0, 0, 0, 0}, form).fault, Fault::BadString);
    EXPECT_EQ(read({0, 0, 0, 2, 'a', 'b'}, form).fault, Fault::BadString);
    EXPECT_EQ(read({0, 0, 0, 3, 'a', 0, 0}, form).fault, Fault::BadString);
    EXPECT_EQ(read({0, 0, 0, 9, 'a', 0}, form).fault, Fault::BadCount);
    EXPECT_EQ(read({0xFF, 0xFF, 0xFF, 0xFF, 'a', 0}, form).fault, Fault::BadCount);
    EXPECT_EQ(read({0, 0, 0, 1, 0}, form).text, "");
  }
}

TEST(Text, LongStringsComeInPieces) {
  std::string latin, utf;
  for (int i = 0; i < 700; ++i) {
    latin += i % 3 == 0 ? '\xE4' : 'x';
    utf += i % 3 == 0 ? "\xC3\xA4" : "x";
  }
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(read(written(latin, kUtf8, Fault::None, order), kUtf8, 0, order).text, latin);
    EXPECT_EQ(read(written(utf, kLatin1, Fault::None, order), kLatin1, 0, order).text, utf);
  }
}

TEST(Text, MemoryIsChargedForWhatItBecomes) {
  const Octets in{0, 0, 0, 4, 0xE4, 0xE4, 0xE4, 0};
  Budget enough{7, 1}, little{6, 1};
  Decoder d(in, ByteOrder::Big, enough);
  d.set_text({WideForm::Octets, kLatin1});
  EXPECT_EQ(d.text_room(), 7u);
  EXPECT_EQ(enough.bytes_left, 0u);
  Decoder poor(in, ByteOrder::Big, little);
  poor.set_text({WideForm::Octets, kLatin1});
  EXPECT_EQ(poor.text_room(), 0u);
  EXPECT_EQ(poor.fault(), Fault::BudgetExceeded);
}

TEST(Text, AlignsAndLeavesNoGarbageInPadding) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.set_text({WideForm::Octets, kUtf8});
  e.put_octet(9);
  e.put_text("\xE4");
  e.finish();
  EXPECT_EQ(Octets(b.data(), b.data() + b.size()), (Octets{9, 0, 0, 0, 0, 0, 0, 3, 0xC3, 0xA4, 0}));
}

TEST(Text, FragmentsOfGiop11AreReadAcross) {
  // The break stands inside a character; a fragment's data begin at phase 4.
  const Octets one{0, 0, 0, 4, 'a', 0xC3}, two{0xA4, 0};
  const Segment segments[] = {{one, 0}, {two, 4}};
  Budget budget{10000, 1};
  Decoder d(segments, ByteOrder::Big, budget);
  d.set_text({WideForm::Units, kUtf8});
  char room[8];
  const std::uint32_t n = d.text_room();
  ASSERT_TRUE(d.get_text(room, n));
  EXPECT_EQ(std::string(room), "a\xE4");
}

TEST(Text, CharsByThemselvesAreAscii) {
  for (const CharForm form : {kUtf8, kLatin1}) {
    Buffer b;
    Encoder e(b);
    e.set_text({WideForm::Octets, form});
    e.put_chars("ab", 2);
    EXPECT_EQ(e.fault(), Fault::None);
    e.put_chars("a\xE4", 2);
    EXPECT_EQ(e.fault(), Fault::BadCharacter);
    const Octets in{'a', 0x80};
    Budget budget{100, 1};
    Decoder d(in, kNativeOrder, budget);
    d.set_text({WideForm::Octets, form});
    char to[2] = {'x', 'y'};
    EXPECT_FALSE(d.get_chars(to, 2));
    EXPECT_EQ(d.fault(), Fault::BadCharacter);
    EXPECT_EQ(to[0], 0);
    EXPECT_EQ(to[1], 0);
  }
}

TEST(Text, EncapsulationsAndProtocolAreNotConverted) {
  Buffer b;
  Encoder e(b, ByteOrder::Big);
  e.set_text({WideForm::Octets, kUtf8});
  e.put_string("\xE4");
  const auto in = e.begin_encapsulation();
  e.put_text("\xE4");
  e.end_encapsulation(in);
  EXPECT_TRUE(e.converts());
  e.finish();
  EXPECT_EQ(Octets(b.data(), b.data() + b.size()),
            (Octets{0, 0, 0, 2, 0xE4, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 2, 0xE4, 0}));
}

}  // namespace
}  // namespace callis::cdr
