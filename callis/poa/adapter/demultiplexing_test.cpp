// SPDX-License-Identifier: Apache-2.0
// Adapters find their objects and operations the same whatever Demultiplexing they have.
#include <callis/poa/testing/on_demand.h>
#include <callis/poa/testing/orb_fixture.h>

namespace callis::poa::testing {
namespace {

std::vector<Byte> text_or_bytes(const ObjectId& id) {
  const ByteView bytes = bytes_of(id);
  return {bytes.begin(), bytes.end()};
}

struct Choice {
  ObjectLookup objects;
  AdapterLookup adapters;
  OperationLookup operations;
  LifespanPolicyValue lifespan;
  IdAssignmentPolicyValue ids;
};

struct Demux : OnDemand, ::testing::WithParamInterface<Choice> {
  POA_var poa = make(root.in(), "poa");
  Servant_var<Probe> servant{new Probe};

  POA_ptr make(POA_ptr parent, const char* name, RequestProcessingPolicyValue v = USE_ACTIVE_OBJECT_MAP_ONLY) {
    const Choice& c = GetParam();
    CORBA::PolicyList list;
    list.length(5);
    list[0] = root->create_lifespan_policy(c.lifespan);
    list[1] = root->create_id_assignment_policy(c.ids);
    list[2] = create_demultiplexing_policy({c.objects, c.adapters, c.operations});
    list[3] = processing(v);
    list[4] = multiple();
    return parent->create_POA(name, manager.in(), list);
  }
  ObjectId_var activate_one(POA_ptr in, Servant s, int number) {
    if (GetParam().ids == SYSTEM_ID) return in->activate_object(s);
    ObjectId_var id = text_id(("object " + std::to_string(number)).c_str());
    in->activate_object_with_id(id.in(), s);
    return id;
  }
};

TEST_P(Demux, ObjectsAreFoundAmongMany) {
  std::vector<Servant_var<Probe>> servants;
  std::vector<Key> keys;
  const POA_var other = make(poa.in(), "poa");
  for (int i = 0; i < 100; ++i) {
    servants.emplace_back(new Probe);
    POA_ptr in = i % 2 ? poa.in() : other.in();
    const ObjectId_var id = activate_one(in, servants.back().in(), i);
    const CORBA::Object_var reference = in->id_to_reference(id.in());
    keys.push_back(key_of(reference));
    const ObjectId_var back = in->reference_to_id(reference.in());
    EXPECT_EQ(text_or_bytes(back.in()), text_or_bytes(id.in()));
    EXPECT_THROW((i % 2 ? other : poa)->reference_to_id(reference.in()), POA::WrongAdapter);
  }
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(ping(keys[i]), "ok") << i;
  for (const auto& s : servants) EXPECT_EQ(s->pings, 2);
}

TEST_P(Demux, OperationsAreFoundAndOthersAreNot) {
  const ObjectId_var id = activate_one(poa.in(), servant.in(), 1);
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  for (const char* name : {"ping", "act"}) {
    FakeRequest request(key_of(reference), name);
    call(request);
    EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
  }
  FakeRequest request(key_of(reference), "pinge");
  call(request);
  EXPECT_EQ(request.system(), "BAD_OPERATION 2 NO");
}

TEST_P(Demux, ReferencesOutliveTheirActivation) {
  const ObjectId_var id = activate_one(poa.in(), servant.in(), 1);
  const CORBA::Object_var first = poa->id_to_reference(id.in());
  poa->deactivate_object(id.in());
  EXPECT_EQ(ping(key_of(first)), "OBJECT_NOT_EXIST own 160 NO");
  // Its slot has another occupant now.
  const Servant_var<Probe> other(new Probe);
  activate_one(poa.in(), other.in(), 2);
  EXPECT_EQ(ping(key_of(first)), "OBJECT_NOT_EXIST own 160 NO");
  poa->activate_object_with_id(id.in(), servant.in());
  EXPECT_EQ(ping(key_of(first)), "ok");
  const CORBA::Object_var second = poa->id_to_reference(id.in());
  EXPECT_EQ(ping(key_of(second)), "ok");
  EXPECT_EQ(servant->pings, 2);
  EXPECT_EQ(other->pings, 0);
}

TEST_P(Demux, ReferencesMayComeBeforeTheObject) {
  const CORBA::Object_var reference = GetParam().ids == SYSTEM_ID
                                          ? poa->create_reference(kProbeId)
                                          : poa->create_reference_with_id(text_id("x").in(), kProbeId);
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
  const ObjectId_var id = poa->reference_to_id(reference.in());
  poa->activate_object_with_id(id.in(), servant.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
  const ServantBase_var found(poa->reference_to_servant(reference.in()));
  EXPECT_EQ(found.in(), servant.in());
}

TEST_P(Demux, HeldRequestsAreServedLater) {
  const ObjectId_var id = activate_one(poa.in(), servant.in(), 1);
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  manager->hold_requests(false);
  std::thread client([&] { EXPECT_EQ(ping(key_of(reference)), "ok"); });
  await([&] { return orb.registry->held() == 1; });
  manager->activate();
  client.join();
}

TEST_P(Demux, DefaultServantsStandIn) {
  const POA_var standing_in = make(root.in(), "default", USE_DEFAULT_SERVANT);
  standing_in->set_servant(servant.in());
  const Current_var current = make_current();
  const CORBA::Object_var reference = GetParam().ids == SYSTEM_ID
                                          ? standing_in->create_reference(kProbeId)
                                          : standing_in->create_reference_with_id(text_id("x").in(), kProbeId);
  const ObjectId_var id = standing_in->reference_to_id(reference.in());
  bool right = false;
  servant->during = [&] {
    const ObjectId_var mine = current->get_object_id();
    right = text_or_bytes(mine.in()) == text_or_bytes(id.in());
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_TRUE(right);
}

TEST_P(Demux, ChangedKeysLeadNowhereElse) {
  const ObjectId_var id = activate_one(poa.in(), servant.in(), 1);
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  const Key good = key_of(reference);
  const bool hinted = good[kKindAt] == Byte{'H'} || good[kKindAt] == Byte{'Q'};
  const std::size_t before_id = good.size() - bytes_of(id.in()).size();
  for (std::size_t i = 0; i < good.size(); ++i) {
    Key bad = good;
    bad[i] ^= 1;
    const bool in_hint = hinted && i >= before_id - kHintBytes && i < before_id;
    EXPECT_EQ(ping(bad) == "ok", in_hint) << i;
  }
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_NE(ping(Key(good.begin(), good.begin() + static_cast<long>(n))), "ok");
  EXPECT_EQ(ping(good), "ok");
}

TEST_P(Demux, ADestroyedAdapterIsGone) {
  const ObjectId_var id = activate_one(poa.in(), servant.in(), 1);
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  poa->destroy(true, true);
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST 2 NO");
}

std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const ObjectLookup o : {ObjectLookup::Active, ObjectLookup::Hint, ObjectLookup::Hash, ObjectLookup::Linear})
    for (const AdapterLookup a : {AdapterLookup::Active, AdapterLookup::Path})
      for (const LifespanPolicyValue l : {TRANSIENT, PERSISTENT})
        for (const IdAssignmentPolicyValue i : {USER_ID, SYSTEM_ID})
          all.push_back({o, a, static_cast<OperationLookup>(o), l, i});
  return all;
}
std::string name_of_choice(const ::testing::TestParamInfo<Choice>& test) {
  const Choice& c = test.param;
  const char* const ways[] = {"Active", "Hint", "Hash", "Linear"};
  return std::string(ways[static_cast<int>(c.objects)]) + (c.adapters == AdapterLookup::Path ? "Path" : "") +
         (c.lifespan == PERSISTENT ? "Persistent" : "") + (c.ids == SYSTEM_ID ? "System" : "User");
}
INSTANTIATE_TEST_SUITE_P(EveryChoice, Demux, ::testing::ValuesIn(choices()), name_of_choice);

TEST(DemultiplexingOption, IsWhatAdaptersHaveWithoutThePolicy) {
  struct Fixture : OrbFixture {
    Fixture()
        : OrbFixture({"-ORBObjectLookup", "linear", "-ORBAdapterLookup", "path", "-ORBOperationLookup", "binary"}) {}
    void TestBody() override {}
  } f;
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = f.activate(servant.in(), f.root.in());
  OrbFixture::ping(object.in());
  EXPECT_EQ(OrbFixture::add(object.in(), 1, 2), 3);
  EXPECT_EQ(servant->pings, 1);
  EXPECT_EQ(dynamic_cast<Adapter&>(*f.root.in()).key_kind(), KeyKind::Named);
}

struct OwnPolicies : PoaTest {};

TEST_F(OwnPolicies, OfUnknownValuesAreRefused) {
  const auto refused = [&](CORBA::Policy_ptr policy) {
    try {
      const POA_var poa = child("x", static_cast<CORBA::Policy*>(root->create_lifespan_policy(TRANSIENT)), policy);
    } catch (const POA::InvalidPolicy& e) {
      return int{e.index};
    }
    return -1;
  };
  EXPECT_EQ(refused(create_collocation_policy(static_cast<Collocation>(3))), 1);
  EXPECT_EQ(refused(create_demultiplexing_policy({static_cast<ObjectLookup>(4), {}, {}})), 1);
  EXPECT_EQ(refused(create_demultiplexing_policy({{}, static_cast<AdapterLookup>(2), {}})), 1);
  EXPECT_EQ(refused(create_demultiplexing_policy({{}, {}, static_cast<OperationLookup>(4)})), 1);
  EXPECT_EQ(refused(create_demultiplexing_policy({})), -1);
}

TEST_F(OwnPolicies, AreCopied) {
  const CORBA::Policy_var policy = create_collocation_policy(Collocation::Direct);
  const CORBA::Policy_var copy = policy->copy();
  EXPECT_EQ(copy->policy_type(), kCollocationPolicyType);
  const classic::ReferenceVar<CollocationPolicy> narrowed = CollocationPolicy::_narrow(copy.in());
  ASSERT_TRUE(narrowed.in());
  EXPECT_EQ(narrowed->value(), Collocation::Direct);
}

}  // namespace
}  // namespace callis::poa::testing
