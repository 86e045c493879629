// SPDX-License-Identifier: Apache-2.0
// CORBA::AbstractBase: the base of abstract interfaces, which an object reference or a value can stand for (CORBA 3.3
// part 1, 7.8.9.2; C++ mapping 1.3, 4.3.13).
//
//     AbstractBase ◄─ A (abstract) ◄─ C (interface C : A), also an Object
//                          ▲───────── V (valuetype V supports A), also a ValueBase
//
// Counting goes to the object or to the value. An A that came in as a reference to an object of an unknown interface
// is an object of a class of its own.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/orb/base/object.h>
#include <callis/value/value_base.h>
#include <concepts>

namespace CORBA::inline callis_orb {

class AbstractBase;
using AbstractBase_ptr = AbstractBase*;

class AbstractBase {
 public:
  using _ptr_type = AbstractBase_ptr;
  using _var_type = callis::classic::ReferenceVar<AbstractBase>;

  static AbstractBase_ptr _duplicate(AbstractBase_ptr a);
  static AbstractBase_ptr _narrow(AbstractBase_ptr a) { return _duplicate(a); }
  static AbstractBase_ptr _nil() { return nullptr; }

  // The caller owns the count. Nil for a value.
  Object_ptr _to_object() { return Object::_duplicate(_callis_object()); }
  // The value; nullptr for an object reference.
  ValueBase* _to_value() { return callis_duplicate(_callis_value()); }

  // The same without counting.
  virtual Object_ptr _callis_object() noexcept { return nullptr; }
  virtual ValueBase* _callis_value() noexcept { return nullptr; }

  AbstractBase& operator=(const AbstractBase&) = delete;

 protected:
  AbstractBase() = default;
  AbstractBase(const AbstractBase&) = default;
  virtual ~AbstractBase();
};

inline Boolean is_nil(AbstractBase_ptr a) { return a == nullptr; }
void release(AbstractBase_ptr a);

// Interfaces that derive from abstract ones are both.
template <class C>
concept callis_both = std::derived_from<C, Object> && std::derived_from<C, AbstractBase>;
template <callis_both C>
Boolean is_nil(C* c) {
  return c == nullptr;
}
template <callis_both C>
void release(C* c) {
  release(static_cast<Object_ptr>(c));
}

inline AbstractBase_ptr callis_duplicate(AbstractBase_ptr a) { return AbstractBase::_duplicate(a); }
inline void callis_release(AbstractBase_ptr a) { release(a); }

using AbstractBase_var = callis::classic::ReferenceVar<AbstractBase>;
using AbstractBase_out = callis::classic::ReferenceOut<AbstractBase>;

}  // namespace CORBA::inline callis_orb

namespace callis::orb {

// One for each abstract interface: the entry of Unit::links for Kind::Abstract.
struct AbstractLink {
  const char* repository_id;
  // Makes an A* of a new reference (counted, owned by the caller); no remote check.
  void* (*create)(Reference*);
  // Converts A* to AbstractBase* and back (nullptr if the base is no A), without counting.
  CORBA::AbstractBase* (*to_base)(void* typed);
  void* (*from_base)(CORBA::AbstractBase*);
};

// For _narrow: returns the same object if it is an A already. Otherwise asks the object whether it is an A, and makes
// a new A for it.
void* narrow(CORBA::AbstractBase* base, const AbstractLink& link);
void* unchecked_narrow(CORBA::AbstractBase* base, const AbstractLink& link);

// Represent an object or a value in a slot that holds a CORBA::AbstractBase*, without a class of an abstract
// interface. The caller of the first owns a count; nil for nil. The second counts nothing. Its result is valid as
// long as the value, and nullptr if the value supports no abstract interface. Described values
// (callis/value/described_graph.h) support any abstract interface, as no TypeCode says which. Both throw
// std::bad_alloc.
CORBA::AbstractBase* to_abstract(CORBA::Object_ptr object);
CORBA::AbstractBase* to_abstract(CORBA::ValueBase& value);

// Used by compiled stubs. On the wire a boolean says whether it is an object, and an IOR or a value follows (CORBA
// 3.3 part 2, 9.3.7). get_abstract() returns an owned A*, or an owned AbstractBase* without a link.
void put_abstract(cdr::Encoder& encoder, CORBA::AbstractBase* base);
void* get_abstract(cdr::Decoder& decoder, const AbstractLink* link);

}  // namespace callis::orb
