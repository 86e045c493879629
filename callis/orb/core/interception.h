// SPDX-License-Identifier: Apache-2.0
// Interception: what an ORB has when interceptors may be registered with it; the seam to callis/interceptors, which
// programs without interceptors do not link.
//
//   ORB_init ── prepare_orb ──→ Interception, given to the Core
//   call ── not plain: OrbContext::intercept_calls() ──→ Invocation ── each attempt ──→ InvocationObserver
//   request ──→ the handler that Interception::wrap() has made ──→ object adapter
#pragma once
#include <callis/orb/base/object.h>
#include <callis/orb/client/client_interception.h>
#include <callis/orb/client/reference.h>
#include <memory>
#include <span>

namespace CORBA::inline callis_orb {
class Any;
}

namespace callis::poa {
class Adapter;
}

namespace callis::orb {

class Core;
class RequestHandler;

// What an Interception keeps of an object adapter, for that to hold. Constant.
class AdapterNotes {
 public:
  virtual ~AdapterNotes() = default;
  // Adds what interceptors want to have in references to objects of the adapter.
  virtual void complete(ReferencePtr& made) const = 0;
  // The adapter, which others had, has been destroyed. Without a lock.
  virtual void gone() const noexcept {}
};

// Of one ORB; lives as long as that. Called by many threads at once.
class Interception : public ClientInterception {
 public:
  // What is to get the requests in place of handler, which is to outlive the use of it. Owned by this.
  virtual RequestHandler* wrap(RequestHandler* handler) = 0;
  // An adapter is being made with these policies, nullptr for none; it has its tag, and nobody else has it yet.
  // Returns nullptr when nothing is to be kept of it. What it throws ends the making: before that it takes a root out
  // of the registry.
  virtual std::unique_ptr<AdapterNotes> adapter_made(poa::Adapter& adapter, const CORBA::PolicyList* policies) = 0;
  // The POAManager of that id has gone to another PortableServer::POAManager::State. Without a lock.
  virtual void manager_changed(const std::string& id, unsigned state) noexcept = 0;
  // Whether create_policy() knows the type.
  virtual bool makes_policies(CORBA::PolicyType type) const = 0;
  // A policy, for the caller to own; nullptr when no factory makes that type.
  virtual CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& value) = 0;
  // The ORB is being destroyed, and no request is under way.
  virtual void end() noexcept = 0;
};

// An ORB that ORB_init has been asked for. Begun, for a new one: nobody can have it yet; must not wait, nor throw.
// Then New: by the same thread, to finish it; what it throws, ORB_init throws. Known: it was there already.
enum class OrbStage : unsigned char { Begun, New, Known };
// arguments: those of ORB_init that are left.
using PrepareOrb = void (*)(Core& core, OrbStage stage, std::span<char*> arguments);
// Returns what was set before, for prepare to call; nullptr for none.
PrepareOrb set_prepare_orb(PrepareOrb prepare);

}  // namespace callis::orb
