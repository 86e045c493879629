// SPDX-License-Identifier: Apache-2.0
// How deep things may nest, and that the deepest that is accepted fits into a small stack: whatever nests in
// whatever.
#include <callis/base/limits.h>
#include <callis/base/testing/small_stack.h>
#include <callis/marshal/values.h>
#include <callis/typecode/testing/held.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {
namespace {

using callis::testing::kMostUsed;
using callis::testing::stack_used;
using marshal::Kind;
using marshal::type_word;

// What an Any may have around an Any. Each writes the TypeCode, and what stands in front of the Any in the value.
using Around = void (*)(Cdr& c);
struct Case {
  const char* name;
  Around around;
  std::uint32_t behind = 0;  // bytes that follow the Any within
};

// An Any of a value, by the type's id and the value's own.
void described(Cdr& c, std::uint32_t kind, const char* id, const char* of_value = nullptr) {
  c.u32(kind).within([&](Cdr& t) {
    t.text(id).text("");
    if (kind == CORBA::tk_value) t.u16(0).u32(0).u32(1).text("");
    t.u32(CORBA::tk_any);
    if (kind == CORBA::tk_value) t.u16(1);
  });
  c.u32(kValueTag).text(of_value ? of_value : id);
}

const Case kCases[] = {
    {"any", [](Cdr& c) { c.u32(CORBA::tk_any); }},
    {"struct",
     [](Cdr& c) {
       c.u32(CORBA::tk_struct).within([](Cdr& t) { t.text("").text("").u32(1).text("").u32(CORBA::tk_any); });
     }},
    {"sequence",
     [](Cdr& c) { c.u32(CORBA::tk_sequence).within([](Cdr& t) { t.u32(CORBA::tk_any).u32(0); }).u32(1); }},
    {"array", [](Cdr& c) { c.u32(CORBA::tk_array).within([](Cdr& t) { t.u32(CORBA::tk_any).u32(1); }); }},
    {"union",
     [](Cdr& c) {
       c.u32(CORBA::tk_union).within([](Cdr& t) {
         t.text("").text("").u32(CORBA::tk_octet).u32(0xffffffff).u32(1).u8(1).text("").u32(CORBA::tk_any);
       });
       c.u8(1);
     }},
    {"exception",
     [](Cdr& c) {
       c.u32(CORBA::tk_except).within([](Cdr& t) {
         t.text("IDL:X:1.0").text("").u32(1).text("").u32(CORBA::tk_any);
       });
       c.text("IDL:X:1.0");
     }},
    {"value", [](Cdr& c) { described(c, CORBA::tk_value, "IDL:Held:1.0"); }, 4},
    {"value of an unknown type", [](Cdr& c) { described(c, CORBA::tk_value, "IDL:Unknown:1.0", "IDL:Held:1.0"); }, 4},
    {"unknown value", [](Cdr& c) { described(c, CORBA::tk_value, "IDL:Unknown:1.0"); }},
    {"unknown box", [](Cdr& c) { described(c, CORBA::tk_value_box, "IDL:Box:1.0"); }},
    {"sequences, structs and unions",
     [](Cdr& c) {
       c.u32(CORBA::tk_sequence).within([](Cdr& t) {
         t.u32(CORBA::tk_struct).within([](Cdr& s) {
           s.text("").text("").u32(1).text("").u32(CORBA::tk_union).within([](Cdr& u) {
             u.text("").text("").u32(CORBA::tk_octet).u32(0xffffffff).u32(1).u8(1).text("");
             u.u32(CORBA::tk_sequence).within([](Cdr& q) { q.u32(CORBA::tk_any).u32(0); });
           });
         });
         t.u32(0);
       });
       c.u32(1).u8(1).u32(1);
     }},
};

// What may stand in the innermost Any.
const std::pair<const char*, void (*)(Cdr&)> kInnermost[] = {
    {"null", [](Cdr& c) { c.u32(CORBA::tk_null); }},
    // Nothing nests in the message, but each sequence is one of the one before.
    {"a type as high as may be", [](Cdr& c) {
       const unsigned levels = kMaxHeight - 1;
       c.u32(CORBA::tk_struct).within([&](Cdr& s) {
         s.text("").text("").u32(levels);
         std::size_t last = 0;
         for (unsigned i = 0; i < levels; ++i) {
           s.text("").u32(CORBA::tk_sequence);
           const std::size_t at = s.size() - 4;
           s.within([&](Cdr& q) {
             if (i == 0) q.u32(CORBA::tk_long).u32(0);
             else q.u32(0xffffffff).u32(last - (s.size() + 12)).u32(0);
           });
           last = at;
         }
       });
       for (unsigned i = 0; i < levels; ++i) c.u32(0);
     }},
    {"a TypeCode", [](Cdr& c) {
       c.u32(CORBA::tk_TypeCode).u32(CORBA::tk_sequence).within([](Cdr& t) {
         t.u32(CORBA::tk_sequence).within([](Cdr& q) { q.u32(CORBA::tk_long).u32(0); }).u32(0);
       });
     }},
};

class Depth : public HeldValues {
 protected:
  static Cdr nested(const Case& of, unsigned levels, void (*innermost)(Cdr&)) {
    Cdr c(kNativeOrder);
    for (unsigned i = 0; i < levels; ++i) of.around(c);
    innermost(c);
    for (unsigned i = 0; i < levels && of.behind; ++i) c.u32(0);
    return c;
  }
};

TEST_F(Depth, TheDeepestThatIsAcceptedFitsIntoASmallStack) {
  std::size_t most = 0;
  for (const Case& c : kCases) {
    for (const auto& [title, innermost] : kInnermost) {
      const auto& name = title;  // lambdas of Clang 14 cannot capture parts of a pair
      unsigned deepest = 0;
      for (unsigned levels = 1; levels <= 64; ++levels) {
        CORBA::Any a;
        if (received(nested(c, levels, innermost), a) != Fault::None) break;
        deepest = levels;
      }
      EXPECT_GE(deepest, 12u) << c.name << ", " << name;
      EXPECT_LT(deepest, 64u) << c.name << ", " << name;
      const Cdr deep = nested(c, deepest, innermost), deeper = nested(c, deepest + 1, innermost);
      const std::size_t used = stack_used([&] {
        CORBA::Any a, b, refused;
        ASSERT_EQ(received(deep, a), Fault::None);
        ASSERT_EQ(received(deep, b), Fault::None);
        EXPECT_EQ(received(deeper, refused), Fault::TooDeep) << c.name << ", " << name;
        const CORBA::Any copy(a);
        (void)a.value();
        const marshal::SlotHandlers& h = *marshal::slot_handlers(Kind::Any);
        EXPECT_TRUE(h.equal(&a.callis_slot(), &copy.callis_slot(), nullptr));
        (void)h.equal(&a.callis_slot(), &b.callis_slot(), nullptr);
        (void)h.hash(&a.callis_slot(), nullptr);
        EXPECT_EQ(sent(a), Fault::None);
        const CORBA::TypeCode_var s = a.type(), t = b.type();
        EXPECT_TRUE(s->equal(t.in()) && s->equivalent(t.in()));
      });
      EXPECT_LT(used, kMostUsed) << c.name << ", " << name << ", " << deepest << " levels";
      if (used > most) most = used;
    }
  }
  RecordProperty("bytes_of_stack", static_cast<int>(most));
}

// Whether the Any is kept as bytes or as what was made of them.
TEST_F(Depth, WhatIsAcceptedCanBeSentInBothOrdersAndReceivedAgain) {
  for (const Case& c : kCases) {
    for (unsigned levels = 1; levels <= 64; ++levels) {
      for (unsigned around = 0; around < 2; ++around) {
        const std::string what =
            std::string(c.name) + ", " + std::to_string(levels) + " levels in " + std::to_string(around);
        Cdr bytes(kNativeOrder);
        for (unsigned i = 0; i < around; ++i) kCases[0].around(bytes);
        for (unsigned i = 0; i < levels; ++i) c.around(bytes);
        bytes.u32(CORBA::tk_null);
        for (unsigned i = 0; i < levels && c.behind; ++i) bytes.u32(0);
        CORBA::Any a;
        if (received(bytes, a) != Fault::None) continue;
        for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
          std::vector<Byte> first, second;
          if (sent(a, &first, order) != Fault::None) continue;  // what nobody can make goes in its own order alone
          CORBA::Any back;
          ASSERT_STREQ(fault_name(received(first, back, nullptr, order)), fault_name(Fault::None)) << what;
          ASSERT_EQ(sent(back, &second, order), Fault::None) << what;
          EXPECT_EQ(first, second) << what;
        }
      }
    }
  }
}

// An Any of an Any of a union that is small on the wire and large in memory: the outer one would fit as bytes.
TEST_F(Depth, WhatTheBudgetDoesNotAllowIsNotKeptAsBytes) {
  Cdr c(kNativeOrder);
  c.u32(CORBA::tk_any).u32(CORBA::tk_union).within([](Cdr& u) {
    u.text("").text("").u32(CORBA::tk_octet).u32(0xffffffff).u32(1).u8(1).text("");
    u.u32(CORBA::tk_array).within([](Cdr& t) { t.u32(CORBA::tk_octet).u32(2u << 20); });
  });
  c.u8(0);
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(c, kNativeOrder, budget);
  const value::DecodeScope scope(d);
  CORBA::Any a;
  get_any(d, a);
  EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::BudgetExceeded));
}

// What is kept as bytes is read by the budget that the message had, when the program asks for it. 24 bytes for each
// empty sequence of 4.
TEST_F(Depth, TheBudgetOfAnAnyIsThatOfTheOrbThatHasReceivedIt) {
  constexpr std::uint32_t n = 1u << 18;
  Cdr c(kNativeOrder);
  c.u32(CORBA::tk_sequence).within([](Cdr& t) {
    t.u32(CORBA::tk_sequence).within([](Cdr& inside) { inside.u32(CORBA::tk_octet).u32(0); }).u32(0);
  });
  c.u32(n);
  for (std::uint32_t i = 0; i < n; ++i) c.u32(0);
  const auto fault_of = [&](std::size_t bytes, bool& there) {
    cdr::Budget budget{bytes, 64};
    cdr::Decoder d(c, kNativeOrder, budget);
    CORBA::Any a;
    get_any(d, a);
    there = d.ok() && a.value() != nullptr;
    return d.fault();
  };
  bool there = false;
  EXPECT_STREQ(fault_name(fault_of(Limits{}.decode_budget(4 * n), there)), fault_name(Fault::BudgetExceeded));
  EXPECT_STREQ(fault_name(fault_of(std::size_t{64} << 20, there)), fault_name(Fault::None))
      << "-ORBDecodeBudgetFactor";
  EXPECT_TRUE(there);
}

TEST_F(Depth, BombsAreRefused) {
  for (const Case& c : kCases) {
    const Cdr bomb = nested(c, 20000, kInnermost[0].second);
    const std::size_t used = stack_used([&] {
      CORBA::Any a;
      EXPECT_EQ(received(bomb, a), Fault::TooDeep) << c.name;
      cdr::Budget budget{1u << 26, 64};
      cdr::Decoder d(bomb, kNativeOrder, budget);
      marshal::slot_handlers(Kind::Any)->skip(d, nullptr);
      EXPECT_EQ(d.fault(), Fault::TooDeep) << c.name;
    });
    EXPECT_LT(used, kMostUsed) << c.name;
  }
}

// valuetype Unknown { public Unknown next; public union of next; public union of that union; ... }, and values of it,
// each in all those unions in the one before, or its next.
Cdr unknown_values(unsigned values, unsigned unions) {
  Cdr c(kNativeOrder);
  c.u32(CORBA::tk_value).within([&](Cdr& t) {
    t.text("IDL:Unknown:1.0").text("").u16(0).u32(0).u32(unions + 1);
    t.text("").u32(0xffffffff).u32(0 - (t.size() + 8)).u16(1);
    std::size_t last = 0;
    for (unsigned i = 0; i < unions; ++i) {
      t.text("").u32(CORBA::tk_union);
      const std::size_t at = t.size() - 4;
      t.within([&](Cdr& u) {
        u.text("").text("").u32(CORBA::tk_octet).u32(0xffffffff).u32(1).u8(1).text("").u32(0xffffffff);
        const std::size_t here = at + 8 + u.size();
        u.u32(i == 0 ? 0 - (here + 8) : last - here);
      });
      t.u16(1);
      last = at;
    }
  });
  for (unsigned i = 0; i < values; ++i) {
    c.u32(kValueTag).text("IDL:Unknown:1.0");
    if (unions == 0) continue;
    c.u32(0);
    for (unsigned u = 0; u + 1 < unions; ++u) c.u8(0);  // they select nothing, but for the last
    for (unsigned u = 0; u < unions; ++u) c.u8(1);
  }
  c.u32(0);
  return c;
}

// Neither the values nor the unions are too many by themselves.
TEST_F(Depth, UnionsInUnknownValuesAreBounded) {
  const auto expect = [](unsigned values, unsigned unions, Fault expected) {
    const Cdr c = unknown_values(values, unions);
    const std::size_t used = stack_used([&] {
      CORBA::Any a;
      EXPECT_EQ(received(c, a), expected) << values << " values with " << unions << " unions";
    });
    EXPECT_LT(used, kMostUsed) << values << " values with " << unions << " unions";
  };
  expect(1000, 0, Fault::None);
  expect(30, 1, Fault::None);
  expect(10, 5, Fault::None);
  expect(1, 60, Fault::None);
  for (const unsigned unions : {1u, 5u, 60u, 114u}) expect(1000, unions, Fault::TooDeep);
  expect(1, 114, Fault::TooDeep);
}

// Structs in structs: T1 { T2 { ... Tn { C1 { sequence<Tn>, ... sequence<T1> }, C2 { C1 }, ... } } }. Each
// sequence leads back to a struct around it. In a value's state: the Cs are that of a valuetype, and Tn has the last.
Cdr sequences_of_what_is_around(unsigned n, unsigned chain, bool in_state) {
  std::vector<std::size_t> at;
  std::size_t last = 0;
  const auto chained = [&](Cdr& t, std::size_t begin) {
    for (unsigned k = 0; k < chain; ++k) {
      t.text("").u32(CORBA::tk_struct);
      const std::size_t here = begin + t.size() - 4;
      t.within([&](Cdr& s) {
        s.text("").text("").u32(k == 0 ? n : 1);
        if (k != 0) {
          s.text("").u32(0xffffffff).u32(last - (here + 8 + s.size()));
          return;
        }
        for (unsigned i = n; i-- > 0;) {
          s.text("").u32(CORBA::tk_sequence);
          const std::size_t sequence = here + 8 + s.size() - 4;
          s.within([&](Cdr& q) { q.u32(0xffffffff).u32(at[i] - (sequence + 8 + q.size())).u32(0); });
        }
      });
      if (in_state) t.u16(1);
      last = here;
    }
  };
  Cdr c(kNativeOrder);
  const auto level = [&](auto self, Cdr& t, std::size_t begin) -> void {
    t.u32(CORBA::tk_struct);
    const std::size_t here = begin + t.size() - 4;
    at.push_back(here);
    t.within([&](Cdr& s) {
      s.text("").text("");
      if (at.size() < n) return self(self, s.u32(1).text(""), here + 8);
      s.u32(in_state ? 2 : chain);
      if (!in_state) return chained(s, here + 8);
      s.text("").u32(CORBA::tk_value);
      const std::size_t value = here + 8 + s.size() - 4;
      s.within([&](Cdr& v) { chained(v.text("IDL:V:1.0").text("").u16(0).u32(0).u32(chain), value + 8); });
      s.text("").u32(0xffffffff).u32(last - (here + 8 + s.size()));
    });
  };
  level(level, c, 0);
  return c;
}

// The plan's blocks are made one after the other, not one within the other. No value follows the type.
TEST_F(Depth, SequencesOfTheStructsAroundThemTakeNoStackForEachOther) {
  for (const bool in_state : {false, true}) {
    for (const unsigned n : {10u, 30u, 58u, 60u}) {
      for (const unsigned chain : {1u, 20u, 50u, 66u, 100u}) {
        const Cdr c = sequences_of_what_is_around(n, chain, in_state);
        Fault fault = Fault::None;
        const std::size_t used = stack_used(
            [&] {
              CORBA::Any a;
              fault = received(c, a);
            },
            std::size_t{4} << 20);
        EXPECT_TRUE(fault == Fault::Truncated || fault == Fault::TooDeep)
            << fault_name(fault) << ", " << n << ", " << chain << ", " << in_state;
        EXPECT_LT(used, kMostUsed) << n << ", " << chain << ", " << in_state << ", " << fault_name(fault);
      }
    }
  }
}

// An any of sequences of sequences: its type is as deep as its value. What is kept as bytes is read by the limit that
// the message had, when the program asks for it.
TEST_F(Depth, OfAnAnyIsThatOfTheOrbThatHasReceivedIt) {
  const auto sequences = [](unsigned n) {
    Cdr c(kNativeOrder);
    const auto type = [](auto self, Cdr& t, unsigned left) -> void {
      if (left == 0) {
        t.u32(CORBA::tk_long);
        return;
      }
      t.u32(CORBA::tk_sequence).within([&](Cdr& inside) {
        self(self, inside, left - 1);
        inside.u32(0);
      });
    };
    type(type, c, n);
    for (unsigned i = 0; i < n; ++i) c.u32(1);
    return c.u32(4711);
  };
  const auto fault_of = [&](unsigned n, std::uint32_t max_depth, bool& there) {
    const Cdr c = sequences(n);
    cdr::Budget budget{std::size_t{4} << 20, max_depth};
    cdr::Decoder d(c, kNativeOrder, budget);
    CORBA::Any a;
    get_any(d, a);
    there = d.ok() && a.value() != nullptr;
    return d.fault();
  };
  bool there = false;
  EXPECT_EQ(fault_of(20, 64, there), Fault::None);
  EXPECT_TRUE(there);
  EXPECT_EQ(fault_of(100, 64, there), Fault::TooDeep);
  EXPECT_EQ(fault_of(20, 19, there), Fault::TooDeep);
  EXPECT_STREQ(fault_name(fault_of(100, 256, there)), fault_name(Fault::None)) << "-ORBMaxDepth 256";
  EXPECT_TRUE(there);
  EXPECT_EQ(fault_of(200, 256, there), Fault::TooDeep) << "max_type_code_depth";
}

// Anys of the application's own, deeper than any that is received.
TEST_F(Depth, AnysOfAnyDepthAreFreed) {
  const std::size_t used = stack_used([] {
    CORBA::Any a;
    a <<= CORBA::Long{1};
    for (int i = 0; i < 100000; ++i) {
      CORBA::Any outer;
      outer <<= a;
      a = outer;
    }
    CORBA::Any b(a);
    const marshal::SlotHandlers& h = *marshal::slot_handlers(Kind::Any);
    (void)h.hash(&a.callis_slot(), nullptr);
    a = CORBA::Any();
    b = CORBA::Any();
  });
  EXPECT_LT(used, kMostUsed);
}

// Lists through values and anys in turn.
TEST_F(Depth, ValuesInAnysInValuesOfAnyDepthAreFreed) {
  const CORBA::TypeCode_var type = create_value_tc("IDL:Held:1.0", "Held", 0, nullptr, {});
  const std::size_t used = stack_used([&] {
    CORBA::ValueBase_var last;
    for (int i = 0; i < 50000; ++i) {
      auto* const h = new Held;
      CORBA::ValueBase* v = last.in();
      insert(h->state.held, type.in(), &v);
      last = h;
    }
  });
  EXPECT_LT(used, kMostUsed);
}

// Types that lead to themselves in circles of different lengths: they meet after a long way.
TEST_F(Depth, TypesAreComparedInALoop) {
  const auto circle = [](unsigned n) {
    Cdr c(kNativeOrder);
    c.u32(CORBA::tk_sequence);
    // sequence<sequence<... the outermost>>
    const auto inside = [](auto self, Cdr& t, unsigned left, std::size_t before) -> void {
      if (left == 0) {
        t.u32(0xffffffff).u32(0 - (before + t.size())).u32(0);
        return;
      }
      t.u32(CORBA::tk_sequence).within([&](Cdr& q) { self(self, q, left - 1, before + t.size() + 4); });
      t.u32(0);
    };
    c.within([&](Cdr& q) { inside(inside, q, n - 1, 8); });
    return c;
  };
  Fault fault;
  const CORBA::TypeCode_var a = read(circle(59), kNativeOrder, &fault);
  ASSERT_STREQ(fault_name(fault), fault_name(Fault::None));
  const CORBA::TypeCode_var b = read(circle(61), kNativeOrder, &fault);
  ASSERT_STREQ(fault_name(fault), fault_name(Fault::None));
  EXPECT_LT(stack_used([&] { EXPECT_TRUE(a->equal(b.in()) && a->equivalent(b.in())); }), std::size_t{32} << 10);
}

// A value with an Any of a struct: of a value that is null or that nobody knows, which keeps the struct as bytes, and
// of a value with an Any.
TEST_F(Depth, ValuesInAnAnyThatIsKeptAsBytesTakeAsManyLevelsAsOthers) {
  const auto fewest = [](bool kept) {
    Cdr c(kNativeOrder);
    c.u32(kValueTag).text("IDL:Held:1.0");
    c.u32(CORBA::tk_struct).within([&](Cdr& s) {
      s.text("").text("").u32(2);
      for (const char* const id : {"IDL:Unknown:1.0", "IDL:Held:1.0"}) value_type_code(s.text(""), id);
    });
    if (kept) unknown_value(c);
    else c.u32(0);
    c.u32(kValueTag)
        .text("IDL:Held:1.0")
        .u32(CORBA::tk_any)
        .u32(CORBA::tk_any)
        .u32(CORBA::tk_any)
        .u32(CORBA::tk_null)
        .u32(0);
    c.u32(0);
    for (std::uint32_t levels = 0;; ++levels) {
      cdr::Budget budget{1u << 20, levels};
      cdr::Decoder d(c, kNativeOrder, budget);
      const value::DecodeScope scope(d);
      const CORBA::ValueBase_var v(value::get_value(d, nullptr));
      if (d.ok()) return levels;
      EXPECT_STREQ(fault_name(d.fault()), fault_name(Fault::TooDeep));
      if (d.fault() != Fault::TooDeep) return levels;
    }
  };
  EXPECT_EQ(fewest(true), fewest(false));
}

}  // namespace
}  // namespace callis::typecode::testing
