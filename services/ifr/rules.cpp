// SPDX-License-Identifier: Apache-2.0
// What definitions must keep to: names, containers (CORBA 3.0.3, table 10-1), what they refer to, and no circles but
// those that IDL has.
#include <services/ifr/model.h>
#include <services/ifr/refuse.h>
#include <algorithm>
#include <unordered_set>

namespace callis::ifr {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string shown(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 60)) out += c >= ' ' && c < 127 ? c : '?';
  return out + (text.size() > 60 ? "...'" : "'");
}

// Which kinds a container takes.
bool takes(Kind container, Kind inner) {
  const bool type = is_typedef(inner) || inner == Kind::Constant || inner == Kind::Exception;
  switch (container) {
    case Kind::Repository:
    case Kind::Module: return type || is_interface(inner) || inner == Kind::Module || inner == Kind::Value;
    case Kind::Interface:
    case Kind::AbstractInterface:
    case Kind::LocalInterface: return type || inner == Kind::Attribute || inner == Kind::Operation;
    case Kind::Value:
      return type || inner == Kind::Attribute || inner == Kind::Operation || inner == Kind::ValueMember;
    case Kind::Struct:
    case Kind::Union:
    case Kind::Exception: return inner == Kind::Struct || inner == Kind::Union || inner == Kind::Enum;
    default: return false;
  }
}

}  // namespace

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  return std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_repository_id(std::string_view id) {
  const std::size_t colon = id.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == id.size()) return false;
  return std::ranges::all_of(id, [](char c) { return c > ' ' && c < 127; });
}

// Of a definition that is new, or gets these names; an empty id or name is not looked at by rename() and set_id().
void Model::check_names(const Definition& d) const {
  if (!is_contained(d.kind)) return;
  const bool is_new = !find(d.number);
  if (is_new || !d.id.empty()) {
    if (d.id.size() > bounds_.id_bytes) refuse<CORBA::IMP_LIMIT>(0, "a repository id is longer than may be");
    if (!is_repository_id(d.id)) refuse<CORBA::BAD_PARAM>(kNoId, shown(d.id) + " is no repository id");
    if (by_id(d.id) != kNone) refuse<CORBA::BAD_PARAM>(kIdIsThere, shown(d.id) + " is in the repository already");
  }
  if (is_new || !d.name.empty()) {
    if (d.name.size() > bounds_.name_bytes || d.version.size() > bounds_.name_bytes)
      refuse<CORBA::IMP_LIMIT>(0, "a name or a version is longer than may be");
    if (!is_identifier(d.name)) refuse<CORBA::BAD_PARAM>(kNoName, shown(d.name) + " is no identifier");
  }
  if (is_new) {
    const Number there = in_container(d.container, d.name);
    if (there != kNone)
      refuse<CORBA::BAD_PARAM>(kNameIsThere,
                               absolute_name(at(there)) + " is there already, with the id " + at(there).id);
  }
}

void Model::check_place(const Definition& d) const {
  if (!is_contained(d.kind)) return;
  const Definition& container = at(d.container);
  if (!takes(container.kind, d.kind))
    refuse<CORBA::BAD_PARAM>(kWrongContainer, "a " + std::string(kind_word(container.kind)) + " cannot contain a " +
                                                  std::string(kind_word(d.kind)));
  std::size_t depth = 0;
  for (const Definition* up = &container; up; up = find(up->container))
    if (++depth > bounds_.depth) refuse<CORBA::IMP_LIMIT>(0, "containers are in each other deeper than may be");
  if (d.kind != Kind::Operation && d.kind != Kind::Attribute) return;
  for (const Number base : ancestors(container)) {
    const Number there = in_container(base, d.name);
    if (there != kNone && (at(there).kind == Kind::Operation || at(there).kind == Kind::Attribute))
      refuse<CORBA::BAD_PARAM>(kInheritedName, absolute_name(at(there)) + " is inherited already");
  }
}

void Model::check(Number number) const {
  const Definition& d = at(number);
  check_parts(d);
  check_cycles(d);
  check_inherited(d);
}

void Model::check_parts(const Definition& d) const {
  const auto count = [this](std::size_t n) {
    if (n > bounds_.members) refuse<CORBA::IMP_LIMIT>(0, "a definition has more parts than may be");
  };
  for (const std::size_t n : {d.members.size(), d.words.size(), d.bases.size(), d.supported.size(),
                              d.exceptions.size(), d.set_exceptions.size(), d.initializers.size()})
    count(n);
  const auto name = [this](const std::string& n, CORBA::ULong minor) {
    if (n.size() > bounds_.name_bytes) refuse<CORBA::IMP_LIMIT>(0, "a name is longer than may be");
    if (!is_identifier(n)) refuse<CORBA::BAD_PARAM>(minor, shown(n) + " is no identifier");
  };
  const auto value = [this](const std::string& v) {
    if (v.size() > bounds_.value_bytes) refuse<CORBA::IMP_LIMIT>(0, "a value is larger than may be");
  };
  const auto type = [this](Number n, bool may_be_void) {
    const Definition* const t = find(n);
    if (!t || !is_type(t->kind)) refuse<CORBA::BAD_PARAM>(kIncompleteType, "a type is missing, or is not one");
    // pk_null, pk_void
    if (t->kind == Kind::Primitive && (t->bound == 0 || (t->bound == 1 && !may_be_void)))
      refuse<CORBA::BAD_PARAM>(kIncompleteType, "void can be the result of an operation only");
  };
  const auto each = [this](const std::vector<Number>& all, const char* what, auto&& is_good) {
    std::unordered_set<Number> seen;
    for (const Number n : all) {
      const Definition* const other = find(n);
      if (!other || !is_good(other->kind))
        refuse<CORBA::BAD_PARAM>(0, std::string(what) + " is missing, or is not one");
      if (!seen.insert(n).second) refuse<CORBA::BAD_PARAM>(0, std::string(what) + " is named twice");
    }
  };
  const auto members = [&](const std::vector<Member>& all, bool of_union) {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      name(all[i].name, kMemberName);
      type(all[i].type, false);
      value(all[i].label);
      // Several labels of one member of a union stand as as many members behind each other.
      if (of_union && i > 0 && all[i].name == all[i - 1].name && all[i].type == all[i - 1].type) continue;
      if (!seen.insert(all[i].name).second)
        refuse<CORBA::BAD_PARAM>(kMemberName, shown(all[i].name) + " is there twice");
    }
  };
  const auto is_exception = [](Kind k) { return k == Kind::Exception; };
  each(d.exceptions, "an exception", is_exception);
  each(d.set_exceptions, "an exception", is_exception);
  members(d.members, d.kind == Kind::Union);
  value(d.value);
  for (const Initializer& i : d.initializers) {
    count(i.members.size());
    count(i.exceptions.size());
    name(i.name, kNoName);
    members(i.members, false);
    each(i.exceptions, "an exception", is_exception);
  }
  switch (d.kind) {
    case Kind::Operation:
      type(d.type, true);
      if (d.mode == CORBA::ULong{1}) {  // OP_ONEWAY
        const bool out = std::ranges::any_of(d.members, [](const Member& m) { return m.mode != 0; });
        if (d.type != primitive(1) || out || !d.exceptions.empty())
          refuse<CORBA::BAD_PARAM>(kOneway, "a oneway operation has results, or raises exceptions");
      }
      for (const std::string& c : d.words)
        if (c.empty() || c.size() > bounds_.name_bytes)
          refuse<CORBA::BAD_PARAM>(0, "a context has a name of bad length");
      break;
    case Kind::Enum: {
      if (d.words.empty()) refuse<CORBA::BAD_PARAM>(kMemberName, "an enum has an enumerator at least");
      std::unordered_set<std::string> seen;
      for (const std::string& w : d.words) {
        name(w, kMemberName);
        if (!seen.insert(w).second) refuse<CORBA::BAD_PARAM>(kMemberName, shown(w) + " is there twice");
      }
      break;
    }
    case Kind::Interface:
      each(d.bases, "a base", [](Kind k) { return k == Kind::Interface || k == Kind::AbstractInterface; });
      break;
    case Kind::AbstractInterface:
      each(d.bases, "a base", is_interface);
      for (const Number base : d.bases)
        if (at(base).kind != Kind::AbstractInterface)
          refuse<CORBA::BAD_PARAM>(kNotAbstract, "the bases of an abstract interface are abstract");
      break;
    case Kind::LocalInterface: each(d.bases, "a base", is_interface); break;
    case Kind::Value:
      each(d.bases, "an abstract base", [](Kind k) { return k == Kind::Value; });
      each(d.supported, "a supported interface", is_interface);
      if (d.base != kNone && (!find(d.base) || at(d.base).kind != Kind::Value))
        refuse<CORBA::BAD_PARAM>(0, "the base of a valuetype is a valuetype");
      break;
    case Kind::Fixed:
      if (d.bound < 1 || d.bound > 31 || d.scale < 0 || d.scale > static_cast<std::int32_t>(d.bound))
        refuse<CORBA::BAD_PARAM>(0, "fixed has 1 to 31 digits, and a scale from 0 to that");
      break;
    case Kind::Array:
      if (d.bound == 0) refuse<CORBA::BAD_PARAM>(0, "an array has an element at least");
      type(d.type, false);
      break;
    case Kind::Constant:
    case Kind::Union:
    case Kind::Alias:
    case Kind::ValueBox:
    case Kind::Sequence:
    case Kind::Attribute:
    case Kind::ValueMember: type(d.type, false); break;
    default: break;
  }
}

// Whether the type contains itself. through_sequences: also where sequences stand between, and then through aliases,
// sequences and arrays alone, which have no end without a struct; else through structs, too.
bool Model::leads_back(const Definition& d, bool through_sequences) const {
  std::unordered_set<Number> seen;
  std::vector<Number> open;
  const auto add = [&](const Definition& at) {
    switch (at.kind) {
      case Kind::Alias:
      case Kind::Array:
      case Kind::ValueBox: open.push_back(at.type); break;
      case Kind::Sequence:
        if (through_sequences) open.push_back(at.type);
        break;
      case Kind::Struct:
      case Kind::Union:
      case Kind::Exception:
        if (through_sequences) break;
        if (at.kind == Kind::Union) open.push_back(at.type);
        for (const Member& m : at.members) open.push_back(m.type);
        break;
      default: break;
    }
  };
  add(d);
  while (!open.empty()) {
    step();
    const Number next = open.back();
    open.pop_back();
    if (next == d.number) return true;
    const Definition* const found = find(next);
    if (found && seen.insert(next).second) add(*found);
  }
  return false;
}

void Model::check_cycles(const Definition& d) const {
  if (leads_back(d, false) || leads_back(d, true))
    refuse<CORBA::BAD_TYPECODE>(
        2, (d.name.empty() ? std::string(kind_word(d.kind)) : absolute_name(d)) + " would contain itself");
  if (!is_interface(d.kind) && d.kind != Kind::Value) return;
  // ancestors() leaves out d itself.
  for (const Number a : ancestors(d))
    for (const Number base : bases_of(at(a)))
      if (base == d.number)
        refuse<CORBA::BAD_PARAM>(0, absolute_name(d) + " would be a base of its own base " + absolute_name(at(a)));
  for (const Number base : bases_of(d))
    if (base == d.number) refuse<CORBA::BAD_PARAM>(0, absolute_name(d) + " would be its own base");
}

// Operations and attributes that come from two sides.
void Model::check_inherited(const Definition& d) const {
  if ((!is_interface(d.kind) && d.kind != Kind::Value) || bases_of(d).empty()) return;
  std::unordered_map<std::string, Number> seen;
  for (const Number n : contents(d, true)) {
    step();
    const Definition& inner = at(n);
    if (inner.kind != Kind::Operation && inner.kind != Kind::Attribute) continue;
    const auto [there, fresh] = seen.try_emplace(inner.name, n);
    if (!fresh)
      refuse<CORBA::BAD_PARAM>(kInheritedName, absolute_name(d) + " would have both " +
                                                   absolute_name(at(there->second)) + " and " + absolute_name(inner));
  }
}

}  // namespace callis::ifr
