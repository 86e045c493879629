// SPDX-License-Identifier: Apache-2.0
// The priorities that peers claim (service context RTCorbaPriority): bounded, ignored, or refused.
#include <callis/ior/iiop_profile.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/rt/lanes/lane_addresses.h>
#include <callis/rt/priorities/priority_context.h>
#include <callis/rt/testing/lanes.h>

namespace callis::rt {
namespace {

using namespace testing;

struct Claims : Lanes {
  using Lanes::Lanes;

  // The answer to a request for note() that carries these bytes as its priority.
  static orb::testing::Heard claim(where::Teller_ptr of, ByteView context) {
    const auto profile = ior::parse_iiop(of->_callis_reference()->ior().profiles[0].data);
    EXPECT_TRUE(profile);
    Buffer request;
    cdr::Encoder e(request);
    giop::OutgoingRequest header;
    header.target = giop::Target::key(profile.value().object_key);
    header.operation = "note";
    const giop::ServiceContext said{giop::kRtCorbaPriorityContext, context};
    header.contexts = {&said, 1};
    const auto started = giop::begin_request(e, giop::kGiop12, header);
    EXPECT_EQ(giop::finish_message(e, started), Fault::None);
    orb::testing::RawClient raw(profile.value().address.port);
    EXPECT_TRUE(raw.send(request.view()));
    return raw.hear();
  }
  static orb::testing::Heard claim(where::Teller_ptr of, std::int16_t priority) {
    return claim(of, ByteView(priority_context(priority)));
  }
};

TEST_F(Claims, AreIgnoredByObjectsOfServerDeclared) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  for (const std::int16_t claimed : {std::int16_t{20}, std::int16_t{32767}, std::int16_t{-5}}) {
    EXPECT_EQ(claim(teller.in(), claimed).status, giop::ReplyStatus::NoException) << claimed;
    expect(noted_of(teller.in()), 10);
  }
  const std::vector<Byte> torn{0, 0, 1};
  EXPECT_EQ(claim(teller.in(), ByteView(torn)).status, giop::ReplyStatus::NoException);
}

TEST_F(Claims, ThatAreNoPrioritiesAreRefused) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const std::vector<Byte> none, torn{0, 0, 1}, of_no_order{2, 0, 0, 1};
  for (const ByteView bytes : {ByteView(none), ByteView(torn), ByteView(of_no_order)}) {
    const orb::testing::Heard answer = claim(teller.in(), bytes);
    EXPECT_EQ(answer.exception, "IDL:omg.org/CORBA/BAD_PARAM:1.0");
    EXPECT_EQ(answer.completed, giop::Completion::No);
  }
  EXPECT_EQ(claim(teller.in(), std::int16_t{-1}).exception, "IDL:omg.org/CORBA/BAD_PARAM:1.0");
  EXPECT_EQ(claim(teller.in(), std::int16_t{10}).status, giop::ReplyStatus::NoException);
}

TEST_F(Claims, WithoutANativePriorityAreDataConversion) {
  if (!may_have_priorities()) GTEST_SKIP() << "without native priorities nothing is mapped";
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  EXPECT_EQ(claim(teller.in(), std::int16_t{5'000}).exception, "IDL:omg.org/CORBA/DATA_CONVERSION:1.0");
}

struct BoundedClaims : Claims {
  BoundedClaims() : Claims({"-ORBMaxPropagatedPriority", "12"}) {}
};

TEST_F(BoundedClaims, AreServedAtTheBound) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  EXPECT_EQ(claim(teller.in(), std::int16_t{32767}).status, giop::ReplyStatus::NoException);
  where::Place place = noted_of(teller.in());
  EXPECT_EQ(place.corba, 12);
  runs_at(place, 10);
  place = tell_at(current.in(), teller.in(), 20);  // found by the client to be of lane 20, and sent on
  EXPECT_EQ(place.corba, 12);
  runs_at(place, 10);
  expect(tell_at(current.in(), teller.in(), 10), 10);
}

TEST_F(BoundedClaims, DoNotStandInReferencesWithLanesAboveTheBound) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({5, 10, 20}));
  const where::Teller_var teller = activate(poa.in());
  std::vector<LaneAddress> told;
  ior::Ior ior = teller->_callis_reference()->ior();
  ior::add_components(ior, Limits{}, [&told](std::uint32_t, std::vector<ior::TaggedComponent>& components) {
    for (const ior::TaggedComponent& c : components)
      if (c.tag == kLanesComponent) told = parse_lanes(c.data).value();
  });
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].priority, 5);
  EXPECT_EQ(told[1].priority, 10);
}

// 2.5.4: an inbound transform decides of the lane, which clients cannot know.
struct TransformedClaims : Claims {
  class Reversing final : public RTCORBA::PriorityTransform {
    CORBA::Boolean inbound(Priority& priority, const PortableServer::ObjectId&) override {
      priority = static_cast<Priority>(30 - priority);
      return true;
    }
    CORBA::Boolean outbound(Priority&, const PortableServer::ObjectId&) override { return true; }
  };
  TransformedClaims() {
    const CORBA::Object_var object = server->resolve_initial_references("PriorityTransformManager");
    RTCORBA::PriorityTransformManager_var(RTCORBA::PriorityTransformManager::_narrow(object.in()))
        ->transform(new Reversing);
  }
};

TEST_F(TransformedClaims, AreServedInTheLaneOfTheTransformedPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  for (int i = 0; i < 3; ++i) {
    expect(tell_at(current.in(), teller.in(), 10), 20);
    expect(tell_at(current.in(), teller.in(), 20), 10);
  }
}

TEST_F(BoundedClaims, OfPoolsWithoutLanesMakeNoLaneAboveTheBound) {
  const PortableServer::POA_var poa =
      adapter(RTCORBA::CLIENT_PROPAGATED, 10, rt->create_threadpool(0, 2, 0, 10, true, 0, 0));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_at(current.in(), teller.in(), 40), 12);
}

}  // namespace
}  // namespace callis::rt
