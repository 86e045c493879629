// SPDX-License-Identifier: Apache-2.0
// OrbFixture: the adapter under a whole ORB, which listens inside the process only.
#pragma once
#include <callis/corba.h>
#include <callis/orb/base/stub.h>
#include <callis/poa/servant/demultiplexing.h>
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {

inline CORBA::ORB_ptr make_orb(const char* id, std::vector<std::string> options = {}) {
  options.insert(options.begin(), "test");
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), id);
}

struct OrbFixture : ::testing::Test {
  CORBA::ORB_var orb;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;

  explicit OrbFixture(std::vector<std::string> options = {}) : orb(make(std::move(options))) {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    manager = root->the_POAManager();
    manager->activate();
  }
  ~OrbFixture() override {
    try {
      orb->destroy();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the test has done it
    }
  }
  static CORBA::ORB_ptr make(std::vector<std::string> options) {
    static std::atomic<int> number{0};
    const std::string n = std::to_string(++number);
    options.insert(options.begin(), {"-ORBEndpoint", "memory:orb_fixture" + n});
    return make_orb(("fixture" + n).c_str(), std::move(options));
  }
  template <class... P>
  PortableServer::POA_ptr child(const char* name, P*... policies) {
    CORBA::PolicyList list;
    list.length(sizeof...(P));
    CORBA::ULong i = 0;
    ((list[i++] = policies), ...);
    return root->create_POA(name, manager.in(), list);
  }
  CORBA::Object_ptr activate(PortableServer::Servant servant, PortableServer::POA_ptr poa) {
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    return poa->id_to_reference(id.in());
  }
  // Calls, as stubs make them.
  static void ping(CORBA::Object_ptr object) { orb::invoke(object, probe_unit, kPing, nullptr); }
  static void act(CORBA::Object_ptr object) { orb::invoke(object, probe_unit, kAct, nullptr); }
  static CORBA::Long add(CORBA::Object_ptr object, CORBA::Long a, CORBA::Long b) {
    struct { CORBA::Long a, b, result; } frame{a, b, 0};
    orb::invoke(object, probe_unit, kAdd, &frame);
    return frame.result;
  }
  static std::string greet(CORBA::Object_ptr object, const char* name) {
    struct { const char* name; char* result; } frame{name, nullptr};
    orb::invoke(object, probe_unit, kGreet, &frame);
    const CORBA::String_var result(frame.result);
    return result.in();
  }
  static void tick(CORBA::Object_ptr object, CORBA::Long n) { orb::invoke(object, probe_unit, kTick, &n); }
  static CORBA::Octet sum(CORBA::Object_ptr object, const CORBA::Octet* block) {
    struct { const CORBA::Octet* block; CORBA::Octet result; } frame{block, 0};
    orb::invoke(object, probe_unit, kSum, &frame);
    return frame.result;
  }
};

}  // namespace callis::poa::testing
