// SPDX-License-Identifier: Apache-2.0
// Values that hold each other in circles: of a message that is refused nothing stays.
#include <callis/value/testing/wire.h>

namespace callis::value::testing {
namespace {

constexpr std::uint32_t kBack = 0xffffffff;
std::uint32_t offset(int n) { return static_cast<std::uint32_t>(n); }

class WireCircles : public Wire {
 protected:
  ~WireCircles() override { EXPECT_EQ(living_values(), before_); }
  const Registered node_{"IDL:Node:1.0", [] { return new Node; }};

 private:
  const std::size_t before_ = living_values();
};
INSTANTIATE_TEST_SUITE_P(Orders, WireCircles, kOrders, order_name);

// A node that is its own next.
Bytes self(ByteOrder order) { return Bytes(order).u(0x7fffff00).u(kBack).u(offset(-8)).u(0); }

TEST_P(WireCircles, ThatEndTooEarlyLeaveNothing) {
  const auto bytes = self(GetParam()).bytes;
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_NE(fault_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, &Node::link), Fault::None)
        << n;
}

TEST_P(WireCircles, InFrontOfWhatIsWrongLeaveNothing) {
  Bytes all = self(GetParam());
  all.u(0x7fffff00).u(kBack).u(offset(-8)).u(1).u(5);  // another, in whose sequence stands no value
  reads(all.bytes, [](cdr::Decoder& d) {
    CORBA::ValueBase_var a(get_value(d, &Node::link)), b2(get_value(d, &Node::link));
    EXPECT_NE(a.in(), nullptr);
    EXPECT_EQ(d.fault(), Fault::BadValue);
  });
}

TEST_P(WireCircles, OfManyNodesLeaveNothing) {
  Bytes all = b().u(0x7fffff00).u(0).u(20001);
  for (int i = 0; i < 20000; ++i) all.u(0x7fffff00).u(kBack).u(offset(-8)).u(0);
  all.u(7);
  EXPECT_EQ(fault_of(all.bytes, &Node::link), Fault::BadValue);
}

TEST_P(WireCircles, ThroughSequencesLeaveNothing) {
  EXPECT_EQ(fault_of(b().u(0x7fffff00).u(0).u(2).u(kBack).u(offset(-16)).u(7).bytes, &Node::link), Fault::BadValue);
}

// What a value of the application's code has read is let go of, too.
TEST_P(WireCircles, InCustomValuesLeaveNothing) {
  const Registered custom("IDL:Self:1.0", [] { return new Self; });
  Bytes all = b().u(0x7fffff0a).s("IDL:Self:1.0").u(9).u(1).o(2);
  const std::size_t inner = (all.bytes.size() + 3) / 4 * 4;
  all.u(0x7fffff0a).s("IDL:Node:1.0").u(12).u(kBack);
  all.u(static_cast<std::uint32_t>(inner - (all.bytes.size()))).u(0).u(0xfffffffe).u(4).u(0xdeadbeef);
  EXPECT_EQ(fault_of(all.bytes, nullptr), Fault::BadValue);
}

TEST_P(WireCircles, ThatAreAcceptedStayUntilTheyAreTakenApart) {
  const std::size_t before = living_values();
  Bytes all =
      b().u(0x7fffff00).u(0x7fffff00).u(kBack).u(offset(-12)).u(0).u(1).u(0x7fffff00).u(kBack).u(offset(-28)).u(0);
  CORBA::ValueBase_var v = read_one(all.bytes, &Node::link);
  EXPECT_EQ(living_values(), before + 3);
  Var<Node> head(callis_duplicate(dynamic_cast<Node*>(v.in())));
  v = CORBA::ValueBase_var();
  take_apart(head.in());
  EXPECT_EQ(living_values(), before + 1);
  EXPECT_EQ(head->state.next.in(), nullptr);
  ASSERT_EQ(head->state.more.length(), 1u) << "nothing but values is let go of";
  EXPECT_EQ(head->state.more[0].in(), nullptr);
}

TEST_P(WireCircles, OfAnyLengthAreTakenApart) {
  const Var<Node> first(new Node);
  Var<Node> last = first;
  for (int i = 0; i < 100000; ++i) {
    const Var<Node> n(new Node);
    last->state.next = n;
    last = n;
  }
  last->state.next = first;
  take_apart(first.in());
  take_apart(nullptr);
}

TEST_P(WireCircles, AreCopiedAsCircles) {
  const Var<Node> a(new Node), b2(new Node);
  a->state.next = b2;
  b2->state.next = a;
  a->state.more.length(1);
  a->state.more[0] = a;
  const CORBA::ValueBase_var copy(copy_value(*a.in()));
  auto& x = dynamic_cast<Node&>(*copy.in());
  EXPECT_NE(x.state.next.in(), b2.in());
  EXPECT_EQ(x.state.next->state.next.in(), &x);
  EXPECT_EQ(x.state.more[0].in(), &x);
  take_apart(&x);
  take_apart(a.in());
}

// A factory that fails in the middle of a copy.
TEST_P(WireCircles, OfACopyThatFailsNothingStays) {
  const Registered point("IDL:Broken:1.0", []() -> CORBA::ValueBase* { throw 1; });
  class Broken final : public Node {
   public:
    const ValueLink* _callis_link() const noexcept override {
      static const ValueLink broken = {"IDL:Broken:1.0", &Node::link,       0, nullptr, 0, nullptr,
                                       &to_base<Broken>, &from_base<Broken>};
      return &broken;
    }
  };
  const Var<Node> a(new Node), b2(new Node);
  const Var<Node> broken(new Broken);
  a->state.next = b2;
  b2->state.next = a;
  b2->state.more.length(1);
  b2->state.more[0] = broken;
  EXPECT_ANY_THROW(CORBA::ValueBase_var(copy_value(*a.in())));
  take_apart(a.in());
}

}  // namespace
}  // namespace callis::value::testing
