// SPDX-License-Identifier: Apache-2.0
// Upcall: the request that a thread is executing. Upcalls of one thread nest when a servant calls an object of
// its own process; they form a chain through the stack. Setting one up costs two stores to thread-local memory.
#pragma once
#include <callis/orb/context/server_request.h>

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {

class Adapter;
class Registry;

struct Upcall {
  Registry* registry;
  Adapter* adapter;
  PortableServer::ServantBase* servant;  // nullptr inside servant managers
  const orb::ServerRequest* request;     // nullptr for direct calls, and inside servant managers
  ByteView other_key;                    // of the object, where there is no request
  Upcall* outer;

  ByteView key() const;
};

// The innermost upcall of this thread, or nullptr.
extern constinit thread_local Upcall* current_upcall __attribute__((tls_model("initial-exec")));

class UpcallScope final {
 public:
  UpcallScope(Registry& registry, Adapter& adapter, PortableServer::ServantBase* servant,
              const orb::ServerRequest& request) {
    upcall_.registry = &registry;
    upcall_.adapter = &adapter;
    upcall_.servant = servant;
    upcall_.request = &request;
    enter();
  }
  UpcallScope(Registry& registry, Adapter& adapter, PortableServer::ServantBase* servant, ByteView key) {
    upcall_.registry = &registry;
    upcall_.adapter = &adapter;
    upcall_.servant = servant;
    upcall_.request = nullptr;
    upcall_.other_key = key;
    enter();
  }
  ~UpcallScope() { current_upcall = upcall_.outer; }
  void set_servant(PortableServer::ServantBase* servant) { upcall_.servant = servant; }
  UpcallScope(const UpcallScope&) = delete;
  UpcallScope& operator=(const UpcallScope&) = delete;

 private:
  void enter() {
    upcall_.outer = current_upcall;
    current_upcall = &upcall_;
  }
  Upcall upcall_;  // other_key stays unset where there is a request: it is not read then
};

// Whether this thread is inside an upcall of the ORB that the registry belongs to.
inline bool in_upcall_of(const Registry& registry) {
  for (const Upcall* u = current_upcall; u; u = u->outer)
    if (u->registry == &registry) return true;
  return false;
}

}  // namespace callis::poa
