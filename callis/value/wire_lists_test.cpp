// SPDX-License-Identifier: Apache-2.0
// Values that lead to others of their type: cycles, and lists as long as a peer likes (CORBA 3.3 part 2, 9.3.4.3).
#include <callis/base/testing/small_stack.h>
#include <callis/value/testing/node.h>
#include <callis/value/testing/wire.h>

namespace callis::value::testing {
namespace {

class WireLists : public Wire {};
INSTANTIATE_TEST_SUITE_P(Orders, WireLists, kOrders, order_name);

TEST_P(WireLists, CyclesThroughMembersComeBackAsTheyWere) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const Var<Node> a(new Node), b2(new Node);
  a->state.next = b2;
  b2->state.next = a;
  a->state.more.length(2);
  a->state.more[1] = Var<Node>(b2);
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, a.in(), &Node::link); });
  EXPECT_EQ(bytes, b().u(0x7fffff00)                                      // 0
                       .u(0x7fffff00).u(0xffffffff).u(static_cast<std::uint32_t>(-12)).u(0)  // 4: its next, its more
                       .u(2).u(0).u(0xffffffff).u(static_cast<std::uint32_t>(-28)).bytes);   // 20
  const CORBA::ValueBase_var back = read_one(bytes, &Node::link);
  auto& x = dynamic_cast<Node&>(*back.in());
  Node* const y = x.state.next.in();
  EXPECT_EQ(y->state.next.in(), &x);
  ASSERT_EQ(x.state.more.length(), 2u);
  EXPECT_EQ(x.state.more[0].in(), nullptr);
  EXPECT_EQ(x.state.more[1].in(), y);
  y->state.next = nullptr;
  b2->state.next = nullptr;
}

TEST_P(WireLists, LongListsHaveAnEnd) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  Var<Node> head;
  for (std::uint32_t i = 0; i < kMaxDepth; ++i) {
    Var<Node> n(new Node);
    n->state.next = head;
    head = n;
  }
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, head.in(), &Node::link); });
  reads(bytes, [](cdr::Decoder& d) { EXPECT_NE(CORBA::ValueBase_var(get_value(d, &Node::link)).in(), nullptr); });
  reads(bytes, [](cdr::Decoder& d) {
    skip_value(d, &Node::link);
    EXPECT_EQ(d.remaining(), 0u);
  });
  Var<Node> n(new Node);
  n->state.next = head;
  (void)written([&](cdr::Encoder& e) { put_value(e, n.in(), &Node::link); }, Fault::TooDeep);
  Bytes deep = b();
  for (std::uint32_t i = 0; i < 3 * kMaxDepth; ++i) deep.u(0x7fffff00);
  EXPECT_EQ(fault_of(deep.bytes, &Node::link), Fault::TooDeep);
  reads(deep.bytes, [](cdr::Decoder& d) {
    skip_value(d, &Node::link);
    EXPECT_EQ(d.fault(), Fault::TooDeep);
  });
}

TEST_P(WireLists, ManySmallOnesStayWithinTheBudget) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const Var<Node> many(new Node);
  many->state.more.length(20000);
  for (CORBA::ULong i = 0; i < 20000; ++i) many->state.more[i] = new Node;
  const auto bytes = written([&](cdr::Encoder& e) { put_value(e, many.in(), &Node::link); });
  const CORBA::ValueBase_var back = read_one(bytes, &Node::link);
  ASSERT_NE(back.in(), nullptr);
  EXPECT_EQ(dynamic_cast<Node&>(*back.in()).state.more.length(), 20000u);
}

// Each leads back to the one before: a list as long as the message, although nothing nests in it.
TEST_P(WireLists, ListsMadeOfOffsetsAreFreedWithoutRecursion) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  constexpr std::uint32_t kNodes = 40000;
  Bytes list = b().u(0x7fffff00).u(0).u(kNodes).u(0x7fffff00).u(0).u(0);
  for (std::uint32_t i = 1; i < kNodes; ++i)
    list.u(0x7fffff00).u(0xffffffff).u(static_cast<std::uint32_t>(i == 1 ? -20 : -24)).u(0);
  CORBA::ValueBase_var back = read_one(list.bytes, &Node::link);
  ASSERT_NE(back.in(), nullptr);
  Var<Node> last(callis_duplicate(dynamic_cast<Node&>(*back.in()).state.more[kNodes - 1].in()));
  back = CORBA::ValueBase_var();
  EXPECT_NE(last->state.next.in(), nullptr);
  last = Var<Node>();
}

// A list of as many values as may be within each other, by its first member or by its last.
Var<Node> list_of(std::uint32_t n) {
  Var<Node> head;
  for (std::uint32_t i = 0; i < n; ++i) {
    Var<Node> x(new Node);
    x->state.next = head;
    head = x;
  }
  return head;
}

TEST_P(WireLists, LongOnesTakeNoMoreOfTheStackThanShortOnes) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const auto used = [](std::uint32_t n) {
    const Var<Node> head = list_of(n);
    return callis::testing::stack_used([&] {
      const auto bytes = written([&](cdr::Encoder& e) { put_value(e, head.in(), &Node::link); });
      reads(bytes, [](cdr::Decoder& d) { EXPECT_NE(CORBA::ValueBase_var(get_value(d, &Node::link)).in(), nullptr); });
      reads(bytes, [](cdr::Decoder& d) {
        skip_value(d, &Node::link);
        EXPECT_EQ(d.remaining(), 0u);
      });
      const CORBA::ValueBase_var copy(copy_value(*head.in()));
      EXPECT_NE(copy.in(), nullptr);
    });
  };
  (void)used(1);
  const std::size_t few = used(20), many = used(kMaxDepth);
  EXPECT_LT(many, few + 4096);
  EXPECT_LT(many, callis::testing::kMostUsed);
}

// Those in chunks, which nobody knows.
TEST_P(WireLists, LongOnesThatNobodyKnowsTakeNoMoreOfTheStack) {
  const auto used = [](std::uint32_t n) {
    Bytes deep = b().u(0x7fffff0e).u(2).s("IDL:Unknown:1.0").s("IDL:Point:1.0").u(4).u(7);
    for (std::uint32_t i = 1; i < n; ++i) deep.u(0x7fffff08);
    deep.u(0xffffffff);
    return callis::testing::stack_used([&] {
      EXPECT_NE(read_one(deep.bytes, nullptr).in(), nullptr);
      reads(deep.bytes, [](cdr::Decoder& d) {
        skip_value(d, nullptr);
        EXPECT_EQ(d.remaining(), 0u);
      });
    });
  };
  (void)used(1);
  EXPECT_LT(used(kMaxDepth), used(20) + 4096);
}

// Values in sequences of values are within each other on the stack: the sequence takes a level, and the value
// another.
TEST_P(WireLists, TreesAreAsDeepAsTheDecodersLevels) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  constexpr std::uint32_t kDeepest = Limits{}.max_depth / 2;
  for (const std::uint32_t levels : {kDeepest, kDeepest + 1}) {
    Bytes tree = b();
    for (std::uint32_t i = 0; i < levels; ++i) tree.u(0x7fffff00).u(0).u(1);
    tree.u(0x7fffff00).u(0).u(0);
    const Fault expected = levels > kDeepest ? Fault::TooDeep : Fault::None;
    const std::size_t before = living_values();
    EXPECT_LT(callis::testing::stack_used([&] { EXPECT_EQ(fault_of(tree.bytes, &Node::link), expected) << levels; }),
              callis::testing::kMostUsed);
    EXPECT_LT(callis::testing::stack_used([&] {
      reads(tree.bytes, [&](cdr::Decoder& d) {
        skip_value(d, &Node::link);
        EXPECT_EQ(d.fault(), expected) << levels;
      });
    }), callis::testing::kMostUsed);
    EXPECT_EQ(living_values(), before);
  }
}

TEST_P(WireLists, TreesThatAreTooDeepAreNotSent) {
  Var<Node> root;
  for (std::uint32_t i = 0; i < 2 * FixedLimits::max_sent_value_nesting; ++i) {
    Var<Node> n(new Node);
    n->state.more.length(1);
    n->state.more[0] = root;
    root = n;
  }
  EXPECT_LT(callis::testing::stack_used([&] {
    (void)written([&](cdr::Encoder& e) { put_value(e, root.in(), &Node::link); }, Fault::TooDeep);
  }), callis::testing::kMostUsed);
}

// By the application, as long as it likes.
TEST(Lists, OfAnyLengthAreCopiedAndFreedOnASmallStack) {
  const Registered node("IDL:Node:1.0", [] { return new Node; });
  const std::size_t before = living_values();
  Var<Node> head = list_of(100000);
  EXPECT_LT(callis::testing::stack_used([&] {
    CORBA::ValueBase_var copy(copy_value(*head.in()));
    std::size_t n = 0;
    for (const Node* x = dynamic_cast<Node*>(copy.in()); x; x = x->state.next.in()) ++n;
    EXPECT_EQ(n, 100000u);
    head = Var<Node>();
    copy = CORBA::ValueBase_var();
  }), callis::testing::kMostUsed);
  EXPECT_EQ(living_values(), before);
}

}  // namespace
}  // namespace callis::value::testing
