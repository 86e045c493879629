// SPDX-License-Identifier: Apache-2.0
// Upcall: the record of a request that a thread executes, on the thread's stack. Upcalls of one thread nest when a
// servant calls an object of its own process: each record leads to the one around it.
//
// The ORB makes the record before it asks the object adapter, and the adapter adds what it has found. Readers are
// POACurrent, `_this()`, Caller, DSI, and the bound on upcalls that run (-ORBMaxDispatches). Calls and shutdown read
// it, too, since they must not wait for their own thread's upcall.
#pragma once
#include <callis/orb/context/orb_context.h>
#include <callis/orb/context/server_request.h>

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {
class Adapter;
}

namespace callis::orb {

class Upcall final {
 public:
  // The upcall of a request. Waits while Limits::max_dispatches upcalls run. It does not wait inside another upcall
  // of the thread, which would wait for itself, nor if the thread has a place (UpcallGate::take_place()).
  // client: the peer over a connection; nullptr for this process.
  explicit Upcall(OrbContext& orb, bool has_place = false, const transport::Peer* client = nullptr) noexcept
      : orb_(&orb), outer_(innermost_), client_(client), counted_(!outer_ && !has_place) {
    if (counted_) [[unlikely]] orb.upcalls().begin();
    innermost_ = this;
  }
  // An upcall on behalf of another upcall, which is counted and waits for this upcall to end.
  struct OnBehalf {};
  Upcall(OrbContext& orb, OnBehalf) noexcept
      : orb_(&orb), outer_(innermost_), client_(nullptr), counted_(!outer_) {
    if (counted_) orb.upcalls().begin_another();
    innermost_ = this;
  }
  // Upcalls that are not counted: a direct call of a collocated object, or the call of a servant manager. For the
  // latter, orb belongs to the upcall around it, or is nullptr.
  struct Direct {};
  Upcall(OrbContext* orb, Direct, const transport::Peer* client = nullptr) noexcept
      : orb_(orb), outer_(innermost_), client_(client), counted_(false) {
    innermost_ = this;
  }
  Upcall(OrbContext* orb, poa::Adapter& adapter, PortableServer::ServantBase* servant, ByteView key) noexcept
      : Upcall(orb, Direct()) {
    enter(adapter, servant, key);
  }
  ~Upcall() {
    innermost_ = outer_;
    if (counted_) [[unlikely]] orb_->upcalls().end();
  }
  Upcall(const Upcall&) = delete;
  Upcall& operator=(const Upcall&) = delete;

  // --- The calling thread ---

  static Upcall* innermost() noexcept { return innermost_; }
  // The ORB whose upcall the thread is in; nullptr outside upcalls.
  static OrbContext* orb_of_upcall() noexcept { return innermost_ ? innermost_->orb_ : nullptr; }
  // The innermost record that an adapter has entered; nullptr if there is none.
  static const Upcall* innermost_entered() noexcept {
    const Upcall* u = innermost_;
    while (u && !u->adapter_) u = u->outer_;
    return u;
  }
  // Whether the thread is in an upcall of that ORB.
  static bool inside(const OrbContext& orb) noexcept;

  // --- The record ---

  const Upcall* outer() const noexcept { return outer_; }
  // nullptr before the adapter has entered.
  poa::Adapter* adapter() const noexcept { return adapter_; }
  // nullptr inside servant managers.
  PortableServer::ServantBase* servant() const noexcept { return servant_; }
  // The client over a connection; nullptr for this process.
  const transport::Peer* client() const noexcept { return client_; }
  // The object's key. Valid after the adapter has entered.
  ByteView key() const { return request_ ? request_->object_key() : key_; }

  // --- The adapter's ---

  // The arguments outlive the record. The variant without a request is for a direct call, a servant manager, and a
  // flat request.
  void enter(poa::Adapter& adapter, PortableServer::ServantBase* servant, const ServerRequest& request) noexcept {
    adapter_ = &adapter;
    servant_ = servant;
    request_ = &request;
  }
  void enter(poa::Adapter& adapter, PortableServer::ServantBase* servant, ByteView key) noexcept {
    adapter_ = &adapter;
    servant_ = servant;
    key_ = key;
  }
  void set_servant(PortableServer::ServantBase* servant) noexcept { servant_ = servant; }

 private:
  static constinit thread_local Upcall* innermost_ __attribute__((tls_model("initial-exec")));

  OrbContext* const orb_;  // nullptr: a servant manager is called outside of all requests
  Upcall* const outer_;
  const transport::Peer* const client_;
  const bool counted_;
  poa::Adapter* adapter_ = nullptr;
  PortableServer::ServantBase* servant_ = nullptr;
  const ServerRequest* request_ = nullptr;
  ByteView key_;
};

}  // namespace callis::orb
