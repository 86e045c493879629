// SPDX-License-Identifier: Apache-2.0
// CORBA::ORB as applications see it (CORBA 3.3 part 1, 8.2 and 8.5): ORB_init, references as text, initial
// references, life cycle.
#include <gtest/gtest.h>
#include <callis/base/testing/log_lines.h>
#include <callis/orb/core/initial.h>
#include <callis/orb/core/registered_references.h>
#include <callis/orb/testing/scripted_peer.h>
#include <future>

namespace callis::orb {
namespace {

using namespace testing;

CORBA::ORB_ptr init(std::vector<std::string> words, const char* id = "") {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

struct OwnedOrb {
  CORBA::ORB_var orb;
  explicit OwnedOrb(std::vector<std::string> words = {}, const char* id = "") : orb(init(std::move(words), id)) {}
  ~OwnedOrb() {
    try {
      orb->destroy();
    } catch (const CORBA::Exception&) {  // destroyed by the test
    }
  }
  CORBA::ORB* operator->() { return orb.in(); }
};

// --- ORB_init ---

TEST(OrbInit, the_same_id_is_the_same_orb_and_another_id_another) {
  OwnedOrb a({}, "same"), other({}, "other");
  CORBA::ORB_var again = init({}, "same");
  EXPECT_EQ(a.orb.in(), again.in());
  EXPECT_NE(a.orb.in(), other.orb.in());
  CORBA::String_var id = a->id();
  EXPECT_STREQ(id.in(), "same");
}

TEST(OrbInit, an_argument_goes_before_ORBid) {
  OwnedOrb by_option({"-ORBid", "opt"});
  CORBA::String_var id = by_option->id();
  EXPECT_STREQ(id.in(), "opt");
  OwnedOrb by_argument({"-ORBid", "opt"}, "arg");
  id = by_argument->id();
  EXPECT_STREQ(id.in(), "arg");
}

TEST(OrbInit, says_in_the_log_why_it_fails) {
  const callis::testing::LogLines log(LogLevel::Error);
  caught<CORBA::BAD_PARAM>([] { init({"-ORBNoSuchThing", "1"}); });
  caught<CORBA::BAD_PARAM>([] { init({"-ORBSpin", "x"}); });
  ASSERT_EQ(log.all().size(), 2u);
  EXPECT_EQ(log.with("unknown option -ORBNoSuchThing"), 1u);
  EXPECT_EQ(log.with("-ORBSpin wants"), 1u);
}

TEST(OrbInit, unknown_options_are_BAD_PARAM_with_text) {
  const auto e = caught<CORBA::BAD_PARAM>([] { init({"-ORBNoSuchThing", "1"}); });
  EXPECT_EQ(e.minor(), kBadOption);
  EXPECT_NE(std::string(e.what()).find("-ORBNoSuchThing"), std::string::npos) << e.what();
}

TEST(OrbInit, a_destroyed_orb_makes_room_for_another_of_its_id) {
  CORBA::ORB_var first = init({}, "again");
  first->destroy();
  OwnedOrb second({}, "again");
  EXPECT_NE(first.in(), second.orb.in());
}

// --- References as text ---

TEST(OrbText, a_reference_comes_back_from_its_text) {
  OwnedOrb orb;
  const std::string text = "corbaloc:iiop:1.2@host.example:4711/key";
  CORBA::Object_var a = orb->string_to_object(text.c_str());
  CORBA::String_var ior = orb->object_to_string(a);
  EXPECT_TRUE(std::string_view(ior.in()).starts_with("IOR:"));
  CORBA::Object_var b = orb->string_to_object(ior);
  EXPECT_TRUE(a->_is_equivalent(b));
  EXPECT_EQ(a->_hash(1000), b->_hash(1000));
}

TEST(OrbText, nil_goes_to_text_and_back) {
  OwnedOrb orb;
  CORBA::String_var text = orb->object_to_string(nullptr);
  EXPECT_TRUE(CORBA::is_nil(orb->string_to_object(text)));
}

TEST(OrbText, bad_text_is_BAD_PARAM_with_the_minor_of_its_class) {
  OwnedOrb orb;
  const auto minor = [&](const char* text) {
    return caught<CORBA::BAD_PARAM>([&] { orb->string_to_object(text); }).minor();
  };
  EXPECT_EQ(minor("http://x/"), omg(7));
  EXPECT_EQ(minor("corbaloc::host:notaport/x"), omg(8));
  EXPECT_EQ(minor("corbaloc::host/%zz"), omg(9));
  EXPECT_EQ(minor("corbaloc:rir:/NoSuchThing"), omg(9));
  EXPECT_EQ(minor(nullptr), omg(10));
}

class Local final : public CORBA::LocalObject {};

TEST(OrbText, local_objects_have_none) {
  OwnedOrb orb;
  CORBA::Object_var local = new Local;
  EXPECT_EQ(caught<CORBA::MARSHAL>([&] { orb->object_to_string(local); }).minor(), omg(4));
}

// --- Objects without a call ---

TEST(Objects, nil_is_nil_and_can_be_duplicated_and_released) {
  EXPECT_TRUE(CORBA::is_nil(CORBA::Object::_nil()));
  EXPECT_TRUE(CORBA::is_nil(CORBA::Object::_duplicate(CORBA::Object::_nil())));
  CORBA::release(CORBA::Object::_nil());
}

TEST(Objects, is_a_knows_its_own_type_and_Object_without_asking) {
  OwnedOrb orb;
  const ior::Ior ior{"IDL:Some:1.0", {ior::to_profile(ior::MemoryProfile{"nobody", {1}})}};
  CORBA::Object_var o = orb->string_to_object(ior::to_text(ior).c_str());
  EXPECT_TRUE(o->_is_a("IDL:Some:1.0"));
  EXPECT_TRUE(o->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_STREQ(o->_interface_repository_id(), "IDL:Some:1.0");
  caught<CORBA::TRANSIENT>([&] { o->_is_a("IDL:Other:1.0"); });
  caught<CORBA::BAD_PARAM>([&] { o->_is_a(nullptr); });
}

TEST(Objects, equivalence_is_by_address_and_key) {
  OwnedOrb orb;
  const auto at = [&](const char* text) { return CORBA::Object_var(orb->string_to_object(text)); };
  auto a = at("corbaloc:iiop:1.2@h:1/k"), same = at("corbaloc:iiop:1.1@h:1/k"), key = at("corbaloc:iiop:1.2@h:1/l"),
       port = at("corbaloc:iiop:1.2@h:2/k"), two = at("corbaloc:iiop:x:9,iiop:1.2@h:1/k");
  EXPECT_TRUE(a->_is_equivalent(a));
  EXPECT_TRUE(a->_is_equivalent(same));
  EXPECT_FALSE(a->_is_equivalent(key));
  EXPECT_FALSE(a->_is_equivalent(port));
  EXPECT_TRUE(a->_is_equivalent(two));
  EXPECT_FALSE(a->_is_equivalent(nullptr));
  EXPECT_LT(a->_hash(7), 7u);
  EXPECT_EQ(a->_hash(0), 0u);
}

TEST(Objects, know_their_orb) {
  OwnedOrb orb;
  CORBA::Object_var o = orb->string_to_object("corbaloc::h:1/k");
  CORBA::ORB_var theirs = o->_get_orb();
  EXPECT_EQ(theirs.in(), orb.orb.in());
}

TEST(Objects, local_ones_are_equivalent_to_themselves_alone) {
  CORBA::Object_var a = new Local, b = new Local;
  EXPECT_TRUE(a->_is_equivalent(a));
  EXPECT_FALSE(a->_is_equivalent(b));
  EXPECT_FALSE(a->_non_existent());
  EXPECT_TRUE(a->_is_a("IDL:omg.org/CORBA/LocalObject:1.0"));
  EXPECT_TRUE(CORBA::is_nil(a->_get_orb()));
  EXPECT_EQ(caught<CORBA::NO_IMPLEMENT>([&] { echo(a, 1); }).minor(), kLocalObject);
}

TEST(Objects, pseudo_operations_ask_the_server) {
  EchoServer server({"-ORBEndpoint", "memory:pseudo"});
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_FALSE(o->_non_existent());
  EXPECT_FALSE(o->_is_a("IDL:Other:1.0"));
  EXPECT_EQ(server.handler.requests, 2);
  const auto gone = client->string_to_object(
      ior::to_text({"", {ior::to_profile(ior::MemoryProfile{"pseudo", {'g', 'o', 'n', 'e'}})}}).c_str());
  EXPECT_TRUE(CORBA::Object_var(gone)->_non_existent());
  client->destroy();
}

// --- Initial references ---

TEST(InitialReferences, come_from_ORBInitRef) {
  OwnedOrb orb({"-ORBInitRef", "Clock=corbaloc::h:1/Clock"});
  CORBA::Object_var a = orb->resolve_initial_references("Clock");
  CORBA::Object_var b = orb->string_to_object("corbaloc:rir:/Clock");
  CORBA::Object_var c = orb->string_to_object("corbaloc::h:1/Clock");
  EXPECT_TRUE(a->_is_equivalent(c));
  EXPECT_TRUE(b->_is_equivalent(c));
}

TEST(InitialReferences, unknown_ones_are_InvalidName) {
  OwnedOrb orb;
  caught<CORBA::ORB::InvalidName>([&] { orb->resolve_initial_references("NoSuchThing"); });
  caught<CORBA::ORB::InvalidName>([&] { orb->resolve_initial_references(nullptr); });
}

TEST(InitialReferences, can_be_registered_once) {
  OwnedOrb orb;
  CORBA::Object_var o = orb->string_to_object("corbaloc::h:1/k");
  orb->register_initial_reference("Mine", o);
  CORBA::Object_var back = orb->resolve_initial_references("Mine");
  EXPECT_EQ(back.in(), o.in());
  caught<CORBA::ORB::InvalidName>([&] { orb->register_initial_reference("Mine", o); });
  caught<CORBA::ORB::InvalidName>([&] { orb->register_initial_reference("", o); });
  caught<CORBA::BAD_PARAM>([&] { orb->register_initial_reference("Nil", nullptr); });
}

TEST(InitialReferences, registered_ones_are_reached_by_their_name_as_key) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  CORBA::Object_var o = make_object(*server.reference);
  server.core->register_initial_reference("EchoService", o);
  auto client = make_core();
  CORBA::Object_var by_name = client->string_to_object(
      ("corbaloc::127.0.0.1:" + std::to_string(server.port()) + "/EchoService").c_str());
  EXPECT_EQ(echo(by_name, 3), 3u);
  client->destroy();
}

TEST(InitialReferences, none_is_kept_by_an_orb_that_another_thread_has_destroyed_meanwhile) {
  const auto core = make_core();
  const CORBA::Object_var o = core->string_to_object("corbaloc::h:1/k");
  core->destroy();
  // As a thread does that found the ORB alive before.
  caught<CORBA::OBJECT_NOT_EXIST>([&] { RegisteredReferences::add(*core, "Mine", o); });
}

int g_made = 0;
CORBA::Object_ptr make_local(Core&) {
  ++g_made;
  return new Local;
}

TEST(InitialReferences, factories_are_asked_once_for_each_orb_and_listed) {
  register_initial_factory("TestFactory", &make_local);
  g_made = 0;
  OwnedOrb orb({"-ORBInitRef", "Clock=corbaloc::h:1/Clock"});
  CORBA::Object_var a = orb->resolve_initial_references("TestFactory");
  CORBA::Object_var b = orb->resolve_initial_references("TestFactory");
  EXPECT_EQ(a.in(), b.in());
  EXPECT_EQ(g_made, 1);
  CORBA::ORB::ObjectIdList_var list = orb->list_initial_services();
  std::vector<std::string> names;
  for (CORBA::ULong i = 0; i < list->length(); ++i) names.emplace_back(list.in()[i]);
  EXPECT_NE(std::find(names.begin(), names.end(), "TestFactory"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "Clock"), names.end());
}

// --- Life cycle ---

TEST(OrbLife, run_returns_after_shutdown_from_another_thread) {
  OwnedOrb orb;
  auto done = std::async(std::launch::async, [&] { orb->run(); });
  orb->shutdown(false);
  done.get();
  caught<CORBA::BAD_INV_ORDER>([&] { orb->run(); });
}

TEST(OrbLife, after_shutdown_everything_but_destroy_is_BAD_INV_ORDER_4) {
  OwnedOrb orb;
  CORBA::Object_var o = orb->string_to_object("corbaloc::127.0.0.1:1/k");
  orb->shutdown(true);
  const auto minor = [](auto&& f) { return caught<CORBA::BAD_INV_ORDER>(f).minor(); };
  EXPECT_EQ(minor([&] { orb->run(); }), omg(4));
  EXPECT_EQ(minor([&] { orb->shutdown(true); }), omg(4));
  EXPECT_EQ(minor([&] { orb->work_pending(); }), omg(4));
  EXPECT_EQ(minor([&] { orb->perform_work(); }), omg(4));
  EXPECT_EQ(minor([&] { orb->string_to_object("corbaloc::h:1/k"); }), omg(4));
  EXPECT_EQ(minor([&] { orb->resolve_initial_references("x"); }), omg(4));
  EXPECT_EQ(minor([&] { orb->list_initial_services(); }), omg(4));
  EXPECT_EQ(minor([&] { orb->id(); }), omg(4));
  EXPECT_EQ(minor([&] { orb->register_value_factory("IDL:X:1.0", nullptr); }), omg(4));
  EXPECT_EQ(minor([&] { orb->lookup_value_factory("IDL:X:1.0"); }), omg(4));
  EXPECT_EQ(minor([&] { orb->unregister_value_factory("IDL:X:1.0"); }), omg(4));
  EXPECT_EQ(minor([&] { CORBA::NVList_var list; orb->create_list(0, list.out()); }), omg(4));
  EXPECT_EQ(minor([&] { CORBA::Context_var context; orb->get_default_context(context.out()); }), omg(4));
  EXPECT_EQ(minor([&] { CORBA::TypeCode_var type = orb->create_string_tc(3); }), omg(4));
  EXPECT_EQ(minor([&] { orb->register_initial_reference("x", o.in()); }), omg(4));
  EXPECT_EQ(minor([&] { echo(o, 1); }), omg(4));
  orb->destroy();
}

TEST(OrbLife, destroying_twice_is_OBJECT_NOT_EXIST) {
  OwnedOrb orb;
  orb->destroy();
  caught<CORBA::OBJECT_NOT_EXIST>([&] { orb->destroy(); });
}

TEST(OrbLife, there_is_never_work_for_the_main_thread) {
  OwnedOrb orb;
  EXPECT_FALSE(orb->work_pending());
  orb->perform_work();
}

// The minor code of the exception that f throws inside an upcall of the same ORB.
CORBA::ULong minor_inside_an_upcall(const std::function<void(Core&)>& f) {
  EchoServer server({"-ORBEndpoint", "memory:inside"});
  CORBA::ULong minor = 0;
  server.handler.before = [&](ServerRequest&) {
    minor = caught<CORBA::BAD_INV_ORDER>([&] { f(*server.core); }).minor();
  };
  auto client = make_core();
  echo(server.object_for(*client), 1);
  client->destroy();
  return minor;
}

TEST(OrbLife, waiting_for_oneself_is_BAD_INV_ORDER_3) {
  EXPECT_EQ(minor_inside_an_upcall([](Core& c) { c.shutdown(true); }), omg(3));
  EXPECT_EQ(minor_inside_an_upcall([](Core& c) { c.destroy(); }), omg(3));
  EXPECT_EQ(minor_inside_an_upcall([](Core& c) { c.run(); }), omg(3));
}

TEST(OrbLife, shutdown_without_waiting_is_fine_inside_an_upcall) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  server.handler.before = [&](ServerRequest&) { server.core->shutdown(false); };
  auto client = make_core();
  auto running = std::async(std::launch::async, [&] { server.core->run(); });
  EXPECT_EQ(echo(server.object_for(*client), 5), 5u) << "the upcall finishes and is answered";
  running.get();
  client->destroy();
}

TEST(OrbLife, orb_parts_are_told_of_stop_and_end_once_and_destroyed_afterwards) {
  struct Witness final : OrbPart {
    explicit Witness(std::string& o) : order(o) {}
    ~Witness() override { order += "gone "; }
    void stop() override { order += "stop "; }
    void end() override { order += "end "; }
    std::string& order;
  };
  auto core = make_core();
  std::string one, two;
  core->add(std::make_unique<Witness>(one));
  core->add(std::make_unique<Witness>(two));
  core->shutdown(true);
  core->destroy();
  EXPECT_EQ(one, "stop end gone ");
  EXPECT_EQ(two, "stop end gone ");
}

TEST(OrbLife, references_outlive_destroy) {
  CORBA::Object_var o;
  {
    auto core = make_core();
    o = core->string_to_object("corbaloc::h:1/k");
    core->destroy();
  }
  EXPECT_LT(o->_hash(10), 10u);
}

// Factories that ask each other's ORB, as interceptors of two ORBs may that resolve each other's root adapters.
struct Crossing {
  std::atomic<int> begun{0}, refused{0};
  std::promise<void> both;
  std::shared_future<void> begun_both = both.get_future().share();
  Counted<Core> cores[2] = {make_core(), make_core()};
};
Crossing* crossing = nullptr;

CORBA::Object_ptr make_crossing(Core& core) {
  Crossing& c = *crossing;
  if (++c.begun == 2) c.both.set_value();
  c.begun_both.wait();
  Core& other = &core == c.cores[0].get() ? *c.cores[1] : *c.cores[0];
  try {
    CORBA::Object_var object = other.resolve_initial_references("TestCrossing");
  } catch (const CORBA::BAD_INV_ORDER& e) {
    EXPECT_EQ(e.minor(), omg(3));
    ++c.refused;
  }
  return make_local(core);
}

TEST(Orb, initial_references_of_two_orbs_that_need_each_other_are_refused_to_one_thread) {
  register_initial_factory("TestCrossing", &make_crossing);
  Crossing c;
  crossing = &c;
  const auto resolve = [&c](int i) {
    return std::async(std::launch::async, [&c, i] {
      const CORBA::Object_var object = c.cores[i]->resolve_initial_references("TestCrossing");
      return !CORBA::is_nil(object.in());
    });
  };
  auto one = resolve(0), other = resolve(1);
  EXPECT_TRUE(one.get());
  EXPECT_TRUE(other.get());
  EXPECT_EQ(c.begun, 2);
  EXPECT_EQ(c.refused, 1);
  for (auto& core : c.cores) core->destroy();
}

}  // namespace
}  // namespace callis::orb
