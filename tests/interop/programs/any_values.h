// SPDX-License-Identifier: Apache-2.0
// The values that go in Anys, by name: how each is made, and whether an Any has it.
#pragma once
#include "mapping.h"
#include <cstring>
#include <string>

namespace interop {

struct AnyValue {
  const char* name;
  bool wide;  // has wide characters, which need GIOP 1.2
  void (*make)(CORBA::Any&, AnyTest::Peer_ptr);
  bool (*good)(const CORBA::Any&);
};

// nullptr: there is none of that name.
const AnyValue* any_value(const char* name);
extern const AnyValue kAnyValues[];
extern const std::size_t kAnyValueCount;

struct NamedType {
  const char* name;
  const CORBA::TypeCode_ptr* type;  // an address: omniORB's constants have their values when main() begins
};
extern const NamedType kNamedTypes[];
extern const std::size_t kNamedTypeCount;
CORBA::TypeCode_ptr named_type(const char* name);

}  // namespace interop
