// SPDX-License-Identifier: Apache-2.0
// Anys that come over the wire: their form, what is read of them, and what is passed on.
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/anys.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::typecode::testing {
namespace {

TEST(ReceivedAny, HasTheFormOfTheSpecification) {
  for (ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Cdr c(order);
    c.u32(15).within([](Cdr& s) {
      s.text("IDL:Pair:1.0").text("Pair").u32(2).text("number").u32(3).text("text").u32(18).u32(0);
    });
    c.u32(7).text("seven");
    EXPECT_EQ(bytes_of(pair_any(7, "seven"), order), c.bytes());
    Any a;
    EXPECT_EQ(receive(c, order, a), Fault::None);
    const Pair *p = nullptr, *again = nullptr;
    EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
    EXPECT_EQ(p->number, 7);
    EXPECT_STREQ(p->text.in(), "seven");
    EXPECT_TRUE(extract_pointer(a, tc_pair(), again));
    EXPECT_EQ(p, again);
  }
}

TEST(ReceivedAny, IsPassedOnInEitherOrderAndAtEveryPhase) {
  // struct { octet o; double d; }: its padding depends on where it begins.
  const TypeCode_var t = make_struct("IDL:D:1.0", "D", {{"o", CORBA::_tc_octet}, {"d", CORBA::_tc_double}});
  const struct {
    CORBA::Octet o;
    CORBA::Double d;
  } value{9, 1.25};
  Any a;
  insert(a, t, &value);
  for (ByteOrder in : {ByteOrder::Big, ByteOrder::Little})
    for (std::size_t from = 0; from < 8; ++from) {
      Any received;
      ASSERT_EQ(receive(bytes_of(a, in, from), in, received, from), Fault::None);
      for (ByteOrder out : {ByteOrder::Big, ByteOrder::Little})
        for (std::size_t to = 0; to < 8; ++to) EXPECT_EQ(bytes_of(received, out, to), bytes_of(a, out, to));
    }
}

TEST(ReceivedAny, OfAnotherTypeWithTheSameIdIsNotExtracted) {
  // Equivalent by its id; the bytes are not what the receiver's type has.
  const TypeCode_var lie =
      make_struct("IDL:Pair:1.0", "Pair", {{"number", CORBA::_tc_longlong}, {"n", CORBA::_tc_ulonglong}});
  const struct {
    CORBA::LongLong a;
    CORBA::ULongLong b;
  } value{-1, ~0ull};
  Any a;
  insert(a, lie, &value);
  const Pair* p = nullptr;
  EXPECT_FALSE(extract_pointer(a, tc_pair(), p));
  Any received;
  ASSERT_EQ(receive(bytes_of(a), kNativeOrder, received), Fault::None);
  EXPECT_FALSE(extract_pointer(received, tc_pair(), p));
  EXPECT_EQ(p, nullptr);
  const void* own = nullptr;
  EXPECT_TRUE(extract_pointer(received, lie, own));
}

TEST(ReceivedAny, IsRefusedWhereItIsCutOff) {
  const auto good = bytes_of(pair_any(7, "seven"));
  for (std::size_t n = 0; n < good.size(); ++n) {
    Any a;
    EXPECT_NE(receive(ByteView(good.data(), n), kNativeOrder, a), Fault::None) << n;
    const TypeCode_var t = a.type();
    EXPECT_EQ(t->kind(), CORBA::tk_null);
  }
}

TEST(ReceivedAny, SpoiledBytesNeverCrash) {
  const TypeCode_var seq = create_sequence_tc(0, tc_pair());
  Any inner = pair_any(1, "one"), outer;
  outer <<= inner;
  for (const Any& each : {pair_any(2, "two"), outer}) {
    const auto good = bytes_of(each);
    for (std::size_t i = 0; i < good.size(); ++i)
      for (unsigned flip = 1; flip < 256; flip += 37) {
        auto bad = good;
        bad[i] = static_cast<Byte>(bad[i] ^ flip);
        Any a;
        if (receive(bad, kNativeOrder, a) != Fault::None) continue;
        const Pair* p = nullptr;
        (void)extract_pointer(a, tc_pair(), p);
        (void)a.value();
        const Any copy(a);
      }
  }
}

TEST(ReceivedAny, AnysWithinAnysAreLimited) {
  Any a;
  a <<= CORBA::Long{1};
  for (int i = 0; i < 70; ++i) a <<= Any(a);
  Any received;
  EXPECT_EQ(receive(bytes_of(a), kNativeOrder, received), Fault::TooDeep);
}

TEST(ReceivedAny, IsChargedToTheMessage) {
  const std::string text(10000, 'x');
  Any a;
  a <<= text.c_str();
  Any received;
  EXPECT_EQ(receive(bytes_of(a), kNativeOrder, received, 0, 9000), Fault::BudgetExceeded);
}

TEST(ReceivedAny, WithoutValuesIsRefused) {
  Any a;
  EXPECT_EQ(receive(Cdr(ByteOrder::Big).u32(13), ByteOrder::Big, a), Fault::Unsupported);
  const TypeCode_var native = create_named_tc(CORBA::tk_native, "IDL:N:1.0", "N");
  EXPECT_THROW(insert(a, native, &a), CORBA::BAD_TYPECODE);
}

// A struct without members takes no bytes.
TEST(ReceivedAny, MayHaveNoBytesAtAll) {
  const TypeCode_var nothing = make_struct("IDL:Nothing:1.0", "Nothing", {});
  const auto bytes = written(nothing, kNativeOrder);
  Any a;
  ASSERT_EQ(receive(bytes, kNativeOrder, a), Fault::None);
  EXPECT_EQ(bytes_of(a), bytes);
  EXPECT_EQ(bytes_of(a, other(kNativeOrder)), written(nothing, other(kNativeOrder)));
  EXPECT_NE(a.value(), nullptr);
}

TEST(ReceivedAny, OverFragmentsOfGiop11IsDecoded) {
  const auto bytes = bytes_of(pair_any(7, "seven"), ByteOrder::Big);
  for (std::size_t cut = 8; cut < bytes.size(); cut += 8) {
    const cdr::Segment parts[] = {{ByteView(bytes.data(), cut), 0},
                                  {ByteView(bytes.data() + cut, bytes.size() - cut), 0}};
    cdr::Budget budget{1u << 20, 64};
    cdr::Decoder d(parts, ByteOrder::Big, budget);
    Any a;
    get_any(d, a);
    ASSERT_TRUE(d.ok()) << cut << ' ' << fault_name(d.fault());
    const Pair* p = nullptr;
    EXPECT_TRUE(extract_pointer(a, tc_pair(), p));
    EXPECT_STREQ(p->text.in(), "seven");
  }
}

TEST(ReceivedAny, UnionsAndSequencesArePassedOn) {
  const TypeCode_var u = create_union_tc("IDL:U:1.0", "U", CORBA::_tc_boolean,
      union_members({[] {
        Any label;
        label <<= Any::from_boolean(true);
        return union_member("p", label, tc_pair());
      }()}));
  const TypeCode_var s = create_sequence_tc(0, u);
  Cdr c(ByteOrder::Big);
  const auto type = written(s, ByteOrder::Big);
  for (Byte b : type) c.u8(b);
  c.u32(2).u8(1).u32(5).text("five").u8(0);
  Any a;
  ASSERT_EQ(receive(c, ByteOrder::Big, a), Fault::None);
  EXPECT_EQ(bytes_of(a, ByteOrder::Big), c.bytes());
  Any turned;
  ASSERT_EQ(receive(bytes_of(a, ByteOrder::Little), ByteOrder::Little, turned), Fault::None);
  EXPECT_EQ(bytes_of(turned, ByteOrder::Big), c.bytes());
}

TEST(ReceivedAny, SeveralThreadsExtractFromOne) {
  Any a;
  ASSERT_EQ(receive(bytes_of(pair_any(7, "seven")), kNativeOrder, a), Fault::None);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) {
        const Any copy(a);
        const Pair* p = nullptr;
        if (extract_pointer(copy, tc_pair(), p) && p->number == 7) ++good;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(good.load(), 800);
}

}  // namespace
}  // namespace callis::typecode::testing
