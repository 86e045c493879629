// SPDX-License-Identifier: Apache-2.0
// A client's call takes a lane and a connection by the priority of its thread.
#include <callis/rt/testing/lanes.h>
#include <sys/socket.h>
#include <barrier>

namespace callis::rt {
namespace {

using namespace testing;

TEST_F(Lanes, ServeThreadsThatHaveSetNoPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 20, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  where::Place found{};
  std::thread([&] { found = tell_of(teller.in()); }).join();  // a thread that has set none: 0
  EXPECT_EQ(found.corba, 0);
}

TEST_F(Lanes, GetRequestsThatCameToTheUsualAddress) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 20, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const CORBA::Object_var usual = root->create_reference("IDL:where/Teller:1.0");
  const callis::ior::Ior& at_orb = usual->_callis_reference()->ior();
  const callis::ior::Ior& at_lane = teller->_callis_reference()->ior();
  callis::ByteView key;
  const callis::ior::TaggedProfile& profile = at_lane.profiles[0];
  ASSERT_EQ(callis::ior::find_object_key(profile.tag, profile.data, key), callis::Fault::None);
  auto moved = callis::ior::parse_iiop(at_orb.profiles[0].data);
  ASSERT_TRUE(moved);
  moved.value().object_key.assign(key.begin(), key.end());
  callis::ior::Ior ior;
  ior.type_id = "IDL:where/Teller:1.0";
  ior.profiles.push_back(callis::ior::to_profile(moved.value()));
  const std::string text = callis::ior::to_text(ior);
  const CORBA::Object_var object = client->string_to_object(text.c_str());
  const where::Teller_var there = where::Teller::_narrow(object.in());
  expect(tell_of(there.in()), 20);
  expect(tell_of(there.in()), 20);
}

TEST_F(Lanes, OfAPoolWithoutLanesAreFoundByClientsAfterwards) {
  const RTCORBA::ThreadpoolId pool = rt->create_threadpool(0, 3, 0, 5, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 5, pool);
  const where::Teller_var teller = activate(poa.in());
  for (int i = 0; i < 3; ++i)
    for (Priority p = 40; p < 45; ++p) expect(tell_at(current.in(), teller.in(), p), p);
  auto& served = callis::orb::Core::of(*static_cast<callis::orb::Core*>(server.in())).server();
  const std::uint32_t before = served.connections();
  for (Priority p = 40; p < 45; ++p) expect(tell_at(current.in(), teller.in(), p), p);
  EXPECT_EQ(served.connections(), before);
}

// The effective policy includes what the reference carries (CORBA 3.0.3, 4.3.8.1; RT-CORBA 1.2, 2.6.2).
TEST_F(Lanes, ReferencesTellTheClientTheirPriorityModel) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const CORBA::Policy_var told = teller->_get_policy(RTCORBA::PRIORITY_MODEL_POLICY_TYPE);
  const RTCORBA::PriorityModelPolicy_var model = RTCORBA::PriorityModelPolicy::_narrow(told.in());
  ASSERT_TRUE(model.in());
  EXPECT_EQ(model->priority_model(), RTCORBA::CLIENT_PROPAGATED);
  EXPECT_EQ(model->server_priority(), 10);
  EXPECT_TRUE(CORBA::is_nil(CORBA::Policy_var(teller->_get_policy(RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE))));
  EXPECT_TRUE(CORBA::is_nil(CORBA::Policy_var(teller->_get_policy(RTCORBA::THREADPOOL_POLICY_TYPE))));
}

TEST_F(Lanes, OfAClientAreUsedAtManyPriorities) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  std::thread([&] {
    for (Priority p = 0; p < 98; ++p) {
      current->the_priority(p);
      EXPECT_EQ(tell_of(teller.in()).corba, p);
    }
  }).join();
}

TEST_F(Lanes, OfAReferenceAreFoundByThreadsThatCallForTheFirstTimeTogether) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var first = activate(poa.in());
  const CORBA::String_var text = client->object_to_string(first.in());
  for (int i = 0; i < 20; ++i) {
    const CORBA::Object_var object = client->string_to_object(text.in());
    const where::Teller_var teller = where::Teller::_narrow(object.in());
    std::barrier together(2);
    const auto call_at = [&](Priority p) {
      current->the_priority(p);
      together.arrive_and_wait();
      EXPECT_EQ(tell_of(teller.in()).corba, p);
    };
    std::thread low(call_at, Priority{10}), high(call_at, Priority{20});
    low.join();
    high.join();
  }
}

class Half final : public RTCORBA::PriorityTransform {
 public:
  CORBA::Boolean inbound(Priority&, const PortableServer::ObjectId&) override { return true; }
  CORBA::Boolean outbound(Priority& priority, const PortableServer::ObjectId&) override {
    priority = static_cast<Priority>(priority / 2);
    return priority != 5;
  }
};

TEST_F(Lanes, ServeWhatServantsCallAtTheTransformedPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const CORBA::ORB_var other = make_orb("lanes_other");
  {
    CORBA::Object_var object = other->resolve_initial_references("RootPOA");
    const PortableServer::POA_var other_root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(other_root->the_POAManager())->activate();
    object = other->resolve_initial_references("RTORB");
    const RTCORBA::RTORB_var other_rt = RTCORBA::RTORB::_narrow(object.in());
    CORBA::PolicyList policies;
    add(policies, other_rt->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, 0));
    PortableServer::POAManager_var manager = other_root->the_POAManager();
    const PortableServer::POA_var propagating = other_root->create_POA("p", manager.in(), policies);
    PortableServer::Servant_var<Here> asks = new Here(other.in());
    object = other->resolve_initial_references("PriorityTransformManager");
    const auto transforms = RTCORBA::PriorityTransformManager::_narrow(object.in());
    const RTCORBA::PriorityTransformManager_var owned = transforms;
    owned->transform(new Half);
    const PortableServer::ObjectId_var id = propagating->activate_object(asks.in());
    const CORBA::Object_var asked = propagating->id_to_reference(id.in());
    const CORBA::String_var text = other->object_to_string(asked.in());
    const CORBA::Object_var at_client = client->string_to_object(text.in());
    const where::Teller_var asker = where::Teller::_narrow(at_client.in());
    const auto ask_at = [&](Priority p) {
      std::int16_t found = -1;
      std::thread([&] {
        current->the_priority(p);
        try {
          found = where::Place_var(asker->ask(teller.in()))->corba;
        } catch (const CORBA::UNKNOWN&) {
        }
      }).join();
      return found;
    };
    EXPECT_EQ(ask_at(40), 20);
    EXPECT_EQ(ask_at(24), 12);
    EXPECT_EQ(ask_at(10), -1);
  }
  other->destroy();
}

TEST_F(Lanes, OfBandsServeThePrioritiesOfTheBand) {
  const PortableServer::POA_var poa =
      adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}), {{5, 14}, {15, 25}});
  const where::Teller_var teller = activate(poa.in());
  const where::Place high = tell_at(current.in(), teller.in(), 24);
  EXPECT_EQ(high.corba, 24);
  runs_at(high, 20);
  const where::Place low = tell_at(current.in(), teller.in(), 6);
  EXPECT_EQ(low.corba, 6);
  runs_at(low, 10);
}

TEST_F(Lanes, OfBandsRefusePrioritiesOfNoBand) {
  const PortableServer::POA_var poa =
      adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}), {{5, 14}, {15, 25}});
  const where::Teller_var teller = activate(poa.in());
  bool refused = false;
  std::thread([&] {
    current->the_priority(26);
    try {
      where::Place_var(teller->tell());
    } catch (const CORBA::INV_POLICY&) {
      refused = true;
    }
  }).join();
  EXPECT_TRUE(refused);
}

TEST_F(Lanes, AreCalledOverAConnectionOfItsOwnByAPrivateReference) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}, 4));
  const where::Teller_var teller = activate(poa.in());
  where::Place_var(teller->tell());
  auto& server_of = callis::orb::Core::of(*static_cast<callis::orb::OrbContext*>(
      static_cast<callis::orb::Core*>(server.in()))).server();
  const std::uint32_t before = server_of.connections();
  const CORBA::Object_var object = client->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var client_rt = RTCORBA::RTORB::_narrow(object.in());
  CORBA::PolicyList list;
  add(list, client_rt->create_private_connection_policy());
  const CORBA::Object_var first = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const CORBA::Object_var second = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const where::Teller_var one = where::Teller::_unchecked_narrow(first.in());
  const where::Teller_var other = where::Teller::_unchecked_narrow(second.in());
  for (int i = 0; i < 3; ++i) {
    where::Place_var(one->tell());
    where::Place_var(other->tell());
  }
  EXPECT_EQ(server_of.connections(), before + 2);
}

// Sockets of this process whose send buffer is of that size; Linux doubles what is asked for.
int sockets_with_send_buffer(int bytes) {
  int found = 0;
  for (int fd = 3; fd < 1024; ++fd) {
    int size = 0;
    socklen_t length = sizeof size;
    if (::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0) found += size == 2 * bytes;
  }
  return found;
}

// 2.12: ClientProtocolPolicy
TEST_F(Lanes, AreCalledOverConnectionsWithThePropertiesOfThePolicy) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const CORBA::Object_var object = client->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var client_rt = RTCORBA::RTORB::_narrow(object.in());
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0].protocol_type = ior::kInternetProfile;
  protocols[0].transport_protocol_properties =
      client_rt->create_tcp_protocol_properties(12'346, 23'456, true, false, true);
  CORBA::PolicyList list;
  add(list, client_rt->create_client_protocol_policy(protocols));
  const CORBA::Object_var with = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const where::Teller_var configured = where::Teller::_unchecked_narrow(with.in());
  EXPECT_EQ(sockets_with_send_buffer(12'346), 0);
  expect(tell_at(current.in(), configured.in(), 20), 20);
  EXPECT_EQ(sockets_with_send_buffer(12'346), 1);
  expect(tell_at(current.in(), configured.in(), 10), 10);
  EXPECT_EQ(sockets_with_send_buffer(12'346), 2);
}

TEST_F(Lanes, AreNotCalledByProtocolsThatThePolicyDoesNotName) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}));
  const where::Teller_var teller = activate(poa.in());
  const CORBA::Object_var object = client->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var client_rt = RTCORBA::RTORB::_narrow(object.in());
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0].protocol_type = ior::kUiopProfile;
  CORBA::PolicyList list;
  add(list, client_rt->create_client_protocol_policy(protocols));
  const CORBA::Object_var with = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const where::Teller_var other = where::Teller::_unchecked_narrow(with.in());
  EXPECT_THROW(tell_of(other.in()), CORBA::INV_POLICY);
  CORBA::PolicyList_var inconsistent;
  EXPECT_FALSE(other->_validate_connection(inconsistent.out()));
  ASSERT_EQ(inconsistent->length(), 1u);
  EXPECT_EQ(inconsistent[0u]->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
}

// 2.8.5, 2.10, 2.11: explicit binding

struct Validation : Lanes {
  const PortableServer::POA_var poa{adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}, 4))};
  const where::Teller_var teller{activate(poa.in())};

  std::uint32_t connections() {
    return callis::orb::Core::of(*static_cast<callis::orb::OrbContext*>(static_cast<callis::orb::Core*>(server.in())))
        .server()
        .connections();
  }
  RTCORBA::RTORB_var client_rt() {
    const CORBA::Object_var object = client->resolve_initial_references("RTORB");
    return RTCORBA::RTORB::_narrow(object.in());
  }
  where::Teller_var with(CORBA::Policy_ptr policy) {
    CORBA::PolicyList list;
    add(list, policy);
    const CORBA::Object_var object = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
    return where::Teller::_unchecked_narrow(object.in());
  }
  where::Teller_var banded(Priority low, Priority high) {
    RTCORBA::PriorityBands bands;
    bands.length(1);
    bands[0] = {low, high};
    return with(client_rt()->create_priority_banded_connection_policy(bands));
  }
  // The outcome on a thread of that priority.
  bool valid_at(Priority priority, where::Teller_ptr of, CORBA::PolicyList_var& inconsistent) {
    bool valid = false;
    std::thread([&] {
      current->the_priority(priority);
      valid = of->_validate_connection(inconsistent.out());
    }).join();
    return valid;
  }
};

TEST_F(Validation, MakesTheConnectionOfAPrivateReference) {
  tell_of(teller.in());
  const std::uint32_t before = connections();
  const where::Teller_var own = with(client_rt()->create_private_connection_policy());
  CORBA::PolicyList_var inconsistent;
  EXPECT_TRUE(own->_validate_connection(inconsistent.out()));
  EXPECT_EQ(inconsistent->length(), 0u);
  EXPECT_EQ(connections(), before + 1);
  tell_of(own.in());
  EXPECT_EQ(connections(), before + 1) << "the call takes it";
}

TEST_F(Validation, MakesTheConnectionOfTheThreadsBand) {
  tell_of(teller.in());
  const std::uint32_t before = connections();
  const where::Teller_var own = banded(30, 60);
  CORBA::PolicyList_var inconsistent;
  EXPECT_TRUE(valid_at(40, own.in(), inconsistent));
  EXPECT_EQ(connections(), before + 1);
  tell_at(current.in(), own.in(), 50);
  EXPECT_EQ(connections(), before + 1) << "another priority of the same band";
}

TEST_F(Validation, IsFalseForAThreadInNoBandAndNamesThePolicy) {
  const where::Teller_var own = banded(30, 60);
  CORBA::PolicyList_var inconsistent;
  EXPECT_FALSE(valid_at(10, own.in(), inconsistent));
  ASSERT_EQ(inconsistent->length(), 1u);
  EXPECT_EQ(inconsistent[0u]->policy_type(), RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE);
  EXPECT_TRUE(valid_at(30, own.in(), inconsistent));
}

TEST_F(Validation, IsFalseWhereTheServersBandsHaveNoPlaceForTheThread) {
  CORBA::PolicyList list;
  RTCORBA::PriorityBands bands;
  bands.length(1);
  bands[0] = {10, 20};
  add(list, rt->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, 10));
  add(list, rt->create_threadpool_policy(lanes({10})));
  add(list, rt->create_priority_banded_connection_policy(bands));
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var other = root->create_POA("bands", manager.in(), list);
  PortableServer::Servant_var<Here> servant = new Here(server.in());
  const PortableServer::ObjectId_var id = other->activate_object(servant.in());
  const CORBA::Object_var object = other->id_to_reference(id.in());
  const where::Teller_var there = at_client(object.in());
  CORBA::PolicyList_var inconsistent;
  EXPECT_FALSE(valid_at(30, there.in(), inconsistent));
  EXPECT_EQ(inconsistent->length(), 0u) << "the client has set none";
  EXPECT_TRUE(valid_at(15, there.in(), inconsistent));
}

}  // namespace
}  // namespace callis::rt
