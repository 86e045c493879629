// SPDX-License-Identifier: Apache-2.0
// As ../mapping.h, for values.idl; and what both sides have of its valuetypes.
#pragma once
#include <cstdio>
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include "values.hh"
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "values.h"
#include "values_skel.h"
#endif

namespace interop {

// What an application writes for a valuetype with operations.
template <class Obv>
class AnimalBase : public virtual Obv, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* sound() override { return CORBA::string_dup("..."); }
  CORBA::Long years() override { return this->age(); }
};

class AnimalValue final : public AnimalBase<OBV_Obv::Animal> {
 public:
  AnimalValue() = default;
  AnimalValue(const char* name, CORBA::Long age) {
    this->name(name);
    this->age(age);
  }
};
class DogValue final : public AnimalBase<OBV_Obv::Dog> {
 public:
  DogValue() { weight(0); }
  DogValue(const char* name, CORBA::Long age, const char* breed, Obv::Node* tail) {
    this->name(name);
    this->age(age);
    this->breed(breed);
    this->tail(tail);
    weight(age * 1.5);
  }
  char* sound() override { return CORBA::string_dup("wow"); }
  bool heavy_as(CORBA::Long age) { return weight() == age * 1.5; }
};
class DescribedValue final : public virtual OBV_Obv::Described, public virtual CORBA::DefaultValueRefCountBase {
 public:
  DescribedValue() = default;
  explicit DescribedValue(const char* text) { this->text(text); }
  char* describe(CORBA::Long detail) override {
    char text[100];
    std::snprintf(text, sizeof text, "value %s %d", this->text(), int(detail));
    return CORBA::string_dup(text);
  }
};

template <class Value>
class FactoryOf : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};
class AnimalFactory final : public Obv::Animal_init {
 public:
  Obv::Animal* make(const char* name, CORBA::Long age) override { return new AnimalValue(name, age); }

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return new AnimalValue; }
};

inline void add_factory(CORBA::ORB_ptr orb, const char* name, CORBA::ValueFactory factory) {
  char id[100];
  std::snprintf(id, sizeof id, "IDL:Obv/%s:1.0", name);
  if (CORBA::ValueFactory before = orb->register_value_factory(id, factory)) before->_remove_ref();
  factory->_remove_ref();
}
inline void add_common_factories(CORBA::ORB_ptr orb) {
  add_factory(orb, "Point", new Obv::Point_init);
  add_factory(orb, "Node", new Obv::Node_init);
  add_factory(orb, "Animal", new AnimalFactory);
  add_factory(orb, "Dog", new FactoryOf<DogValue>);
  add_factory(orb, "Described", new FactoryOf<DescribedValue>);
}

inline Obv::Node* make_node(CORBA::Long number, Obv::Node* next = nullptr) {
  Obv::Node* const n = new OBV_Obv::Node;
  n->number(number);
  n->next(next);
  return n;
}
// A list of the numbers n to 1; the caller owns its head.
inline Obv::Node* make_list(CORBA::Long n) {
  Obv::Node_var head;
  for (CORBA::Long i = 1; i <= n; ++i) head = make_node(i, head.in());
  return head._retn();
}

// Of all that a server has of a value that it may have truncated.
inline CORBA::ULong add_to(CORBA::ULong sum, CORBA::ULong n) { return (sum ^ n) * 16777619u; }
inline CORBA::ULong add_to(CORBA::ULong sum, const char* s) {
  for (; *s; ++s) sum = add_to(sum, static_cast<unsigned char>(*s));
  return add_to(sum, 0u);
}
inline CORBA::ULong add_to(CORBA::ULong sum, Obv::Node* n) {
  for (; n; n = n->next()) sum = add_to(sum, static_cast<CORBA::ULong>(n->number()));
  return add_to(sum, 1u);
}
inline CORBA::ULong add_to(CORBA::ULong sum, Obv::Animal* a) {
  if (!a) return add_to(sum, 2u);
  sum = add_to(add_to(sum, a->name()), static_cast<CORBA::ULong>(a->years()));
  Obv::Dog* const dog = Obv::Dog::_downcast(a);
  return dog ? add_to(add_to(sum, dog->breed()), dog->tail()) : sum;
}
inline CORBA::ULong sum_of(Obv::Animal* a, Obv::Node* behind, Obv::Animal* again) {
  return add_to(add_to(add_to(add_to(2166136261u, a), behind), again), CORBA::ULong(a == again));
}

}  // namespace interop
