// SPDX-License-Identifier: Apache-2.0
// far.hh brings module CosNaming of callis's naming component; Naming.hh, made from a file with that module, may
// follow.
#include <far.hh>
//
#include <Naming.hh>

class Directory final : public POA_CosNaming::NamingContext {
 public:
  CORBA::Object_ptr resolve(const CosNaming::Name& name) override {
    if (name.length() == 0) throw CosNaming::NamingContext::InvalidName();
    return CORBA::Object::_nil();
  }
};
