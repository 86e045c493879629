// SPDX-License-Identifier: Apache-2.0
// Values that lead to others of their type: cycles, and lists as long as a peer likes (CORBA 3.3 part 2, 9.3.4.3).
#include <callis/value/testing/wire.h>

namespace callis::value::testing {
namespace {

// valuetype Node { public Node next; public sequence<Node> more; };
class Node;
const marshal::Plan* node_plan;
inline Node* callis_duplicate(Node* n);
inline void callis_release(Node* n);
class Node : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    Var<Node> next;
    classic::ReferenceSequence<Node> more;
  } state;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }
};
inline Node* callis_duplicate(Node* n) { return CORBA::add_ref(n), n; }
inline void callis_release(Node* n) { CORBA::remove_ref(n); }
const void* const kNodeLinks[] = {&Node::link};
const marshal::Word kNodeWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Value, 0), type_word(Kind::Ref, 4),
                                    type_word(Kind::Sequence), 0, type_word(Kind::Value, 0)};
const marshal::Unit kNodeUnit = {kNodeWords, "", kNodeLinks, nullptr, &marshal::kExtension};
const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kNodeUnit, type_word(Kind::Ref, 1), &node_plan,
                              &to_base<Node>, &from_base<Node>};

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

}  // namespace
}  // namespace callis::value::testing
