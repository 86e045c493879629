// SPDX-License-Identifier: Apache-2.0
// Server: an ORB with the server's interceptors A, B and C and a Probe, and a client of its own.
#pragma once
#include <callis/interceptors/testing/recorder.h>
#include <callis/poa/testing/orb_fixture.h>

namespace callis::interceptors::testing {

using poa::testing::OrbFixture;
using poa::testing::Probe;

struct Server : ::testing::Test {
  Log log;
  std::vector<ServerRecorder*> all;
  ServerRecorder *a = make("A"), *b = make("B"), *c = make("C");
  std::vector<PI::SlotId> slots;
  orb::Counted<orb::Core> core;
  orb::Counted<orb::Core> client = make_core();
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
  PortableServer::Servant_var<Probe> probe{new Probe};
  CORBA::Object_var own;     // as the server has it
  CORBA::Object_var object;  // as the client has it

  // with_client: the server's ORB also has the client's interceptor X.
  explicit Server(std::vector<std::string> options = {}, bool with_client = false)
      : core(start(std::move(options), with_client)) {
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
    manager = root->the_POAManager();
    manager->activate();
    const PortableServer::ObjectId_var id = root->activate_object(probe.in());
    own = root->id_to_reference(id.in());
    object = seen_by_client(own.in());
  }
  ~Server() override {
    core->destroy();
    client->destroy();
    for (ServerRecorder* r : all) CORBA::release(r);
  }
  ServerRecorder* make(const char* name) {
    all.push_back(new ServerRecorder(name, log));
    return all.back();
  }
  orb::Counted<orb::Core> start(std::vector<std::string> options, bool with_client = false) {
    static int number = 0;
    options.insert(options.begin(), {"-ORBEndpoint", "memory:interceptors_server" + std::to_string(++number)});
    const auto add = [this, with_client](PI::ORBInitInfo_ptr info) {
      for (ServerRecorder* r : all) info->add_server_request_interceptor(r);
      slots = {info->allocate_slot_id(), info->allocate_slot_id()};
      if (!with_client) return;
      const PI::ClientRequestInterceptor_var x = new ClientRecorder("X", log);
      info->add_client_request_interceptor(x.in());
    };
    return orb::Counted<orb::Core>::adopt(make_orb({add, {}}, std::move(options)));
  }
  CORBA::Object_ptr seen_by_client(CORBA::Object_ptr o) {
    const CORBA::String_var text = core->object_to_string(o);
    return client->string_to_object(text.in());
  }
  std::string ping() {
    return outcome_of([this] { OrbFixture::ping(object.in()); });
  }
};

inline void deny_request(PI::ServerRequestInfo_ptr) { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_MAYBE); }
inline ServerRecorder::Act forward_request(CORBA::Object_ptr to) {
  return [to](PI::ServerRequestInfo_ptr) { throw PI::ForwardRequest(to); };
}

}  // namespace callis::interceptors::testing
