// SPDX-License-Identifier: Apache-2.0
// What servers tell a repository, and when; what their references are; what options do not do.
#include <callis/imr.h>
#include <callis/imr/key.h>
#include <callis/imr/leading.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/tls_component.h>
#include <callis/orb/core/object_of.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <atomic>
#include "CallisImr_skel.h"

namespace callis::imr {
namespace {

using Log = std::vector<std::string>;

CORBA::ORB_var make_orb(std::vector<std::string> words) {
  static std::atomic<int> count{0};
  words.insert(words.begin(), "test");
  words.insert(words.end(), {"-ORBid", "imr-client-" + std::to_string(++count)});
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data());
}

// Only listens.
class Fake final : public virtual POA_CallisImr::Repository {
 public:
  std::mutex mutex;
  std::condition_variable changed;
  Log log;
  bool refuses = false, pings = true, holds = false;

  void add(const CallisImr::Server&, CORBA::Boolean) override {}
  void remove(const char*) override {}
  CallisImr::Statuses* list(const char*, CORBA::ULong) override { return new CallisImr::Statuses; }
  CallisImr::Status* find(const char*) override { return new CallisImr::Status; }
  void start(const char*) override {}
  void stop(const char*) override {}
  CORBA::Object_ptr reference(const char*, const char*, const CORBA::OctetSeq&) override { return nullptr; }
  void up(const char* name, const char* start, CORBA::Long, CallisImr::Process_ptr self) override {
    if (pings) self->ping();
    note(std::string("up ") + name + " " + start);
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return !holds; });
    if (refuses) throw CallisImr::Refused("no");
  }
  void going_down(const char* name, const char*) override { note(std::string("down ") + name); }
  void attach(const char*, CallisImr::Activator_ptr, const CallisImr::Words&) override {}
  void ended(const char*, const char*, const char*) override {}
  void let_go() {
    const std::lock_guard lock(mutex);
    holds = false;
    changed.notify_all();
  }
  Log wait_for(std::size_t n, std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, patience, [&] { return log.size() >= n; });
    return log;
  }

 private:
  void note(const std::string& what) {
    const std::lock_guard lock(mutex);
    log.push_back(what);
    changed.notify_all();
  }
};

struct ImrRegistration : ::testing::Test {
  CORBA::ORB_var there = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  PortableServer::Servant_var<Fake> repository{new Fake};
  std::string text;
  CORBA::ORB_var orb;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;

  ImrRegistration() { take_repository(); }
  // At the same port, in another life.
  void begin_repository(std::uint16_t port) {
    there = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + std::to_string(port)});
    take_repository();
  }
  void take_repository() {
    const CORBA::Object_var object = there->resolve_initial_references("RootPOA");
    const PortableServer::POA_var above = PortableServer::POA::_narrow(object.in());
    const PortableServer::POAManager_var active = above->the_POAManager();
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = above->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = above->create_id_assignment_policy(PortableServer::USER_ID);
    const PortableServer::POA_var poa = above->create_POA("imr", active.in(), policies);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("repository");
    poa->activate_object_with_id(id.in(), repository.in());
    const CORBA::Object_var reference = poa->id_to_reference(id.in());
    text = CORBA::String_var(there->object_to_string(reference.in())).in();
    active->activate();
  }
  ~ImrRegistration() override {
    if (orb.in()) orb->destroy();
    end_repository();
  }
  void end_repository() {
    if (there.in()) there->destroy();
    there = CORBA::ORB::_nil();
  }
  void start(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBIMR", text, "-ORBServerId", "tanks"};
    words.insert(words.end(), more.begin(), more.end());
    orb = make_orb(words);
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    manager = root->the_POAManager();
  }
  PortableServer::POA_var persistent(const char* name) {
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    return root->create_POA(name, manager.in(), policies);
  }
  static ior::Address address_of(CORBA::Object_ptr object) {
    return ior::parse_iiop(object->_callis_reference()->ior().profiles.at(0).data).value().address;
  }
  ior::Address address_of_repository() {
    const CORBA::Object_var object = there->string_to_object(text.c_str());
    return address_of(object.in());
  }
  static std::string refusal(std::vector<std::string> words) {
    try {
      make_orb(std::move(words));
      return "made";
    } catch (const CORBA::INITIALIZE& e) {
      return e.what();
    }
  }
};

TEST_F(ImrRegistration, repository_is_told_when_the_manager_of_a_persistent_adapter_is_activated) {
  start();
  const PortableServer::POA_var poa = persistent("plant");
  EXPECT_TRUE(repository->log.empty());
  manager->activate();
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks "}));
  manager->hold_requests(false);
  manager->activate();
  const PortableServer::POA_var another = persistent("another");
  EXPECT_EQ(repository->wait_for(1).size(), 1u) << "once";
  orb->destroy();
  orb = CORBA::ORB::_nil();
  EXPECT_EQ(repository->wait_for(2), (Log{"up tanks ", "down tanks"}));
}

TEST_F(ImrRegistration, repository_is_told_when_the_adapter_comes_after_its_manager_was_activated) {
  start();
  manager->activate();
  EXPECT_TRUE(repository->log.empty()) << "there is no persistent adapter";
  const PortableServer::POA_var poa = persistent("plant");
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks "}));
}

TEST_F(ImrRegistration, repository_is_told_where_adapters_are_still_to_be_made_on_demand) {
  struct Activator final : PortableServer::AdapterActivator {
    CORBA::Boolean unknown_adapter(PortableServer::POA_ptr, const char*) override { return false; }
  };
  start();
  const PortableServer::AdapterActivator_var activator = new Activator;
  root->the_activator(activator.in());
  manager->activate();
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks "}));
  const PortableServer::POA_var poa = persistent("plant");
  EXPECT_EQ(repository->wait_for(1).size(), 1u) << "once";
}

TEST_F(ImrRegistration, start_of_the_activator_is_handed_on) {
  ::setenv("CALLIS_IMR_START", "abc", 1);
  start();
  ::unsetenv("CALLIS_IMR_START");
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks abc"}));
}

TEST_F(ImrRegistration, persistent_references_lead_through_the_repository_and_others_do_not) {
  start();
  const PortableServer::POA_var poa = persistent("plant");
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("boiler");
  const CORBA::Object_var leading = poa->create_reference_with_id(id.in(), "IDL:x:1.0");
  EXPECT_EQ(address_of(leading.in()), address_of_repository());
  const auto profile = ior::parse_iiop(leading->_callis_reference()->ior().profiles[0].data).value();
  ASSERT_TRUE(parse_key(profile.object_key));
  EXPECT_EQ(parse_key(profile.object_key)->server, "tanks");
  const PortableServer::ObjectId_var back = poa->reference_to_id(leading.in());
  EXPECT_STREQ(CORBA::String_var(PortableServer::ObjectId_to_string(back.in())).in(), "boiler");
  const CORBA::Object_var plain = root->create_reference("IDL:x:1.0");
  EXPECT_FALSE(address_of(plain.in()) == address_of_repository());
}

TEST_F(ImrRegistration, own_objects_are_called_without_the_repository) {
  start();
  const PortableServer::POA_var poa = persistent("plant");
  const PortableServer::Servant_var<Fake> servant(new Fake);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("own");
  poa->activate_object_with_id(id.in(), servant.in());
  manager->activate();
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  end_repository();
  const CallisImr::Repository_var own = CallisImr::Repository::_narrow(object.in());
  own->going_down("self", "");
  own->start("self");
  EXPECT_EQ(servant->wait_for(1), (Log{"down self"}));
}

TEST_F(ImrRegistration, server_serves_where_the_repository_refuses_it_or_is_not_there) {
  repository->refuses = true;
  start();
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  EXPECT_EQ(repository->wait_for(1).size(), 1u);
  orb->destroy();
  end_repository();
  start();
  const PortableServer::POA_var again = persistent("plant");
  manager->activate();
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::ACTIVE);
}

TEST_F(ImrRegistration, repository_that_comes_later_is_told_then) {
  const std::uint16_t port = address_of_repository().port;
  end_repository();
  start();
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  EXPECT_TRUE(repository->log.empty());
  begin_repository(port);
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks "}));
  orb->destroy();
  orb = CORBA::ORB::_nil();
  EXPECT_EQ(repository->wait_for(2), (Log{"up tanks ", "down tanks"}));
}

TEST_F(ImrRegistration, server_that_ends_while_the_repository_is_told_tells_it_afterwards) {
  const std::uint16_t port = address_of_repository().port;
  end_repository();
  start();
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  repository->holds = true;
  begin_repository(port);
  EXPECT_EQ(repository->wait_for(1), (Log{"up tanks "}));
  orb->shutdown(false);
  repository->let_go();
  orb->destroy();
  orb = CORBA::ORB::_nil();
  EXPECT_EQ(repository->wait_for(2), (Log{"up tanks ", "down tanks"}));
}

TEST_F(ImrRegistration, repository_that_was_started_anew_is_told_again) {
  const std::uint16_t port = address_of_repository().port;
  start({"-ORBIMRAnnounce", "1"});
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  EXPECT_EQ(repository->wait_for(1).size(), 1u);
  end_repository();
  begin_repository(port);
  EXPECT_EQ(repository->wait_for(2), (Log{"up tanks ", "up tanks "}));
}

TEST_F(ImrRegistration, repository_that_refuses_is_not_asked_again) {
  repository->refuses = true;
  start({"-ORBIMRAnnounce", "1"});
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  EXPECT_EQ(repository->wait_for(2, std::chrono::milliseconds(1'500)).size(), 1u);
}

TEST_F(ImrRegistration, server_of_one_client_ends_when_nobody_is_connected_any_more) {
  repository->pings = false;  // that is a connection
  ::setenv("CALLIS_IMR_LINGER", "500", 1);
  start();
  ::unsetenv("CALLIS_IMR_LINGER");
  const PortableServer::POA_var poa = persistent("plant");
  const PortableServer::Servant_var<Fake> servant(new Fake);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("own");
  poa->activate_object_with_id(id.in(), servant.in());
  const PortableServer::ObjectId_var direct = root->activate_object(servant.in());
  const CORBA::Object_var object = root->id_to_reference(direct.in());
  const CORBA::String_var reference = orb->object_to_string(object.in());
  CORBA::ORB_var client = make_orb({});
  const CORBA::Object_var there_object = client->string_to_object(reference.in());
  manager->activate();
  CallisImr::Repository_var(CallisImr::Repository::_unchecked_narrow(there_object.in()))->start("x");
  EXPECT_EQ(repository->wait_for(2, std::chrono::milliseconds(900)).size(), 1u) << "a client is connected";
  client->destroy();
  EXPECT_EQ(repository->wait_for(2), (Log{"up tanks ", "down tanks"}));
}

TEST_F(ImrRegistration, orbs_without_the_option_are_as_ever) {
  orb = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerId", "tanks"});
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  root = PortableServer::POA::_narrow(object.in());
  manager = root->the_POAManager();
  const PortableServer::POA_var poa = persistent("plant");
  manager->activate();
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("boiler");
  const CORBA::Object_var plain = poa->create_reference_with_id(id.in(), "IDL:x:1.0");
  EXPECT_FALSE(address_of(plain.in()) == address_of_repository());
  EXPECT_TRUE(repository->log.empty());
}

TEST_F(ImrRegistration, options_that_do_not_do_end_orb_init_with_words) {
  EXPECT_NE(refusal({"-ORBIMR", text}).find("-ORBServerId NAME"), std::string::npos);
  EXPECT_NE(refusal({"-ORBIMR", text, "-ORBServerId", "a/b"}).find("is no name of a server"), std::string::npos);
  EXPECT_NE(refusal({"-ORBIMR", "what", "-ORBServerId", "a"}).find("-ORBIMR what"), std::string::npos);
}

// The port of TLS says where somebody is: it is the repository's, and not the server's.
TEST(ReferencesThatLead, have_the_ports_of_tls_of_whom_they_lead_to) {
  ior::IiopProfile via{{1, 2}, {"imr.example", 0}, {'r'}, {}};
  via.components = {ior::tls_component({ior::kTlsProtection, ior::kTlsProtection, 2812}), {1, {'c'}}};
  const std::vector<ior::TaggedComponent> own{
      ior::tls_component({ior::kTlsProtection, ior::kTlsProtection, 40'000}), {77, {'o'}}};
  const auto made = profiles_via(ior::Ior{"", {ior::to_profile(via)}}, ior::Bytes{'k'}, own, {});
  ASSERT_EQ(made.size(), 1u);
  const ior::IiopProfile profile = ior::parse_iiop(made[0].data).value();
  EXPECT_EQ(ior::tls_addresses(profile), (std::vector<ior::Address>{{"imr.example", 2812}}));
  EXPECT_TRUE(profile.component(77) && !profile.component(1)) << "all else is the server's";
}

}  // namespace
}  // namespace callis::imr
