// SPDX-License-Identifier: Apache-2.0
// CORBA::ValueFactoryBase: what makes the values that come from the wire (C++ mapping 1.3, 4.17.10), and the table
// of those that are registered. The table is the process's: all its ORBs share it. Any thread.
#pragma once
#include <callis/value/value_base.h>
#include <string_view>

namespace CORBA::inline callis_orb {
class ValueFactoryBase;
using ValueFactory = ValueFactoryBase*;
}  // namespace CORBA::inline callis_orb

namespace callis::value {

// As CORBA::ORB's functions of these names: callis/orb/base/orb.h says what they promise.
CORBA::ValueFactory register_value_factory(const char* repository_id, CORBA::ValueFactory factory);
void unregister_value_factory(const char* repository_id);
CORBA::ValueFactory lookup_value_factory(const char* repository_id);

// A new value from the factory of that id; nullptr when there is none. Whatever the factory throws.
CORBA::ValueBase* create_value(std::string_view repository_id);

}  // namespace callis::value

namespace CORBA::inline callis_orb {

// Counted like a value; a new one has count 1.
class ValueFactoryBase {
 public:
  virtual void _add_ref();
  virtual void _remove_ref();
  static ValueFactory _downcast(ValueFactory factory) { return factory; }

  ValueFactoryBase& operator=(const ValueFactoryBase&) = delete;

 protected:
  ValueFactoryBase() = default;
  ValueFactoryBase(const ValueFactoryBase&) {}
  virtual ~ValueFactoryBase();

 private:
  friend ValueBase* callis::value::create_value(std::string_view repository_id);
  // A new value for the ORB to read into; the caller owns its count.
  virtual ValueBase* create_for_unmarshal() = 0;

  std::atomic<ULong> count_{1};
};

inline void add_ref(ValueFactoryBase* f) {
  if (f) f->_add_ref();
}
inline void remove_ref(ValueFactoryBase* f) {
  if (f) f->_remove_ref();
}
inline ValueFactory callis_duplicate(ValueFactory f) {
  add_ref(f);
  return f;
}
inline void callis_release(ValueFactory f) { remove_ref(f); }

using ValueFactoryBase_var = callis::classic::ReferenceVar<ValueFactoryBase>;
using ValueFactory_var = ValueFactoryBase_var;

}  // namespace CORBA::inline callis_orb
