// SPDX-License-Identifier: Apache-2.0
// CORBA::ValueBase: the base of all valuetypes (C++ mapping 1.3, 4.17.5), and what counts them.
//
// A value is counted: who is given one by new, a factory or an operation owns a count and ends it with
// _remove_ref(). An `in` argument is the caller's. Counting is safe from any thread, everything else is as safe as
// the class of the value makes it. Values that refer to each other in a cycle are never freed unless somebody breaks
// it: callis::value::take_apart().
#pragma once
#include <callis/classic/reference.h>
#include <callis/classic/types.h>
#include <callis/value/link.h>
#include <atomic>

namespace CORBA::inline callis_orb {

class ValueBase {
 public:
  using _ptr_type = ValueBase*;
  using _var_type = callis::classic::ReferenceVar<ValueBase>;

  virtual void _add_ref() = 0;
  virtual void _remove_ref() = 0;
  // A deep copy (what the value refers to is copied as often as it is referred to); nullptr where the class does not
  // say how.
  virtual ValueBase* _copy_value() = 0;
  virtual ULong _refcount_value() = 0;

  static ValueBase* _downcast(ValueBase* v) { return v; }

  // For the ORB, from generated classes: the type; the state of one level (link.h), nullptr for other types.
  virtual const callis::value::ValueLink* _callis_link() const noexcept;
  virtual void* _callis_state(const callis::value::ValueLink& level) noexcept;

  ValueBase& operator=(const ValueBase&) = delete;

 protected:
  ValueBase() noexcept { callis_count(1); }
  ValueBase(const ValueBase&) noexcept { callis_count(1); }
  virtual ~ValueBase();

 private:
  static void callis_count(int more) noexcept;
};

// Counts. The count of a new value, copies too, is 1. A value is destroyed by who lets go of it last, before its
// _remove_ref() returns; of a chain of values that is destroyed as a whole, those more than some from the first
// are destroyed after it rather than within, so that no list is too long for the stack (base/bounded_deletion.h).
class DefaultValueRefCountBase : public virtual ValueBase {
 public:
  void _add_ref() override;
  void _remove_ref() override;
  ULong _refcount_value() override;

 protected:
  DefaultValueRefCountBase() = default;
  DefaultValueRefCountBase(const DefaultValueRefCountBase& o) : ValueBase(o) {}
  ~DefaultValueRefCountBase() override;

 private:
  static void end(DefaultValueRefCountBase* v);

  std::atomic<ULong> count_{1};
};

// nullptr is left alone.
inline void add_ref(ValueBase* v) {
  if (v) v->_add_ref();
}
inline void remove_ref(ValueBase* v) {
  if (v) v->_remove_ref();
}
// How callis/classic/reference.h counts.
inline ValueBase* callis_duplicate(ValueBase* v) {
  add_ref(v);
  return v;
}
inline void callis_release(ValueBase* v) { remove_ref(v); }

using ValueBase_ptr = ValueBase*;
using ValueBase_var = callis::classic::ReferenceVar<ValueBase>;
using ValueBase_out = callis::classic::ReferenceOut<ValueBase>;

}  // namespace CORBA::inline callis_orb

namespace callis::value {

// What CORBA::ValueBase::_copy_value() does for values whose class says no more: a new one of the same type, by its
// factory, with a deep copy of the state, of any depth. MARSHAL, OMG minor 1, without a factory.
CORBA::ValueBase* copy_value(CORBA::ValueBase& value);

// Breaks the circles that a graph of values has: every value that the one leads to (by members of its state, by
// sequences, structs, unions, anys and boxes in it) lets go of the values, abstract interfaces and anys in its state;
// what is there then is null, or an empty any. Who holds a count keeps that value; all others are gone when it
// returns. nullptr is left alone. Nobody else may use these values meanwhile. Custom values that keep values
// elsewhere than in members of their IDL keep these. std::bad_alloc, with nothing done.
void take_apart(CORBA::ValueBase* value);

// How many CORBA::ValueBases there are in the process, of any class: to find out whether circles are left. Any
// thread; exact while no other thread makes or ends values.
std::size_t living_values() noexcept;

// For ValueLinks.
template <class X>
CORBA::ValueBase* upcast(void* typed) {
  return static_cast<X*>(typed);
}
template <class X>
void* downcast(CORBA::ValueBase* value) {
  return dynamic_cast<X*>(value);
}
template <class X>
CORBA::ValueBase* create_box() {
  return new X;
}

}  // namespace callis::value
