// SPDX-License-Identifier: Apache-2.0
// Members with names: what DynStruct and DynValue have in common (CORBA 3.3 part 1, 9.2.7 and 9.2.12).
//
// name(i): of member i, a text that lives as long as the call. component(i): its Node.
#pragma once
#include <callis/dynamic/dyn_any.h>
#include <memory>
#include <string_view>
#include <vector>

namespace callis::dynamic {

// The lists are the caller's.
template <class Name, class Component>
DynamicAny::NameValuePairSeq* members_as_anys(CORBA::ULong n, Name name, Component component) {
  auto list = std::make_unique<DynamicAny::NameValuePairSeq>();
  list->length(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    (*list)[i].id = CORBA::string_dup(name(i));
    const CORBA::Any_var any = component(i)->to_any();
    (*list)[i].value = any.in();
  }
  return list.release();
}

template <class Name, class Component>
DynamicAny::NameDynAnyPairSeq* members_as_dyn_anys(CORBA::ULong n, Name name, Component component) {
  auto list = std::make_unique<DynamicAny::NameDynAnyPairSeq>();
  list->length(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    (*list)[i].id = CORBA::string_dup(name(i));
    (*list)[i].value = DynamicAny::DynAny::_duplicate(component(i));
  }
  return list.release();
}

inline const void* value_for(Node& member, const DynamicAny::NameValuePair& pair, std::unique_ptr<CORBA::Any>& kept) {
  return member.value_for(pair.value, kept);
}
inline const void* value_for(Node& member, const DynamicAny::NameDynAnyPair& pair,
                             std::unique_ptr<CORBA::Any>& kept) {
  return member.value_of(pair.value.in(), kept);
}

// All or nothing: the values are found before the first is set. A name that is empty fits any member.
template <class List, class Name, class Component>
void set_members(const List& list, CORBA::ULong n, Name name, Component component) {
  if (list.length() != n) invalid_value();
  std::vector<std::unique_ptr<CORBA::Any>> kept(n);
  std::vector<const void*> found;
  for (CORBA::ULong i = 0; i < n; ++i) {
    const std::string_view given = list[i].id.in() ? list[i].id.in() : "", own = name(i);
    if (!given.empty() && !own.empty() && given != own) type_mismatch();
    found.push_back(value_for(*component(i), list[i], kept[i]));
  }
  for (CORBA::ULong i = 0; i < n; ++i) component(i)->set_value(found[i]);
}

}  // namespace callis::dynamic
