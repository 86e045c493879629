// SPDX-License-Identifier: Apache-2.0
// Properties of contexts as text, for both sides of contexts.idl.
#pragma once
#include "mapping.h"
#include <map>
#include <string>

namespace interop {

// "name=value;" of all that matches, by name: in what order an ORB lists them is its own affair. Empty for nothing.
inline std::string context_text(CORBA::Context_ptr context, const char* pattern, CORBA::ULong& count) {
  count = 0;
  CORBA::NVList_var list;
  try {
    context->get_values("", 0, pattern, list.out());
  } catch (const CORBA::BAD_CONTEXT&) {
    return {};
  }
  count = list->count();
  std::map<std::string, std::string> sorted;
  for (CORBA::ULong i = 0; i < count; ++i) {
    const char* value = nullptr;
    if (*list->item(i)->value() >>= value) sorted[list->item(i)->name()] = value;
  }
  std::string text;
  for (const auto& [name, value] : sorted) text += name + '=' + value + ';';
  return text;
}
inline std::string context_text(CORBA::Context_ptr context, const char* pattern) {
  CORBA::ULong count = 0;
  return context_text(context, pattern, count);
}

}  // namespace interop
