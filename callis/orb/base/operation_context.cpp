// SPDX-License-Identifier: Apache-2.0
// Contexts: properties, scopes, patterns.
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/base/operation_context.h>
#include <map>
#include <string>

namespace CORBA::inline callis_orb {

using callis::orb::omg;
using callis::orb::raise;

namespace {

using Properties = std::map<std::string, std::string, std::less<>>;
using Matching = std::map<std::string_view, const std::string*>;

std::string_view text(const char* s) { return s ? s : ""; }

std::string_view checked_name(const char* name) {
  const std::string_view n = text(name);
  if (n.empty() || n.find('*') != n.npos)
    raise<BAD_PARAM>(omg(35), COMPLETED_NO, "the name of a property is empty or has a '*'");
  return n;
}

const char* checked_value(const Any& value) {
  const char* s = nullptr;
  if (!(value >>= s)) raise<BAD_TYPECODE>(omg(3), COMPLETED_NO, "the value of a property is no string");
  return s;
}

const char* checked_pattern(const char* pattern) {
  const std::string_view p = text(pattern);
  if (p.empty() || p.find('*') < p.size() - 1)
    raise<BAD_PARAM>(omg(36), COMPLETED_NO, "a pattern is empty or has a '*' before its end");
  return pattern;
}

// The matches of a pattern stand side by side. Calls use(iterator) for each; use() returns the next iterator.
template <class Map, class Use>
void for_each_match(Map& properties, std::string_view pattern, Use use) {
  if (!pattern.ends_with('*')) {
    if (const auto found = properties.find(pattern); found != properties.end()) use(found);
    return;
  }
  pattern.remove_suffix(1);
  auto it = properties.lower_bound(pattern);
  while (it != properties.end() && it->first.starts_with(pattern)) it = use(it);
}

}  // namespace

struct Context::Body {
  std::string name;
  Context_var parent;
  Properties properties;

  // Adds missing properties: nearer contexts come first.
  void match(std::string_view pattern, Matching& found) const {
    for_each_match(properties, pattern, [&found](Properties::const_iterator it) {
      found.emplace(it->first, &it->second);
      return ++it;
    });
  }
};

Context::Context(const char* name, Context_ptr parent)
    : body_(new Body{std::string(text(name)), _duplicate(parent), {}}) {}
Context::~Context() = default;

const char* Context::context_name() const noexcept { return body_->name.c_str(); }
Context_ptr Context::parent() const noexcept { return body_->parent.in(); }

void Context::create_child(const char* name, Context_out child) {
  if (text(name).find('*') != std::string_view::npos)
    raise<BAD_PARAM>(omg(37), COMPLETED_NO, "the name of a context has a '*'");
  child = new Context(name, this);
}

void Context::set_one_value(const char* name, const Any& value) {
  checked_name(name);
  _callis_set(name, checked_value(value));
}

void Context::set_values(NVList_ptr values) {
  if (!values) raise<BAD_PARAM>(0, COMPLETED_NO, "nil list");
  Properties all;
  for (ULong i = 0; i < values->count(); ++i) {
    const NamedValue_ptr v = values->item(i);
    all.insert_or_assign(std::string(checked_name(v->name())), checked_value(*v->value()));
  }
  all.merge(body_->properties);  // new properties stay
  body_->properties.swap(all);
}

void Context::delete_values(const char* pattern) {
  bool any = false;
  for_each_match(body_->properties, checked_pattern(pattern), [&](Properties::iterator it) {
    any = true;
    return body_->properties.erase(it);
  });
  if (!any) raise<BAD_CONTEXT>(omg(2), COMPLETED_NO, "no property matches");
}

void Context::get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values) const {
  if (flags != 0 && flags != CTX_RESTRICT_SCOPE) raise<INV_FLAG>(0, COMPLETED_NO, "flags of get_values");
  checked_pattern(pattern);
  const std::string_view scope = text(start_scope);
  const Context* from = this;
  while (from && !scope.empty() && scope != from->context_name()) from = from->parent();
  if (!from) raise<BAD_CONTEXT>(omg(1), COMPLETED_NO, "no context of that name");
  Matching found;
  for (; from; from = flags == CTX_RESTRICT_SCOPE ? nullptr : from->parent()) from->body_->match(pattern, found);
  if (found.empty()) raise<BAD_CONTEXT>(omg(2), COMPLETED_NO, "no property matches");
  NVList_var list(new NVList);
  for (const auto& [name, value] : found) {
    const NamedValue_ptr added = list->add_item(std::string(name).c_str(), 0);
    *added->value() <<= value->c_str();
  }
  values = list._retn();
}

Context_ptr Context::_callis_create(const char* name) { return new Context(name, nullptr); }

void Context::_callis_set(const char* name, const char* value) { body_->properties.insert_or_assign(name, value); }

callis::classic::StringSequence<> Context::_callis_matching(std::initializer_list<const char*> patterns) const {
  Matching found;
  for (const Context* c = this; c; c = c->parent())
    for (const char* p : patterns) c->body_->match(p, found);
  callis::classic::StringSequence<> strings;
  strings.length(static_cast<ULong>(2 * found.size()));
  ULong i = 0;
  for (const auto& [name, value] : found) {
    strings[i++] = std::string(name).c_str();
    strings[i++] = value->c_str();
  }
  return strings;
}

}  // namespace CORBA::inline callis_orb

namespace callis::orb {

classic::StringSequence<> sent_context(CORBA::Context_ptr context, std::initializer_list<const char*> patterns) {
  return context ? context->_callis_matching(patterns) : classic::StringSequence<>();
}

CORBA::Context_ptr received_context(const classic::StringSequence<>& strings) {
  if (strings.length() % 2 != 0)
    raise<CORBA::MARSHAL>(own(Fault::BadValue), CORBA::COMPLETED_NO, "a context with a name without a value");
  if (strings.length() / 2 > kMostReceivedProperties)
    raise<CORBA::IMP_LIMIT>(own(Fault::LimitExceeded), CORBA::COMPLETED_NO, "a context with too many properties");
  CORBA::Context_var context(CORBA::Context::_callis_create(""));
  for (CORBA::ULong i = 0; i < strings.length(); i += 2) context->_callis_set(strings[i], strings[i + 1]);
  return context._retn();
}

CORBA::Context_ptr default_context() {
  // Never freed: objects with a static life may use it while they end.
  static const CORBA::Context_ptr context = CORBA::Context::_callis_create("default");
  return context;
}

}  // namespace callis::orb
