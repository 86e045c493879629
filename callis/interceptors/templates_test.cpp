// SPDX-License-Identifier: Apache-2.0
// IORInterceptor_3_0, object reference templates and factories, states of adapters (CORBA 3.0.3, 21.5).
#include <callis/interceptors/testing/server_fixture.h>
#include <factories.h>

namespace callis::interceptors::testing {
namespace {

class Recorder final : public PI::IORInterceptor_3_0 {
 public:
  Recorder(const char* called, Log& log) : name_(called), log_(log) {}
  std::function<void(PI::IORInfo_ptr)> establish, established;
  std::function<void()> changed;

  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { log_.push_back(name_ + ".destroy"); }
  void establish_components(PI::IORInfo_ptr info) override {
    log_.push_back(name_ + ".establish_components");
    if (establish) establish(info);
  }
  void components_established(PI::IORInfo_ptr info) override {
    log_.push_back(name_ + ".components_established");
    if (established) established(info);
  }
  void adapter_manager_state_changed(const char* id, PI::AdapterState state) override {
    log_.push_back(name_ + "." + id + "=" + std::to_string(state));
    if (changed) changed();
  }
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq& templates, PI::AdapterState state) override {
    std::string what = name_ + ".";
    for (CORBA::ULong i = 0; i < templates.length(); ++i) {
      const PI::AdapterName_var names = templates[i]->adapter_name();
      what += names.in()[names->length() - 1];
    }
    log_.push_back(what + "=" + std::to_string(state));
    if (changed) changed();
  }

 private:
  const std::string name_;
  Log& log_;
};

class Renaming final : public OBV_Factories::Renaming, public CORBA::DefaultValueRefCountBase {
 public:
  Renaming(PI::ObjectReferenceFactory* to, const char* type, int& made)
      : OBV_Factories::Renaming(to, type), made_(made) {}
  CORBA::Object_ptr make_object(const char*, const PI::ObjectId& id) override {
    ++made_;
    return inner()->make_object(type_id(), id);
  }

 private:
  ~Renaming() override = default;
  int& made_;
};

// An ORB with two such interceptors.
struct Templates : ::testing::Test {
  Log log;
  Recorder *a = new Recorder("A", log), *b = new Recorder("B", log);
  PI::IORInterceptor_var counted_a = a, counted_b = b;
  PI::ObjectReferenceTemplate_var of_last;  // adapter
  orb::Counted<orb::Core> core;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;

  Templates() {
    b->established = [this](PI::IORInfo_ptr info) { of_last = info->adapter_template(); };
  }
  ~Templates() override {
    if (core) core->destroy();
  }
  void start(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"-ORBEndpoint", "iiop://127.0.0.1:0"});
    core = orb::Counted<orb::Core>::adopt(make_orb({[this](PI::ORBInitInfo_ptr info) {
      info->add_ior_interceptor(a);
      info->add_ior_interceptor(b);
    }, {}}, std::move(options)));
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
    manager = root->the_POAManager();
  }
  PortableServer::POA_ptr persistent(const char* name) {
    CORBA::PolicyList list;
    list.length(2);
    list[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    list[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    return root->create_POA(name, manager.in(), list);
  }
  std::string text(CORBA::Object_ptr o) const {
    const CORBA::String_var s = core->object_to_string(o);
    return s.in();
  }
  CORBA::Object_ptr activated(PortableServer::Servant probe, PI::ObjectId& id) {
    const PortableServer::ObjectId_var given = root->activate_object(probe);
    id.length(given->length());
    std::copy_n(given->get_buffer(), given->length(), id.get_buffer());
    return root->id_to_reference(given.in());
  }
};

PI::ObjectId octets(std::string_view text) {
  PI::ObjectId id;
  id.length(static_cast<CORBA::ULong>(text.size()));
  std::copy(text.begin(), text.end(), id.get_buffer());
  return id;
}
PortableServer::ObjectId id_of(const char* text) {
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(text);
  return id.in();
}

TEST_F(Templates, interceptors_are_told_when_all_have_added_their_components) {
  start();
  EXPECT_EQ(log, (Log{"A.establish_components", "B.establish_components", "A.components_established",
                      "B.components_established"}));
}

TEST_F(Templates, info_says_what_there_is_at_each_stage) {
  a->establish = [](PI::IORInfo_ptr info) {
    EXPECT_STREQ(CORBA::String_var(info->manager_id()).in(), "RootPOAManager");
    EXPECT_EQ(info->state(), PI::HOLDING);
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->adapter_template(); }).minor(), orb::omg(14));
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->current_factory(); }).minor(), orb::omg(14));
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->current_factory(nullptr); }).minor(), orb::omg(14));
  };
  a->established = [](PI::IORInfo_ptr info) {
    EXPECT_STREQ(CORBA::String_var(info->manager_id()).in(), "RootPOAManager");
    const PI::ObjectReferenceTemplate_var made = info->adapter_template();
    const PI::ObjectReferenceFactory_var used = info->current_factory();
    EXPECT_EQ(used.in(), static_cast<PI::ObjectReferenceFactory*>(made.in()));
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->add_ior_component({}); }).minor(), orb::omg(14));
    EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] { info->add_ior_component_to_profile({}, 0); }).minor(), orb::omg(14));
    EXPECT_THROW(info->current_factory(nullptr), CORBA::BAD_PARAM);
  };
  start();
  manager->activate();
  a->establish = [](PI::IORInfo_ptr info) { EXPECT_EQ(info->state(), PI::ACTIVE); };
  a->established = a->establish;
  const PortableServer::POA_var poa = persistent("child");
  EXPECT_EQ(log[6], "A.establish_components");
}

TEST_F(Templates, info_is_good_while_it_is_told_only) {
  PI::IORInfo_var kept;
  a->established = [&](PI::IORInfo_ptr info) { kept = PI::IORInfo::_duplicate(info); };
  start();
  EXPECT_THROW(kept->adapter_template(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Templates, template_names_orb_and_adapter) {
  start();
  const PortableServer::POA_var poa = persistent("child");
  const CORBA::String_var orb = of_last->orb_id(), id = core->id();
  EXPECT_STREQ(orb.in(), id.in());
  const PI::AdapterName_var names = of_last->adapter_name();
  ASSERT_EQ(names->length(), 2u);
  EXPECT_STREQ(names.in()[0u], "RootPOA");
  EXPECT_STREQ(names.in()[1u], "child");
}

TEST_F(Templates, the_servers_id_is_that_of_the_option) {  // CORBA 3.0.3, 21.3.14.9 and 21.5.3.1
  start({"-ORBServerId", "tanks"});
  EXPECT_STREQ(CORBA::String_var(of_last->server_id()).in(), "tanks");
}

TEST_F(Templates, template_makes_the_references_that_the_adapter_makes) {
  a->establish = [](PI::IORInfo_ptr info) {
    IOP::TaggedComponent c;
    c.tag = 0x1234;
    info->add_ior_component(c);
  };
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"-ORBUnguessableKeys", "yes"}}) {
    start(options);
    manager->activate();
    const PI::ObjectReferenceTemplate_var of_root = of_last;
    PortableServer::Servant_var<Probe> probe(new Probe);
    PI::ObjectId id;
    const CORBA::Object_var own = activated(probe.in(), id), made = of_root->make_object("IDL:callis/Probe:1.0", id);
    EXPECT_EQ(OrbFixture::add(made.in(), 1, 2), 3);
    const CORBA::Object_var same = of_root->make_object(own->_callis_reference()->ior().type_id.c_str(), id);
    EXPECT_EQ(text(same.in()), text(own.in()));
    const PortableServer::POA_var poa = persistent("child");
    const CORBA::Object_var expected = poa->create_reference_with_id(id_of("key"), "IDL:x:1.0"),
                            got = of_last->make_object("IDL:x:1.0", octets("key"));
    EXPECT_EQ(text(got.in()), text(expected.in()));
    core->destroy();
    core = {};
  }
}

TEST_F(Templates, template_makes_references_where_it_has_been_sent) {
  start();
  manager->activate();
  PortableServer::Servant_var<Probe> probe(new Probe);
  const PortableServer::POA_var poa = persistent("child");
  poa->activate_object_with_id(id_of("key"), probe.in());
  const auto codec_of = [](orb::Core& of) {
    const CORBA::Object_var o = of.resolve_initial_references("CodecFactory");
    const IOP::CodecFactory_var factory = IOP::CodecFactory::_narrow(o.in());
    return factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
  };
  const IOP::Codec_var here = codec_of(*core);
  CORBA::Any sent;
  sent <<= of_last.in();
  const CORBA::OctetSeq_var bytes = here->encode(sent);
  const orb::Counted<orb::Core> client = make_core();
  const IOP::Codec_var there = codec_of(*client);
  const CORBA::Any_var came = there->decode(bytes.in());
  PI::ObjectReferenceTemplate* received = nullptr;
  ASSERT_TRUE(came.in() >>= received);
  const PI::AdapterName_var names = received->adapter_name();
  EXPECT_STREQ(names.in()[1u], "child");
  const CORBA::Object_var made = received->make_object("IDL:x:1.0", octets("key"));
  EXPECT_EQ(OrbFixture::add(made.in(), 1, 2), 3);
  client->destroy();
}

TEST_F(Templates, factory_makes_all_references_of_the_adapter) {
  int made = 0;
  a->established = [&](PI::IORInfo_ptr info) {
    const PI::ObjectReferenceFactory_var before = info->current_factory(),
                                         mine = new Renaming(before.in(), "IDL:renamed:1.0", made);
    info->current_factory(mine.in());
    const PI::ObjectReferenceFactory_var now = info->current_factory();
    EXPECT_EQ(now.in(), mine.in());
  };
  for (const char* sealed : {"no", "yes"}) {
    made = 0;
    start({"-ORBUnguessableKeys", sealed});
    manager->activate();
    PortableServer::Servant_var<Probe> probe(new Probe);
    PI::ObjectId id;
    const CORBA::Object_var object = activated(probe.in(), id);
    EXPECT_EQ(made, 1);
    EXPECT_STREQ(object->_callis_reference()->ior().type_id.c_str(), "IDL:renamed:1.0");
    EXPECT_EQ(OrbFixture::add(object.in(), 1, 2), 3);
    const PortableServer::POA_var poa = persistent("child");
    const CORBA::Object_var other = poa->create_reference_with_id(id_of("key"), "IDL:x:1.0");
    EXPECT_EQ(made, 2);
    const PortableServer::ObjectId_var back = poa->reference_to_id(other.in());
    EXPECT_EQ(back->length(), 3u);
    core->destroy();
    core = {};
  }
}

TEST_F(Templates, exception_in_components_established_ends_create_poa) {
  start();
  a->established = [](PI::IORInfo_ptr) { throw CORBA::NO_PERMISSION(); };
  const auto e = caught<CORBA::OBJ_ADAPTER>([&] { persistent("child"); });
  EXPECT_EQ(e.minor(), orb::omg(6));
  EXPECT_THROW(root->find_POA("child", false), PortableServer::POA::AdapterNonExistent);
  log.clear();
  a->established = nullptr;
  const PortableServer::POA_var poa = persistent("child");
  EXPECT_EQ(log.size(), 4u);
  EXPECT_THROW(persistent("child"), PortableServer::POA::AdapterAlreadyExists);
  EXPECT_EQ(log.size(), 4u) << "there was nothing to ask for";
  const CORBA::Object_var still = poa->create_reference_with_id(id_of("key"), "IDL:x:1.0");
  const PortableServer::ObjectId_var back = poa->reference_to_id(still.in());
  EXPECT_EQ(back->length(), 3u);
}

TEST_F(Templates, exception_in_components_established_keeps_the_root_from_being_made) {
  a->established = [](PI::IORInfo_ptr) { throw CORBA::NO_PERMISSION(); };
  EXPECT_EQ(caught<CORBA::OBJ_ADAPTER>([&] { start(); }).minor(), orb::omg(6));
  a->established = nullptr;
  const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
  EXPECT_FALSE(CORBA::is_nil(o.in()));
}

TEST_F(Templates, changes_of_a_managers_state_are_told) {
  a->changed = [] { throw CORBA::NO_PERMISSION(); };
  start();
  log.clear();
  manager->activate();
  manager->activate();
  manager->hold_requests(true);
  manager->discard_requests(false);
  manager->deactivate(false, false);
  Log expected;
  for (const char* state : {"1", "0", "2", "3"})
    for (const char* told : {"A", "B"}) expected.push_back(std::string(told) + ".RootPOAManager=" + state);
  EXPECT_EQ(log, expected) << "once for each change, whatever others throw";
}

TEST_F(Templates, ends_of_adapters_are_told) {
  a->changed = [] { throw CORBA::NO_PERMISSION(); };
  start();
  const PortableServer::POA_var poa = persistent("child"), other = persistent("other");
  log.clear();
  poa->destroy(true, true);
  EXPECT_EQ(log, (Log{"A.child=4", "B.child=4"}));
  log.clear();
  core->destroy();
  EXPECT_EQ(log, (Log{"A.other=4", "B.other=4", "A.RootPOA=4", "B.RootPOA=4", "A.destroy", "B.destroy"}));
  core = {};
}

TEST_F(Templates, interceptors_may_call_the_adapter_that_has_changed) {
  start();
  a->changed = [this] {
    const CORBA::Object_var o = root->create_reference("IDL:x:1.0");
    EXPECT_EQ(manager->get_state(), PortableServer::POAManager::ACTIVE);
  };
  manager->activate();
}

}  // namespace
}  // namespace callis::interceptors::testing
