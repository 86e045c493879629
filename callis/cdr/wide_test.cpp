// SPDX-License-Identifier: Apache-2.0
// wchar and wstring on the wire, byte by byte from CORBA 3.3 part 2, 9.3.1.6 and 9.3.2.7.
#include <callis/base/buffer.h>
#include <callis/cdr/cdr.h>
#include <callis/cdr/testing/octets.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace callis::cdr {
namespace {

using testing::kOrders;
using testing::Octets;

template <class Put>
Octets written(ByteOrder order, WideForm form, Put put, Fault expected = Fault::None) {
  Buffer b;
  Encoder e(b, order);
  e.set_wide(form);
  put(e);
  e.finish();
  EXPECT_EQ(e.fault(), expected);
  return {b.data(), b.data() + b.size()};
}
Octets wchar(wchar_t c, WideForm form = WideForm::Octets, Fault expected = Fault::None,
             ByteOrder order = ByteOrder::Big) {
  return written(order, form, [c](Encoder& e) { e.put_wchar(c); }, expected);
}
Octets wstring(const wchar_t* s, WideForm form = WideForm::Octets, Fault expected = Fault::None,
               ByteOrder order = ByteOrder::Big, std::uint32_t bound = 0) {
  return written(order, form, [s, bound](Encoder& e) { e.put_wstring(s, bound); }, expected);
}

wchar_t read_wchar(const Octets& in, WideForm form = WideForm::Octets, Fault expected = Fault::None,
                   ByteOrder order = ByteOrder::Big) {
  Budget budget{10000, 1};
  Decoder d(in, order, budget);
  d.set_wide(form);
  const wchar_t c = d.get_wchar();
  EXPECT_EQ(d.fault(), expected);
  EXPECT_EQ(d.remaining(), 0u);
  return c;
}
std::wstring read_wstring(const Octets& in, WideForm form = WideForm::Octets, Fault expected = Fault::None,
                          ByteOrder order = ByteOrder::Big, std::uint32_t bound = 0) {
  Budget budget{10000, 1};
  Decoder d(in, order, budget);
  d.set_wide(form);
  const std::uint32_t units = d.wstring_units(bound);
  wchar_t room[300] = {};
  if (d.ok()) d.get_wide(room, units, bound);
  EXPECT_EQ(d.fault(), expected);
  EXPECT_EQ(d.remaining(), 0u);
  return d.ok() ? room : L"";
}

TEST(WideGiop12, ACharacterIsOctetsAndTheirNumber) {
  for (const ByteOrder order : kOrders) {
    EXPECT_EQ(wchar(L'A', WideForm::Octets, Fault::None, order), (Octets{2, 0x00, 0x41}))
        << "big-endian in any message";
    EXPECT_EQ(read_wchar({2, 0x20, 0xAC}, WideForm::Octets, Fault::None, order), L'\u20AC');
  }
  EXPECT_EQ(wchar(L'\0'), (Octets{2, 0, 0}));
}

TEST(WideGiop12, CharactersBeyondThePlaneAreSurrogatePairs) {
  EXPECT_EQ(wchar(L'\U0001F600'), (Octets{4, 0xD8, 0x3D, 0xDE, 0x00}));
  EXPECT_EQ(read_wchar({4, 0xD8, 0x3D, 0xDE, 0x00}), L'\U0001F600');
  EXPECT_EQ(wchar(L'\U0010FFFF'), (Octets{4, 0xDB, 0xFF, 0xDF, 0xFF}));
  EXPECT_EQ(read_wchar({4, 0xDB, 0xFF, 0xDF, 0xFF}), L'\U0010FFFF');
}

TEST(WideGiop12, AMarkSaysTheByteOrder) {
  EXPECT_EQ(read_wchar({4, 0xFE, 0xFF, 0x00, 0x41}), L'A');
  EXPECT_EQ(read_wchar({4, 0xFF, 0xFE, 0x41, 0x00}), L'A');
  EXPECT_EQ(read_wchar({6, 0xFF, 0xFE, 0x3D, 0xD8, 0x00, 0xDE}), L'\U0001F600');
  EXPECT_EQ(read_wstring({0, 0, 0, 4, 0xFF, 0xFE, 0x41, 0x00}), L"A");
  EXPECT_EQ(read_wstring({0, 0, 0, 4, 0xFE, 0xFF, 0x00, 0x41}), L"A");
  EXPECT_EQ(read_wstring({0, 0, 0, 2, 0xFE, 0xFF}), L"");
}

TEST(WideGiop12, ATextThatLooksLikeAMarkGetsOne) {
  EXPECT_EQ(wchar(0xFEFF), (Octets{4, 0xFE, 0xFF, 0xFE, 0xFF}));
  EXPECT_EQ(wchar(0xFFFE), (Octets{4, 0xFE, 0xFF, 0xFF, 0xFE}));
  EXPECT_EQ(read_wchar({4, 0xFE, 0xFF, 0xFF, 0xFE}), 0xFFFE);
  EXPECT_EQ(read_wchar({2, 0xFE, 0xFF}), 0xFEFF) << "there is nothing else that it could be";
  const std::wstring s{static_cast<wchar_t>(0xFEFF), L'x'};
  EXPECT_EQ(wstring(s.c_str()), (Octets{0, 0, 0, 6, 0xFE, 0xFF, 0xFE, 0xFF, 0, 'x'}));
  EXPECT_EQ(read_wstring({0, 0, 0, 6, 0xFE, 0xFF, 0xFE, 0xFF, 0, 'x'}), s);
}

TEST(WideGiop12, AStringCountsOctetsAndHasNoTerminator) {
  EXPECT_EQ(wstring(L"Aä"), (Octets{0, 0, 0, 4, 0, 0x41, 0, 0xE4}));
  EXPECT_EQ(wstring(L"Aä", WideForm::Octets, Fault::None, ByteOrder::Little), (Octets{4, 0, 0, 0, 0, 0x41, 0, 0xE4}));
  EXPECT_EQ(wstring(L""), (Octets{0, 0, 0, 0}));
  EXPECT_EQ(wstring(L"\U0001F600"), (Octets{0, 0, 0, 4, 0xD8, 0x3D, 0xDE, 0x00}));
  EXPECT_EQ(read_wstring({0, 0, 0, 4, 0, 0x41, 0, 0xE4}), L"Aä");
  EXPECT_EQ(read_wstring({4, 0, 0, 0, 0, 0x41, 0, 0xE4}, WideForm::Octets, Fault::None, ByteOrder::Little), L"Aä");
  EXPECT_EQ(read_wstring({0, 0, 0, 0}), L"");
}

TEST(WideGiop11, ACharacterIsAnUnsignedShort) {
  EXPECT_EQ(wchar(L'\u20AC', WideForm::Units), (Octets{0x20, 0xAC}));
  EXPECT_EQ(wchar(L'\u20AC', WideForm::Units, Fault::None, ByteOrder::Little), (Octets{0xAC, 0x20}));
  EXPECT_EQ(read_wchar({0x20, 0xAC}, WideForm::Units), L'\u20AC');
  EXPECT_EQ(read_wchar({0xAC, 0x20}, WideForm::Units, Fault::None, ByteOrder::Little), L'\u20AC');
  wchar(L'\U0001F600', WideForm::Units, Fault::BadCharacter);
  read_wchar({0xD8, 0x3D}, WideForm::Units, Fault::BadCharacter);
  EXPECT_EQ(written(ByteOrder::Big, WideForm::Units, [](Encoder& e) { e.put_octet(9), e.put_wchar(L'A'); }),
            (Octets{9, 0, 0, 0x41})) << "aligned to 2";
}

TEST(WideGiop11, AStringCountsUnitsAndTheTerminator) {
  EXPECT_EQ(wstring(L"Aä", WideForm::Units), (Octets{0, 0, 0, 3, 0, 0x41, 0, 0xE4, 0, 0}));
  EXPECT_EQ(wstring(L"Aä", WideForm::Units, Fault::None, ByteOrder::Little),
            (Octets{3, 0, 0, 0, 0x41, 0, 0xE4, 0, 0, 0}));
  EXPECT_EQ(wstring(L"", WideForm::Units), (Octets{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(read_wstring({0, 0, 0, 3, 0, 0x41, 0, 0xE4, 0, 0}, WideForm::Units), L"Aä");
  EXPECT_EQ(read_wstring({3, 0, 0, 0, 0x41, 0, 0xE4, 0, 0, 0}, WideForm::Units, Fault::None, ByteOrder::Little),
            L"Aä");
  EXPECT_EQ(read_wstring({0, 0, 0, 1, 0, 0}, WideForm::Units), L"");
  EXPECT_EQ(wstring(L"\U0001F600", WideForm::Units), (Octets{0, 0, 0, 3, 0xD8, 0x3D, 0xDE, 0x00, 0, 0}));
  EXPECT_EQ(read_wstring({0, 0, 0, 3, 0xD8, 0x3D, 0xDE, 0x00, 0, 0}, WideForm::Units), L"\U0001F600");
}

TEST(WideGiop11, LengthAndTerminatorAreChecked) {
  read_wstring({0, 0, 0, 0}, WideForm::Units, Fault::BadString);
  read_wstring({0, 0, 0, 2, 0, 0x41, 0, 0x42}, WideForm::Units, Fault::BadString);
  read_wstring({0, 0, 0, 1, 0, 0x42}, WideForm::Units, Fault::BadString);
  read_wstring({0, 0, 0, 3, 0, 0x41, 0, 0}, WideForm::Units, Fault::BadCount);
}

TEST(Wide, OtherVersionsHaveNone) {
  wchar(L'A', WideForm::Forbidden, Fault::WideInGiop10);
  wstring(L"A", WideForm::Forbidden, Fault::WideInGiop10);
  read_wchar({2, 0, 0x41}, WideForm::Forbidden, Fault::WideInGiop10);
  read_wstring({0, 0, 0, 2, 0, 0x41}, WideForm::Forbidden, Fault::WideInGiop10);
  wchar(L'A', WideForm::Unagreed, Fault::NoWideCodeSet);
  wstring(L"A", WideForm::Unagreed, Fault::NoWideCodeSet);
}

TEST(Wide, WhatIsNoCodePointIsNotSent) {
  for (const int c : {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, -1}) {
    for (const WideForm form : {WideForm::Octets, WideForm::Units}) {
      wchar(static_cast<wchar_t>(c), form, Fault::BadCharacter);
      const wchar_t s[] = {L'a', static_cast<wchar_t>(c), 0};
      wstring(s, form, Fault::BadCharacter);
    }
  }
  wstring(nullptr, WideForm::Octets, Fault::NullPointer);
}

TEST(Wide, SurrogatesByThemselvesAreRefused) {
  read_wchar({2, 0xD8, 0x3D}, WideForm::Octets, Fault::BadCharacter);
  read_wchar({2, 0xDE, 0x00}, WideForm::Octets, Fault::BadCharacter);
  read_wchar({4, 0xD8, 0x3D, 0x00, 0x41}, WideForm::Octets, Fault::BadCharacter);
  read_wchar({4, 0x00, 0x41, 0x00, 0x42}, WideForm::Octets, Fault::BadCharacter);
  read_wchar({6, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x41}, WideForm::Octets, Fault::BadCharacter);
  read_wstring({0, 0, 0, 2, 0xD8, 0x3D}, WideForm::Octets, Fault::BadCharacter);
  read_wstring({0, 0, 0, 4, 0xD8, 0x3D, 0, 0x41}, WideForm::Octets, Fault::BadCharacter);
  read_wstring({0, 0, 0, 4, 0xDE, 0x00, 0xD8, 0x3D}, WideForm::Octets, Fault::BadCharacter);
}

TEST(Wide, LengthsAreChecked) {
  for (const Byte n : Octets{0, 1, 3, 5, 8, 255}) read_wchar({n, 0, 0x41}, WideForm::Octets, Fault::BadString);
  read_wchar({4, 0, 0x41}, WideForm::Octets, Fault::Truncated);
  read_wstring({0, 0, 0, 3, 0, 0x41, 0}, WideForm::Octets, Fault::BadString);
  read_wstring({0, 0, 0, 6, 0, 0x41}, WideForm::Octets, Fault::BadCount);
  read_wstring({0xFF, 0xFF, 0xFF, 0xFE, 0, 0x41}, WideForm::Octets, Fault::BadCount);
  read_wstring({0, 0, 0, 4, 0, 0x41, 0, 0}, WideForm::Octets, Fault::BadString);
}

TEST(Wide, BoundsCountCharacters) {
  wstring(L"abc", WideForm::Octets, Fault::BadBound, ByteOrder::Big, 2);
  wstring(L"\U0001F600\U0001F600", WideForm::Octets, Fault::None, ByteOrder::Big, 2);
  read_wstring({0, 0, 0, 6, 0, 'a', 0, 'b', 0, 'c'}, WideForm::Octets, Fault::BadBound, ByteOrder::Big, 2);
  EXPECT_EQ(read_wstring({0, 0, 0, 6, 0xFF, 0xFE, 'a', 0, 'b', 0}, WideForm::Octets, Fault::None, ByteOrder::Big, 2),
            L"ab");
  EXPECT_EQ(read_wstring({0, 0, 0, 4, 0xD8, 0x3D, 0xDE, 0x00}, WideForm::Octets, Fault::None, ByteOrder::Big, 1),
            L"\U0001F600");
  read_wstring({0, 0, 0, 8, 0, 'a', 0, 'b', 0, 'c', 0, 'd'}, WideForm::Octets, Fault::BadBound, ByteOrder::Big, 1);
}

TEST(Wide, MemoryIsCharged) {
  const Octets in{0, 0, 0, 4, 0, 'a', 0, 'b'};
  Budget budget{11, 1};
  Decoder d(in, ByteOrder::Big, budget);
  d.wstring_units();
  EXPECT_EQ(d.fault(), Fault::BudgetExceeded);
}

TEST(Wide, LongStringsComeBackInPieces) {
  std::wstring s;
  for (int i = 0; i < 290; ++i) s += static_cast<wchar_t>(i % 3 == 0 ? 0x1F600 + i : 0x100 + i);
  for (const WideForm form : {WideForm::Octets, WideForm::Units})
    for (const ByteOrder order : kOrders)
      EXPECT_EQ(read_wstring(wstring(s.c_str(), form, Fault::None, order), form, Fault::None, order), s);
}

TEST(Wide, EncapsulationsHaveTheFormOfGiop12) {
  const Octets out = written(ByteOrder::Big, WideForm::Units, [](Encoder& e) {
    const auto in = e.begin_encapsulation();
    e.put_wchar(L'A');
    e.end_encapsulation(in);
    e.put_wchar(L'B');
  });
  EXPECT_EQ(out, (Octets{0, 0, 0, 4, 0, 2, 0, 0x41, 0, 0x42}));
  Budget budget{10000, 1};
  Decoder d(out, ByteOrder::Big, budget);
  d.set_wide(WideForm::Units);
  Decoder in = d.get_encapsulation();
  EXPECT_EQ(in.get_wchar(), L'A');
  EXPECT_EQ(d.get_wchar(), L'B');
}

TEST(Wide, FragmentsOfGiop11AreReadAcross) {
  // "abc", the break between the units of "b" and "c"; a fragment's data begin at phase 4.
  const Octets one{0, 0, 0, 4, 0, 'a', 0, 'b'}, two{0, 'c', 0, 0};
  const Segment segments[] = {{one, 0}, {two, 4}};
  Budget budget{10000, 1};
  Decoder d(segments, ByteOrder::Big, budget);
  d.set_wide(WideForm::Units);
  wchar_t room[8];
  const std::uint32_t units = d.wstring_units();
  ASSERT_TRUE(d.get_wide(room, units));
  EXPECT_EQ(std::wstring(room), L"abc");
  EXPECT_EQ(d.remaining(), 0u);
}

// ISO 10646 in two octets and in four: in the byte order of the message, without marks.

TEST(WideUcs, Giop12CountsOctetsInTheOrderOfTheMessage) {
  EXPECT_EQ(wchar(L'\u20AC', WideForm::Ucs2Octets), (Octets{2, 0x20, 0xAC}));
  EXPECT_EQ(wchar(L'\u20AC', WideForm::Ucs2Octets, Fault::None, ByteOrder::Little), (Octets{2, 0xAC, 0x20}));
  EXPECT_EQ(wchar(L'\U0010FFFF', WideForm::Ucs4Octets), (Octets{4, 0, 0x10, 0xFF, 0xFF}));
  EXPECT_EQ(wchar(L'\U0010FFFF', WideForm::Ucs4Octets, Fault::None, ByteOrder::Little),
            (Octets{4, 0xFF, 0xFF, 0x10, 0}));
  EXPECT_EQ(read_wchar({2, 0xAC, 0x20}, WideForm::Ucs2Octets, Fault::None, ByteOrder::Little), L'\u20AC');
  EXPECT_EQ(read_wchar({4, 0, 0x10, 0xFF, 0xFF}, WideForm::Ucs4Octets), L'\U0010FFFF');
  EXPECT_EQ(wstring(L"A\u20AC", WideForm::Ucs2Octets, Fault::None, ByteOrder::Little),
            (Octets{4, 0, 0, 0, 0x41, 0, 0xAC, 0x20}));
  EXPECT_EQ(wstring(L"A\U0001F600", WideForm::Ucs4Octets), (Octets{0, 0, 0, 8, 0, 0, 0, 0x41, 0, 1, 0xF6, 0}));
  EXPECT_EQ(read_wstring({0, 0, 0, 8, 0, 0, 0, 0x41, 0, 1, 0xF6, 0}, WideForm::Ucs4Octets), L"A\U0001F600");
  EXPECT_EQ(read_wstring({4, 0, 0, 0, 0x41, 0, 0xAC, 0x20}, WideForm::Ucs2Octets, Fault::None, ByteOrder::Little),
            L"A\u20AC");
}

TEST(WideUcs, Giop11CountsCharactersAndTheTerminator) {
  EXPECT_EQ(wchar(L'\u20AC', WideForm::Ucs2Units), (Octets{0x20, 0xAC}));
  EXPECT_EQ(wchar(L'\U0001F600', WideForm::Ucs4Units), (Octets{0, 1, 0xF6, 0}));
  EXPECT_EQ(read_wchar({0, 0xF6, 1, 0}, WideForm::Ucs4Units, Fault::None, ByteOrder::Little), L'\U0001F600');
  EXPECT_EQ(wstring(L"\U0001F600", WideForm::Ucs4Units), (Octets{0, 0, 0, 2, 0, 1, 0xF6, 0, 0, 0, 0, 0}));
  EXPECT_EQ(read_wstring({0, 0, 0, 2, 0, 1, 0xF6, 0, 0, 0, 0, 0}, WideForm::Ucs4Units), L"\U0001F600");
  EXPECT_EQ(wstring(L"A", WideForm::Ucs2Units), (Octets{0, 0, 0, 2, 0, 0x41, 0, 0}));
  EXPECT_EQ(written(ByteOrder::Big, WideForm::Ucs4Units, [](Encoder& e) { e.put_octet(9), e.put_wchar(L'A'); }),
            (Octets{9, 0, 0, 0, 0, 0, 0, 0x41})) << "aligned to 4";
}

TEST(WideUcs, MarksAreCharacters) {
  for (const WideForm form : {WideForm::Ucs2Octets, WideForm::Ucs4Octets}) {
    const std::wstring s{static_cast<wchar_t>(0xFEFF), L'x'};
    EXPECT_EQ(read_wstring(wstring(s.c_str(), form), form), s);
  }
  EXPECT_EQ(wchar(0xFEFF, WideForm::Ucs2Octets), (Octets{2, 0xFE, 0xFF}));
  EXPECT_EQ(read_wchar({2, 0xFF, 0xFE}, WideForm::Ucs2Octets), 0xFFFE);
}

TEST(WideUcs, WhatTheyDoNotHaveIsRefused) {
  for (const WideForm form : {WideForm::Ucs2Octets, WideForm::Ucs2Units}) {
    wchar(L'\U00010000', form, Fault::BadCharacter);
    wstring(L"\U00010000", form, Fault::BadCharacter);
  }
  read_wchar({2, 0xD8, 0x3D}, WideForm::Ucs2Octets, Fault::BadCharacter);
  read_wstring({0, 0, 0, 4, 0xD8, 0x3D, 0xDE, 0x00}, WideForm::Ucs2Octets, Fault::BadCharacter);
  read_wchar({4, 0, 0x11, 0, 0}, WideForm::Ucs4Octets, Fault::BadCharacter);
  read_wchar({4, 0, 0, 0xD8, 0}, WideForm::Ucs4Octets, Fault::BadCharacter);
  read_wstring({0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF}, WideForm::Ucs4Octets, Fault::BadCharacter);
  for (const int c : {0xD800, 0xDFFF, 0x110000, -1})
    for (const WideForm form : {WideForm::Ucs2Octets, WideForm::Ucs4Octets, WideForm::Ucs4Units})
      wchar(static_cast<wchar_t>(c), form, Fault::BadCharacter);
}

TEST(WideUcs, LengthsAreChecked) {
  for (const Byte n : Octets{0, 1, 4, 6}) read_wchar({n, 0, 0x41}, WideForm::Ucs2Octets, Fault::BadString);
  for (const Byte n : Octets{0, 2, 8}) read_wchar({n, 0, 0x41}, WideForm::Ucs4Octets, Fault::BadString);
  read_wstring({0, 0, 0, 6, 0, 0, 0, 0x41, 0, 0}, WideForm::Ucs4Octets, Fault::BadString);
  read_wstring({0, 0, 0, 8, 0, 0, 0, 0x41}, WideForm::Ucs4Octets, Fault::BadCount);
  read_wstring({0x40, 0, 0, 2, 0, 0, 0, 0x41, 0, 0, 0, 0}, WideForm::Ucs4Units, Fault::BadCount);
  read_wstring({0, 0, 0, 8, 0, 0, 0, 'a', 0, 0, 0, 'b'}, WideForm::Ucs4Octets, Fault::BadBound, ByteOrder::Big, 1);
}

}  // namespace
}  // namespace callis::cdr
