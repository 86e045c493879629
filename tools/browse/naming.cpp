// SPDX-License-Identifier: Apache-2.0
#include <services/programs/usage.h>
#include <tools/browse/naming.h>
#include <tools/call/expected.h>
#include <tools/call/texts.h>
#include <algorithm>
#include "cos_naming.h"

namespace callis::tools {

namespace {

constexpr unsigned kStep = 200;

// "id.kind", with a backslash in front of what has a meaning (Naming Service 1.3, 2.4.1).
std::string stringified(const CosNaming::NameComponent& c) {
  const auto part = [](const char* text) {
    std::string out;
    for (const char* p = text; *p; ++p) {
      if (*p == '.' || *p == '/' || *p == '\\') out += '\\';
      out += *p;
    }
    return out;
  };
  std::string out = part(c.id);
  if (*c.kind.in() || out.empty()) out += "." + part(c.kind);
  return is_utf8(out) ? out : programs::escaped(out);
}

void add(Json& to, const CosNaming::BindingList& list) {
  for (CORBA::ULong i = 0; i < list.length() && to.items.size() < kMostBindings; ++i) {
    const CosNaming::Name& name = list[i].binding_name;
    if (name.length() != 1) continue;  // a context has simple names only
    Json one = Json::object();
    one.add("name", Json::string(stringified(name[0])));
    Json component = Json::array();
    component.add(Json::string(to_base64(name[0].id.in())));
    component.add(Json::string(to_base64(name[0].kind.in())));
    one.add("component", std::move(component));
    one.add("context", Json::boolean(list[i].binding_type == CosNaming::ncontext));
    to.add(std::move(one));
  }
}

CosNaming::NamingContext_var as_context(CORBA::Object_ptr object) {
  return CosNaming::NamingContext::_unchecked_narrow(object);
}

}  // namespace

bool is_naming_context(CORBA::Object_ptr object) { return object->_is_a("IDL:omg.org/CosNaming/NamingContext:1.0"); }

Json bindings(CORBA::Object_ptr context) {
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  as_context(context)->list(kStep, list.out(), rest.out());
  Json all = Json::array();
  add(all, list.in());
  bool more = !CORBA::is_nil(rest.in());
  while (more && all.items.size() < kMostBindings) {
    more = rest->next_n(kStep, list.out());
    if (more && list->length() == 0) break;  // it would go on for ever
    add(all, list.in());
  }
  if (!CORBA::is_nil(rest.in())) {
    try {
      rest->destroy();
    } catch (const CORBA::SystemException&) {  // it is gone already
    }
  }
  std::stable_sort(all.items.begin(), all.items.end(), [](const Json& a, const Json& b) {
    const bool first = a.items[2].truth, second = b.items[2].truth;
    return first != second ? first : a.items[0].text < b.items[0].text;
  });
  Json out = Json::object();
  out.add("bindings", std::move(all));
  out.add("more", Json::boolean(more && out.items[0].items.size() >= kMostBindings));
  return out;
}

CORBA::Object_var resolve(CORBA::Object_ptr context, const Json& component) {
  std::string id, kind;
  if (component.kind != Json::Kind::Array || component.items.size() != 2 ||
      component.items[0].kind != Json::Kind::String || component.items[1].kind != Json::Kind::String ||
      !from_base64(component.items[0].text, id) || !from_base64(component.items[1].text, kind)) {
    wrong("component", "two strings of base64", component);
  }
  CosNaming::Name name;
  name.length(1);
  name[0].id = CORBA::string_dup(id.c_str());
  name[0].kind = CORBA::string_dup(kind.c_str());
  return as_context(context)->resolve(name);
}

}  // namespace callis::tools
