// SPDX-License-Identifier: Apache-2.0
// TcpFixture: an ORB that serves over TCP, and two clients of it.
#pragma once
#include <callis/poa/testing/orb_fixture.h>

namespace callis::poa::testing {

// Over TCP, as the memory transport serves requests on the client's thread, however long they take.
struct TcpFixture : ::testing::Test {
  CORBA::ORB_var orb = make({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBCollocation", "direct"});
  CORBA::ORB_var client = make({});
  CORBA::ORB_var impatient = make({"-ORBCallTimeout", "20"});
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
  PortableServer::Servant_var<Probe> probe{new Probe};
  CORBA::Object_var own;     // as the server has it
  CORBA::Object_var object;  // as the client has it

  TcpFixture() {
    const CORBA::Object_var any(orb->resolve_initial_references("RootPOA"));
    root = PortableServer::POA::_narrow(any.in());
    manager = root->the_POAManager();
    manager->activate();
    own = activate(root.in());
    object = of(client.in(), own.in());
  }
  ~TcpFixture() override {
    for (const auto& each : {client, impatient, orb}) each->destroy();
  }
  static CORBA::ORB_ptr make(std::vector<std::string> options) {
    static int number = 0;
    return make_orb(("tcp_fixture" + std::to_string(++number)).c_str(), std::move(options));
  }
  CORBA::Object_ptr activate(PortableServer::POA_ptr poa) {
    const PortableServer::ObjectId_var id(poa->activate_object(probe.in()));
    return poa->id_to_reference(id.in());
  }
  // The server's object, as that ORB has it.
  CORBA::Object_ptr of(CORBA::ORB_ptr other, CORBA::Object_ptr servers) {
    const CORBA::String_var text(orb->object_to_string(servers));
    return other->string_to_object(text.in());
  }
  // The text of the exception that call throws.
  static std::string thrown_by(const std::function<void()>& call) {
    try {
      call();
      return "nothing";
    } catch (const CORBA::Exception& e) {
      return e.what();
    }
  }
};

}  // namespace callis::poa::testing
