// SPDX-License-Identifier: Apache-2.0
// CORBA::Any (C++ mapping 1.3, 4.20): insertion, extraction, sharing.
#include <callis/classic/fixed.h>
#include <callis/marshal/handlers.h>
#include <callis/marshal/values.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/anys.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

TEST(Any, IsEmptyAtFirst) {
  const Any a;
  const TypeCode_var t = a.type();
  EXPECT_EQ(t->kind(), CORBA::tk_null);
  EXPECT_EQ(a.value(), nullptr);
  CORBA::Long n = 7;
  EXPECT_FALSE(a >>= n);
  EXPECT_EQ(bytes_of(a, ByteOrder::Big), Cdr(ByteOrder::Big).u32(0).bytes());
}

template <class T>
void there_and_back(T value) {
  Any a;
  a <<= value;
  T back{};
  EXPECT_TRUE(a >>= back);
  EXPECT_EQ(back, value);
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Any received;
    EXPECT_EQ(receive(bytes_of(a, order), order, received), Fault::None);
    T again{};
    EXPECT_TRUE(received >>= again);
    EXPECT_EQ(again, value);
  }
}

TEST(Any, NumbersThereAndBack) {
  there_and_back<CORBA::Short>(-3);
  there_and_back<CORBA::UShort>(65000);
  there_and_back<CORBA::Long>(-70000);
  there_and_back<CORBA::ULong>(4000000000u);
  there_and_back<CORBA::LongLong>(-5000000000);
  there_and_back<CORBA::ULongLong>(~0ull);
  there_and_back<CORBA::Float>(1.5f);
  there_and_back<CORBA::Double>(-2.25);
  there_and_back<CORBA::LongDouble>(3.125L);
}

// put_number() and get_number() do what the plan does, in each order and at each alignment.
TEST(Any, NumbersGoAsTheirPlansSay) {
  for (const TypeCode_ptr type : {CORBA::_tc_octet, CORBA::_tc_short, CORBA::_tc_ushort, CORBA::_tc_long,
                                  CORBA::_tc_ulong, CORBA::_tc_float, CORBA::_tc_longlong, CORBA::_tc_ulonglong,
                                  CORBA::_tc_double})
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little})
      for (std::size_t phase = 0; phase < 8; ++phase) {
        std::uint64_t bits = 0x0123456789abcdef;
        const Any a(type, &bits);
        Buffer quick, planned;
        cdr::Encoder e(quick, order), as_planned(planned, order);
        for (std::size_t i = 0; i < phase; ++i) e.put_octet(0xff), as_planned.put_octet(0xff);
        ASSERT_TRUE(put_number(e, a.callis_slot()));
        put_any_value(as_planned, a);
        e.finish();
        as_planned.finish();
        ASSERT_TRUE(std::ranges::equal(quick.view(), planned.view()));
        for (const std::size_t missing : {0u, 1u}) {
          cdr::Budget budget{100, 10};
          cdr::Decoder d(quick.view().first(quick.size() - missing), order, budget);
          ASSERT_TRUE(d.skip(phase));
          Any back(type, nullptr);
          ASSERT_TRUE(get_number(d, back.callis_slot()));
          EXPECT_EQ(d.ok(), missing == 0);
          EXPECT_EQ(d.remaining(), 0u);
          EXPECT_EQ(back.callis_slot().value, missing ? nullptr : a.callis_slot().value);
          EXPECT_EQ(TypeCode_var(back.type())->kind(), missing ? CORBA::tk_null : type->kind());
        }
      }
}

TEST(Any, OtherValuesAreNoNumbers) {
  const TypeCode_var alias = create_alias_tc("IDL:A:1.0", "A", CORBA::_tc_long);
  for (const TypeCode_ptr type : {CORBA::_tc_null, CORBA::_tc_void, CORBA::_tc_boolean, CORBA::_tc_char,
                                  CORBA::_tc_wchar, CORBA::_tc_longdouble, CORBA::_tc_string, CORBA::_tc_any,
                                  alias.in()}) {
    Any a(type, nullptr);
    Buffer buffer;
    cdr::Encoder e(buffer);
    EXPECT_FALSE(put_number(e, a.callis_slot()));
    EXPECT_EQ(e.position(), 0u);
    cdr::Budget budget{100, 10};
    cdr::Decoder d(ByteView(), kNativeOrder, budget);
    EXPECT_FALSE(get_number(d, a.callis_slot()));
    EXPECT_TRUE(d.ok());
  }
}

TEST(Any, TypesThatCxxDoesNotTellApart) {
  Any a;
  a <<= Any::from_boolean(true);
  CORBA::Boolean b = false;
  EXPECT_TRUE(a >>= Any::to_boolean(b));
  EXPECT_TRUE(b);
  CORBA::Octet o = 0;
  EXPECT_FALSE(a >>= Any::to_octet(o));
  a <<= Any::from_octet(200);
  EXPECT_TRUE(a >>= Any::to_octet(o));
  EXPECT_EQ(o, 200);
  a <<= Any::from_char('x');
  CORBA::Char c = 0;
  EXPECT_TRUE(a >>= Any::to_char(c));
  EXPECT_EQ(c, 'x');
  a <<= Any::from_wchar(L'\x20ac');
  CORBA::WChar w = 0;
  EXPECT_TRUE(a >>= Any::to_wchar(w));
  EXPECT_EQ(w, L'\x20ac');
}

TEST(Any, StringsBelongToTheAny) {
  Any a;
  a <<= "hello";
  const char* s = nullptr;
  EXPECT_TRUE(a >>= s);
  EXPECT_STREQ(s, "hello");
  CORBA::String_var v = static_cast<const char*>("var");
  a <<= v.in();
  EXPECT_TRUE(a >>= s);
  EXPECT_STREQ(s, "var");
  a <<= L"wide";
  const CORBA::WChar* w = nullptr;
  EXPECT_TRUE(a >>= w);
  EXPECT_STREQ(w, L"wide");
  EXPECT_FALSE(a >>= s);
  EXPECT_EQ(s, nullptr);
}

TEST(Any, BoundsAreAPartOfTheType) {
  Any a;
  a <<= Any::from_string("abc", 5);
  const char* s = nullptr;
  EXPECT_FALSE(a >>= s);
  EXPECT_FALSE(a >>= Any::to_string(s, 6));
  EXPECT_TRUE(a >>= Any::to_string(s, 5));
  EXPECT_STREQ(s, "abc");
  a <<= Any::from_string(CORBA::string_dup("taken"), 0, true);
  EXPECT_TRUE(a >>= s);
  EXPECT_STREQ(s, "taken");
  a <<= Any::from_wstring(L"abc", 3);
  const CORBA::WChar* w = nullptr;
  EXPECT_TRUE(a >>= Any::to_wstring(w, 3));
  EXPECT_STREQ(w, L"abc");
}

TEST(Any, FixedHasDigitsAndScale) {
  Any a;
  a <<= Any::from_fixed(CORBA::Fixed("12.50"), 5, 2);
  CORBA::Fixed f;
  EXPECT_FALSE(a >>= Any::to_fixed(f, 6, 2));
  EXPECT_TRUE(a >>= Any::to_fixed(f, 5, 2));
  EXPECT_TRUE(f == CORBA::Fixed("12.5"));
  EXPECT_EQ(bytes_of(a, ByteOrder::Big),
            Cdr(ByteOrder::Big).u32(28).u16(5).u16(2).u8(0x01).u8(0x25).u8(0x0c).bytes());
}

TEST(Any, FixedIsFittedToItsType) {
  Any a;
  CORBA::Fixed f;
  a <<= Any::from_fixed(CORBA::Fixed("0.0129"), 5, 2);
  EXPECT_TRUE(a >>= Any::to_fixed(f, 5, 2));
  EXPECT_EQ(f.to_string(), "0.01");
  EXPECT_THROW(a <<= Any::from_fixed(CORBA::Fixed(1000), 5, 2), CORBA::DATA_CONVERSION);
  EXPECT_TRUE(a >>= Any::to_fixed(f, 5, 2)) << "what it held before";
}

TEST(Any, StructsAreCopiedOrTakenOver) {
  Any a = pair_any(7, "seven");
  const Pair* p = nullptr;
  EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
  EXPECT_EQ(p->number, 7);
  EXPECT_STREQ(p->text.in(), "seven");
  auto* own = new Pair{8, static_cast<const char*>("eight")};
  adopt(a, tc_pair(), own);
  EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
  EXPECT_EQ(p, own);
}

TEST(Any, CopiesShareTheValue) {
  Any a = pair_any(7, "seven");
  const Any b(a);
  Any c;
  c = b;
  const Pair *p = nullptr, *q = nullptr;
  EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
  EXPECT_TRUE(extract_pointer(c, tc_pair(), q));
  EXPECT_EQ(p, q);
  a <<= CORBA::Long{1};
  EXPECT_TRUE(extract_pointer(b, tc_pair(), p));
  EXPECT_EQ(p, q);
}

TEST(Any, AnyInAny) {
  Any outer, inner = pair_any(1, "in");
  outer <<= inner;
  const Any* out = nullptr;
  const Pair* p = nullptr;
  EXPECT_TRUE(outer >>= out);
  EXPECT_TRUE(extract_pointer(*out, tc_pair(), p));
  outer <<= outer;
  EXPECT_TRUE(outer >>= out);
  const Any* deeper = nullptr;
  EXPECT_TRUE(*out >>= deeper);
  Any received;
  EXPECT_EQ(receive(bytes_of(outer), kNativeOrder, received), Fault::None);
  EXPECT_TRUE(received >>= out);
  EXPECT_TRUE(*out >>= deeper);
  EXPECT_TRUE(extract_pointer(*deeper, tc_pair(), p));
  EXPECT_STREQ(p->text.in(), "in");
}

TEST(Any, TypeCodesAreValues) {
  Any a;
  a <<= tc_pair();
  TypeCode_ptr t = nullptr;
  EXPECT_TRUE(a >>= t);
  EXPECT_EQ(t, tc_pair());
  Any received;
  EXPECT_EQ(receive(bytes_of(a, ByteOrder::Big), ByteOrder::Big, received), Fault::None);
  EXPECT_TRUE(received >>= t);
  EXPECT_TRUE(t->equal(tc_pair()));
}

TEST(Any, ExtractionLooksBehindAliases) {
  const TypeCode_var alias = create_alias_tc("IDL:P2:1.0", "P2", tc_pair());
  const Pair p{3, static_cast<const char*>("x")};
  Any a;
  insert(a, alias, &p);
  const Pair* q = nullptr;
  EXPECT_TRUE(extract_pointer(a, tc_pair(), q));
  EXPECT_EQ(q->number, 3);
  const TypeCode_var kept = a.type();
  EXPECT_EQ(kept->kind(), CORBA::tk_alias);
  a.type(tc_pair());
  const TypeCode_var now = a.type();
  EXPECT_EQ(now->kind(), CORBA::tk_struct);
  EXPECT_THROW(a.type(CORBA::_tc_long), CORBA::BAD_TYPECODE);
}

TEST(Any, ReplaceSetsTypeAndValue) {
  CORBA::Long n = 5;
  Any a(CORBA::_tc_long, &n);
  CORBA::Long back = 0;
  EXPECT_TRUE(a >>= back);
  EXPECT_EQ(back, 5);
  a.replace(tc_pair(), nullptr);
  const Pair* p = nullptr;
  EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
  EXPECT_EQ(p->number, 0);
  a.replace(CORBA::_tc_void, nullptr);
  const TypeCode_var t = a.type();
  EXPECT_EQ(t->kind(), CORBA::tk_void);
  EXPECT_THROW(a.replace(nullptr, nullptr), CORBA::BAD_PARAM);
}

TEST(Any, ExceptionsGoWithTheirIds) {
  Oops oops;
  oops.why = "because";
  Any a;
  insert_exception(a, tc_oops(), oops);
  const Oops* back = nullptr;
  EXPECT_TRUE(extract_exception(a, tc_oops(), back));
  EXPECT_STREQ(back->why.in(), "because");
  const auto wire = bytes_of(a, ByteOrder::Big);
  Cdr expected(ByteOrder::Big);
  expected.u32(22).within([](Cdr& c) { c.text("IDL:Oops:1.0").text("Oops").u32(1).text("why").u32(18).u32(0); });
  expected.text("IDL:Oops:1.0").text("because");
  EXPECT_EQ(wire, expected.bytes());
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Any received;
    EXPECT_EQ(receive(bytes_of(a, order), order, received), Fault::None);
    EXPECT_EQ(bytes_of(received, other(order)), bytes_of(a, other(order)));
    EXPECT_TRUE(extract_exception(received, tc_oops(), back));
    EXPECT_STREQ(back->why.in(), "because");
    EXPECT_STREQ(back->_rep_id(), "IDL:Oops:1.0");
  }
}

// Exceptions have repository ids (CORBA 3.3 part 2, 9.3.5.1). With an empty one, 1 as a member and an octet 0 behind
// the any would be taken for the id.
TEST(Any, AnExceptionWithoutAnIdIsRefused) {
  Cdr wire(ByteOrder::Big);
  wire.u32(22).within([](Cdr& c) { c.text("").text("").u32(1).text("").u32(3); });
  wire.u32(1);
  Any received;
  EXPECT_EQ(receive(wire.bytes(), ByteOrder::Big, received), Fault::BadValue);
}

// In the other byte order it would be taken for one with its id, and the rest for its members.
TEST(Any, AnExceptionWithoutItsIdWhoseMembersReadLikeItIsNotSent) {
  const TypeCode_var octets = create_array_tc(40, CORBA::_tc_octet);
  const TypeCode_var type = create_exception_tc("IDL:E:1.0", "E", members({{"octets", octets}}));
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Cdr id(other(order)), c(order);
    id.text("IDL:E:1.0");
    for (Byte b : written(type, order)) c.u8(b);
    for (std::size_t i = 0; i < 40; ++i) c.u8(i < id.size() ? id.bytes()[i] : 0);
    Any received;
    ASSERT_EQ(receive(c, order, received), Fault::None);
    EXPECT_EQ(bytes_of(received, order), c.bytes());
    Buffer b;
    cdr::Encoder e(b, other(order));
    put_any(e, received);
    EXPECT_STREQ(fault_name(e.fault()), fault_name(Fault::BadValue));
  }
}

// omniORB leaves the id out.
TEST(Any, ExceptionsMayComeWithoutTheirIds) {
  const TypeCode_var none = create_exception_tc("IDL:None:1.0", "None", CORBA::StructMemberSeq());
  const TypeCode_var wide = create_exception_tc("IDL:Wide:1.0", "Wide", members({{"why", CORBA::_tc_wstring}}));
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Oops oops;
    oops.why = "because";
    Any a;
    insert_exception(a, tc_oops(), oops);
    const auto with = bytes_of(a, order), type = written(tc_oops(), order);
    Cdr without(order);
    for (Byte b : type) without.u8(b);
    without.text("because");
    Any received;
    ASSERT_EQ(receive(without, order, received), Fault::None);
    const Oops* back = nullptr;
    EXPECT_EQ(bytes_of(received, order), without.bytes());
    ASSERT_TRUE(extract_exception(received, tc_oops(), back));
    EXPECT_STREQ(back->why.in(), "because");
    // As it came, in the other byte order too.
    Any turned;
    ASSERT_EQ(receive(bytes_of(received, other(order)), other(order), turned), Fault::None);
    EXPECT_EQ(bytes_of(turned, order), without.bytes());
    EXPECT_EQ(bytes_of(a, order), with);

    Any empty;
    ASSERT_EQ(receive(written(none, order), order, empty), Fault::None);
    EXPECT_NE(empty.value(), nullptr);
    EXPECT_EQ(bytes_of(empty, order), written(none, order));

    Cdr text(order);
    const auto wide_type = written(wide, order);
    for (Byte b : wide_type) text.u8(b);
    text.u32(2).u8(order == ByteOrder::Little ? 'w' : 0).u8(order == ByteOrder::Little ? 0 : 'w');
    Any of_wide;
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(text, order, budget, 0, cdr::WideForm::Octets);
    get_any(d, of_wide);
    EXPECT_EQ(d.fault(), Fault::None) << fault_name(d.fault());
    EXPECT_NE(of_wide.value(), nullptr);
  }
}

// Nothing follows the TypeCode of a type without members.
TEST(Any, TypesWithoutMembersHaveNoBytes) {
  const TypeCode_var none = make_struct("IDL:Empty:1.0", "Empty", {});
  Any received;
  ASSERT_EQ(receive(written(none, ByteOrder::Big), ByteOrder::Big, received), Fault::None);
  EXPECT_NE(received.value(), nullptr);
  EXPECT_EQ(bytes_of(received, ByteOrder::Big), written(none, ByteOrder::Big));
}

TEST(AnySlot, TheEngineKnowsAnysAndTypeCodes) {
  const auto* h = marshal::slot_handlers(marshal::Kind::Any);
  ASSERT_NE(h, nullptr);
  const Any a = pair_any(1, "x"), b = pair_any(1, "x"), c = pair_any(2, "x");
  EXPECT_TRUE(h->equal(&a, &b, nullptr));
  EXPECT_FALSE(h->equal(&a, &c, nullptr));
  EXPECT_EQ(h->hash(&a, nullptr), h->hash(&b, nullptr));
  const auto bytes = bytes_of(a);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(bytes, kNativeOrder, budget);
  h->skip(d, nullptr);
  EXPECT_TRUE(d.ok());
  EXPECT_EQ(d.remaining(), 0u);
  ASSERT_NE(marshal::slot_handlers(marshal::Kind::TypeCode), nullptr);
}

// What orb.idl declares.
TEST(BasicSequences, HaveTypeCodesAndGoIntoAnys) {
  EXPECT_EQ(CORBA::_tc_StringSeq->kind(), CORBA::tk_alias);
  EXPECT_STREQ(CORBA::_tc_StringSeq->id(), "IDL:omg.org/CORBA/StringSeq:1.0");
  EXPECT_STREQ(CORBA::_tc_WStringSeq->id(), "IDL:omg.org/CORBA/WStringSeq:1.0");
  const TypeCode_var wide = CORBA::_tc_WStringSeq->content_type();
  EXPECT_EQ(TypeCode_var(wide->content_type())->kind(), CORBA::tk_wstring);
  EXPECT_STREQ(CORBA::_tc_AnySeq->name(), "AnySeq");
  const TypeCode_var sequence = CORBA::_tc_LongDoubleSeq->content_type();
  EXPECT_EQ(sequence->kind(), CORBA::tk_sequence);
  EXPECT_EQ(sequence->length(), 0u);
  const TypeCode_var element = sequence->content_type();
  EXPECT_EQ(element->kind(), CORBA::tk_longdouble);
  CORBA::OctetSeq bytes;
  bytes.length(3);
  bytes[2] = 7;
  Any a;
  a <<= bytes;
  const CORBA::OctetSeq* out = nullptr;
  ASSERT_TRUE(a >>= out);
  ASSERT_EQ(out->length(), 3u);
  EXPECT_EQ((*out)[2], 7);
  const CORBA::LongSeq* other = nullptr;
  EXPECT_FALSE(a >>= other);
}

TEST(AnySeq, GrowsAndCopies) {
  CORBA::AnySeq s;
  s.length(3);
  s[1] = pair_any(4, "four");
  s.length(100);
  const CORBA::AnySeq t(s);
  const Pair* p = nullptr;
  EXPECT_TRUE(extract_pointer(t[1], tc_pair(), p));
  EXPECT_STREQ(p->text.in(), "four");
}

}  // namespace
}  // namespace callis::typecode::testing
