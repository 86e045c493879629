// SPDX-License-Identifier: Apache-2.0
// IORInterceptor, IORInfo and policies of servers (CORBA 3.0.3, 21.5 and 21.3.14).
#include <callis/interceptors/testing/server_fixture.h>

namespace callis::interceptors::testing {
namespace {

class IorRecorder final : public PI::IORInterceptor {
 public:
  IorRecorder(const char* called, Log& log) : name_(called), log_(log) {}
  std::function<void(PI::IORInfo_ptr)> act;

  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { log_.push_back(name_ + ".destroy"); }
  void establish_components(PI::IORInfo_ptr info) override {
    log_.push_back(name_ + ".establish_components");
    if (act) act(info);
  }

 private:
  const std::string name_;
  Log& log_;
};

struct Rank final : CORBA::Policy, CORBA::LocalObject {
  explicit Rank(CORBA::ULong v) : value(v) {}
  CORBA::PolicyType policy_type() override { return 4711; }
  CORBA::Policy_ptr copy() override { return new Rank(value); }
  void destroy() override {}
  const CORBA::ULong value;
};
struct RankFactory final : PI::PolicyFactory {
  CORBA::Policy_ptr create_policy(CORBA::PolicyType, const CORBA::Any& value) override {
    CORBA::ULong v = 0;
    value >>= v;
    return new Rank(v);
  }
};

// An ORB with two such interceptors and a factory of policies, listening on TCP.
struct Ior : ::testing::Test {
  Log log;
  IorRecorder *a = new IorRecorder("A", log), *b = new IorRecorder("B", log);
  ServerRecorder* server = new ServerRecorder("S", log);
  PI::IORInterceptor_var counted_a = a, counted_b = b;
  PI::ServerRequestInterceptor_var counted_server = server;
  orb::Counted<orb::Core> core;
  PortableServer::POA_var root;

  void start(std::vector<std::string> options = {"-ORBEndpoint", "iiop://127.0.0.1:0"}) {
    core = orb::Counted<orb::Core>::adopt(make_orb({[this](PI::ORBInitInfo_ptr info) {
      info->add_ior_interceptor(a);
      info->add_ior_interceptor(b);
      info->add_server_request_interceptor(server);
      const PI::PolicyFactory_var factory = new RankFactory;
      info->register_policy_factory(4711, factory.in());
    }, {}}, std::move(options)));
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
    const PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
  }
  ~Ior() override { core->destroy(); }

  // The profiles of a new reference.
  static std::vector<ior::IiopProfile> profiles_of(PortableServer::POA_ptr poa) {
    const CORBA::Object_var o = poa->create_reference("IDL:x:1.0");
    std::vector<ior::IiopProfile> all;
    for (const ior::TaggedProfile& p : o->_callis_reference()->ior().profiles)
      if (p.tag == ior::kInternetProfile) all.push_back(ior::parse_iiop(p.data).value());
    return all;
  }
  PortableServer::POA_ptr child(const char* name, CORBA::Policy_ptr policy) {
    CORBA::PolicyList list;
    list.length(1);
    list[0] = CORBA::Policy::_duplicate(policy);
    const PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA(name, manager.in(), list);
  }
  CORBA::Policy_ptr rank(CORBA::ULong value) { return core->create_policy(4711, any_of(value)); }
};

IOP::TaggedComponent component(IOP::ComponentId tag, std::initializer_list<int> bytes) {
  const IOP::ServiceContext c = context(tag, bytes);
  IOP::TaggedComponent t;
  t.tag = c.context_id;
  t.component_data = c.context_data;
  return t;
}

TEST_F(Ior, interceptors_are_asked_once_for_each_adapter) {
  start();
  EXPECT_EQ(log, (Log{"A.establish_components", "B.establish_components"}));
  profiles_of(root.in());
  const CORBA::Policy_var policy = rank(1);
  const PortableServer::POA_var poa = child("child", policy.in());
  EXPECT_EQ(log.size(), 4u);
  core->destroy();
  EXPECT_EQ(log.size(), 7u);
  EXPECT_EQ(log.back(), "B.destroy");
  start();
}

TEST_F(Ior, components_are_in_the_profiles_of_references) {
  a->act = [](PI::IORInfo_ptr info) {
    info->add_ior_component(component(0x1234, {1, 2, 3}));
    info->add_ior_component_to_profile(component(0x1235, {4}), IOP::TAG_INTERNET_IOP);
    info->add_ior_component_to_profile(component(0x1236, {5}), ior::kUiopProfile);
    const auto e = caught<CORBA::BAD_PARAM>([&] { info->add_ior_component_to_profile(component(1, {}), 4711); });
    EXPECT_EQ(e.minor(), orb::omg(29));
  };
  start();
  const auto profiles = profiles_of(root.in());
  ASSERT_EQ(profiles.size(), 1u);
  const ior::TaggedComponent* const c = profiles[0].component(0x1234);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->data, (ior::Bytes{Byte{1}, Byte{2}, Byte{3}}));
  ASSERT_TRUE(profiles[0].component(0x1235));
  EXPECT_FALSE(profiles[0].component(0x1236));
  ASSERT_TRUE(profiles[0].component(ior::kOrbType)) << "besides the ORB's own";
  ASSERT_TRUE(profiles[0].component(ior::kCodeSets));
}

TEST_F(Ior, references_with_components_lead_to_their_objects) {
  a->act = [](PI::IORInfo_ptr info) { info->add_ior_component(component(0x1234, {1})); };
  start();
  PortableServer::Servant_var<Probe> probe(new Probe);
  const PortableServer::ObjectId_var id = root->activate_object(probe.in());
  const CORBA::Object_var own = root->id_to_reference(id.in());
  EXPECT_EQ(OrbFixture::add(own.in(), 1, 2), 3);
  const auto client = make_core();
  const CORBA::String_var text = core->object_to_string(own.in());
  const CORBA::Object_var there = client->string_to_object(text.in());
  EXPECT_EQ(OrbFixture::add(there.in(), 1, 2), 3);
  const PortableServer::ObjectId_var back = root->reference_to_id(own.in());
  EXPECT_EQ(ints(*reinterpret_cast<const CORBA::OctetSeq*>(&back.in())),
            ints(*reinterpret_cast<const CORBA::OctetSeq*>(&id.in())));
  client->destroy();
}

TEST_F(Ior, interceptors_that_throw_do_not_keep_the_others_from_adding) {
  a->act = [](PI::IORInfo_ptr) { throw CORBA::NO_PERMISSION(); };
  b->act = [](PI::IORInfo_ptr info) { info->add_ior_component(component(0x1234, {1})); };
  start();
  EXPECT_TRUE(profiles_of(root.in()).at(0).component(0x1234));
}

TEST_F(Ior, info_is_good_while_it_is_asked_only) {
  PI::IORInfo_var kept;
  a->act = [&](PI::IORInfo_ptr info) { kept = PI::IORInfo::_duplicate(info); };
  start();
  EXPECT_THROW(kept->add_ior_component(component(1, {})), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Ior, components_keep_to_the_limits_of_references) {
  a->act = [](PI::IORInfo_ptr info) {
    IOP::TaggedComponent large = component(1, {});
    large.component_data.length((64u << 10) + 1);
    EXPECT_THROW(info->add_ior_component(large), CORBA::IMP_LIMIT);
    for (IOP::ComponentId i = 0; i < 48; ++i) info->add_ior_component(component(1000 + i, {}));
    EXPECT_THROW(info->add_ior_component(component(1, {})), CORBA::IMP_LIMIT);
  };
  start();
  EXPECT_EQ(profiles_of(root.in()).at(0).components.size(), 50u);
}

TEST_F(Ior, policies_of_registered_types_are_those_of_the_adapter) {
  std::vector<CORBA::ULong> ranks;
  const auto value_of = [](CORBA::Policy_ptr p) {
    const CORBA::Policy_var counted = p;
    return p ? dynamic_cast<Rank&>(*p).value : 0;
  };
  a->act = [&](PI::IORInfo_ptr info) {
    ranks.push_back(value_of(info->get_effective_policy(4711)));
    EXPECT_EQ(caught<CORBA::INV_POLICY>([&] { info->get_effective_policy(4712); }).minor(), orb::omg(3));
    const CORBA::Policy_var thread = info->get_effective_policy(PortableServer::THREAD_POLICY_ID);
    EXPECT_TRUE(CORBA::is_nil(thread.in())) << "as it was not given";
  };
  server->at["receive_request"] = [&](PI::ServerRequestInfo_ptr ri) {
    ranks.push_back(value_of(ri->get_server_policy(4711)));
  };
  start();
  const CORBA::Policy_var policy = rank(5);
  const PortableServer::POA_var poa = child("child", policy.in());
  for (PortableServer::POA_ptr p : {root.in(), poa.in()}) {
    PortableServer::Servant_var<Probe> probe(new Probe);
    const PortableServer::ObjectId_var id = p->activate_object(probe.in());
    const CORBA::Object_var object = p->id_to_reference(id.in());
    OrbFixture::ping(object.in());
  }
  EXPECT_EQ(ranks, (std::vector<CORBA::ULong>{0, 5, 0, 5}));
}

TEST_F(Ior, policies_that_nothing_makes_are_still_refused) {
  start();
  struct Unknown final : CORBA::Policy, CORBA::LocalObject {
    CORBA::PolicyType policy_type() override { return 4712; }
    CORBA::Policy_ptr copy() override { return new Unknown; }
    void destroy() override {}
  };
  const CORBA::Policy_var policy = new Unknown;
  EXPECT_THROW(child("child", policy.in()), PortableServer::POA::InvalidPolicy);
}

}  // namespace
}  // namespace callis::interceptors::testing
