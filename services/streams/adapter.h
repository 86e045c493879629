// SPDX-License-Identifier: Apache-2.0
// The adapter of a program's stream objects: activates servants under ids of its own.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/properties/iterators.h>
#include <chrono>
#include <memory>
#include <string>

namespace callis::streams {

// Of an operation that goes on where parties do not answer, each of which may take until its call's deadline: after
// that no further one is told.
inline constexpr std::chrono::seconds kOperationTime{60};

// Bytes that something keeps for a client, given back with the last copy of it.
using Held = std::shared_ptr<services::MemoryBound::Hold>;

// What is active. Ended by Adapter::end().
struct Active {
  Held held;
  PortableServer::ObjectId_var id;
  CORBA::Object_var reference;
  explicit operator bool() const { return !CORBA::is_nil(reference.in()); }
};

// Any thread.
class Adapter final {
 public:
  // memory outlives it.
  Adapter(PortableServer::POA_ptr poa, services::MemoryBound& memory)
      : poa_(PortableServer::POA::_duplicate(poa)),
        memory_(memory),
        iterators_(std::make_unique<properties::Iterators>(poa)) {}
  // Of all objects' properties.
  properties::Iterators& iterators() const { return *iterators_; }
  services::MemoryBound& memory() const { return memory_; }
  // For who has called. NO_RESOURCES: his share, or all of the memory, is in use.
  Held hold(std::size_t bytes) const {
    return std::make_shared<services::MemoryBound::Hold>(memory_.take(bytes));
  }
  Held hold_for(CORBA::Object_ptr reference) const { return hold(cost_of(reference)); }
  Active activate(PortableServer::ServantBase* servant) const {
    const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
    Active out;
    out.held = hold(kObjectBytes);
    out.id = poa_->activate_object(owned.in());
    out.reference = poa_->id_to_reference(out.id.in());
    return out;
  }
  void end(Active& active) const {
    if (!active) return;
    active.held.reset();
    active.reference = CORBA::Object::_nil();
    try {
      poa_->deactivate_object(active.id.in());
    } catch (const CORBA::Exception&) {  // it has gone already, or the adapter has
    }
  }

  // Of a reference from a peer, which may be of any size.
  static std::size_t cost_of(CORBA::Object_ptr reference);

 private:
  // Of a servant with the properties that are its own, and its place in the adapter.
  static constexpr std::size_t kObjectBytes = 8u << 10;

  const PortableServer::POA_var poa_;
  services::MemoryBound& memory_;
  const std::unique_ptr<properties::Iterators> iterators_;
};

// A system exception with its reason.
template<class E>
E refused(const std::string& why) {
  return E(0, CORBA::COMPLETED_NO, why.c_str());
}

// "IDL:omg.org/CORBA/TRANSIENT:1.0, minor 2", for reasons in exceptions.
inline std::string words_of(const CORBA::Exception& e) {
  std::string out = e._rep_id();
  if (const auto* system = dynamic_cast<const CORBA::SystemException*>(&e)) {
    out += ", minor " + std::to_string(system->minor());
  }
  return out;
}

}  // namespace callis::streams
