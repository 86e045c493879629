// SPDX-License-Identifier: Apache-2.0
// MAIN_THREAD_MODEL (CORBA 3.3 part 1, 15.3.8.1): requests, and calls of servant managers, are served on the main
// thread.
#include <callis/orb/core/core.h>
#include <callis/orb/server/main_thread.h>
#include <callis/poa/testing/orb_fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// The test's thread is the main thread until another has been inside run().
struct MainThreadModel : ::testing::TestWithParam<const char*> {
  CORBA::ORB_var server =
      make_orb("main_server", {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()});
  CORBA::ORB_var client = make_orb("main_client", {});
  POA_var root = POA::_narrow(CORBA::Object_var(server->resolve_initial_references("RootPOA")).in());
  POA_var main = child(root->create_thread_policy(MAIN_THREAD_MODEL));
  Servant_var<Probe> servant{new Probe};

  MainThreadModel() { POAManager_var(root->the_POAManager())->activate(); }
  ~MainThreadModel() override {
    server->destroy();
    client->destroy();
  }
  template <class... P>
  POA_ptr child(P*... policies) {
    CORBA::PolicyList list;
    list.length(sizeof...(P));
    CORBA::ULong i = 0;
    ((list[i++] = static_cast<CORBA::Policy*>(policies)), ...);
    const POAManager_var manager = root->the_POAManager();
    return root->create_POA("main", manager.in(), list);
  }
  CORBA::Object_ptr activate(Probe& probe) {
    const ObjectId_var id = main->activate_object(&probe);
    return main->id_to_reference(id.in());
  }
  CORBA::Object_ptr seen_by_client(CORBA::Object_ptr o) {
    return client->string_to_object(CORBA::String_var(server->object_to_string(o)).in());
  }
  // The outcome of a call that another thread makes.
  static std::future<std::string> act_elsewhere(CORBA::Object_ptr o) {
    return std::async(std::launch::async,
                      [object = CORBA::Object_var(CORBA::Object::_duplicate(o))]() -> std::string {
                        try {
                          OrbFixture::act(object.in());
                          return "ok";
                        } catch (const CORBA::SystemException& e) {
                          return std::string(e._name()) + (e.completed() == CORBA::COMPLETED_NO ? " NO" : " other");
                        }
                      });
  }
  template <class F>
  void work_until(F done) {
    while (!done()) server->perform_work();
  }
  static bool over(const std::future<std::string>& f) {
    return f.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, MainThreadModel, ::testing::Values("connection", "pool", "single"),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(MainThreadModel, ServesRequestsOfOthersInRunOneAtATime) {
  const CORBA::Object_var own = activate(*servant.in()), far = seen_by_client(own.in());
  std::atomic<int> inside{0}, most{0}, elsewhere{0};
  std::atomic<std::thread::id> main_id{};
  servant->during = [&] {
    if (++inside > most) most = inside.load();
    elsewhere += std::this_thread::get_id() != main_id;
    OrbFixture::ping(own.in());  // nests
    --inside;
  };
  std::thread main_thread([&] {
    main_id = std::this_thread::get_id();
    server->run();
  });
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&, o = t % 2 ? own.in() : far.in()] {
      for (int i = 0; i < 50; ++i) OrbFixture::act(o);
    });
  for (auto& c : callers) c.join();
  server->shutdown(false);
  main_thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(elsewhere, 0);
  EXPECT_EQ(servant->pings, 200);
}

TEST_P(MainThreadModel, ServesWhatWaitsInPerformWork) {
  const CORBA::Object_var own = activate(*servant.in());
  std::thread::id where{};
  servant->during = [&] { where = std::this_thread::get_id(); };
  auto near = act_elsewhere(own.in());
  await([&] { return server->work_pending(); });
  EXPECT_FALSE(over(near));
  server->perform_work();
  EXPECT_EQ(near.get(), "ok");
  EXPECT_EQ(where, std::this_thread::get_id());
  OrbFixture::act(own.in());  // the main thread's own call, outside of perform_work(): at once
  auto far = act_elsewhere(CORBA::Object_var(seen_by_client(own.in())).in());
  work_until([&] { return over(far); });
  EXPECT_EQ(far.get(), "ok");
}

TEST_P(MainThreadModel, AsksServantManagersOnTheMainThread) {
  struct WaitingActivator final : ServantActivator {
    std::vector<std::thread::id> where;
    Servant incarnate(const ObjectId&, POA_ptr) override {
      where.push_back(std::this_thread::get_id());
      return new Probe;
    }
    void etherealize(const ObjectId&, POA_ptr, Servant s, CORBA::Boolean, CORBA::Boolean) override {
      where.push_back(std::this_thread::get_id());
      s->_remove_ref();
    }
  };
  main->destroy(false, true);
  main = child(root->create_thread_policy(MAIN_THREAD_MODEL), root->create_id_assignment_policy(USER_ID),
               root->create_request_processing_policy(USE_SERVANT_MANAGER));
  const classic::ReferenceVar<WaitingActivator> activator(new WaitingActivator);
  main->set_servant_manager(activator.in());
  const ObjectId_var id = text_id("x");
  const CORBA::Object_var own = main->create_reference_with_id(id.in(), kProbeId);
  auto far = act_elsewhere(CORBA::Object_var(seen_by_client(own.in())).in());
  work_until([&] { return over(far); });
  EXPECT_EQ(far.get(), "ok");
  auto end = std::async(std::launch::async, [&]() -> std::string {
    main->deactivate_object(id.in());
    return "ok";
  });
  work_until([&] { return over(end); });
  const std::thread::id here = std::this_thread::get_id();
  EXPECT_EQ(activator->where, (std::vector<std::thread::id>{here, here}));
}

TEST_P(MainThreadModel, UpcallsThatWaitAtShutdownAreTransient) {
  const CORBA::Object_var own = activate(*servant.in()), far = seen_by_client(own.in());
  auto near = act_elsewhere(own.in());
  await([&] { return server->work_pending(); });
  server->shutdown(true);
  EXPECT_EQ(near.get(), "TRANSIENT NO");
}

// It would wait for itself.
TEST_P(MainThreadModel, TheMainThreadMayWaitForTheEndOfAnAdapterWhoseUpcallsWaitForIt) {
  const CORBA::Object_var own = activate(*servant.in());
  auto near = act_elsewhere(own.in());
  await([&] { return server->work_pending(); });
  main->destroy(true, true);
  EXPECT_EQ(near.get(), "ok");
}

}  // namespace
}  // namespace callis::poa::testing
