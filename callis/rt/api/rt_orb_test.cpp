// SPDX-License-Identifier: Apache-2.0
// RTORB: thread pools and policies; the initial references.
#include <callis/rt/testing/fixture.h>
#include <limits.h>

namespace callis::rt {
namespace {

using namespace testing;

struct RtOrbTest : RtFixtureWithFakePools {
  const ThreadpoolTerms& last_pool() {
    Threadpools& pools = Threadpools::of(core());
    EXPECT_EQ(&pools, FakePools::last);
    return FakePools::last->pools.rbegin()->second;
  }
};

TEST_F(RtOrbTest, is_one_object_of_each_orb) {
  EXPECT_EQ(initial<RTCORBA::RTORB>("RTORB").in(), rtorb.in());
  AnotherOrb other;
  EXPECT_NE(other.rtorb.in(), rtorb.in());
}

TEST_F(RtOrbTest, a_pool_has_what_it_is_made_with) {
  const auto id = rtorb->create_threadpool(1 << 20, 2, 3, 5, true, 7, 8000);
  EXPECT_NE(id, 0u);
  const ThreadpoolTerms& t = last_pool();
  EXPECT_EQ(t.stack_bytes, 1u << 20);
  EXPECT_FALSE(t.with_lanes);
  EXPECT_EQ(t.default_priority, 5);
  ASSERT_EQ(t.lanes.size(), 1u);
  EXPECT_EQ(t.lanes[0].priority, 5);
  EXPECT_EQ(t.lanes[0].static_threads, 2u);
  EXPECT_EQ(t.lanes[0].dynamic_threads, 3u);
  EXPECT_TRUE(t.buffering);
  EXPECT_FALSE(t.borrowing);
  EXPECT_EQ(t.max_buffered_requests, 7u);
  EXPECT_EQ(t.max_buffered_bytes, 8000u);
}

TEST_F(RtOrbTest, lanes_come_in_the_order_of_their_priorities) {
  rtorb->create_threadpool_with_lanes(0, lanes({{30, 1, 0}, {10, 0, 2}, {20, 3, 4}}), true, false, 0, 0);
  const ThreadpoolTerms& t = last_pool();
  EXPECT_TRUE(t.with_lanes);
  EXPECT_TRUE(t.borrowing);
  EXPECT_EQ(t.stack_bytes, 0u);
  ASSERT_EQ(t.lanes.size(), 3u);
  EXPECT_EQ(t.lanes[0].priority, 10);
  EXPECT_EQ(t.lanes[0].dynamic_threads, 2u);
  EXPECT_EQ(t.lanes[1].priority, 20);
  EXPECT_EQ(t.lanes[2].priority, 30);
}

// RT-CORBA 1.2, 2.9.3, asks for no difference between lanes' priorities.
TEST_F(RtOrbTest, lanes_of_one_priority_are_one_lane_with_the_threads_of_all) {
  pool_with_lanes({{4, 1, 0}, {5, 1, 0}, {4, 2, 3}});
  const ThreadpoolTerms& t = FakePools::last->pools.rbegin()->second;
  ASSERT_EQ(t.lanes.size(), 2u);
  EXPECT_EQ(t.lanes[0].priority, 4);
  EXPECT_EQ(t.lanes[0].static_threads, 3u);
  EXPECT_EQ(t.lanes[0].dynamic_threads, 3u);
  EXPECT_EQ(t.lanes[1].priority, 5);
}

TEST_F(RtOrbTest, bad_pools_are_refused_with_words) {
  const auto words = [&](std::initializer_list<RTCORBA::ThreadpoolLane> all) {
    const Thrown e = thrown_by<CORBA::BAD_PARAM>([&] { pool_with_lanes(all); });
    EXPECT_EQ(e.minor, kBadPool);
    return e.words;
  };
  EXPECT_NE(words({}).find("without lanes"), std::string::npos);
  EXPECT_NE(words({{-1, 1, 0}}).find("0 to 32767"), std::string::npos);
  EXPECT_NE(words({{4, 1, 0}, {5, 0, 0}}).find("without threads, priority 5"), std::string::npos);
  EXPECT_NE(words({{4, ~0u, ~0u}}).find("65536"), std::string::npos);
  const auto plain = [&](CORBA::ULong stack, CORBA::ULong threads, RTCORBA::Priority p) {
    return thrown_by<CORBA::BAD_PARAM>([&] { rtorb->create_threadpool(stack, threads, 0, p, false, 0, 0); }).minor;
  };
  EXPECT_EQ(plain(1, 1, 0), kBadPool);
  EXPECT_EQ(plain(0, 0, 0), kBadPool);
  EXPECT_EQ(plain(0, 1, -5), kBadPool);
  RTCORBA::ThreadpoolLanes many;
  many.length(1025);
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] {
              rtorb->create_threadpool_with_lanes(0, many, false, false, 0, 0);
            }).minor, kBadPool);
  EXPECT_FALSE(FakePools::last) << "nothing of it came through";
}

TEST_F(RtOrbTest, a_pool_is_destroyed_once) {
  const auto id = rtorb->create_threadpool(0, 1, 0, 0, false, 0, 0);
  EXPECT_THROW(rtorb->destroy_threadpool(id + 1), RTCORBA::RTORB::InvalidThreadpool);
  rtorb->destroy_threadpool(id);
  EXPECT_THROW(rtorb->destroy_threadpool(id), RTCORBA::RTORB::InvalidThreadpool);
}

TEST_F(RtOrbTest, pools_end_with_their_orb) {
  rtorb->create_threadpool(0, 1, 0, 0, false, 0, 0);
  ASSERT_TRUE(FakePools::last);
  orb->shutdown(true);
  EXPECT_FALSE(FakePools::last);
  EXPECT_THROW(rtorb->create_threadpool(0, 1, 0, 0, false, 0, 0), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(rtorb->destroy_threadpool(1), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(rtorb->create_mutex(), CORBA::BAD_INV_ORDER);
}

TEST_F(RtOrbTest, without_pools_that_is_said) {
  Threadpools::set_maker(nullptr);
  const Thrown e =
      thrown_by<CORBA::NO_IMPLEMENT>([&] { rtorb->create_threadpool(0, 1, 0, 0, false, 0, 0); });
  EXPECT_EQ(e.minor, kNoPools);
}

// --- Policies ---

TEST_F(RtOrbTest, makes_policies) {
  const auto id = rtorb->create_threadpool(0, 1, 0, 0, false, 0, 0);
  const RTCORBA::PriorityModelPolicy_var model =
      rtorb->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 9);
  EXPECT_EQ(model->policy_type(), 40u);
  EXPECT_EQ(model->priority_model(), RTCORBA::SERVER_DECLARED);
  EXPECT_EQ(model->server_priority(), 9);
  const RTCORBA::ThreadpoolPolicy_var pool = rtorb->create_threadpool_policy(id);
  EXPECT_EQ(pool->policy_type(), 41u);
  EXPECT_EQ(pool->threadpool(), id);
  const RTCORBA::PrivateConnectionPolicy_var own = rtorb->create_private_connection_policy();
  EXPECT_EQ(own->policy_type(), 44u);
  const RTCORBA::PriorityBandedConnectionPolicy_var banded =
      rtorb->create_priority_banded_connection_policy(bands({{0, 9}, {10, 32767}}));
  EXPECT_EQ(banded->policy_type(), 45u);
  const RTCORBA::PriorityBands_var read = banded->priority_bands();
  ASSERT_EQ(read->length(), 2u);
  EXPECT_EQ(read[1u].low, 10);
  EXPECT_EQ(read[1u].high, 32767);
}

TEST_F(RtOrbTest, policies_of_protocols_keep_properties_as_they_were) {
  const RTCORBA::TCPProtocolProperties_var tcp = rtorb->create_tcp_protocol_properties(1, 2, true, false, true);
  EXPECT_FALSE(tcp->enable_network_priority());
  tcp->enable_network_priority(true);
  RTCORBA::ProtocolList list;
  list.length(3);
  list[0u].protocol_type = 0;
  list[0u].transport_protocol_properties = RTCORBA::ProtocolProperties::_duplicate(tcp.in());
  list[1u].protocol_type = ior::kUiopProfile;
  list[1u].transport_protocol_properties = rtorb->create_unix_domain_protocol_properties(3, 4);
  list[2u].protocol_type = ior::kMemoryProfile;
  list[2u].transport_protocol_properties = rtorb->create_shared_memory_protocol_properties(5);
  const RTCORBA::ServerProtocolPolicy_var server = rtorb->create_server_protocol_policy(list);
  const RTCORBA::ClientProtocolPolicy_var client = rtorb->create_client_protocol_policy(list);
  tcp->send_buffer_size(99);  // too late for them
  EXPECT_EQ(tcp->send_buffer_size(), 99);
  EXPECT_EQ(server->policy_type(), 42u);
  EXPECT_EQ(client->policy_type(), 43u);
  for (const RTCORBA::ProtocolList_var& read : {RTCORBA::ProtocolList_var(server->protocols()),
                                                RTCORBA::ProtocolList_var(client->protocols())}) {
    ASSERT_EQ(read->length(), 3u);
    const auto t = RTCORBA::TCPProtocolProperties_var(
        RTCORBA::TCPProtocolProperties::_narrow(read[0u].transport_protocol_properties.in()));
    ASSERT_TRUE(t.in());
    EXPECT_EQ(t->send_buffer_size(), 1);
    EXPECT_EQ(t->recv_buffer_size(), 2);
    EXPECT_TRUE(t->keep_alive());
    EXPECT_FALSE(t->dont_route());
    EXPECT_TRUE(t->no_delay());
    EXPECT_TRUE(t->enable_network_priority());
    const auto u = RTCORBA::UnixDomainProtocolProperties_var(
        RTCORBA::UnixDomainProtocolProperties::_narrow(read[1u].transport_protocol_properties.in()));
    ASSERT_TRUE(u.in());
    EXPECT_EQ(u->recv_buffer_size(), 4);
    const auto m = RTCORBA::SharedMemoryProtocolProperties_var(
        RTCORBA::SharedMemoryProtocolProperties::_narrow(read[2u].transport_protocol_properties.in()));
    ASSERT_TRUE(m.in());
    EXPECT_EQ(m->preallocate_buffer_size(), 5);
  }
}

TEST_F(RtOrbTest, bad_values_of_policies_are_refused_with_words) {
  const auto refused = [](auto&& make) { return thrown_by<CORBA::BAD_PARAM>(make).minor == kBadRtPolicy; };
  EXPECT_TRUE(refused([&] { rtorb->create_priority_model_policy(RTCORBA::SERVER_DECLARED, -1); }));
  EXPECT_TRUE(refused([&] { rtorb->create_priority_model_policy(static_cast<RTCORBA::PriorityModel>(2), 0); }));
  EXPECT_TRUE(refused([&] { rtorb->create_threadpool_policy(12345); }));
  EXPECT_TRUE(refused([&] { rtorb->create_priority_banded_connection_policy(bands({{5, 4}})); }));
  EXPECT_TRUE(refused([&] { rtorb->create_priority_banded_connection_policy(bands({{-1, 4}})); }));
  EXPECT_TRUE(refused([&] { rtorb->create_priority_banded_connection_policy(bands({{0, 4}, {4, 9}})); }));
  EXPECT_TRUE(refused([&] { rtorb->create_priority_banded_connection_policy(bands({{5, 9}, {0, 5}})); }));
  EXPECT_TRUE(refused([&] { rtorb->create_tcp_protocol_properties(-1, 0, false, false, false); }));
  const auto tcp = RTCORBA::TCPProtocolProperties_var(rtorb->create_tcp_protocol_properties(0, 0, true, true, true));
  EXPECT_TRUE(refused([&] { tcp->recv_buffer_size(-2); }));
  RTCORBA::ProtocolList list;
  list.length(1);
  list[0u].protocol_type = ior::kUiopProfile;
  list[0u].transport_protocol_properties = RTCORBA::ProtocolProperties::_duplicate(tcp.in());
  EXPECT_TRUE(refused([&] { rtorb->create_client_protocol_policy(list); })) << "properties of another";
  list[0u].protocol_type = 0;
  list[0u].orb_protocol_properties = RTCORBA::ProtocolProperties::_duplicate(tcp.in());
  EXPECT_TRUE(refused([&] { rtorb->create_client_protocol_policy(list); })) << "properties of GIOP";
  list[0u].orb_protocol_properties = RTCORBA::ProtocolProperties::_nil();
  list.length(2);
  list[1u].protocol_type = 0;
  EXPECT_TRUE(refused([&] { rtorb->create_client_protocol_policy(list); })) << "the same twice";
}

// The text does not forbid this, and other ORBs' programs do so.
TEST_F(RtOrbTest, bands_in_any_order_no_bands_and_preferences_that_cannot_be_met_are_policies) {
  const RTCORBA::PriorityBandedConnectionPolicy_var banded =
      rtorb->create_priority_banded_connection_policy(bands({{100, 200}, {10, 20}}));
  EXPECT_EQ(RTCORBA::PriorityBands_var(banded->priority_bands())[0u].low, 100) << "as given";
  const RTCORBA::PriorityBandedConnectionPolicy_var none = rtorb->create_priority_banded_connection_policy({});
  RTCORBA::ProtocolList list;
  const RTCORBA::ServerProtocolPolicy_var server = rtorb->create_server_protocol_policy(list);
  const RTCORBA::ClientProtocolPolicy_var client = rtorb->create_client_protocol_policy(list);
  RtPolicies read;
  for (CORBA::Policy_ptr p : {CORBA::Policy_ptr(none.in()), CORBA::Policy_ptr(server.in()),
                              CORBA::Policy_ptr(client.in())})
    EXPECT_TRUE(read_rt_policy(*p, read));
  EXPECT_TRUE(read.bands.empty());
  EXPECT_FALSE(read.server_protocols) << "none is preferred";
  EXPECT_FALSE(read.client_protocols);
  list.length(2);
  list[0u].protocol_type = 0x54414f02;  // another ORB's
  list[1u].protocol_type = ior::kInternetProfile;
  const RTCORBA::ClientProtocolPolicy_var both = rtorb->create_client_protocol_policy(list);
  EXPECT_EQ(RTCORBA::ProtocolList_var(both->protocols())[0u].protocol_type, 0x54414f02u);
}

// --- ORB::create_policy ---

struct RtCreatePolicy : RtFixture {
  template <class V>
  CORBA::Policy_var policy(CORBA::PolicyType type, const V& value) {
    CORBA::Any any;
    any <<= value;
    return orb->create_policy(type, any);
  }
  template <class V>
  CORBA::PolicyErrorCode error(CORBA::PolicyType type, const V& value) {
    try {
      policy(type, value);
    } catch (const CORBA::PolicyError& e) {
      return e.reason;
    }
    return -1;
  }
  static CORBA::ULongSeq tags(std::initializer_list<CORBA::ULong> all) {
    CORBA::ULongSeq list;
    list.length(static_cast<CORBA::ULong>(all.size()));
    std::copy(all.begin(), all.end(), list.get_buffer());
    return list;
  }
};

TEST_F(RtCreatePolicy, knows_all_types) {
  EXPECT_EQ(RTCORBA::PriorityModelPolicy_var(RTCORBA::PriorityModelPolicy::_narrow(
                policy(40, Callis::PriorityModelValue{RTCORBA::SERVER_DECLARED, 7}).in()))
                ->server_priority(), 7);
  EXPECT_EQ(RTCORBA::ThreadpoolPolicy_var(RTCORBA::ThreadpoolPolicy::_narrow(policy(41, CORBA::ULong(4)).in()))
                ->threadpool(), 4u);
  const RTCORBA::ServerProtocolPolicy_var server =
      RTCORBA::ServerProtocolPolicy::_narrow(policy(42, tags({0, ior::kUiopProfile})).in());
  EXPECT_EQ(RTCORBA::ProtocolList_var(server->protocols())->length(), 2u);
  const RTCORBA::ClientProtocolPolicy_var client =
      RTCORBA::ClientProtocolPolicy::_narrow(policy(43, tags({0})).in());
  EXPECT_FALSE(RTCORBA::ProtocolList_var(client->protocols())[0u].transport_protocol_properties.in()) << "defaults";
  EXPECT_EQ(CORBA::Policy_var(orb->create_policy(44, {}))->policy_type(), 44u);
  EXPECT_EQ(policy(45, bands({{1, 2}}))->policy_type(), 45u);
}

TEST_F(RtCreatePolicy, a_copy_is_another_object_of_the_same_value) {
  for (const CORBA::Policy_var& p :
       {policy(40, Callis::PriorityModelValue{RTCORBA::SERVER_DECLARED, 7}), policy(41, CORBA::ULong(4)),
        policy(42, tags({0})), policy(43, tags({0})), CORBA::Policy_var(orb->create_policy(44, {})),
        policy(45, bands({{1, 2}}))}) {
    const CORBA::Policy_var copy = p->copy();
    CORBA::PolicyList a, b;
    a.length(1);
    b.length(1);
    a[0u] = CORBA::Policy::_duplicate(p.in());
    b[0u] = CORBA::Policy::_duplicate(copy.in());
    EXPECT_NE(p.in(), copy.in());
    EXPECT_EQ(read_rt_policies(a), read_rt_policies(b)) << p->policy_type();
    EXPECT_FALSE(read_rt_policies(a).empty());
  }
}

TEST_F(RtCreatePolicy, refuses_other_types_and_bad_values) {
  for (const CORBA::PolicyType type : {40u, 41u, 42u, 43u, 45u})
    EXPECT_EQ(error(type, CORBA::Double(1)), CORBA::BAD_POLICY_TYPE) << type;
  EXPECT_EQ(error(40, Callis::PriorityModelValue{RTCORBA::SERVER_DECLARED, -1}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(error(42, tags({0, 0})), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(error(43, tags({5, 5})), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(error(45, bands({{2, 1}})), CORBA::BAD_POLICY_VALUE);
}

TEST_F(RtCreatePolicy, those_of_clients_can_be_set_for_a_thread_and_a_reference) {
  const CORBA::Object_var object = orb->string_to_object("corbaloc:iiop:1.2@localhost:1/x");
  CORBA::PolicyList list;
  list.length(2);
  list[0u] = policy(45, bands({{1, 2}}));
  list[1u] = orb->create_policy(44, {});
  const CORBA::Object_var with = object->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const CORBA::Policy_var found = with->_get_client_policy(45);
  EXPECT_TRUE(RTCORBA::PriorityBandedConnectionPolicy_var(
      RTCORBA::PriorityBandedConnectionPolicy::_narrow(found.in())).in());
  EXPECT_FALSE(CORBA::Policy_var(object->_get_client_policy(45)).in());
}

}  // namespace
}  // namespace callis::rt
