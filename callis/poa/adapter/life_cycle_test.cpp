// SPDX-License-Identifier: Apache-2.0
// How long servants live, and requests that overlap with activation and destruction.
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct Life : PoaTest {
  POA_var user = child("user", root->create_id_assignment_policy(USER_ID));
  const ObjectId_var one = text_id("one");
  Servant_var<Probe> servant{new Probe};
};

TEST_F(Life, ActivationAddsOneCountAndDeactivationGivesItBack) {
  EXPECT_EQ(servant->_refcount_value(), 1u);
  const ObjectId_var id = root->activate_object(servant.in());
  EXPECT_EQ(servant->_refcount_value(), 2u);
  root->deactivate_object(id.in());
  EXPECT_EQ(servant->_refcount_value(), 1u);
}

TEST_F(Life, FailedActivationsLeaveTheCountAlone) {
  EXPECT_THROW(user->activate_object(servant.in()), POA::WrongPolicy);
  EXPECT_THROW(root->activate_object_with_id(one.in(), servant.in()), CORBA::BAD_PARAM);
  const ObjectId_var id = root->activate_object(servant.in());
  EXPECT_THROW(root->activate_object(servant.in()), POA::ServantAlreadyActive);
  EXPECT_EQ(servant->_refcount_value(), 2u);
}

TEST_F(Life, TheLastOfSeveralRequestsLetsTheServantGo) {
  std::promise<void> go;
  std::shared_future<void> gone = go.get_future().share();
  std::atomic<int> inside{0};
  CORBA::Object_var reference;
  activate(reference)->during = [&inside, gone] {
    ++inside;
    gone.wait();
  };
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] {
      FakeRequest request(key_of(reference), "act");
      call(request);
      EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
    });
  await([&] { return inside == 3; });
  const int alive = Probe::alive;
  const ObjectId_var id = root->reference_to_id(reference.in());
  root->deactivate_object(id.in());
  EXPECT_EQ(Probe::alive, alive);
  go.set_value();
  for (auto& c : clients) c.join();
  EXPECT_EQ(Probe::alive, alive - 1);
}

TEST_F(Life, AServantsDestructorMayUseTheAdapter) {
  struct Last : Probe {
    POA_ptr poa = nullptr;
    ~Last() override {
      const Servant_var<Probe> next(new Probe);
      const ObjectId_var id = poa->activate_object(next.in());
      poa->deactivate_object(id.in());
    }
  };
  CORBA::Object_var reference;
  activate<Last>(reference)->poa = root.in();
  const ObjectId_var id = root->reference_to_id(reference.in());
  root->deactivate_object(id.in());
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(Life, ServantsThatAreNotCountedSurvive) {
  struct OnTheStack : Probe {
    void _add_ref() override {}
    void _remove_ref() override {}
  } local;
  const ObjectId_var id = root->activate_object(&local);
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
  root->deactivate_object(id.in());
  EXPECT_EQ(local.pings, 1);
}

TEST_F(Life, NestedCallsFromUpcallsWork) {
  CORBA::Object_var inner;
  Probe* target = activate(inner);
  in_upcall([&] { EXPECT_EQ(ping(key_of(inner)), "ok"); });
  EXPECT_EQ(target->pings, 1);
}

TEST_F(Life, SingleThreadModelServesOneRequestAtATimeButNestsInOneThread) {
  const POA_var single = child("single", root->create_thread_policy(SINGLE_THREAD_MODEL));
  CORBA::Object_var reference;
  Probe* probe = activate(reference, single.in());
  std::atomic<int> inside{0}, most{0};
  probe->during = [&] {
    if (++inside > most) most = inside.load();
    EXPECT_EQ(ping(key_of(reference)), "ok");
    --inside;
  };
  std::vector<std::thread> clients;
  for (int t = 0; t < 3; ++t)
    clients.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        FakeRequest request(key_of(reference), "act");
        call(request);
        EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
      }
    });
  for (auto& c : clients) c.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(probe->pings, 150);
}

// Callers, activators and a destroyer at once: every call ends in a reply or a clean refusal, and no servant is
// left over.
TEST_F(Life, CycleStress) {
  std::mutex mutex;
  Key shared;
  POA_var poa = child("stress");
  std::atomic<bool> stop{false};
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop) {
        Key key;
        {
          const std::lock_guard lock(mutex);
          key = shared;
        }
        FakeRequest request(key, "ping");
        call(request);
        if (request.outcome == FakeRequest::Outcome::Reply) ++served;
        else EXPECT_TRUE(request.exception_id.find("OBJECT_NOT_EXIST") != std::string::npos ||
                         request.exception_id.find("TRANSIENT") != std::string::npos)
                 << request.system();
      }
    });
  for (int round = 0; round < 60; ++round) {
    for (int i = 0; i < 10; ++i) {
      CORBA::Object_var reference;
      activate(reference, poa.in());
      {
        const std::lock_guard lock(mutex);
        shared = key_of(reference);
      }
      if (i % 2 == 0) {
        const ObjectId_var id = poa->reference_to_id(reference.in());
        poa->deactivate_object(id.in());
      }
    }
    await([&, before = served.load()] { return served > before || round % 8; });
    poa->destroy(true, round % 2);
    poa = child("stress");
  }
  stop = true;
  for (auto& t : threads) t.join();
  poa->destroy(true, true);
  EXPECT_EQ(Probe::alive - alive_before, 1);  // servant
}

}  // namespace
}  // namespace callis::poa::testing
