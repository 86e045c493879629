// SPDX-License-Identifier: Apache-2.0
// The servants of a batch of random files: server [-ORB options]
//
// Prints `control IOR:...`; ends when its standard input does. One client, which uses one connection.
#include "remote.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace {

std::mutex g_mutex;  // of the next four: omniORB serves a connection by several threads
std::condition_variable g_begun;
unsigned long long g_seed;
std::string g_operation, g_failures;
CORBA::ULong g_upcalls = 0;
PortableServer::POA_var g_poa;
remote::Objects g_objects;

CORBA::Object_ptr activate(PortableServer::ServantBase* servant) {
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = g_poa->activate_object(servant);
  return g_poa->id_to_reference(id.in());
}

CORBA::Object_ptr activate(const char* name) {
  for (unsigned f = 0; f < host::file_count; ++f)
    for (unsigned i = 0; i < host::files[f]->count; ++i)
      if (std::strcmp(host::files[f]->interfaces[i].name, name) == 0)
        return activate(host::files[f]->interfaces[i].make());
  throw CORBA::BAD_PARAM();
}

class Control final : public POA_RandomControl::Control {
 public:
  explicit Control(CORBA::ORB_ptr orb) : orb_(orb) {}
  void begin(CORBA::ULongLong seed, CORBA::ULong calls) override {
    const auto lock = wait(calls);
    g_seed = seed;
  }
  char* failures(CORBA::ULong calls) override {
    const auto lock = wait(calls);
    return CORBA::string_dup(g_failures.c_str());
  }
  char* reference(const char* name, CORBA::ULong which) override {
    const CORBA::Object_var o = host::object(name, static_cast<unsigned>(which));
    return orb_->object_to_string(o.in());
  }

 private:
  static std::unique_lock<std::mutex> wait(CORBA::ULong calls) {
    std::unique_lock<std::mutex> lock(g_mutex);
    g_begun.wait_for(lock, std::chrono::seconds(10), [calls] { return g_upcalls >= calls; });
    if (g_upcalls == calls) return lock;
    g_failures += "FAILED: " + std::to_string(calls) + " calls, " + std::to_string(g_upcalls) + " upcalls\n";
    g_upcalls = calls;  // waited for once
    return lock;
  }
  CORBA::ORB_ptr orb_;
};

int serve(int argc, char** argv) {
  remote::enlarge_buffers();
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  remote::add_factories(orb.in());
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  g_poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::POAManager_var manager = g_poa->the_POAManager();
  manager->activate();
  const CORBA::Object_var control = activate(new Control(orb.in()));
  const CORBA::String_var ior = orb->object_to_string(control.in());
  std::printf("control %s\n", ior.in());
  std::fflush(stdout);
  std::thread stopper([&] {
    char c;
    while (::read(0, &c, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  stopper.join();
  g_objects = {};
  g_poa = PortableServer::POA::_nil();
  orb->destroy();
  return 0;
}

}  // namespace

namespace host {

Random upcall(const char* operation) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  ++g_upcalls;
  g_begun.notify_all();
  g_operation = operation;
  return Random(g_seed);
}
CORBA::Object_ptr object(const char* name, unsigned which) {
  return g_objects.get(name, which, [name] { return activate(name); });
}
void check(bool good, const char* what) {
  if (good) return;
  const std::lock_guard<std::mutex> lock(g_mutex);
  g_failures += "FAILED: " + g_operation + " value seed " + std::to_string(g_seed) + ": " + what + "\n";
}

}  // namespace host

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::SystemException& e) {
    return remote::report("server", e);
  }
}
