// SPDX-License-Identifier: Apache-2.0
// Interceptors under calls of many threads at once.
#include <callis/interceptors/testing/recorder.h>
#include <callis/poa/testing/orb_fixture.h>
#include <set>
#include <thread>

namespace callis::interceptors::testing {
namespace {

// Counts what it hears of, and marks each request with a context and a slot that must come back with its own reply.
struct Marker final : PI::ClientRequestInterceptor {
  Marker(std::atomic<int>& replies_, std::mutex& m, std::set<CORBA::ULong>& ids_)
      : replies(replies_), mutex(m), ids(ids_) {}
  char* name() override { return CORBA::string_dup("marker"); }
  void destroy() override {}
  void send_request(PI::ClientRequestInfo_ptr ri) override {
    const auto mark = static_cast<int>(ri->request_id() & 0xff);
    ri->add_request_service_context(context(0x4d01, {mark}), false);
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(ids.insert(ri->request_id()).second);
  }
  void send_poll(PI::ClientRequestInfo_ptr) override {}
  void receive_reply(PI::ClientRequestInfo_ptr ri) override {
    const IOP::ServiceContext_var back = ri->get_reply_service_context(0x4d02);
    EXPECT_EQ(ints(back->context_data), std::vector{static_cast<int>(ri->request_id() & 0xff)});
    ++replies;
  }
  void receive_exception(PI::ClientRequestInfo_ptr) override { ADD_FAILURE(); }
  void receive_other(PI::ClientRequestInfo_ptr) override { ADD_FAILURE(); }
  std::atomic<int>& replies;
  std::mutex& mutex;
  std::set<CORBA::ULong>& ids;
};

struct Returner final : PI::ServerRequestInterceptor {
  explicit Returner(PI::SlotId s) : slot(s) {}
  char* name() override { return CORBA::string_dup("returner"); }
  void destroy() override {}
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr ri) override {
    const IOP::ServiceContext_var c = ri->get_request_service_context(0x4d01);
    ri->set_slot(slot, any_of(c->context_data[0]));
  }
  void receive_request(PI::ServerRequestInfo_ptr) override {}
  void send_reply(PI::ServerRequestInfo_ptr ri) override {
    ri->add_reply_service_context(context(0x4d02, {static_cast<int>(number(ri->get_slot(slot)))}), false);
  }
  void send_exception(PI::ServerRequestInfo_ptr) override { ADD_FAILURE(); }
  void send_other(PI::ServerRequestInfo_ptr) override { ADD_FAILURE(); }
  const PI::SlotId slot;
};

struct Crowd : ::testing::TestWithParam<std::string> {};

TEST_P(Crowd, of_threads_has_its_contexts_and_slots_apart) {
  constexpr int kThreads = 4, kCalls = 100;
  std::atomic<int> replies{0};
  std::mutex mutex;
  std::set<CORBA::ULong> ids;
  const auto client = orb::Counted<orb::Core>::adopt(make_orb({[&](PI::ORBInitInfo_ptr info) {
    const PI::ClientRequestInterceptor_var marker = new Marker(replies, mutex, ids);
    info->add_client_request_interceptor(marker.in());
  }, {}}));
  const auto core = orb::Counted<orb::Core>::adopt(make_orb({[&](PI::ORBInitInfo_ptr info) {
    const PI::ServerRequestInterceptor_var returner = new Returner(info->allocate_slot_id());
    info->add_server_request_interceptor(returner.in());
  }, {}}, {"-ORBEndpoint", "iiop://127.0.0.1:0", "-ORBServerThreads", GetParam()}));
  const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(o.in());
  const PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<poa::testing::Probe> probe(new poa::testing::Probe);
  const PortableServer::ObjectId_var id = root->activate_object(probe.in());
  const CORBA::Object_var own = root->id_to_reference(id.in());
  const CORBA::String_var text = core->object_to_string(own.in());
  const CORBA::Object_var object = client->string_to_object(text.in());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kCalls; ++i) poa::testing::OrbFixture::ping(object.in());
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(replies, kThreads * kCalls);
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(kThreads * kCalls));
  EXPECT_EQ(probe.in()->pings, kThreads * kCalls);
  client->destroy();
  core->destroy();
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, ::testing::Values("connection", "pool"),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace callis::interceptors::testing
