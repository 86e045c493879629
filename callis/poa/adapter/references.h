// SPDX-License-Identifier: Apache-2.0
// References: the operations of the ORB core that the adapter needs. (An interface, so that the adapter's tests need
// no endpoints.)
#pragma once
#include <callis/base/bytes.h>
#include <callis/orb/base/object.h>
#include <memory>
#include <string_view>

namespace callis::orb {
class AdapterNotes;
class Core;
class Interception;
}

namespace callis::poa {

class References {
 public:
  virtual ~References() = default;
  // Makes a new reference to an object of this ORB. notes and policies: the additions of its adapter, or nullptr.
  // Throws system exceptions.
  virtual CORBA::Object_ptr make(std::string_view type_id, ByteView key, const orb::AdapterNotes* notes,
                                 const orb::AdapterNotes* policies) = 0;
  // The key in a reference to an object of this ORB, empty for others; valid as long as the reference.
  virtual ByteView own_key(CORBA::Object_ptr reference) = 0;
  // Called if there is an adapter with the BidirectionalPolicy BOTH.
  virtual void go_bidirectional() {}
  // The interception of the ORB; nullptr if there is none.
  virtual orb::Interception* interception() { return nullptr; }
};

// Keeps the core alive.
std::unique_ptr<References> make_references(orb::Core& core);

}  // namespace callis::poa
