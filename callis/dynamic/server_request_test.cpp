// SPDX-License-Identifier: Apache-2.0
// Servants without skeletons (CORBA 3.3 part 1, 12), called by stubs and by requests.
#include <callis/dynamic/testing/work.h>
#include <callis/interceptors/testing/recorder.h>
#include <callis/orb/core/interface_def.h>

namespace callis::dynamic::testing {
namespace {

namespace PI = PortableInterceptor;
using interceptors::testing::ClientRecorder;
using interceptors::testing::Log;
using interceptors::testing::ServerRecorder;

// What Dyn::Work does, without its skeleton.
class Anything : public PortableServer::DynamicImplementation {
 public:
  explicit Anything(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  void invoke(CORBA::ServerRequest_ptr request) override {
    kept = CORBA::ServerRequest::_duplicate(request);
    const std::string_view op = request->operation();
    if (before) before(request);
    CORBA::NVList_ptr args;
    orb_->create_list(0, args);
    if (op == "add") {
      args->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_long, nullptr);
      args->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_long, nullptr);
      request->arguments(args);
      CORBA::Long a = 0, b = 0;
      *args->item(0)->value() >>= a;
      *args->item(1)->value() >>= b;
      CORBA::Any result;
      result <<= a + b;
      request->set_result(result);
    } else if (op == "run") {
      run(request, args);
    } else if (op == "find") {
      args->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_string, nullptr);
      request->arguments(args);
      const CORBA::Context_var context = request->ctx();
      CORBA::NVList_var values;
      context->get_values("", 0, "*", values.out());
      const char *name = "", *value = "";
      *args->item(0)->value() >>= name;
      std::string text = name;
      for (CORBA::ULong i = 0; i < values->count(); ++i) {
        *values->item(i)->value() >>= value;
        text += std::string(",") + values->item(i)->name() + "=" + value;
      }
      CORBA::Any result;
      result <<= text.c_str();
      request->set_result(result);
    } else if (op == "_get_level") {
      request->arguments(args);
      CORBA::Any result;
      result <<= CORBA::Double(1.25);
      request->set_result(result);
    } else if (op == "tell") {
      args->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_short, nullptr);
      request->arguments(args);
      CORBA::Short number = 0;
      *args->item(0)->value() >>= number;
      told.set_value(number);
    } else if (op == "nothing") {
      CORBA::release(args);
    } else {
      CORBA::release(args);
      CORBA::Any a;
      a <<= CORBA::BAD_OPERATION(5, CORBA::COMPLETED_NO);
      request->set_exception(a);
    }
  }
  void run(CORBA::ServerRequest_ptr request, CORBA::NVList_ptr args) {
    args->add(CORBA::ARG_IN)->value()->replace(Dyn::_tc_Color, nullptr);
    args->add(CORBA::ARG_INOUT)->value()->replace(Dyn::_tc_Points, nullptr);
    args->add(CORBA::ARG_OUT)->value()->replace(CORBA::_tc_long, nullptr);
    args->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_any, nullptr);
    request->arguments(args);
    const CORBA::Any* extra = nullptr;
    const char* text = "";
    *args->item(3)->value() >>= extra;
    if (extra) *extra >>= text;
    if (text && std::string_view(text) == "break") {
      CORBA::Any a;
      a <<= Dyn::Broken("so", Dyn::Point{7, CORBA::string_dup("there")});
      return request->set_exception(a);
    }
    CORBA::Any result = *args->item(1)->value();
    const Dyn::Points* points = nullptr;
    result >>= points;
    Dyn::Points less(*points);
    less.length(1);
    less[0u].label = CORBA::string_dup("changed");
    *args->item(1)->value() <<= less;
    Dyn::Color tint = Dyn::red;
    *args->item(0)->value() >>= tint;
    *args->item(2)->value() <<= static_cast<CORBA::Long>(tint);
    request->set_result(result);
  }
  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId& id, PortableServer::POA_ptr poa) override {
    EXPECT_FALSE(CORBA::is_nil(poa));
    const std::string text(id.begin(), id.end());
    return CORBA::string_dup(text == "other" ? "IDL:Dyn/Other:1.0" : "IDL:Dyn/Work:1.0");
  }
  CORBA::InterfaceDef_ptr _get_interface() override {
    if (!interface_is_known) return DynamicImplementation::_get_interface();
    const CORBA::Object_var there = orb_->string_to_object("corbaloc::127.0.0.1:9/repository");
    return CORBA::InterfaceDef::_unchecked_narrow(there.in());
  }
  bool interface_is_known = false;

  CORBA::ServerRequest_var kept;
  std::promise<CORBA::Short> told;
  std::function<void(CORBA::ServerRequest_ptr)> before;

 private:
  CORBA::ORB_var orb_;
};

class ServerRequestTest : public ::testing::TestWithParam<Way>, protected TwoOrbs {
 protected:
  PortableServer::Servant_var<Anything> servant{new Anything(orb.in())};
  Dyn::Work_var work;

  ServerRequestTest() : TwoOrbs(GetParam()) {
    const CORBA::Object_var own = activate(servant.in());
    const CORBA::Object_var object = seen(own.in());
    work = Dyn::Work::_narrow(object.in());
  }
};

TEST_P(ServerRequestTest, is_what_its_primary_interface_says) {
  ASSERT_FALSE(CORBA::is_nil(work.in())) << "narrowed by _is_a";
  EXPECT_TRUE(work->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_TRUE(work->_is_a("IDL:Dyn/Work:1.0"));
  EXPECT_FALSE(work->_is_a("IDL:Dyn/Other:1.0"));
  EXPECT_FALSE(work->_non_existent());
}

TEST_P(ServerRequestTest, says_its_interface_where_there_is_a_repository) {
  const auto ask = [&] {
    CORBA::Request_var request = work->_request("_interface");
    request->set_return_type(CORBA::_tc_Object);
    request->invoke();
    return request;
  };
  const CORBA::Request_var refused = ask();
  auto* const e = CORBA::INTF_REPOS::_downcast(refused->env()->exception());
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(e->minor(), CORBA::OMGVMCID | 1);
  servant->interface_is_known = true;
  const CORBA::Request_var found = ask();
  ASSERT_EQ(found->env()->exception(), nullptr);
  CORBA::Object* interface = nullptr;
  ASSERT_TRUE(found->return_value() >>= interface);
  EXPECT_FALSE(CORBA::is_nil(interface));
}

TEST_P(ServerRequestTest, serves_calls_of_stubs) {
  EXPECT_EQ(work->add(40, 2), 42);
  EXPECT_EQ(work->add(-1, 2), 1);
  EXPECT_EQ(work->level(), 1.25);
}

TEST_P(ServerRequestTest, gives_back_inout_and_out_arguments) {
  Dyn::Points points(2);
  points.length(2);
  points[1u] = {2, CORBA::string_dup("two")};
  CORBA::Long count = 0;
  const Dyn::Points_var result = work->run(Dyn::blue, points, count, CORBA::Any());
  EXPECT_EQ(count, 2);
  ASSERT_EQ(result->length(), 2u);
  EXPECT_STREQ(result[1u].label, "two");
  ASSERT_EQ(points.length(), 1u);
  EXPECT_STREQ(points[0u].label, "changed");
}

TEST_P(ServerRequestTest, raises_user_exceptions) {
  Dyn::Points points;
  CORBA::Long count = 0;
  CORBA::Any extra;
  extra <<= "break";
  try {
    (void)Dyn::Points_var(work->run(Dyn::red, points, count, extra));
    FAIL();
  } catch (const Dyn::Broken& e) {
    EXPECT_STREQ(e.why, "so");
    EXPECT_STREQ(e.where.label, "there");
  }
}

TEST_P(ServerRequestTest, raises_system_exceptions) {
  try {
    (void)CORBA::WString_var(work->widen("x"));
    FAIL();
  } catch (const CORBA::BAD_OPERATION& e) {
    EXPECT_EQ(e.minor(), 5u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  servant->before = [](CORBA::ServerRequest_ptr) { throw CORBA::NO_RESOURCES(3, CORBA::COMPLETED_YES); };
  EXPECT_THROW(work->nothing(), CORBA::NO_RESOURCES);
}

TEST_P(ServerRequestTest, gets_the_context) {
  CORBA::Context_var defaults, context;
  client->get_default_context(defaults.out());
  defaults->create_child("test", context.out());
  CORBA::Any a;
  a <<= "me";
  context->set_one_value("user", a);
  const CORBA::String_var text = work->find("name", context.in());
  EXPECT_STREQ(text.in(), "name,user=me");
}

TEST_P(ServerRequestTest, serves_oneways) {
  auto told = servant->told.get_future();
  work->tell(7);
  EXPECT_EQ(told.get(), 7);
}

TEST_P(ServerRequestTest, arguments_need_not_be_asked_for_where_there_are_none) { work->nothing(); }

TEST_P(ServerRequestTest, keeps_to_its_order) {
  CORBA::ULong minors[3] = {};
  servant->before = [&](CORBA::ServerRequest_ptr r) {
    minors[0] = minor_of([&] { r->set_result(CORBA::Any()); });
    minors[1] = minor_of([&] { (void)r->ctx(); });
    CORBA::NVList_ptr list = new CORBA::NVList;
    r->arguments(list);
    minors[2] = minor_of([&] {
      CORBA::NVList_var again = new CORBA::NVList;
      CORBA::NVList_ptr p = again.in();
      r->arguments(p);
    });
    CORBA::Any a;
    a <<= CORBA::Long(1);
    EXPECT_THROW(r->set_exception(a), CORBA::BAD_PARAM);
  };
  work->nothing();
  EXPECT_EQ(minors[0], 9u);
  EXPECT_EQ(minors[1], 8u);
  EXPECT_EQ(minors[2], 7u);
  EXPECT_EQ(minor_of([&] { (void)servant->kept->ctx(); }), 9u) << "after invoke()";
}

TEST_P(ServerRequestTest, may_be_a_default_servant_of_objects_of_several_types) {
  CORBA::PolicyList policies(3);
  policies.length(3);
  policies[2u] = root->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  policies[0u] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[1u] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var poa = root->create_POA("default", manager.in(), policies);
  poa->set_servant(servant.in());
  const PortableServer::ObjectId_var other = PortableServer::string_to_ObjectId("other"),
                                     one = PortableServer::string_to_ObjectId("one");
  const CORBA::Object_var a = poa->create_reference_with_id(other.in(), "IDL:Dyn/Other:1.0"),
                          b = poa->create_reference_with_id(one.in(), "IDL:Dyn/Work:1.0");
  const CORBA::Object_var at_client = seen(a.in()), second = seen(b.in());
  EXPECT_FALSE(at_client->_is_a("IDL:Dyn/Work:1.0"));
  EXPECT_TRUE(at_client->_is_a("IDL:Dyn/Other:1.0"));
  const Dyn::Work_var narrowed = Dyn::Work::_narrow(second.in());
  EXPECT_EQ(narrowed->add(1, 2), 3);
}

TEST_P(ServerRequestTest, may_come_from_a_servant_locator) {
  struct Gives final : PortableServer::ServantLocator {
    explicit Gives(Anything* s) : servant(s) {}
    PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                      Cookie&) override {
      return servant;
    }
    void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                    PortableServer::Servant) override {}
    Anything* servant;
  };
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0u] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1u] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var poa = root->create_POA("located", manager.in(), policies);
  classic::ReferenceVar<Gives> gives(new Gives(servant.in()));
  poa->set_servant_manager(gives.in());
  const CORBA::Object_var reference = poa->create_reference("IDL:Dyn/Work:1.0");
  const CORBA::Object_var object = seen(reference.in());
  const Dyn::Work_var located = Dyn::Work::_narrow(object.in());
  EXPECT_EQ(located->add(20, 1), 21);
  EXPECT_TRUE(located->_is_a("IDL:Dyn/Work:1.0"));
}

TEST_P(ServerRequestTest, knows_itself) {
  CORBA::Object_var self;
  servant->before = [&](CORBA::ServerRequest_ptr) { self = servant->_this(); };
  work->nothing();
  ASSERT_FALSE(CORBA::is_nil(self.in()));
  const CORBA::Object_var object = seen(self.in());
  EXPECT_TRUE(object->_is_equivalent(work.in()));
}

TEST_P(ServerRequestTest, is_called_by_requests) {
  const CORBA::Request_var r = work->_request("add");
  r->add_in_arg() <<= CORBA::Long(1);
  r->add_in_arg() <<= CORBA::Long(2);
  r->set_return_type(CORBA::_tc_long);
  r->invoke();
  CORBA::Long sum = 0;
  EXPECT_TRUE(r->return_value() >>= sum);
  EXPECT_EQ(sum, 3);
}

TEST_P(ServerRequestTest, arguments_of_other_types_are_MARSHAL) {
  const CORBA::Request_var r = work->_request("add");
  r->add_in_arg() <<= CORBA::Short(1);
  r->invoke();
  ASSERT_NE(r->env()->exception(), nullptr);
  EXPECT_STREQ(r->env()->exception()->_rep_id(), "IDL:omg.org/CORBA/MARSHAL:1.0");
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ServerRequestTest,
    ::testing::Values(Way{"giop_1_2", false, {"-ORBEndpoint", kTcp}, {}},
                      Way{"giop_1_1", false, {"-ORBEndpoint", kTcp, "-ORBGIOPVersion", "1.1"}, {}},
                      Way{"giop_1_0", false, {"-ORBEndpoint", kTcp, "-ORBGIOPVersion", "1.0"}, {}},
                      Way{"pool", false, {"-ORBEndpoint", kTcp, "-ORBServerThreads", "pool"}, {}},
                      Way{"collocated", true, {"-ORBEndpoint", kTcp}, {}},
                      Way{"collocated_by_adapter", true, {"-ORBEndpoint", kTcp, "-ORBCollocation", "adapter"}, {}},
                      Way{"collocated_by_message", true, {"-ORBEndpoint", kTcp, "-ORBCollocation", "marshaled"}, {}}),
    [](const auto& tested) { return std::string(tested.param.name); });

// --- interceptors (CORBA 3.0.3, 21.3.8.2 and 21.3.12) ---

struct Intercepted : ::testing::Test {
  Log log;
  PI::ClientRequestInterceptor_var counted_client = new ClientRecorder("C", log);
  PI::ServerRequestInterceptor_var counted_server = new ServerRecorder("S", log);
  ClientRecorder& c = dynamic_cast<ClientRecorder&>(*counted_client.in());
  ServerRecorder& s = dynamic_cast<ServerRecorder&>(*counted_server.in());
  orb::Counted<orb::Core> core = orb::Counted<orb::Core>::adopt(interceptors::testing::make_orb(
      {[this](PI::ORBInitInfo_ptr info) { info->add_server_request_interceptor(counted_server.in()); }, {}},
      {"-ORBEndpoint", "memory:dynamic_interceptors" + std::to_string(++number)}));
  orb::Counted<orb::Core> client = orb::Counted<orb::Core>::adopt(interceptors::testing::make_orb(
      {[this](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(counted_client.in()); }, {}}));
  PortableServer::Servant_var<Anything> servant{new Anything(core.get())};
  CORBA::Object_var object;
  static inline int number = 0;

  Intercepted() {
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(o.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const PortableServer::ObjectId_var id = root->activate_object(servant.in());
    const CORBA::Object_var own = root->id_to_reference(id.in());
    const CORBA::String_var text = core->object_to_string(own.in());
    object = client->string_to_object(text.in());
  }
  ~Intercepted() override {
    core->destroy();
    client->destroy();
  }
  CORBA::Request_var add(CORBA::Long a, CORBA::Long b) {
    CORBA::Request_var r = object->_request("add");
    r->add_in_arg() <<= a;
    r->add_in_arg() <<= b;
    r->set_return_type(CORBA::_tc_long);
    return r;
  }
  template <class Info>
  static std::function<void(Info)> note(std::vector<CORBA::Long>& into, bool result) {
    return [&into, result](Info info) {
      const std::unique_ptr<Dynamic::ParameterList> list(info->arguments());
      CORBA::Long v = 0;
      for (CORBA::ULong i = 0; i < list->length(); ++i) {
        EXPECT_TRUE((*list)[i].argument >>= v);
        into.push_back(v);
      }
      if (!result) return;
      const CORBA::Any_var any = info->result();
      EXPECT_TRUE(any.in() >>= v);
      into.push_back(v);
    };
  }
};

TEST_F(Intercepted, both_sides_see_arguments_and_results) {
  std::vector<CORBA::Long> sent, came, received, replied;
  c.at["send_request"] = note<PI::ClientRequestInfo_ptr>(sent, false);
  c.at["receive_reply"] = note<PI::ClientRequestInfo_ptr>(came, true);
  s.at["receive_request"] = note<PI::ServerRequestInfo_ptr>(received, false);
  s.at["send_reply"] = note<PI::ServerRequestInfo_ptr>(replied, true);
  const CORBA::Request_var r = add(1, 2);
  r->invoke();
  EXPECT_EQ(r->env()->exception(), nullptr);
  EXPECT_EQ(sent, (std::vector<CORBA::Long>{1, 2}));
  EXPECT_EQ(received, (std::vector<CORBA::Long>{1, 2}));
  EXPECT_EQ(replied, (std::vector<CORBA::Long>{1, 2, 3}));
  EXPECT_EQ(came, (std::vector<CORBA::Long>{1, 2, 3}));
}

TEST_F(Intercepted, deferred_requests_too) {
  std::vector<CORBA::Long> came;
  c.at["receive_reply"] = note<PI::ClientRequestInfo_ptr>(came, true);
  const CORBA::Request_var r = add(2, 3);
  r->send_deferred();
  r->get_response();
  EXPECT_EQ(came, (std::vector<CORBA::Long>{2, 3, 5}));
}

TEST_F(Intercepted, receive_request_may_refuse_what_a_dynamic_servant_serves) {
  s.at["receive_request"] = [](PI::ServerRequestInfo_ptr) { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO); };
  const CORBA::Request_var r = add(1, 2);
  r->invoke();
  EXPECT_NE(CORBA::NO_PERMISSION::_downcast(r->env()->exception()), nullptr);
}

TEST_F(Intercepted, receive_request_comes_once_with_or_without_arguments) {
  s.at["receive_request"] = [](PI::ServerRequestInfo_ptr info) {
    EXPECT_THROW((void)std::unique_ptr<Dynamic::ParameterList>(info->arguments()), CORBA::NO_RESOURCES);
  };
  const CORBA::Request_var r = object->_request("widen");  // set_exception() at once
  r->add_in_arg() <<= "text";
  r->invoke();
  EXPECT_NE(CORBA::BAD_OPERATION::_downcast(r->env()->exception()), nullptr);
  EXPECT_EQ(std::count(log.begin(), log.end(), "S.receive_request"), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "S.send_exception"), 1);
}

}  // namespace
}  // namespace callis::dynamic::testing
