// SPDX-License-Identifier: Apache-2.0
// PortableServer::ServantBase: the base of every servant (C++ mapping 1.3, 4.33-4.36).
//
// Servants are counted: a new one has count 1, which belongs to its maker. The adapter adds 1 for each activation.
// The last thread gives this count back when the activation has ended and no request is in it any more. At 0 the
// servant is deleted. A servant that must not be deleted (on the stack, a member) overrides _add_ref() and
// _remove_ref() to do nothing; such a servant must outlive its activations.
//
// Counting is safe from any thread.
#pragma once
#include <callis/classic/types.h>
#include <atomic>
#include <utility>

namespace callis::poa {

struct Skeleton;

// Stands in the file that makes "RootPOA". So the linker takes this file into every program that includes this
// header, as skeletons and portable_server.h do, whether or not the program makes a servant.
extern const char root_adapter_is_there;
[[gnu::used]] inline const char* const needs_root_adapter = &root_adapter_is_there;

}  // namespace callis::poa

namespace PortableServer::inline callis_orb {

class POA;
using POA_ptr = POA*;

class ServantBase {
 public:
  virtual ~ServantBase();

  // The adapter in which _this() activates a servant: the root POA, unless overridden. The caller owns the reference.
  virtual POA_ptr _default_POA();

  // Both answer for the objects that the servant incarnates. The adapter calls them for the requests of the same
  // names. By default _is_a() answers by the skeleton's table, and _non_existent() returns false.
  virtual CORBA::Boolean _is_a(const char* logical_type_id);
  virtual CORBA::Boolean _non_existent();

  virtual void _add_ref();
  virtual void _remove_ref();
  virtual CORBA::ULong _refcount_value();

  // The generated skeleton defines both. _callis_self() is the argument of the skeleton's thunks.
  virtual const callis::poa::Skeleton& _callis_skeleton() const = 0;
  virtual void* _callis_self() = 0;

 protected:
  ServantBase() noexcept = default;
  // A copy is a new servant with a count of its own.
  ServantBase(const ServantBase&) noexcept {}
  ServantBase& operator=(const ServantBase&) noexcept { return *this; }

 private:
  std::atomic<CORBA::ULong> count_{1};
};

using Servant = ServantBase*;

// Exists for programs that inherit from it; the counting is in ServantBase.
class RefCountServantBase : public virtual ServantBase {
 protected:
  RefCountServantBase() noexcept = default;
};

// Owns one count of a servant.
template <class S>
class Servant_var final {
 public:
  Servant_var() noexcept = default;
  Servant_var(S* s) noexcept : s_(s) {}  // takes over the caller's count
  Servant_var(const Servant_var& o) : s_(o.s_) { add(); }
  template <class T>
  Servant_var(const Servant_var<T>& o) : s_(o.in()) { add(); }
  Servant_var(Servant_var&& o) noexcept : s_(o._retn()) {}
  ~Servant_var() { drop(); }

  Servant_var& operator=(S* s) {
    if (s != s_) {
      drop();
      s_ = s;
    }
    return *this;
  }
  Servant_var& operator=(Servant_var o) noexcept {
    std::swap(s_, o.s_);
    return *this;
  }

  S* operator->() const noexcept { return s_; }
  S& operator*() const noexcept { return *s_; }
  operator S*() const noexcept { return s_; }
  S* in() const noexcept { return s_; }
  S*& inout() noexcept { return s_; }
  S*& out() {
    drop();
    s_ = nullptr;
    return s_;
  }
  // The caller owns the count.
  S* _retn() noexcept { return std::exchange(s_, nullptr); }

 private:
  void add() {
    if (s_) s_->_add_ref();
  }
  void drop() {
    if (s_) s_->_remove_ref();
  }

  S* s_ = nullptr;
};

using ServantBase_var = Servant_var<ServantBase>;

}  // namespace PortableServer::inline callis_orb
