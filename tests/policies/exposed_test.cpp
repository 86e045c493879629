// SPDX-License-Identifier: Apache-2.0
// Policies of adapters that clients are to know: in references, and reconciled with what clients set (CORBA 3.0.3,
// 4.9.2, 22.2.3, 22.2.5, 22.2.6 and 22.3.2).
#include <gtest/gtest.h>
#include <callis/corba.h>
#include <callis/giop/request.h>
#include <callis/messaging.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/portable_server.h>
#include <atomic>
#include <string>
#include <vector>
#include "service_skel.h"

namespace {

using callis::orb::omg;
using Octets = std::vector<callis::Byte>;

struct Servant : POA_Exposed::Service {
  CORBA::Long twice(CORBA::Long value) override {
    ++calls;
    return 2 * value;
  }
  std::atomic<int> calls{0};
};

class Orb {
 public:
  explicit Orb(std::vector<std::string> options = {"-ORBEndpoint", "tcp:127.0.0.1:0"}) {
    static std::atomic<int> number{0};
    options.insert(options.begin(), "test");
    std::vector<char*> argv;
    for (std::string& o : options) argv.push_back(o.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(options.size());
    orb = CORBA::ORB_init(argc, argv.data(), ("policies" + std::to_string(++number)).c_str());
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object);
    manager = root->the_POAManager();
    manager->activate();
  }
  ~Orb() { orb->destroy(); }

  template <class Value>
  CORBA::Policy_var policy(CORBA::PolicyType type, const Value& value) {
    CORBA::Any any;
    any <<= value;
    return orb->create_policy(type, any);
  }
  CORBA::Policy_var priority(CORBA::Short min, CORBA::Short max) {
    return policy(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange{min, max});
  }

  CORBA::ORB_var orb;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
};

CORBA::PolicyList list_of(std::initializer_list<CORBA::Policy_ptr> policies) {
  CORBA::PolicyList list;
  list.length(static_cast<CORBA::ULong>(policies.size()));
  CORBA::ULong i = 0;
  for (const CORBA::Policy_ptr p : policies) list[i++] = CORBA::Policy::_duplicate(p);
  return list;
}

struct ExposedPolicies : ::testing::Test {
  Orb server, client;
  Servant* const servant = new Servant;
  const PortableServer::ServantBase_var counted{servant};

  // The object of an adapter with these policies, as the client sees it.
  Exposed::Service_var object(std::initializer_list<CORBA::Policy_ptr> policies) {
    const PortableServer::POA_var poa =
        server.root->create_POA(("poa" + std::to_string(++adapters)).c_str(), server.manager, list_of(policies));
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    const CORBA::Object_var own = poa->id_to_reference(id);
    const CORBA::String_var text = server.orb->object_to_string(own);
    const CORBA::Object_var here = client.orb->string_to_object(text);
    return Exposed::Service::_narrow(here);
  }
  static Exposed::Service_var with(CORBA::Object_ptr object, CORBA::Policy_ptr policy) {
    const CORBA::Object_var made = object->_set_policy_overrides(list_of({policy}), CORBA::ADD_OVERRIDE);
    return Exposed::Service::_unchecked_narrow(made);
  }
  static std::pair<int, int> priority_of(CORBA::Object_ptr object) {
    const CORBA::Policy_var p = object->_get_policy(Messaging::REQUEST_PRIORITY_POLICY_TYPE);
    const auto found = Messaging::RequestPriorityPolicy::_narrow(p);
    if (!found) return {-1, -1};
    const Messaging::RequestPriorityPolicy_var counted = found;
    return {found->priority_range().min, found->priority_range().max};
  }
  static Octets component_of(CORBA::Object_ptr object) {
    const auto& ior = callis::orb::reference_of(object).ior();
    const auto iiop = callis::ior::parse_iiop(ior.profiles.at(0).data).value();
    const auto* const c = iiop.component(callis::ior::kPolicies);
    return c ? Octets(c->data.begin(), c->data.end()) : Octets();
  }

  int adapters = 0;
};

TEST_F(ExposedPolicies, are_in_references_as_TAG_POLICIES) {
  const auto plain = object({});
  EXPECT_TRUE(component_of(plain).empty());
  const auto routing = server.policy(Messaging::ROUTING_POLICY_TYPE, Messaging::RoutingTypeRange{0, 1});
  const auto order = server.policy(Messaging::QUEUE_ORDER_POLICY_TYPE, CORBA::UShort(Messaging::ORDER_DEADLINE));
  const auto all = object({server.priority(0, 10), routing, order});
  if constexpr (std::endian::native == std::endian::little) {
    EXPECT_EQ(component_of(all), (Octets{1, 0, 0, 0, 3, 0, 0, 0,
                                         25, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 0,
                                         33, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                                         35, 0, 0, 0, 4, 0, 0, 0, 1, 0, 8, 0}));
  }
  EXPECT_EQ(all->twice(4), 8);
}

TEST_F(ExposedPolicies, are_in_force_where_the_client_sets_none) {
  EXPECT_EQ(priority_of(object({server.priority(0, 10)})), std::pair(0, 10));
  EXPECT_EQ(priority_of(object({})), std::pair(-1, -1)) << "nothing is said: nil";
}

TEST_F(ExposedPolicies, are_intersected_with_the_client_s) {
  const auto o = object({server.priority(0, 10)});
  const auto within = with(o, client.priority(5, 5)), across = with(o, client.priority(-3, 4));
  EXPECT_EQ(priority_of(within), std::pair(5, 5));
  EXPECT_EQ(priority_of(across), std::pair(0, 4));
  EXPECT_EQ(within->twice(1), 2);
  EXPECT_EQ(priority_of(with(object({}), client.priority(7, 8))), std::pair(7, 8)) << "nothing is said: any value";
}

TEST_F(ExposedPolicies, that_leave_nothing_are_INV_POLICY_before_anything_is_sent) {
  const auto o = with(object({server.priority(0, 10)}), client.priority(11, 20));
  const int before = servant->calls;
  try {
    o->twice(1);
    ADD_FAILURE();
  } catch (const CORBA::INV_POLICY& e) {
    EXPECT_EQ(e.minor(), omg(1));
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(servant->calls, before);
  EXPECT_THROW(priority_of(o), CORBA::INV_POLICY);
}

TEST_F(ExposedPolicies, that_leave_nothing_are_told_by_validate_connection) {
  const auto o = object({server.priority(0, 10)});
  CORBA::PolicyList_var inconsistent;
  EXPECT_TRUE(o->_validate_connection(inconsistent.out()));
  EXPECT_EQ(inconsistent->length(), 0u);
  const auto against = with(o, client.priority(11, 20));
  EXPECT_FALSE(against->_validate_connection(inconsistent.out()));
  ASSERT_EQ(inconsistent->length(), 1u);
  EXPECT_EQ(inconsistent[0]->policy_type(), Messaging::REQUEST_PRIORITY_POLICY_TYPE);
}

TEST_F(ExposedPolicies, orders_of_queues_are_bits_of_which_one_must_be_common) {
  const auto allowed = [](Orb& orb, int bits) {
    return orb.policy(Messaging::QUEUE_ORDER_POLICY_TYPE, static_cast<CORBA::UShort>(bits));
  };
  const auto o = object({allowed(server, Messaging::ORDER_TEMPORAL | Messaging::ORDER_PRIORITY)});
  const auto some = with(o, allowed(client, Messaging::ORDER_PRIORITY | Messaging::ORDER_DEADLINE));
  const CORBA::Policy_var p = some->_get_policy(Messaging::QUEUE_ORDER_POLICY_TYPE);
  const Messaging::QueueOrderPolicy_var order = Messaging::QueueOrderPolicy::_narrow(p);
  ASSERT_TRUE(order.in());
  EXPECT_EQ(order->allowed_orders(), Messaging::ORDER_PRIORITY);
  EXPECT_THROW(with(o, allowed(client, Messaging::ORDER_ANY))->twice(1), CORBA::INV_POLICY);
}

TEST_F(ExposedPolicies, two_of_a_type_are_InvalidPolicy_at_the_second) {
  try {
    object({server.priority(0, 1), server.priority(0, 1)});
    ADD_FAILURE();
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
}

TEST_F(ExposedPolicies, policies_of_clients_alone_are_InvalidPolicy) {
  const auto timeout = server.policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, TimeBase::TimeT(1));
  EXPECT_THROW(object({timeout}), PortableServer::POA::InvalidPolicy);
}

}  // namespace
