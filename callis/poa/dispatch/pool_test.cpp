// SPDX-License-Identifier: Apache-2.0
// Adapters whose requests the ORB's pool of threads serves.
#include <callis/orb/core/core.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>
#include <callis/poa/testing/orb_fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct PoolOfTwo : ::testing::Test {
  CORBA::ORB_var server = make_orb("pool_server", {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "pool",
                                                   "-ORBMaxPoolThreads", "2", "-ORBCallTimeout", "60000"});
  CORBA::ORB_var client = make_orb("pool_client", {"-ORBCallTimeout", "60000"});
  POA_var root = POA::_narrow(CORBA::Object_var(server->resolve_initial_references("RootPOA")).in());

  void SetUp() override { POAManager_var(root->the_POAManager())->activate(); }
  void TearDown() override {
    server->destroy();
    client->destroy();
  }
  // A servant of that adapter's, as the client sees it.
  CORBA::Object_ptr activate(POA_ptr poa, Probe& servant) {
    const ObjectId_var id = poa->activate_object(&servant);
    const CORBA::Object_var here = poa->id_to_reference(id.in());
    return client->string_to_object(CORBA::String_var(server->object_to_string(here.in())).in());
  }
  orb::Pool& pool() { return *static_cast<orb::Core*>(server.in())->server().pool(); }
};

TEST_F(PoolOfTwo, RequestsThatWaitForTheirTurnWithASingleThreadAdapterLeaveTheThreadsToOthers) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = root->create_thread_policy(SINGLE_THREAD_MODEL);
  const POAManager_var manager = root->the_POAManager();
  const POA_var single = root->create_POA("single", manager.in(), policies);
  const Servant_var<Probe> slow(new Probe), quick(new Probe);
  std::promise<void> go;
  std::shared_future<void> gone = go.get_future().share();
  slow->during = [gone] { gone.wait(); };
  const CORBA::Object_var to_slow = activate(single.in(), *slow.in()), to_quick = activate(root.in(), *quick.in());
  std::vector<std::future<void>> waiting;
  for (int i = 0; i < 6; ++i)
    waiting.push_back(std::async(std::launch::async, [&] { OrbFixture::act(to_slow.in()); }));
  await([&] { return pool().threads() >= 6; });
  for (int i = 0; i < 10; ++i) OrbFixture::act(to_quick.in());
  go.set_value();
  for (auto& w : waiting) w.get();
}

}  // namespace
}  // namespace callis::poa::testing
