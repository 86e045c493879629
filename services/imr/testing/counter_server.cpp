// SPDX-License-Identifier: Apache-2.0
// callis_imr_counter [crash|hang|slow MS] [-ORB...]: a server with one object, Counter, of the persistent adapter
// "plant", under the id "counter". With $NOTES it notes each call there. Its first line, where nobody has started it
// for a repository, is the object's reference.
#include <callis/imr.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <fcntl.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include "counter_skel.h"

namespace {

class Counter final : public virtual POA_ImrTest::Counter {
 public:
  explicit Counter(PortableServer::POA_ptr poa) : poa_(PortableServer::POA::_duplicate(poa)) {
    if (const char* const file = std::getenv("NOTES")) notes_ = ::open(file, O_WRONLY | O_APPEND | O_CREAT, 0666);
  }
  CORBA::Long pid() override { return ::getpid(); }
  CORBA::ULong note(CORBA::ULong number) override {
    const std::string line = std::to_string(number) + "\n";
    if (notes_ >= 0 && ::write(notes_, line.data(), line.size()) < 0) throw CORBA::PERSIST_STORE();
    return number;
  }
  void die() override { ::_exit(9); }
  ImrTest::Counter_ptr self() override {
    const CORBA::Object_var object = poa_->servant_to_reference(this);
    return ImrTest::Counter::_narrow(object.in());
  }
  CORBA::Boolean knows(ImrTest::Counter_ptr) override {
    const CORBA::Object_var object = poa_->servant_to_reference(this);
    const PortableServer::ObjectId_var id = poa_->reference_to_id(object.in());
    const CORBA::String_var text = PortableServer::ObjectId_to_string(id.in());
    const ImrTest::Counter_var own = ImrTest::Counter::_narrow(object.in());
    return std::strcmp(text.in(), "counter") == 0 && own->pid() == ::getpid();
  }

 private:
  const PortableServer::POA_var poa_;
  int notes_ = -1;
};

void serve(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var poa = root->create_POA("plant", manager.in(), policies);
  const PortableServer::Servant_var<Counter> counter(new Counter(poa.in()));
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("counter");
  poa->activate_object_with_id(id.in(), counter.in());
  callis::shutdown_on_signals(orb);
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  const CORBA::String_var text = orb->object_to_string(reference.in());
  manager->activate();  // from here on the repository may end it
  std::printf("%s\n", text.in());
  std::fflush(stdout);
  orb->run();
}

}  // namespace

int main(int argc, char** argv) {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "crash") return 3;
  if (mode == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
  if (mode == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argv[2])));
  serve(orb.in());
  orb->destroy();
}
