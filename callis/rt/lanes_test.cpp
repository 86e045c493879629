// SPDX-License-Identifier: Apache-2.0
// Requests and their lanes, over TCP, between two ORBs of this process.
#include <callis/ior/ior.h>
#include <callis/orb/core/core.h>
#include <callis/orb/reference/reference.h>
#include <callis/orb/server/server.h>
#include <callis/rt.h>
#include <callis/rt/permissions.h>
#include <callis/rt/priorities.h>
#include <callis/rt/threadpool_set.h>
#include <gtest/gtest.h>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include "where_skel.h"

namespace {

using RTCORBA::Priority;

bool may_have_priorities() { return callis::rt::FifoPermission::look().granted(); }

where::Place tell_of(where::Teller_ptr teller) { return where::Place_var(teller->tell()).in(); }
where::Place noted_of(where::Teller_ptr teller) { return where::Place_var(teller->noted()).in(); }

class Here final : public POA_where::Teller {
 public:
  explicit Here(CORBA::ORB_ptr orb) {
    const CORBA::Object_var object = orb->resolve_initial_references("RTCurrent");
    current_ = RTCORBA::Current::_narrow(object.in());
  }
  where::Place* tell() override { return place(); }
  void note() override {
    const where::Place_var now = place();
    const std::lock_guard lock(mutex_);
    noted_ = now.in();
    changed_.notify_all();
  }
  where::Place* noted() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return noted_.corba != 0; });
    return new where::Place(noted_);
  }
  where::Place* ask(where::Teller_ptr other) override { return other->tell(); }
  void wait() override {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return released_; });
  }

  void until_waiting(int n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == n; });
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  where::Place* place() {
    auto p = std::make_unique<where::Place>();
    try {
      p->corba = current_->the_priority();
    } catch (const CORBA::INITIALIZE&) {
      p->corba = -1;
    }
    int policy = 0;
    sched_param param{};
    ::pthread_getschedparam(::pthread_self(), &policy, &param);
    p->fifo = policy == SCHED_FIFO ? param.sched_priority : 0;
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    p->thread = static_cast<const char*>(name);
    return p.release();
  }

  RTCORBA::Current_var current_;
  std::mutex mutex_;
  std::condition_variable changed_;
  where::Place noted_{};
  int waiting_ = 0;
  bool released_ = false;
};

CORBA::ORB_ptr make_orb(const char* id, std::initializer_list<const char*> options = {}) {
  std::vector<std::string> words{"test", "-ORBEndpoint", "tcp:127.0.0.1:0"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

struct Lanes : ::testing::Test {
  CORBA::ORB_var server = make_orb("lanes_server"), client = make_orb("lanes_client");
  PortableServer::POA_var root;
  RTCORBA::RTORB_var rt;
  RTCORBA::Current_var current;
  PortableServer::Servant_var<Here> here = new Here(server.in());

  Lanes() {
    CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    object = server->resolve_initial_references("RTORB");
    rt = RTCORBA::RTORB::_narrow(object.in());
    object = client->resolve_initial_references("RTCurrent");
    current = RTCORBA::Current::_narrow(object.in());
  }
  ~Lanes() override {
    here->release();
    client->destroy();
    server->destroy();
  }

  RTCORBA::ThreadpoolId lanes(std::initializer_list<Priority> priorities, CORBA::ULong threads = 2,
                              bool borrowing = false, bool buffering = true) {
    RTCORBA::ThreadpoolLanes list;
    for (const Priority p : priorities) {
      list.length(list.length() + 1);
      list[list.length() - 1] = {p, threads, 0};
    }
    return rt->create_threadpool_with_lanes(0, list, borrowing, buffering, 0, 0);
  }
  static void add(CORBA::PolicyList& list, CORBA::Policy_ptr one) {
    list.length(list.length() + 1);
    list[list.length() - 1] = one;
  }
  PortableServer::POA_ptr adapter(RTCORBA::PriorityModel model, Priority priority, RTCORBA::ThreadpoolId pool,
                                  std::initializer_list<RTCORBA::PriorityBand> bands = {}) {
    CORBA::PolicyList policies;
    add(policies, rt->create_priority_model_policy(model, priority));
    add(policies, rt->create_threadpool_policy(pool));
    if (bands.size() != 0) {
      RTCORBA::PriorityBands list;
      for (const RTCORBA::PriorityBand& b : bands) {
        list.length(list.length() + 1);
        list[list.length() - 1] = b;
      }
      add(policies, rt->create_priority_banded_connection_policy(list));
    }
    PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA("realtime", manager.in(), policies);
  }
  where::Teller_ptr at_client(CORBA::Object_ptr object) {
    const CORBA::String_var text = server->object_to_string(object);
    const CORBA::Object_var there = client->string_to_object(text.in());
    return where::Teller::_narrow(there.in());
  }
  where::Teller_ptr activate(PortableServer::POA_ptr poa) {
    const PortableServer::ObjectId_var id = poa->activate_object(here.in());
    const CORBA::Object_var object = poa->id_to_reference(id.in());
    return at_client(object.in());
  }
  static void runs_at(const where::Place& p, int corba) {
    const int native = may_have_priorities() ? corba + 1 : 0;  // by the mapping continuous
    EXPECT_EQ(p.fifo, native);
  }
  void expect(const where::Place& p, Priority corba, bool at_lane = true) {
    EXPECT_EQ(p.corba, corba);
    runs_at(p, corba);
    if (at_lane) {
      EXPECT_STREQ(p.thread, "callis-lane");
    }
  }
  // What the call is told by a client's thread of that priority.
  static where::Place tell_at(RTCORBA::Current_ptr current, where::Teller_ptr teller, Priority priority) {
    where::Place found{};
    std::thread([&] {
      current->the_priority(priority);
      const where::Place_var p = teller->tell();
      found = p.in();
    }).join();
    return found;
  }
};

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

// 2.6.1: a thread that has set no priority has that of its native one, here 0.
TEST_F(Lanes, ServeThreadsThatHaveSetNoPriority) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 20, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  where::Place found{};
  std::thread([&] { found = tell_of(teller.in()); }).join();  // a thread that has set none: 0
  EXPECT_EQ(found.corba, 0);
}

// Requests that come to the ORB's own address are sent to the lane's, once.
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

TEST_F(Lanes, OfAPoolWithoutLanesAreMadeForEachPriority) {
  const RTCORBA::ThreadpoolId pool = rt->create_threadpool(0, 3, 0, 5, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 5, pool);
  const where::Teller_var teller = activate(poa.in());
  for (int i = 0; i < 3; ++i)
    for (const Priority p : std::initializer_list<Priority>{5, 30, 12})
      expect(tell_at(current.in(), teller.in(), p), p);
}

// Each priority is sent to its lane once: afterwards calls find it by themselves.
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

class Half final : public RTCORBA::PriorityTransform {
 public:
  CORBA::Boolean inbound(Priority&, const PortableServer::ObjectId&) override { return true; }
  CORBA::Boolean outbound(Priority& priority, const PortableServer::ObjectId&) override {
    priority = static_cast<Priority>(priority / 2);
    return priority != 5;
  }
};

// 2.5.4: outbound transforms change the calls that servants make, and those alone.
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

// 2.10: PriorityBandedConnectionPolicy
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

// 2.11: PrivateConnectionPolicy
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

TEST_F(Lanes, OfNobodyAreDestroyed) {
  const RTCORBA::ThreadpoolId pool = lanes({10});
  rt->destroy_threadpool(pool);
  EXPECT_THROW(rt->destroy_threadpool(pool), RTCORBA::RTORB::InvalidThreadpool);
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
