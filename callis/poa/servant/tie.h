// SPDX-License-Identifier: Apache-2.0
// The common part of POA_X_tie<T> for all X (C++ mapping 1.3, 4.36.4): a servant that hands every operation on to an
// object of any class T, which need not know of CORBA.
//
// The tie deletes the object if it owns the object. It owns an object given as a pointer, unless `release` says
// otherwise. The tie keeps a count of a given POA, in which _this() then activates the tie. One thread sets up a tie;
// requests only read.
#pragma once
#include <callis/classic/types.h>
#include <callis/poa/servant/servant.h>

namespace callis::poa {

// nil stays nil.
PortableServer::POA_ptr duplicate_poa(PortableServer::POA_ptr poa);
void release_poa(PortableServer::POA_ptr poa);

template <class T>
class Tie {
 public:
  explicit Tie(T& object) : object_(&object), owner_(false) {}
  Tie(T& object, PortableServer::POA_ptr poa) : object_(&object), poa_(duplicate_poa(poa)), owner_(false) {}
  explicit Tie(T* object, CORBA::Boolean release = true) : object_(object), owner_(release) {}
  Tie(T* object, PortableServer::POA_ptr poa, CORBA::Boolean release = true)
      : object_(object), poa_(duplicate_poa(poa)), owner_(release) {}
  T* _tied_object() { return object_; }
  void _tied_object(T& object) { set(&object, false); }
  void _tied_object(T* object, CORBA::Boolean release = true) { set(object, release); }
  CORBA::Boolean _is_owner() { return owner_; }
  void _is_owner(CORBA::Boolean owner) { owner_ = owner; }

  Tie(const Tie&) = delete;
  Tie& operator=(const Tie&) = delete;

 protected:
  ~Tie() {
    if (owner_) delete object_;
    release_poa(poa_);
  }
  // The caller owns a count; nil if there is no POA.
  PortableServer::POA_ptr _callis_poa() { return duplicate_poa(poa_); }

 private:
  void set(T* object, CORBA::Boolean release) {
    if (owner_ && object != object_) delete object_;
    object_ = object;
    owner_ = release;
  }

  T* object_;
  PortableServer::POA_ptr poa_ = nullptr;
  CORBA::Boolean owner_;
};

}  // namespace callis::poa
