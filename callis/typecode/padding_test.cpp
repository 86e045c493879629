// SPDX-License-Identifier: Apache-2.0
// TypeCodes whose padding holds what was in the sender's memory, as omniORB's does.
#include <callis/typecode/coder.h>
#include <callis/typecode/internal/padding.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using Bytes = std::vector<Byte>;

// A TypeCode in CDR by hand; what is written between its parts is the Cdr's padding.
struct PaddedForm {
  const char* name;
  void (*write)(Cdr&);
};

void enumeration(Cdr& c) {
  c.u32(17).within([](Cdr& e) { e.text("IDL:Enum:1.0").text("Enum").u32(3).text("a").text("bc").text("def"); });
}
const PaddedForm kForms[] = {
    {"Enum", &enumeration},
    {"Struct",
     [](Cdr& c) {
       c.u32(15).within([](Cdr& s) {
         s.text("IDL:S:1.0").text("S").u32(4).text("one").u32(3);
         s.text("s").u32(19).within([](Cdr& q) { q.u32(18).u32(7).u32(0); });
         s.text("two").u32(19).within([](Cdr& q) { q.u32(28).u16(5).u16(2).u32(0); });
         s.text("x").u32(15).within([](Cdr& t) { t.text("").text("T").u32(1).text("b").u32(8); });
       });
     }},
    {"LongLongUnion",
     [](Cdr& c) {
       c.u32(16).within([](Cdr& u) {
         u.text("IDL:U:1.0")
             .text("U")
             .u32(23)
             .u32(0)
             .u32(2)
             .u64(1)
             .text("a")
             .u32(3)
             .u64(2)
             .text("bcdef")
             .u32(18)
             .u32(0);
       });
     }},
    {"ShortUnion",
     [](Cdr& c) {
       c.u32(16).within([](Cdr& u) {
         u.text("IDL:U:1.0")
             .text("U")
             .u32(2)
             .u32(0xffffffff)
             .u32(2)
             .u16(1)
             .text("a")
             .u32(3)
             .u16(2)
             .text("bcd")
             .u32(7);
       });
     }},
    {"BooleanUnion",
     [](Cdr& c) {
       c.u32(16).within([](Cdr& u) {
         u.text("IDL:U:1.0").text("U").u32(8).u32(0xffffffff).u32(2).u8(1).text("a").u32(3).u8(0).text("bcd").u32(7);
       });
     }},
    {"WideCharUnion",
     [](Cdr& c) {
       c.u32(16).within([](Cdr& u) {
         u.text("IDL:U:1.0").text("U").u32(26).u32(0xffffffff).u32(2);
         u.u8(2).u8(0).u8(65).text("a").u32(3).u8(2).u8(0).u8(66).text("bcd").u32(7);
       });
     }},
    // The discriminator's type has come before: an enum, and an alias of a short.
    {"UnionsByWhatCameBefore",
     [](Cdr& c) {
       c.u32(15).within([](Cdr& s) {
         s.text("IDL:S:1.0").text("S").u32(4).text("e");
         while (s.size() % 4 != 0) s.u8(0xaa);
         const std::size_t at = 8 + s.size();
         enumeration(s);
         s.text("u").u32(16);
         const std::size_t inside = 8 + s.size() + 4;
         s.within([=](Cdr& u) {
           u.text("IDL:U:1.0").text("U").u32(0xffffffff);
           u.u32(static_cast<std::uint32_t>(at - (inside + u.size())));
           u.u32(0xffffffff).u32(1).u32(1).text("a").u32(3);
         });
         s.text("al");
         while (s.size() % 4 != 0) s.u8(0xaa);
         const std::size_t alias = 8 + s.size();
         s.u32(21).within([](Cdr& a) { a.text("IDL:A:1.0").text("A").u32(2); });
         s.text("v").u32(16);
         const std::size_t inside2 = 8 + s.size() + 4;
         s.within([=](Cdr& u) {
           u.text("IDL:V:1.0").text("V").u32(0xffffffff);
           u.u32(static_cast<std::uint32_t>(alias - (inside2 + u.size())));
           u.u32(0xffffffff).u32(2).u16(1).text("a").u32(3).u16(2).text("b").u32(3);
         });
       });
     }},
    {"Value",
     [](Cdr& c) {
       c.u32(29).within([](Cdr& v) {
         v.text("IDL:V:1.0").text("V").u16(3);
         v.u32(29).within([](Cdr& b) { b.text("IDL:B:1.0").text("Base").u16(0).u32(0).u32(0); });
         v.u32(2).text("m").u32(3).u16(1).text("n").u32(18).u32(0).u16(0);
       });
     }},
    {"BoxOfSequencesOfArrays",
     [](Cdr& c) {
       c.u32(30).within([](Cdr& b) {
         b.text("IDL:Box:1.0").text("Box").u32(19).within([](Cdr& s) {
           s.u32(20).within([](Cdr& a) { a.u32(27).u32(0).u32(3); }).u32(0);
         });
       });
     }},
};

Bytes padded(const PaddedForm& wire, ByteOrder order, Byte padding) {
  Cdr c(order, padding);
  wire.write(c);
  return c.bytes();
}
bool clear(Bytes& bytes, ByteOrder order) { return clear_padding(bytes, order != kNativeOrder); }

class Padding : public ::testing::TestWithParam<std::tuple<PaddedForm, ByteOrder>> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Padding,
                         ::testing::Combine(::testing::ValuesIn(kForms),
                                            ::testing::Values(ByteOrder::Big, ByteOrder::Little)),
                         [](const auto& i) {
                           return std::string(std::get<0>(i.param).name) +
                                  (std::get<1>(i.param) == ByteOrder::Big ? "Big" : "Little");
                         });

TEST_P(Padding, BecomesZeros) {
  const auto& [wire, order] = GetParam();
  Bytes filled = padded(wire, order, 0xaa), zeros = padded(wire, order, 0);
  ASSERT_NE(filled, zeros);
  Fault fault;
  ASSERT_NE(TypeCode_var(testing::read(filled, order, &fault)).in(), nullptr) << fault_name(fault);
  ASSERT_TRUE(clear(filled, order));
  ASSERT_TRUE(clear(zeros, order));
  EXPECT_EQ(filled, zeros);
}

// Whatever else differs still does: bytes that become the same are the same TypeCode.
TEST_P(Padding, IsAllThatIsCleared) {
  const auto& [wire, order] = GetParam();
  const Bytes bytes = padded(wire, order, 0);
  const TypeCode_var type = testing::read(bytes, order);
  ASSERT_NE(type.in(), nullptr);
  Bytes cleared = bytes;
  ASSERT_TRUE(clear(cleared, order));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (unsigned flip = 1; flip < 256; flip = flip < 128 ? flip * 2 : flip + 127) {
      Bytes other = bytes;
      other[i] = static_cast<Byte>(other[i] ^ flip);
      Bytes also = other;
      if (!clear(also, order) || also != cleared) continue;
      Fault fault;
      const TypeCode_var read = testing::read(other, order, &fault);
      ASSERT_NE(read.in(), nullptr) << i << ' ' << fault_name(fault);
      EXPECT_TRUE(read->equal(type)) << i;
    }
}

TEST_P(Padding, OfWhatIsCutOffIsNotCleared) {
  const auto& [wire, order] = GetParam();
  const Bytes bytes = padded(wire, order, 0xaa);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_FALSE(clear(part, order)) << n;
  }
}

TEST_P(Padding, MakesNoOtherTypeOfAnAny) {
  const auto& [wire, order] = GetParam();
  const TypeCode_var type = testing::read(padded(wire, order, 0), order);
  Buffer buffer;
  cdr::Encoder e(buffer, order);
  put_any(e, CORBA::Any(type, nullptr));
  e.finish();
  ASSERT_STREQ(fault_name(e.fault()), fault_name(Fault::None));
  Bytes message;
  for (const Byte padding : {Byte{0xaa}, Byte{0x55}}) {
    const Bytes code = padded(wire, order, padding);
    while (message.size() % 8 != 0) message.push_back(0);
    ASSERT_EQ(testing::written(type, order).size(), code.size());
    message.insert(message.end(), code.begin(), code.end());
    message.insert(message.end(), buffer.data() + code.size(), buffer.data() + buffer.size());
  }
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(message, order, budget);
  const value::DecodeScope scope(d);
  CORBA::Any one, two;
  get_any(d, one);
  d.align(8);
  get_any(d, two);
  ASSERT_STREQ(fault_name(d.fault()), fault_name(Fault::None));
  EXPECT_EQ(one.callis_slot().type, two.callis_slot().type);
  EXPECT_EQ(d.remaining(), 0u);
}

}  // namespace
}  // namespace callis::typecode::testing
