// SPDX-License-Identifier: Apache-2.0
// Requests and their lanes, over TCP, between two ORBs of this process.
#include <callis/base/peer_memory.h>
#include <callis/base/testing/soon.h>
#include <callis/base/thread_state.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/rt/lanes/lane_addresses.h>
#include <callis/rt/testing/lanes.h>
#include <sched.h>
#include <algorithm>

namespace callis::rt {
namespace {

using namespace testing;

// RT-CORBA 1.2, 2.7.2: SERVER_DECLARED

TEST_F(Lanes, ServeObjectsOfTheirPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10, 20}));
  const where::Teller_var usual = activate(poa.in());
  expect(tell_of(usual.in()), 10);
  const RTPortableServer::POA_var with_priorities = RTPortableServer::POA::_narrow(poa.in());
  PortableServer::Servant_var<Here> other = new Here(server.in());
  const PortableServer::ObjectId_var id = with_priorities->activate_object_with_priority(other.in(), 20);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const where::Teller_var urgent = at_client(object.in());
  expect(tell_of(urgent.in()), 20);
  expect(tell_of(usual.in()), 10);
}

// Keys in references differ from those that adapters see.

struct LanesOfUnguessableKeys : Lanes {
  LanesOfUnguessableKeys() : Lanes({"-ORBUnguessableKeys", "yes"}) {}
};

TEST_F(LanesOfUnguessableKeys, ServeObjectsOfTheirPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10, 20}));
  const RTPortableServer::POA_var with_priorities = RTPortableServer::POA::_narrow(poa.in());
  const PortableServer::ObjectId_var id = with_priorities->activate_object_with_priority(here.in(), 20);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const where::Teller_var urgent = at_client(object.in());
  expect(tell_of(urgent.in()), 20);
  const where::Teller_var within = where::Teller::_narrow(object.in());
  EXPECT_EQ(tell_of(within.in()).corba, 20) << "a call within the ORB";
}

TEST_F(LanesOfUnguessableKeys, ServeObjectsOfIdsThatAreGivenWithTheirPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10, 20}));
  const RTPortableServer::POA_var with_priorities = RTPortableServer::POA::_narrow(poa.in());
  const PortableServer::ObjectId_var made = poa->activate_object(here.in());
  poa->deactivate_object(made.in());
  with_priorities->activate_object_with_id_and_priority(made.in(), here.in(), 20);
  const CORBA::Object_var object = poa->id_to_reference(made.in());
  const where::Teller_var urgent = at_client(object.in());
  expect(tell_of(urgent.in()), 20);
}

TEST_F(LanesOfUnguessableKeys, ServeRequestsOfTheirPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_at(current.in(), teller.in(), 20), 20);
  expect(tell_at(current.in(), teller.in(), 10), 10);
}

TEST_F(LanesOfUnguessableKeys, ForwardRequestsOfOtherLanesToThem) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  // Without the addresses of the lanes, as a client sees it that knows nothing of them.
  ior::Ior ior = teller->_callis_reference()->ior();
  ior::add_components(ior, Limits{}, [](std::uint32_t, std::vector<ior::TaggedComponent>& components) {
    std::erase_if(components, [](const ior::TaggedComponent& c) { return c.tag == kLanesComponent; });
  });
  const CORBA::Object_var object = client->string_to_object(ior::to_text(ior).c_str());
  const where::Teller_var plain = where::Teller::_unchecked_narrow(object.in());
  expect(tell_at(current.in(), plain.in(), 20), 20);
}

// 2.7.2: CLIENT_PROPAGATED

TEST_F(Lanes, ServeRequestsOfTheirPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_at(current.in(), teller.in(), 10), 10);
  expect(tell_at(current.in(), teller.in(), 20), 20);
  expect(tell_at(current.in(), teller.in(), 10), 10);
}

TEST_F(Lanes, ServeRequestsOfPrioritiesBetweenThemByTheLowerOne) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  const where::Place between = tell_at(current.in(), teller.in(), 15);
  EXPECT_EQ(between.corba, 15);
  runs_at(between, 10);
}

TEST_F(Lanes, OfAPoolWithoutLanesAreMadeForEachPriority) {
  const RTCORBA::ThreadpoolId pool = rt->create_threadpool(0, 3, 0, 5, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 5, pool);
  const where::Teller_var teller = activate(poa.in());
  for (int i = 0; i < 3; ++i)
    for (const Priority p : std::initializer_list<Priority>{5, 30, 12})
      expect(tell_at(current.in(), teller.in(), p), p);
}

// Each priority is sent to its lane once: afterwards calls find it by themselves.

// 2.5.4: outbound transforms change the calls that servants make, and those alone.

// 2.10: PriorityBandedConnectionPolicy

// 2.11: PrivateConnectionPolicy

// If a thread of SCHED_FIFO wakes a thread of the same priority, the first runs on.
TEST_F(Lanes, LetTheClientHaveItsAnswerBeforeTheyWaitForTheNextRequest) {
  if (!may_have_priorities()) GTEST_SKIP() << "SCHED_FIFO is refused: it needs CAP_SYS_NICE or RLIMIT_RTPRIO";
  cpu_set_t usual, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof usual, &usual), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // what is made from here on is there, too
  const where::Teller_var teller = activate(PortableServer::POA_var(
      adapter(RTCORBA::SERVER_DECLARED, 20, lanes({20}))).in());
  const std::vector<pid_t> of_lane = threads_named("callis-lane");
  int calls = 0, still_runnable = 0;
  std::thread([&] {
    current->the_priority(20);
    for (int i = 0; i < 20; ++i) {
      const where::Place_var told = teller->tell();
      if (i == 0) continue;  // it connects, and the lane has taken the request from its poller
      ++calls;
      still_runnable += std::any_of(of_lane.begin(), of_lane.end(), is_runnable);
    }
  }).join();
  ASSERT_EQ(::sched_setaffinity(0, sizeof usual, &usual), 0);
  EXPECT_EQ(of_lane.size(), 2u);
  EXPECT_EQ(calls, 19);
  EXPECT_EQ(still_runnable, calls);
}

TEST_F(Lanes, ServeOnewayRequests) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  std::thread([&] {
    current->the_priority(20);
    teller->note();
  }).join();
  expect(noted_of(teller.in()), 20);
}

// RT-CORBA 1.2, 2.8.4: without request buffering

TEST_F(Lanes, WithoutBufferingRefuseWhatFindsNoThread) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}, 1, false, false));
  const where::Teller_var teller = activate(poa.in());
  std::thread waits([&] { teller->wait(); });
  here->until_waiting(1);
  EXPECT_THROW(where::Place_var(teller->tell()), CORBA::TRANSIENT);
  here->release();
  waits.join();
  expect(tell_of(teller.in()), 10);
}

TEST_F(Lanes, ThatAreExhaustedDoNotTakeThreadsOfOthers) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}, 1, false, false));
  const where::Teller_var teller = activate(poa.in());
  std::thread waits([&] {
    current->the_priority(20);
    teller->wait();
  });
  here->until_waiting(1);
  bool refused = false;
  std::thread([&] {
    current->the_priority(20);
    try {
      where::Place_var(teller->tell());
    } catch (const CORBA::TRANSIENT&) {
      refused = true;
    }
  }).join();
  EXPECT_TRUE(refused);
  expect(tell_at(current.in(), teller.in(), 10), 10);
  here->release();
  waits.join();
}

TEST_F(Lanes, BorrowThreadsOfLowerLanes) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}, 1, true, false));
  const where::Teller_var teller = activate(poa.in());
  std::thread waits([&] {
    current->the_priority(20);
    teller->wait();
  });
  here->until_waiting(1);
  expect(tell_at(current.in(), teller.in(), 20), 20);
  here->release();
  waits.join();
}

// The application's own thread is not changed by what it serves within the ORB.

TEST_F(Lanes, GiveBackThePriorityOfAThreadThatCallsWithinTheOrb) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}));
  const PortableServer::ObjectId_var id = poa->activate_object(here.in());
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const where::Teller_var own = where::Teller::_narrow(object.in());
  std::thread([&] {
    const where::Place_var place = own->tell();
    EXPECT_EQ(place->corba, 10);
    int policy = 0;
    sched_param param{};
    ::pthread_getschedparam(::pthread_self(), &policy, &param);
    EXPECT_EQ(policy, SCHED_OTHER);
    EXPECT_FALSE(callis::rt::thread_priority().has_value());
  }).join();
}

TEST_F(Lanes, KnowTheirReferencesAsTheirOwn) {
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}));
  const PortableServer::ObjectId_var id = poa->activate_object(here.in());
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const PortableServer::ObjectId_var found = poa->reference_to_id(object.in());
  ASSERT_EQ(found->length(), id->length());
  EXPECT_EQ(std::memcmp(found->get_buffer(), id->get_buffer(), id->length()), 0);
}

TEST_F(Lanes, OfAnAdapterAreNotDestroyed) {
  const RTCORBA::ThreadpoolId pool = lanes({10});
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  EXPECT_THROW(rt->destroy_threadpool(pool), CORBA::BAD_INV_ORDER);
}

TEST(LanesAlone, AreThereBeforeTheRootAdapterIsAskedForAndEndWithTheOrb) {
  const CORBA::ORB_var orb = make_orb("lanes_alone");
  const CORBA::Object_var object = orb->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var rt = RTCORBA::RTORB::_narrow(object.in());
  RTCORBA::ThreadpoolLanes list;
  list.length(1);
  list[0] = {10, 2, 0};
  EXPECT_NE(rt->create_threadpool_with_lanes(0, list, false, true, 0, 0), 0u);
  EXPECT_NE(rt->create_threadpool(0, 2, 0, 10, true, 0, 0), 0u);
  orb->destroy();
}

// So that firewalls let lanes through, and references to persistent objects outlive their server.

TEST(LanesAlone, ListenAtThePortsThatAnOptionSays) {
  for (int base = 23'000; base < 23'900; base += 100) {
    const std::string port = std::to_string(base);
    const CORBA::ORB_var orb = make_orb(("lanes_at_" + port).c_str(), {"-ORBLanePort", port.c_str()});
    const CORBA::Object_var object = orb->resolve_initial_references("RTORB");
    const RTCORBA::RTORB_var rt = RTCORBA::RTORB::_narrow(object.in());
    RTCORBA::ThreadpoolLanes list;
    list.length(2);
    list[0] = {10, 1, 0};
    list[1] = {20, 1, 0};
    RTCORBA::ThreadpoolId id = 0;
    try {
      id = rt->create_threadpool_with_lanes(0, list, false, true, 0, 0);
    } catch (const CORBA::NO_RESOURCES&) {  // another program has one of these ports
      orb->destroy();
      continue;
    }
    const auto pool = callis::rt::ThreadpoolSet::of(*static_cast<callis::orb::Core*>(orb.in())).find(id);
    ASSERT_NE(pool, nullptr);
    const auto addresses = pool->addresses();
    ASSERT_EQ(addresses.size(), 2u);
    EXPECT_EQ(addresses[0].address.port, base);
    EXPECT_EQ(addresses[1].address.port, base + 1);
    orb->destroy();
    return;
  }
  FAIL() << "no two ports in a row are free";
}

// Threads of lanes keep their buffers, but not those that large requests wanted.

TEST_F(Lanes, KeepLittleMemoryOfLargeRequests) {
  constexpr std::size_t kLarge = 4u << 20, kUsual = 256u << 10;
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, lanes({10}, 4));
  const where::Teller_var teller = activate(poa.in());
  const auto profile = ior::parse_iiop(teller->_callis_reference()->ior().profiles[0].data);
  ASSERT_TRUE(profile);
  const std::size_t before = PeerMemory::held();
  Buffer request;
  cdr::Encoder e(request);
  giop::OutgoingRequest header;
  header.target = giop::Target::key(profile.value().object_key);
  header.operation = "large";
  const auto started = giop::begin_request(e, giop::kGiop12, header);
  e.put_octets(std::vector<Byte>(kLarge));
  ASSERT_EQ(giop::finish_message(e, started), Fault::None);
  std::vector<std::unique_ptr<orb::testing::RawClient>> clients;
  for (int i = 0; i < 4; ++i)
    clients.push_back(std::make_unique<orb::testing::RawClient>(profile.value().address.port));
  for (const auto& c : clients) ASSERT_TRUE(c->send(request.view()));
  for (const auto& c : clients) EXPECT_EQ(c->hear().exception, "IDL:omg.org/CORBA/BAD_OPERATION:1.0");
  clients.clear();
  EXPECT_TRUE(callis::testing::soon([&] { return PeerMemory::held() <= before + 4 * kUsual; }));
}

TEST_F(Lanes, OfNobodyAreDestroyed) {
  const RTCORBA::ThreadpoolId pool = lanes({10});
  rt->destroy_threadpool(pool);
  EXPECT_THROW(rt->destroy_threadpool(pool), RTCORBA::RTORB::InvalidThreadpool);
}

// 2.5.2: the mapping has no native priority for it.
TEST_F(Lanes, OfAPoolAreNotMadeForPrioritiesThatTheMappingHasNot) {
  if (!may_have_priorities()) GTEST_SKIP() << "without native priorities nothing is mapped";
  const RTCORBA::ThreadpoolId id = rt->create_threadpool(0, 2, 0, 10, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, id);
  const where::Teller_var teller = activate(poa.in());
  const auto pool = ThreadpoolSet::of(*static_cast<orb::Core*>(server.in())).find(id);
  ASSERT_NE(pool, nullptr);
  const std::size_t before = pool->addresses().size();
  std::thread([&] {
    set_thread_priority(RTCORBA::Priority{5'000});  // as a client with another mapping has it
    EXPECT_THROW(tell_of(teller.in()), CORBA::DATA_CONVERSION);
  }).join();
  EXPECT_EQ(pool->addresses().size(), before);
}

TEST_F(Lanes, OfAPoolWithoutLanesAndBufferingRefuseWhatFindsNoThreadAtEachPriority) {
  const RTCORBA::ThreadpoolId id = rt->create_threadpool(0, 1, 0, 10, false, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, id);
  const where::Teller_var teller = activate(poa.in());
  std::thread caller([&] {
    current->the_priority(20);
    teller->wait();
  });
  here->until_waiting(1);
  std::thread([&] {
    current->the_priority(20);
    EXPECT_THROW(tell_of(teller.in()), CORBA::TRANSIENT);
  }).join();
  here->release();
  caller.join();
}

TEST_F(Lanes, OfAPoolWithoutLanesAreAtMostSixteen) {
  const RTCORBA::ThreadpoolId id = rt->create_threadpool(0, 2, 0, 10, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, id);
  const where::Teller_var teller = activate(poa.in());
  const auto pool = ThreadpoolSet::of(*static_cast<orb::Core*>(server.in())).find(id);
  for (Priority p = 20; p < 45; ++p) EXPECT_EQ(tell_at(current.in(), teller.in(), p).corba, p);
  EXPECT_EQ(pool->addresses().size(), Threadpool::kMostPriorities);
}

// A pool of one thread, whose permit the thread has already.

TEST_F(Lanes, ServeCallsWithinTheOrbByTheThreadThatMakesThem) {
  const RTCORBA::ThreadpoolId pool = rt->create_threadpool(0, 1, 0, 10, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  PortableServer::Servant_var<Here> other = new Here(server.in());
  const PortableServer::ObjectId_var id = poa->activate_object(other.in());
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const where::Teller_var inner = at_client(object.in());
  const where::Place_var place = teller->ask(inner.in());
  EXPECT_EQ(place->corba, 10);
  EXPECT_STREQ(place->thread, "callis-lane");
}

TEST_F(Lanes, BeyondTheMostOfAPoolAreRefused) {
  RTCORBA::ThreadpoolLanes list;
  for (Priority p = 0; p < 65; ++p) {
    list.length(list.length() + 1);
    list[list.length() - 1] = {p, 1, 0};
  }
  EXPECT_THROW(rt->create_threadpool_with_lanes(0, list, false, true, 0, 0), CORBA::NO_RESOURCES);
}

TEST_F(Lanes, BeyondTheThreadsOfTheOrbAreRefused) {
  EXPECT_THROW(lanes({10, 20}, 20'000), CORBA::NO_RESOURCES);
}

}  // namespace
}  // namespace callis::rt
