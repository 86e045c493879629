// SPDX-License-Identifier: Apache-2.0
// BidirectionalPolicy as applications set it (CORBA 3.3 part 2, 9.9). What clients publish cannot be connected to.
#include <gtest/gtest.h>
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <callis/portable_server.h>
#include <atomic>
#include <string>
#include <vector>
#include "callback_skel.h"

namespace {

struct CallbackServant : POA_Bidirectional::Callback {
  char* heard(const char* what) override {
    ++calls;
    return CORBA::string_dup(("heard " + std::string(what)).c_str());
  }
  std::atomic<int> calls{0};
};

struct ServiceServant : POA_Bidirectional::Service {
  char* call(Bidirectional::Callback_ptr to, const char* what) override { return to->heard(what); }
  void keep(Bidirectional::Callback_ptr to) override { kept = Bidirectional::Callback::_duplicate(to); }
  Bidirectional::Callback_var kept;
};

class Orb {
 public:
  explicit Orb(std::vector<std::string> options) {
    static std::atomic<int> number{0};
    options.insert(options.begin(), "test");
    std::vector<char*> argv;
    for (std::string& o : options) argv.push_back(o.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(options.size());
    orb = CORBA::ORB_init(argc, argv.data(), ("bidirectional" + std::to_string(++number)).c_str());
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object);
    manager = root->the_POAManager();
    manager->activate();
  }
  ~Orb() { orb->destroy(); }

  CORBA::PolicyList policy(CORBA::UShort value) {
    CORBA::Any any;
    any <<= value;
    CORBA::PolicyList list;
    list.length(1);
    list[0] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, any);
    return list;
  }
  PortableServer::POA_var adapter(CORBA::UShort value) {
    return root->create_POA(value == BiDirPolicy::BOTH ? "both" : "normal", manager, policy(value));
  }
  template <class Interface>
  typename Interface::_var_type activate(PortableServer::POA_ptr poa, PortableServer::Servant servant) {
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    const CORBA::Object_var object = poa->id_to_reference(id);
    return Interface::_narrow(object);
  }
  // The object of another ORB as this one sees it.
  template <class Interface>
  typename Interface::_var_type sees(Orb& other, Interface* object) {
    const CORBA::String_var text = other.orb->object_to_string(object);
    const CORBA::Object_var here = orb->string_to_object(text);
    return Interface::_narrow(here);
  }
  std::uint32_t accepted() { return dynamic_cast<callis::orb::Core&>(*orb).server().connections(); }

  CORBA::ORB_var orb;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
};

const std::vector<std::string> kUnreachable{"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "127.0.0.1:1"};

struct BidirectionalTest : ::testing::Test {
  Orb server{{"-ORBEndpoint", "tcp:127.0.0.1:0"}};
  Orb client{kUnreachable};
  CallbackServant callback;
  ServiceServant service;

  Bidirectional::Service_var service_in(PortableServer::POA_ptr poa) {
    return client.sees<Bidirectional::Service>(server, server.activate<Bidirectional::Service>(poa, &service));
  }
  Bidirectional::Callback_var callback_in(PortableServer::POA_ptr poa) {
    return client.activate<Bidirectional::Callback>(poa, &callback);
  }
  // A servant may be active in several adapters: each has ids of its own.
  std::string call(Bidirectional::Service_ptr s, Bidirectional::Callback_ptr c) {
    try {
      return CORBA::String_var(s->call(c, "it")).in();
    } catch (const CORBA::TRANSIENT&) {
      return "nobody there";
    }
  }
};

TEST_F(BidirectionalTest, adapters_with_the_policy_on_both_sides_are_enough) {
  const auto s = service_in(server.adapter(BiDirPolicy::BOTH));
  const auto c = callback_in(client.adapter(BiDirPolicy::BOTH));
  EXPECT_EQ(call(s, c), "heard it");
  s->keep(c);
  EXPECT_STREQ(CORBA::String_var(service.kept->heard("later")), "heard later");
  EXPECT_EQ(server.accepted(), 1u);
  EXPECT_EQ(client.accepted(), 0u);
}

TEST_F(BidirectionalTest, the_default_is_normal_9_9) {
  const auto c = callback_in(client.adapter(BiDirPolicy::BOTH));
  EXPECT_EQ(call(service_in(server.root), c), "nobody there") << "on the server's side";
  const auto other = callback_in(client.root);
  EXPECT_EQ(call(service_in(server.adapter(BiDirPolicy::NORMAL)), other), "nobody there");
}

TEST_F(BidirectionalTest, objects_of_other_adapters_cannot_be_called_so) {
  const auto s = service_in(server.adapter(BiDirPolicy::BOTH));
  const auto allowed = callback_in(client.adapter(BiDirPolicy::BOTH));
  const auto forbidden = callback_in(client.adapter(BiDirPolicy::NORMAL));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call(s, allowed), "heard it");
    try {
      (void)call(s, forbidden);
      ADD_FAILURE() << "reached over a connection that its ORB has opened";
    } catch (const CORBA::NO_PERMISSION& e) {
      EXPECT_EQ(e.minor(), callis::orb::kNotBidirectional);
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    }
  }
  EXPECT_EQ(callback.calls, 3);
}

TEST_F(BidirectionalTest, a_server_may_ask_for_it_by_reference_thread_or_orb) {
  const auto c = callback_in(client.adapter(BiDirPolicy::BOTH));
  const CORBA::PolicyList both = server.policy(BiDirPolicy::BOTH), normal = server.policy(BiDirPolicy::NORMAL);
  service_in(server.root)->keep(c);
  const auto heard = [&](CORBA::Object_ptr by) {
    try {
      const Bidirectional::Callback_var to = Bidirectional::Callback::_narrow(by);
      return std::string(CORBA::String_var(to->heard("it")).in());
    } catch (const CORBA::TRANSIENT&) {
      return std::string("nobody there");
    }
  };
  EXPECT_EQ(heard(service.kept), "nobody there");
  const CORBA::Object_var bound = service.kept->_set_policy_overrides(both, CORBA::SET_OVERRIDE);
  EXPECT_EQ(heard(bound), "heard it");
  EXPECT_EQ(heard(service.kept), "nobody there");

  CORBA::Object_var object = server.orb->resolve_initial_references("ORBPolicyManager");
  const CORBA::PolicyManager_var manager = CORBA::PolicyManager::_narrow(object);
  manager->set_policy_overrides(both, CORBA::SET_OVERRIDE);
  EXPECT_EQ(heard(service.kept), "heard it");
  const CORBA::Object_var unbound = service.kept->_set_policy_overrides(normal, CORBA::SET_OVERRIDE);
  EXPECT_EQ(heard(unbound), "nobody there");
  manager->set_policy_overrides(normal, CORBA::SET_OVERRIDE);

  object = server.orb->resolve_initial_references("PolicyCurrent");
  const CORBA::PolicyCurrent_var current = CORBA::PolicyCurrent::_narrow(object);
  current->set_policy_overrides(both, CORBA::SET_OVERRIDE);
  EXPECT_EQ(heard(service.kept), "heard it");
  current->set_policy_overrides({}, CORBA::SET_OVERRIDE);
  EXPECT_EQ(heard(service.kept), "nobody there");
}

TEST_F(BidirectionalTest, a_client_offers_nothing_to_servers_it_does_not_mean) {
  const auto s = service_in(server.adapter(BiDirPolicy::BOTH));
  const auto c = callback_in(client.adapter(BiDirPolicy::BOTH));
  const CORBA::Object_var shy = s->_set_policy_overrides(client.policy(BiDirPolicy::NORMAL), CORBA::SET_OVERRIDE);
  EXPECT_EQ(call(Bidirectional::Service_var(Bidirectional::Service::_narrow(shy)), c), "nobody there");
  EXPECT_EQ(call(s, c), "heard it");
}

TEST_F(BidirectionalTest, objects_of_the_same_orb_are_called_as_ever) {
  const auto poa = client.adapter(BiDirPolicy::BOTH);
  const auto c = callback_in(poa);
  EXPECT_STREQ(CORBA::String_var(c->heard("here")), "heard here");
}

TEST(BidirectionalOption, is_the_orbs_policy) {
  Orb server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBacceptBiDirectionalGIOP", "1"});
  Orb client(kUnreachable);
  CallbackServant callback;
  ServiceServant service;
  const auto s =
      client.sees<Bidirectional::Service>(server, server.activate<Bidirectional::Service>(server.root, &service));
  const auto c = client.activate<Bidirectional::Callback>(client.adapter(BiDirPolicy::BOTH), &callback);
  EXPECT_STREQ(CORBA::String_var(s->call(c, "it")), "heard it");
}

}  // namespace
