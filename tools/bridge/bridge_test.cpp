// SPDX-License-Identifier: Apache-2.0
// client ORB ── bridge ORB ── server ORB, over TCP: what passes, and that references lead through the bridge.
#include <callis/corba.h>
#include <callis/dynamic.h>
#include <callis/poa/servant/administrative.h>
#include <gtest/gtest.h>
#include <tools/bridge/bridge.h>
#include <future>
#include <optional>
#include "crossing_skel.h"

namespace callis::tools {
namespace {

CORBA::ORB_var new_orb(std::vector<std::string> words) {
  static int number = 0;
  words.insert(words.begin(), "test");
  words.insert(words.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), ("bridge" + std::to_string(++number)).c_str());
}

PortableServer::POA_var root_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  return root;
}

template<class S>
CORBA::Object_var activate(PortableServer::POA_ptr poa, PortableServer::Servant_var<S>& servant) {
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  return poa->id_to_reference(id.in());
}

class Listens final : public POA_X::Listener {
 public:
  explicit Listens(std::string name) : name_(std::move(name)) {}
  char* heard(const char* text) override { return CORBA::string_dup((name_ + " heard " + text).c_str()); }

 private:
  const std::string name_;
};

class SolidServant final : public POA_X::Solid {
  char* what() override { return CORBA::string_dup("solid"); }
};

class MakesLinks final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new OBV_X::Link; }
};

class TokenValue final : public virtual OBV_X::Token, public virtual CORBA::DefaultValueRefCountBase {
 public:
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  char* what() override { return CORBA::string_dup("token"); }
};

class MakesTokens final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new TokenValue; }
};

class Stranger final : public PortableServer::DynamicImplementation {
  void invoke(CORBA::ServerRequest_ptr) override {}
  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Unknown:1.0");
  }
};

class Serves final : public POA_X::Derived {
 public:
  explicit Serves(PortableServer::POA_ptr poa) : poa_(PortableServer::POA::_duplicate(poa)) {}
  X::Listener_ptr favourite() override { return X::Listener::_duplicate(favourite_.in()); }
  void favourite(X::Listener_ptr to) override { favourite_ = X::Listener::_duplicate(to); }
  char* call(X::Listener_ptr who, const char* text) override {
    seen = CORBA::Object::_duplicate(who);
    return who->heard(text);
  }
  CORBA::Any* pass(const CORBA::Any& value) override {
    const X::Named* named = nullptr;
    if (value >>= named) seen = CORBA::Object::_duplicate(named->who.in());
    return new CORBA::Any(value);
  }
  X::Names* all(const X::Names& some, CORBA::Object_out first, X::Either& either) override {
    seen = CORBA::Object::_duplicate(some[0].who.in());
    first = CORBA::Object::_duplicate(some[0].who.in());
    if (either._d()) favourite_ = X::Listener::_duplicate(either.who());
    return new X::Names(some);
  }
  X::Pair* share(const X::Pair& value) override {
    seen = CORBA::Object::_duplicate(value.first->next()->who());
    return new X::Pair(value);
  }
  char* ask(X::Thing_ptr value) override {
    seen = value->_to_object();
    return value->what();
  }
  X::Things* mirror(const X::Things& values) override {
    if (const auto* token = dynamic_cast<const X::Token*>(values.first.in()))
      seen = CORBA::Object::_duplicate(token->who());
    return new X::Things(values);
  }
  void refuse(X::Listener_ptr instead) override { throw X::Busy("so", instead); }
  void fail() override { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); }
  void note(const char* text) override { noted.set_value(text); }
  CORBA::Boolean same(CORBA::Object_ptr a, CORBA::Object_ptr b) override { return a->_is_equivalent(b); }
  X::Server_ptr self() override {
    const CORBA::Object_var own = poa_->servant_to_reference(this);
    return X::Server::_narrow(own.in());
  }
  CORBA::Object_ptr stranger() override { return activate(poa_.in(), stranger_)._retn(); }
  char* find(const char* name, CORBA::Context_ptr context) override {
    CORBA::NVList_var values;
    context->get_values("", 0, "*", values.out());
    const char* user = "";
    if (values->count() != 0) *values->item(0)->value() >>= user;
    return CORBA::string_dup((std::string(name) + " for " + user).c_str());
  }
  void wait() override { release.get_future().wait(); }
  CORBA::Long more(CORBA::Long n) override { return n + 1; }

  CORBA::Object_var seen;
  std::promise<std::string> noted;
  std::promise<void> release;

 private:
  const PortableServer::POA_var poa_;
  X::Listener_var favourite_;
  PortableServer::Servant_var<Stranger> stranger_{new Stranger};
};

class BridgeTest : public ::testing::TestWithParam<const char*> {
 protected:
  explicit BridgeTest(std::size_t most = 100, std::vector<std::string> options = {},
                      std::set<std::string> called = {}) {
    std::string diagnostics;
    EXPECT_TRUE(types.load(CALLIS_SOURCE_DIR "/tools/bridge/testing/crossing.idl", {}, diagnostics)) << diagnostics;
    types.find_values_here();
    const CORBA::ValueFactory_var factory(new MakesLinks);
    client->register_value_factory("IDL:X/Link:1.0", factory.in());
    const CORBA::ValueFactory_var tokens(new MakesTokens);
    client->register_value_factory("IDL:X/Token:1.0", tokens.in());
    const CORBA::Object_var own = activate(server_poa.in(), servant);
    const CORBA::String_var text = server->object_to_string(own.in());
    for (const char* word : {"-ORBGIOPVersion", GetParam()}) options.push_back(word);
    between = new_orb(std::move(options));
    bridge_poa = root_of(between.in());
    bridge.emplace(between.in(), bridge_poa.in(), types, most, Bridge::Reader(), std::move(called));
    const CORBA::Object_var target = between->string_to_object(text.in());
    const CORBA::Object_var there = bridge->add(target.in(), *types.find_interface("X::Derived"));
    const CORBA::String_var through = between->object_to_string(there.in());
    const CORBA::Object_var at_client = client->string_to_object(through.in());
    x = X::Server::_narrow(at_client.in());
  }
  ~BridgeTest() override {
    client->unregister_value_factory("IDL:X/Link:1.0");
    client->unregister_value_factory("IDL:X/Token:1.0");
    client->destroy();
    between->destroy();
    server->destroy();
  }
  X::Listener_var listener(const char* name) {
    PortableServer::Servant_var<Listens> listens(new Listens(name));
    const CORBA::Object_var object = activate(client_poa.in(), listens);
    return X::Listener::_narrow(object.in());
  }
  // Whether what the server saw last is an object of the bridge's.
  bool seen_through_bridge() {
    const CORBA::String_var text = server->object_to_string(servant->seen.in());
    return leads_through(text.in());
  }
  bool leads_through(const char* text) {
    const CORBA::Object_var object = between->string_to_object(text);
    try {
      (void)PortableServer::ObjectId_var(bridge_poa->reference_to_id(object.in()));
      return true;
    } catch (const PortableServer::POA::WrongAdapter&) {
      return false;
    }
  }

  Types types;
  CORBA::ORB_var server = new_orb({}), between, client = new_orb({"-ORBGIOPVersion", GetParam()});
  PortableServer::POA_var server_poa = root_of(server.in()), bridge_poa, client_poa = root_of(client.in());
  PortableServer::Servant_var<Serves> servant{new Serves(server_poa.in())};
  std::optional<Bridge> bridge;
  X::Server_var x;
};

TEST_P(BridgeTest, forwards_arguments_and_results) {
  const X::Derived_var derived = X::Derived::_narrow(x.in());
  ASSERT_FALSE(CORBA::is_nil(derived.in()));
  EXPECT_EQ(derived->more(41), 42);
  X::Named n;
  n.name = CORBA::string_dup("one");
  CORBA::Any value;
  value <<= n;
  const CORBA::Any_var back = x->pass(value);
  const X::Named* named = nullptr;
  ASSERT_TRUE(back.in() >>= named);
  EXPECT_STREQ(named->name, "one");
}

TEST_P(BridgeTest, calls_back_through_itself) {
  const X::Listener_var ada = listener("Ada");
  const CORBA::String_var said = x->call(ada.in(), "news");
  EXPECT_STREQ(said.in(), "Ada heard news");
  EXPECT_TRUE(seen_through_bridge());
}

TEST_P(BridgeTest, gives_each_side_its_own_references_back) {
  const X::Listener_var ada = listener("Ada");
  x->favourite(ada.in());
  const X::Listener_var favourite = x->favourite();
  const CORBA::String_var text = client->object_to_string(favourite.in());
  EXPECT_FALSE(leads_through(text.in())) << "the client's own";
  EXPECT_TRUE(favourite->_is_equivalent(ada.in()));
  const X::Server_var self = x->self();
  const CORBA::String_var same = client->object_to_string(self.in());
  EXPECT_TRUE(leads_through(same.in()));
  EXPECT_TRUE(self->_is_equivalent(x.in()));
  EXPECT_TRUE(x->same(self.in(), x.in()));
  EXPECT_FALSE(x->same(self.in(), ada.in()));
  x->favourite(X::Listener::_nil());
  EXPECT_TRUE(CORBA::is_nil(X::Listener_var(x->favourite()).in()));
}

TEST_P(BridgeTest, translates_references_in_structs_sequences_and_unions) {
  const X::Listener_var ada = listener("Ada"), bob = listener("Bob");
  X::Names all;
  all.length(2);
  all[0u].name = CORBA::string_dup("a");
  all[0u].who = CORBA::Object::_duplicate(ada.in());
  all[1u].who = X::Server::_duplicate(x.in());
  X::Either either;
  either.who(bob.in());
  CORBA::Object_var first;
  const X::Names_var back = x->all(all, first.out(), either);
  EXPECT_TRUE(seen_through_bridge());
  ASSERT_EQ(back->length(), 2u);
  EXPECT_TRUE(back[0u].who->_is_equivalent(ada.in()));
  EXPECT_TRUE(back[1u].who->_is_equivalent(x.in()));
  EXPECT_TRUE(first->_is_equivalent(ada.in()));
  EXPECT_TRUE(either.who()->_is_equivalent(bob.in()));
}

TEST_P(BridgeTest, translates_references_in_anys) {
  const X::Listener_var ada = listener("Ada");
  CORBA::Any inner, outer;
  X::Named n;
  n.name = CORBA::string_dup("x");
  n.who = CORBA::Object::_duplicate(ada.in());
  inner <<= n;
  const CORBA::Any_var back = x->pass(inner);
  EXPECT_TRUE(seen_through_bridge());
  const X::Named* named = nullptr;
  ASSERT_TRUE(back.in() >>= named);
  EXPECT_TRUE(named->who->_is_equivalent(ada.in()));
  outer <<= inner;
  const CORBA::Any_var twice = x->pass(outer);
  const CORBA::Any* once = nullptr;
  ASSERT_TRUE(twice.in() >>= once);
  ASSERT_TRUE(*once >>= named);
  EXPECT_TRUE(named->who->_is_equivalent(ada.in()));
}

TEST_P(BridgeTest, translates_references_in_values_and_keeps_what_is_shared) {
  const X::Listener_var ada = listener("Ada"), bob = listener("Bob");
  const X::Link_var last = new OBV_X::Link(bob.in(), nullptr), first = new OBV_X::Link(ada.in(), last.in());
  X::Pair pair;
  pair.first = first;
  pair.second = last;
  const X::Pair_var back = x->share(pair);
  EXPECT_TRUE(seen_through_bridge());
  EXPECT_TRUE(back->first->who()->_is_equivalent(ada.in()));
  EXPECT_TRUE(back->second->who()->_is_equivalent(bob.in()));
  EXPECT_EQ(back->first->next(), back->second.in());
}

TEST_P(BridgeTest, translates_references_behind_abstract_interfaces) {
  PortableServer::Servant_var<SolidServant> solid(new SolidServant);
  const CORBA::Object_var object = activate(client_poa.in(), solid);
  const X::Solid_var thing = X::Solid::_narrow(object.in());
  const CORBA::String_var what = x->ask(thing.in());
  EXPECT_STREQ(what.in(), "solid");
  EXPECT_TRUE(seen_through_bridge());
}

TEST_P(BridgeTest, translates_references_in_values_behind_abstract_interfaces) {
  const X::Listener_var ada = listener("Ada");
  PortableServer::Servant_var<SolidServant> solid(new SolidServant);
  const CORBA::Object_var object = activate(client_poa.in(), solid);
  const CORBA::ValueBase_var one(new TokenValue);
  auto* const token = dynamic_cast<TokenValue*>(one.in());
  token->who(ada.in());
  const X::Solid_var thing = X::Solid::_narrow(object.in());
  token->next(thing.in());
  X::Things things;
  things.first = X::Thing::_duplicate(token);
  things.second = X::Thing::_duplicate(token);
  const X::Things_var back = x->mirror(things);
  EXPECT_TRUE(seen_through_bridge());
  const auto* const came = dynamic_cast<const X::Token*>(back->first.in());
  ASSERT_NE(came, nullptr);
  EXPECT_TRUE(came->who()->_is_equivalent(ada.in()));
  EXPECT_EQ(back->first.in(), back->second.in()) << "what is shared stays shared";
  const CORBA::Object_var next = came->next()->_to_object();
  EXPECT_TRUE(next->_is_equivalent(object.in()));
}

TEST_P(BridgeTest, forwards_exceptions) {
  const X::Listener_var ada = listener("Ada");
  try {
    x->refuse(ada.in());
    FAIL();
  } catch (const X::Busy& e) {
    EXPECT_STREQ(e.why, "so");
    EXPECT_TRUE(e.instead->_is_equivalent(ada.in()));
  }
  try {
    x->fail();
    FAIL();
  } catch (const CORBA::NO_PERMISSION& e) {
    EXPECT_EQ(e.minor(), 5u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  }
}

TEST_P(BridgeTest, forwards_oneways_and_contexts) {
  auto noted = servant->noted.get_future();
  x->note("seven");
  EXPECT_EQ(noted.get(), "seven");
  CORBA::Context_var defaults, context;
  client->get_default_context(defaults.out());
  defaults->create_child("test", context.out());
  CORBA::Any user;
  user <<= "me";
  context->set_one_value("user", user);
  const CORBA::String_var found = x->find("it", context.in());
  EXPECT_STREQ(found.in(), "it for me");
}

TEST_P(BridgeTest, asks_the_target_what_it_is) {
  EXPECT_TRUE(x->_is_a("IDL:X/Derived:1.0"));
  EXPECT_TRUE(x->_is_a("IDL:X/Server:1.0"));
  EXPECT_FALSE(x->_is_a("IDL:X/Listener:1.0"));
  EXPECT_FALSE(x->_non_existent());
}

TEST_P(BridgeTest, refuses_what_it_does_not_know) {
  const CORBA::Request_var unknown = x->_request("frobnicate");
  unknown->invoke();
  const auto* bad = CORBA::BAD_OPERATION::_downcast(unknown->env()->exception());
  ASSERT_NE(bad, nullptr);
  EXPECT_EQ(bad->minor(), CORBA::OMGVMCID | 2);
  const CORBA::Object_var stranger = x->stranger();
  const CORBA::Request_var strange = stranger->_request("anything");
  strange->invoke();
  const auto* unknown_type = CORBA::INTF_REPOS::_downcast(strange->env()->exception());
  ASSERT_NE(unknown_type, nullptr);
  EXPECT_EQ(unknown_type->minor(), CORBA::OMGVMCID | 2);
  EXPECT_EQ(unknown_type->completed(), CORBA::COMPLETED_NO);
}

TEST_P(BridgeTest, refuses_arguments_that_are_none) {
  const CORBA::Request_var wrong = x->_request("more");
  wrong->add_in_arg() <<= CORBA::Short(1);
  wrong->invoke();
  EXPECT_NE(CORBA::MARSHAL::_downcast(wrong->env()->exception()), nullptr);
}

TEST_P(BridgeTest, says_that_the_target_is_gone) {
  EXPECT_FALSE(x->_non_existent());
  server->shutdown(true);
  try {
    x->favourite();
    FAIL();
  } catch (const CORBA::SystemException& e) {
    const std::string name = e._name();
    EXPECT_TRUE(name == "TRANSIENT" || name == "COMM_FAILURE") << name;
  }
}

class Administers final : public poa::Administrative<POA_X::Listener> {
 public:
  char* heard(const char*) override {
    ++calls;
    return CORBA::string_dup("done");
  }
  std::atomic<int> calls{0};
};

TEST_P(BridgeTest, calls_no_administrative_objects_that_strangers_name) {
  PortableServer::Servant_var<Administers> servant_of_admin(new Administers);
  const CORBA::Object_var object = activate(client_poa.in(), servant_of_admin);
  const X::Listener_var administers = X::Listener::_unchecked_narrow(object.in());
  EXPECT_THROW(CORBA::String_var(x->call(administers.in(), "add")), CORBA::NO_PERMISSION);
  EXPECT_EQ(servant_of_admin->calls, 0);
}

TEST_P(BridgeTest, calls_no_objects_by_what_their_reference_alone_says) {
  PortableServer::Servant_var<SolidServant> solid(new SolidServant);
  const PortableServer::ObjectId_var id = client_poa->activate_object(solid.in());
  const CORBA::Object_var object = client_poa->create_reference_with_id(id.in(), "IDL:X/Listener:1.0");
  const X::Listener_var says = X::Listener::_unchecked_narrow(object.in());
  EXPECT_THROW(CORBA::String_var(x->call(says.in(), "it")), CORBA::NO_PERMISSION);
}

struct ParticularBridge : BridgeTest {
  ParticularBridge() : BridgeTest(100, {}, {"IDL:X/Solid:1.0"}) {}
};

TEST_P(ParticularBridge, calls_objects_by_interfaces_that_its_operator_has_named_alone) {
  const X::Listener_var ada = listener("Ada");
  EXPECT_THROW(CORBA::String_var(x->call(ada.in(), "news")), CORBA::NO_PERMISSION);
  PortableServer::Servant_var<SolidServant> solid(new SolidServant);
  const CORBA::Object_var object = activate(client_poa.in(), solid);
  const X::Solid_var thing = X::Solid::_narrow(object.in());
  EXPECT_STREQ(CORBA::String_var(x->ask(thing.in())).in(), "solid");
}

struct SmallBridge : BridgeTest {
  SmallBridge() : BridgeTest(2) {}
};

TEST_P(SmallBridge, forgets_what_has_not_been_used_for_the_longest_time) {
  const X::Listener_var ada = listener("Ada"), bob = listener("Bob"), eve = listener("Eve");
  x->favourite(ada.in());
  for (const X::Listener_var& each : {bob, eve}) EXPECT_NE(CORBA::String_var(x->call(each.in(), "it")).in(), nullptr);
  const X::Listener_var kept = servant->favourite();
  try {
    kept->heard("more");
    FAIL();
  } catch (const CORBA::OBJECT_NOT_EXIST&) {}
  EXPECT_STREQ(CORBA::String_var(x->call(ada.in(), "again")).in(), "Ada heard again");
  EXPECT_FALSE(x->_non_existent()) << "what the bridge is for stays";
}

struct ImpatientBridge : BridgeTest {
  ImpatientBridge() : BridgeTest(100, {"-ORBCallTimeout", "100"}) {}
};

TEST_P(ImpatientBridge, keeps_to_its_deadline) {
  EXPECT_THROW(x->wait(), CORBA::TIMEOUT);
  servant->release.set_value();
}

const auto kVersions = ::testing::Values("1.0", "1.1", "1.2");
const auto kName = [](const auto& tested) { return std::string("giop_1_") + tested.param[2]; };
INSTANTIATE_TEST_SUITE_P(Versions, BridgeTest, kVersions, kName);
INSTANTIATE_TEST_SUITE_P(Versions, ParticularBridge, ::testing::Values("1.2"), kName);
INSTANTIATE_TEST_SUITE_P(Versions, SmallBridge, ::testing::Values("1.2"), kName);
INSTANTIATE_TEST_SUITE_P(Versions, ImpatientBridge, ::testing::Values("1.2"), kName);

}  // namespace
}  // namespace callis::tools
