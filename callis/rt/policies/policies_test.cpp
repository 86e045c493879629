// SPDX-License-Identifier: Apache-2.0
// Real-time policies of adapters: which lists are good, and what references tell of them.
#include <callis/messaging.h>
#include <callis/orb/core/object_of.h>
#include <callis/rt/policies/policy_values.h>
#include <callis/rt/testing/fixture.h>

namespace callis::rt {
namespace {

using namespace testing;

struct RtPoliciesTest : RtFixture {
  RtPoliciesTest() : RtFixture({"-ORBEndpoint", "tcp:127.0.0.1:0"}) {}

  CORBA::Policy_var model(RTCORBA::PriorityModel m, RTCORBA::Priority p) {
    return rtorb->create_priority_model_policy(m, p);
  }
  CORBA::Policy_var pool(RTCORBA::ThreadpoolId id) { return rtorb->create_threadpool_policy(id); }
  CORBA::Policy_var banded(std::initializer_list<RTCORBA::PriorityBand> all) {
    return rtorb->create_priority_banded_connection_policy(bands(all));
  }
  static CORBA::PolicyList list(std::initializer_list<CORBA::Policy_var> all) {
    CORBA::PolicyList made;
    for (const CORBA::Policy_var& p : all) {
      made.length(made.length() + 1);
      made[made.length() - 1] = CORBA::Policy::_duplicate(p.in());
    }
    return made;
  }
  // The index of InvalidPolicy; -1 for an adapter that could be made.
  int make(std::initializer_list<CORBA::Policy_var> all) {
    try {
      const PortableServer::POA_var made =
          root->create_POA(std::to_string(++adapters).c_str(), manager.in(), list(all));
    } catch (const PortableServer::POA::InvalidPolicy& e) {
      return e.index;
    }
    return -1;
  }
  CORBA::Policy_var lifespan() { return root->create_lifespan_policy(PortableServer::TRANSIENT); }
  static RtPolicies told_by(CORBA::Object_ptr object) {
    return read_policy_values(object->_callis_reference()->ior());
  }

  int adapters = 0;
};

TEST_F(RtPoliciesTest, of_a_list_are_read_past_others) {
  CORBA::PolicyList all = list({lifespan(), model(RTCORBA::CLIENT_PROPAGATED, 3), banded({{1, 2}})});
  all.length(4);  // and nil
  const RtPolicies read = read_rt_policies(all);
  EXPECT_EQ(read.model, RTCORBA::CLIENT_PROPAGATED);
  EXPECT_EQ(read.server_priority, 3);
  EXPECT_EQ(read.bands, (std::vector<Band>{{1, 2}}));
  EXPECT_FALSE(read.threadpool);
  EXPECT_FALSE(read.private_connection);
  EXPECT_FALSE(read.empty());
  EXPECT_TRUE(read_rt_policies({}).empty());
}

TEST_F(RtPoliciesTest, adapters_are_made_with_them) {
  const auto id = pool_with_lanes({{5, 1, 0}, {15, 1, 0}});
  EXPECT_EQ(make({model(RTCORBA::CLIENT_PROPAGATED, 0)}), -1);
  EXPECT_EQ(make({lifespan(), model(RTCORBA::SERVER_DECLARED, 5), pool(id)}), -1);
  EXPECT_EQ(make({pool(id), banded({{0, 9}, {10, 19}})}), -1);
  EXPECT_EQ(make({CORBA::Policy_var(rtorb->create_private_connection_policy())}), -1);
  EXPECT_EQ(make({pool(0), model(RTCORBA::SERVER_DECLARED, 77)}), -1) << "the default pool";
}

TEST_F(RtPoliciesTest, the_bad_one_is_named_by_its_index) {
  const auto id = pool_with_lanes({{5, 1, 0}, {15, 1, 0}});
  const CORBA::Policy_var gone = pool(id);
  const auto other = pool_with_lanes({{1, 1, 0}});
  EXPECT_EQ(make({lifespan(), model(RTCORBA::SERVER_DECLARED, 6), pool(id)}), 2) << "no lane of 6";
  EXPECT_EQ(make({pool(id), model(RTCORBA::SERVER_DECLARED, 6)}), 1);
  EXPECT_EQ(make({pool(id), lifespan(), banded({{0, 9}, {16, 19}})}), 2) << "a band without a lane";
  EXPECT_EQ(make({lifespan(), pool(id), pool(other)}), 2) << "two of one type";
  EXPECT_EQ(make({model(RTCORBA::SERVER_DECLARED, 20), banded({{0, 9}})}), 1) << "no band holds 20";
  rtorb->destroy_threadpool(id);
  EXPECT_EQ(make({lifespan(), gone}), 1) << "no such pool";
}

TEST_F(RtPoliciesTest, pools_without_lanes_take_any_priority) {
  const auto id = rtorb->create_threadpool(0, 1, 0, 5, false, 0, 0);
  EXPECT_EQ(make({pool(id), model(RTCORBA::SERVER_DECLARED, 77), banded({{70, 80}})}), -1);
}

TEST_F(RtPoliciesTest, a_policy_of_another_class_is_refused) {
  class Liar final : public CORBA::Policy, public CORBA::LocalObject {
   public:
    explicit Liar(CORBA::PolicyType type) : type_(type) {}
    CORBA::PolicyType policy_type() override { return type_; }
    CORBA::Policy_ptr copy() override { return new Liar(type_); }
    void destroy() override {}

   private:
    const CORBA::PolicyType type_;
  };
  for (CORBA::PolicyType type = 40; type <= 45; ++type)
    EXPECT_EQ(make({lifespan(), CORBA::Policy_var(new Liar(type))}), 1) << type;
}

TEST_F(RtPoliciesTest, references_tell_clients_what_they_are_to_know) {
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0u].protocol_type = ior::kInternetProfile;
  protocols[0u].transport_protocol_properties = rtorb->create_tcp_protocol_properties(1, 2, true, false, true);
  const PortableServer::POA_var poa = root->create_POA(
      "exposed", manager.in(),
      list({model(RTCORBA::SERVER_DECLARED, 5), banded({{0, 9}}),
            CORBA::Policy_var(rtorb->create_client_protocol_policy(protocols)),
            CORBA::Policy_var(rtorb->create_server_protocol_policy(protocols))}));
  const CORBA::Object_var object = poa->create_reference("IDL:x:1.0");
  const RtPolicies told = told_by(object.in());
  EXPECT_EQ(told.model, RTCORBA::SERVER_DECLARED);
  EXPECT_EQ(told.server_priority, 5);
  EXPECT_EQ(told.bands, (std::vector<Band>{{0, 9}}));
  EXPECT_EQ(told.client_protocols, (std::vector<ProtocolTerms>{{0, true, 1, 2, true, false, true}}));
  EXPECT_FALSE(told.server_protocols);
  EXPECT_TRUE(told_by(CORBA::Object_var(root->create_reference("IDL:x:1.0")).in()).empty());
}

// RTCORBA::ProtocolList holds local interfaces.
TEST_F(RtPoliciesTest, protocols_come_in_an_any_with_their_properties) {
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0u].protocol_type = ior::kInternetProfile;
  protocols[0u].transport_protocol_properties = rtorb->create_tcp_protocol_properties(1, 2, true, false, true);
  CORBA::Any any;
  any <<= protocols;
  const CORBA::Policy_var policy = orb->create_policy(RTCORBA::SERVER_PROTOCOL_POLICY_TYPE, any);
  const RTCORBA::ServerProtocolPolicy_var server = RTCORBA::ServerProtocolPolicy::_narrow(policy.in());
  const RTCORBA::ProtocolList_var made = server->protocols();
  ASSERT_EQ(made->length(), 1u);
  const RTCORBA::TCPProtocolProperties_var tcp =
      RTCORBA::TCPProtocolProperties::_narrow(made[0u].transport_protocol_properties.in());
  ASSERT_FALSE(CORBA::is_nil(tcp.in()));
  EXPECT_EQ(tcp->recv_buffer_size(), 2);
  protocols.length(2);
  protocols[1u] = protocols[0u];
  any <<= protocols;
  EXPECT_THROW(orb->create_policy(RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE, any), CORBA::PolicyError);
}

TEST_F(RtPoliciesTest, stand_in_references_beside_those_of_messaging) {
  CORBA::Any any;
  any <<= Messaging::PriorityRange{2, 8};
  const PortableServer::POA_var poa = root->create_POA(
      "both", manager.in(),
      list({CORBA::Policy_var(orb->create_policy(Messaging::REQUEST_PRIORITY_POLICY_TYPE, any)),
            model(RTCORBA::CLIENT_PROPAGATED, 5)}));
  const CORBA::Object_var object = poa->create_reference("IDL:x:1.0");
  EXPECT_EQ(told_by(object.in()).model, RTCORBA::CLIENT_PROPAGATED);
  const ior::Ior& ior = object->_callis_reference()->ior();
  const auto body = ior::parse_iiop(ior.profiles.at(0).data);
  ASSERT_TRUE(body);
  EXPECT_EQ(std::ranges::count(body->components, ior::kPolicies, &ior::TaggedComponent::tag), 1);
  const auto value = ior::find_policy_value(body->component(ior::kPolicies)->data, 25);
  ASSERT_TRUE(value);
  EXPECT_EQ(ior::read_short_range(value.value()), (ior::ShortRange{2, 8}));
}

TEST_F(RtPoliciesTest, of_an_adapter_can_be_had_from_it) {
  const PortableServer::POA_var poa =
      root->create_POA("known", manager.in(), list({model(RTCORBA::SERVER_DECLARED, 5)}));
  const auto& adapter = dynamic_cast<poa::Adapter&>(*poa.in());
  ASSERT_TRUE(AdapterPolicies::of(adapter));
  EXPECT_EQ(AdapterPolicies::of(adapter)->policies().server_priority, 5);
  EXPECT_FALSE(AdapterPolicies::of(dynamic_cast<poa::Adapter&>(*root.in())));
}

TEST(Bands, hold_a_priority_or_none) {
  const std::vector<Band> bands{{0, 4}, {10, 10}, {20, 30}};
  EXPECT_FALSE(fault_of(bands));
  EXPECT_EQ(find_band(bands, 4), &bands[0]);
  EXPECT_EQ(find_band(bands, 10), &bands[1]);
  EXPECT_EQ(find_band(bands, 5), nullptr);
  EXPECT_EQ(find_band(bands, 31), nullptr);
  EXPECT_EQ(find_band({}, 1), nullptr);
}

}  // namespace
}  // namespace callis::rt
