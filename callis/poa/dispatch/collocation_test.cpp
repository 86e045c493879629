// SPDX-License-Identifier: Apache-2.0
// Calls to objects of the caller's own ORB, by each way (orb/core/collocated.h): to the caller they are all
// the same.
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/testing/orb_fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

const char* name_of(Collocation way) {
  return way == Collocation::Direct ? "direct" : way == Collocation::ThroughAdapter ? "adapter" : "marshaled";
}

struct Ways : OrbFixture, ::testing::WithParamInterface<Collocation> {
  Ways() : OrbFixture({"-ORBCollocation", name_of(GetParam())}) {}
  Servant_var<Probe> servant{new Probe};
  CORBA::Object_var object = activate(servant.in(), root.in());

  template <class X, class F>
  std::pair<CORBA::ULong, CORBA::CompletionStatus> thrown(F f) {
    try {
      f();
    } catch (const X& e) {
      return {e.minor(), e.completed()};
    }
    ADD_FAILURE() << "nothing thrown";
    return {0, CORBA::COMPLETED_MAYBE};
  }
};

TEST_P(Ways, ArgumentsGoInAndResultsComeBack) {
  for (int i = 0; i < 3; ++i) {
    ping(object.in());
    EXPECT_EQ(add(object.in(), 40, i), 40 + i);
    EXPECT_EQ(greet(object.in(), "you"), "hello you");
    tick(object.in(), 2);
  }
  EXPECT_EQ(servant->pings, 3);
  EXPECT_EQ(servant->ticks, 6);
  CORBA::Octet block[4096] = {};
  block[0] = 7;
  block[4095] = 8;
  EXPECT_EQ(sum(object.in(), block), 15);
}

TEST_P(Ways, UserExceptionsArriveTyped) {
  try {
    greet(object.in(), "stranger");
    FAIL();
  } catch (const Refused& e) {
    EXPECT_STREQ(e.why.in(), "go away");
  }
}

TEST_P(Ways, WhatElseAServantThrowsIsAsItWouldBeFromAfar) {
  servant->during = [] { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_YES); };
  EXPECT_EQ(thrown<CORBA::NO_PERMISSION>([&] { act(object.in()); }),
            std::make_pair(CORBA::ULong{7}, CORBA::COMPLETED_YES));
  servant->during = [] { throw Refused("not listed"); };
  EXPECT_EQ(thrown<CORBA::UNKNOWN>([&] { act(object.in()); }),
            std::make_pair(CORBA::ULong{orb::omg(1)}, CORBA::COMPLETED_MAYBE));
  servant->during = [] { throw std::bad_alloc(); };
  EXPECT_EQ(thrown<CORBA::NO_MEMORY>([&] { act(object.in()); }),
            std::make_pair(CORBA::ULong{kServantNoMemory}, CORBA::COMPLETED_MAYBE));
  servant->during = [] { throw 3; };
  EXPECT_EQ(thrown<CORBA::UNKNOWN>([&] { act(object.in()); }),
            std::make_pair(CORBA::ULong{kServantThrew}, CORBA::COMPLETED_MAYBE));
}

TEST_P(Ways, NullStringsAreRefusedOnBothSides) {
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { greet(object.in(), nullptr); }).second, CORBA::COMPLETED_NO);
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { greet(object.in(), "null"); }).second, CORBA::COMPLETED_YES);
}

TEST_P(Ways, OnewaysTellNothing) {
  struct Thrower : Probe {
    void tick(CORBA::Long) override { throw CORBA::INTERNAL(); }
  };
  const Servant_var<Thrower> thrower(new Thrower);
  const CORBA::Object_var o = activate(thrower.in(), root.in());
  EXPECT_NO_THROW(tick(o.in(), 1));
}

// An IDL file's code has each name once, for the operations of all interfaces.
TEST_P(Ways, OperationsOfTwoInterfacesAreNotMistakenForEachOther) {
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(add(object.in(), 40, i), 40 + i);
    EXPECT_THROW(orb::invoke(object.in(), probe_unit, kOtherAdd, nullptr), CORBA::MARSHAL);
    tick(object.in(), 2);
    CORBA::Long n = 3;
    orb::invoke(object.in(), probe_unit, kOtherTick, &n);  // its answer comes
    EXPECT_EQ(servant->ticks, 5 * i);
  }
}

TEST_P(Ways, CurrentTellsAdapterIdAndServant) {
  const CORBA::Object_var c = orb->resolve_initial_references("POACurrent");
  const Current_var current = Current::_narrow(c.in());
  bool right = false;
  servant->during = [&] {
    const POA_var poa = current->get_POA();
    const ServantBase_var s(current->get_servant());
    const CORBA::Object_var r = current->get_reference();
    right = poa.in() == root.in() && s.in() == servant.in() && r->_is_equivalent(object.in());
  };
  act(object.in());
  EXPECT_TRUE(right);
  EXPECT_THROW(current->get_POA(), Current::NoContext);
}

TEST_P(Ways, TheManagersStateIsObeyed) {
  ping(object.in());
  manager->discard_requests(false);
  EXPECT_EQ(thrown<CORBA::TRANSIENT>([&] { ping(object.in()); }).first, orb::omg(1));
  manager->hold_requests(false);
  std::thread client([&] { ping(object.in()); });
  auto& registry = dynamic_cast<Adapter&>(*root.in()).registry();
  await([&] { return registry.held() == 1; });
  manager->activate();
  client.join();
  EXPECT_EQ(servant->pings, 2);
  manager->deactivate(false, false);
  EXPECT_EQ(thrown<CORBA::OBJ_ADAPTER>([&] { ping(object.in()); }).first, orb::omg(1));
}

TEST_P(Ways, ADeactivatedObjectIsGoneAndItsSuccessorIsNotMistakenForIt) {
  ping(object.in());
  const ObjectId_var id = root->reference_to_id(object.in());
  root->deactivate_object(id.in());
  const Servant_var<Probe> next(new Probe);
  const CORBA::Object_var successor = activate(next.in(), root.in());
  EXPECT_THROW(ping(object.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(object->_non_existent());
  ping(successor.in());
  EXPECT_EQ(servant->pings, 1);
  EXPECT_EQ(next->pings, 1);
}

TEST_P(Ways, DeactivationWaitsForTheCall) {
  const int before = Probe::alive;
  CORBA::Object_var mine;
  {
    const Servant_var<Probe> s(new Probe);
    mine = activate(s.in(), root.in());
    s->during = [&] {
      const ObjectId_var id = root->reference_to_id(mine.in());
      root->deactivate_object(id.in());
      EXPECT_EQ(Probe::alive, before + 1);
    };
  }
  act(mine.in());
  EXPECT_EQ(Probe::alive, before);
}

TEST_P(Ways, AServantEndsOnlyWhenNoneOfItsCallersIsInIt) {
  static std::atomic<int> inside{0};
  struct Guarded : Probe {
    CORBA::Long add(CORBA::Long a, CORBA::Long b) override {
      ++inside;
      std::this_thread::yield();
      --inside;
      return Probe::add(a, b);
    }
    ~Guarded() override { EXPECT_EQ(inside, 0); }
  };
  const int before = Probe::alive;
  for (int round = 0; round < 50; ++round) {
    const CORBA::Object_var mine = activate(Servant_var<Guarded>(new Guarded).in(), root.in());
    const ObjectId_var id = root->reference_to_id(mine.in());
    std::atomic<int> callers{0};
    const auto call = [&] {
      EXPECT_EQ(add(mine.in(), round, 1), round + 1);
      ++callers;
      EXPECT_THROW(
          for (;;) add(mine.in(), 1, 2), CORBA::OBJECT_NOT_EXIST);
    };
    std::thread one(call), other(call);
    while (callers < 2) std::this_thread::yield();
    root->deactivate_object(id.in());
    one.join();
    other.join();
    EXPECT_EQ(Probe::alive, before);
  }
}

TEST_P(Ways, CallsNest) {
  const Servant_var<Probe> inner(new Probe);
  const CORBA::Object_var i = activate(inner.in(), root.in());
  int depth = 0;
  inner->during = [&] { EXPECT_EQ(add(object.in(), 1, 2), 3); };
  servant->during = [&] {
    if (++depth < 40) act(object.in());
    else act(i.in());
  };
  act(object.in());
  EXPECT_EQ(depth, 40);
}

TEST_P(Ways, WhatWouldWaitForTheCallItselfIsBadInvOrder3) {
  servant->during = [&] {
    EXPECT_EQ(thrown<CORBA::BAD_INV_ORDER>([&] { orb->shutdown(true); }).first, orb::omg(3));
    EXPECT_EQ(thrown<CORBA::BAD_INV_ORDER>([&] { orb->destroy(); }).first, orb::omg(3));
    EXPECT_EQ(thrown<CORBA::BAD_INV_ORDER>([&] { root->destroy(true, true); }).first, orb::omg(3));
    EXPECT_EQ(thrown<CORBA::BAD_INV_ORDER>([&] { manager->hold_requests(true); }).first, orb::omg(3));
  };
  act(object.in());
}

TEST_P(Ways, ShutdownWaitsForTheCall) {
  std::promise<void> entered, go;
  std::atomic<bool> left{false};
  servant->during = [&] {
    entered.set_value();
    go.get_future().wait();
    left = true;
  };
  std::thread client([&] { act(object.in()); });
  entered.get_future().wait();
  std::thread stopper([&] {
    orb->shutdown(true);
    EXPECT_TRUE(left);
  });
  EXPECT_THROW(
      for (;;) {
        ping(object.in());
        std::this_thread::yield();
      },
      CORBA::BAD_INV_ORDER);
  go.set_value();
  client.join();
  stopper.join();
}

TEST_P(Ways, DestroyOfTheAdapterWaitsForTheCall) {
  const POA_var poa = child("a");
  const Servant_var<Probe> s(new Probe);
  const CORBA::Object_var o = activate(s.in(), poa.in());
  std::promise<void> entered, go;
  std::atomic<bool> left{false};
  s->during = [&] {
    entered.set_value();
    go.get_future().wait();
    left = true;
  };
  std::thread client([&] { act(o.in()); });
  entered.get_future().wait();
  std::thread destroyer([&] {
    poa->destroy(true, true);
    EXPECT_TRUE(left);
  });
  EXPECT_THROW(
      for (;;) {
        ping(o.in());
        std::this_thread::yield();
      },
      CORBA::SystemException);
  go.set_value();
  client.join();
  destroyer.join();
}

TEST_P(Ways, SingleThreadAdaptersServeOneAtATime) {
  const POA_var poa = child("single", root->create_thread_policy(SINGLE_THREAD_MODEL));
  const Servant_var<Probe> s(new Probe);
  const CORBA::Object_var o = activate(s.in(), poa.in());
  std::atomic<int> inside{0}, most{0};
  s->during = [&] {
    const int now = ++inside;
    if (now > most) most = now;
    std::this_thread::yield();
    --inside;
  };
  std::vector<std::thread> clients;
  for (int t = 0; t < 4; ++t) clients.emplace_back([&] { for (int i = 0; i < 100; ++i) act(o.in()); });
  for (auto& c : clients) c.join();
  EXPECT_EQ(most, 1);
}

TEST_P(Ways, DefaultServantsAndServantManagersAreAsked) {
  const POA_var poa =
      child("default", static_cast<CORBA::Policy*>(root->create_request_processing_policy(USE_DEFAULT_SERVANT)),
            static_cast<CORBA::Policy*>(root->create_id_uniqueness_policy(MULTIPLE_ID)));
  poa->set_servant(servant.in());
  const CORBA::Object_var o = poa->create_reference(kProbeId);
  for (int i = 0; i < 3; ++i) ping(o.in());
  EXPECT_EQ(servant->pings, 3);
  struct Maker : ServantActivator {
    Servant_var<Probe> made{new Probe};
    Servant incarnate(const ObjectId&, POA_ptr) override { return made.in(); }
    void etherealize(const ObjectId&, POA_ptr, Servant, CORBA::Boolean, CORBA::Boolean) override {}
  };
  const classic::ReferenceVar<Maker> maker(new Maker);
  const POA_var lazy = child("lazy", root->create_request_processing_policy(USE_SERVANT_MANAGER));
  lazy->set_servant_manager(maker.in());
  const CORBA::Object_var l = lazy->create_reference(kProbeId);
  for (int i = 0; i < 3; ++i) ping(l.in());
  EXPECT_EQ(maker->made->pings, 3);
}

TEST_P(Ways, ForwardsAreFollowed) {
  struct Forwarder : ServantActivator {
    CORBA::Object_var to;
    int asked = 0;
    Servant incarnate(const ObjectId&, POA_ptr) override {
      ++asked;
      throw ForwardRequest(to.in());
    }
    void etherealize(const ObjectId&, POA_ptr, Servant, CORBA::Boolean, CORBA::Boolean) override {}
  };
  const classic::ReferenceVar<Forwarder> forwarder(new Forwarder);
  forwarder->to = CORBA::Object::_duplicate(object.in());
  const POA_var lazy = child("lazy", root->create_request_processing_policy(USE_SERVANT_MANAGER));
  lazy->set_servant_manager(forwarder.in());
  const CORBA::Object_var l = lazy->create_reference(kProbeId);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(add(l.in(), 1, i), 1 + i);
}

TEST_P(Ways, AnAdaptersPolicyComesBeforeTheOrbsOption) {
  for (const Collocation way : {Collocation::Direct, Collocation::ThroughAdapter, Collocation::Marshaled}) {
    const POA_var poa = child(name_of(way), create_collocation_policy(way));
    EXPECT_EQ(dynamic_cast<Adapter&>(*poa.in()).collocation(), way);
    const CORBA::Object_var o = activate(servant.in(), poa.in());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(add(o.in(), 1, i), 1 + i);
  }
  EXPECT_EQ(dynamic_cast<Adapter&>(*root.in()).collocation(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Collocation, Ways,
                         ::testing::Values(Collocation::Direct, Collocation::ThroughAdapter, Collocation::Marshaled),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace callis::poa::testing
