// SPDX-License-Identifier: Apache-2.0
// Interception: the part of an ORB with which interceptors may be registered. This is the seam to
// callis/interceptors, which programs without interceptors do not link.
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

// The data of an Interception about an object adapter, which the adapter holds. Constant.
class AdapterNotes {
 public:
  virtual ~AdapterNotes() = default;
  // Adds the interceptors' components to references to objects of the adapter.
  virtual void complete(ReferencePtr& made) const = 0;
  // Called without a lock when the adapter, which others had, has been destroyed.
  virtual void gone() const noexcept {}
};

// Belongs to one ORB, and lives as long as the ORB. Called by many threads at once.
class Interception : public ClientInterception {
 public:
  // Makes the handler that gets the requests in place of `handler`. The Interception owns the result, which is not
  // used after `handler` ends.
  virtual RequestHandler* wrap(RequestHandler* handler) = 0;
  // Called once an adapter has its tag and before other threads can find it. policies is nullptr if there are none.
  // Returns nullptr if nothing is kept about the adapter. If this function throws, the adapter is not created; before
  // it throws, it takes a root out of the registry.
  virtual std::unique_ptr<AdapterNotes> adapter_made(poa::Adapter& adapter, const CORBA::PolicyList* policies) = 0;
  // Called without a lock when the POAManager of that id has changed to another PortableServer::POAManager::State.
  virtual void manager_changed(const std::string& id, unsigned state) noexcept = 0;
  // Whether create_policy() knows the type.
  virtual bool makes_policies(CORBA::PolicyType type) const = 0;
  // Makes a policy, which the caller owns; nullptr if no factory makes that type.
  virtual CORBA::Policy_ptr create_policy(CORBA::PolicyType type, const CORBA::Any& value) = 0;
  // Called when the ORB is being destroyed, and no request is under way.
  virtual void end() noexcept = 0;
};

// The stage of an ORB that ORB_init has been asked for. Begun: the ORB is new, and nobody can have it yet; the
// function must not wait, nor throw. New follows on the same thread and finishes the ORB; ORB_init passes exceptions
// on. Known: the ORB existed already.
enum class OrbStage : unsigned char { Begun, New, Known };
// arguments: the remaining arguments of ORB_init.
using PrepareOrb = void (*)(Core& core, OrbStage stage, std::span<char*> arguments);
// Returns the function that was set before, which prepare must call; nullptr if there was none.
PrepareOrb set_prepare_orb(PrepareOrb prepare);

}  // namespace callis::orb
