// SPDX-License-Identifier: Apache-2.0
// Properties in memory, and the exceptions of their operations.
#include <services/streams/properties.h>
#include <cstring>

namespace callis::streams {
namespace {

namespace P = CosPropertyService;

void check_name(const char* name) {
  const std::size_t size = std::strlen(name);
  if (size == 0 || size > PropertyBag::kMostNameBytes) throw P::InvalidPropertyName();
}

// Runs `one` for each; what it throws is collected.
template<class All, class NameOf, class One>
void each(const All& all, NameOf&& name_of, One&& one) {
  P::MultipleExceptions failed;
  for (CORBA::ULong i = 0; i < all.length(); ++i) {
    P::ExceptionReason reason;
    try {
      one(all[i]);
      continue;
    } catch (const P::InvalidPropertyName&) {
      reason = P::invalid_property_name;
    } catch (const P::UnsupportedProperty&) {
      reason = P::unsupported_property;
    } catch (const P::ReadOnlyProperty&) {
      reason = P::read_only_property;
    } catch (const P::ConflictingProperty&) {
      reason = P::conflicting_property;
    } catch (const P::PropertyNotFound&) {
      reason = P::property_not_found;
    } catch (const P::FixedProperty&) {
      reason = P::fixed_property;
    }
    const CORBA::ULong n = failed.exceptions.length();
    failed.exceptions.length(n + 1);
    failed.exceptions[n].reason = reason;
    failed.exceptions[n].failing_property_name = name_of(all[i]);
  }
  if (failed.exceptions.length()) throw failed;
}

}  // namespace

void PropertyBag::set(const std::string& name, const CORBA::Any& value) {
  const std::lock_guard lock(mutex_);
  all_[name] = {value, true};
}

void PropertyBag::define(const char* name, const CORBA::Any& value) {
  check_name(name);
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(name);
  if (found == all_.end()) {
    if (all_.size() >= kMost) throw P::UnsupportedProperty();
    all_[name].value = value;
    return;
  }
  if (found->second.own) throw P::ReadOnlyProperty();
  const CORBA::TypeCode_var was = found->second.value.type(), is = value.type();
  if (!was->equivalent(is.in())) throw P::ConflictingProperty();  // 2.3.1: a property keeps its type
  found->second.value = value;
}

void PropertyBag::define_all(const P::Properties& all) {
  each(
      all, [](const P::Property& p) { return p.property_name; },
      [&](const P::Property& p) { define(p.property_name.in(), p.property_value); });
}

CORBA::ULong PropertyBag::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<CORBA::ULong>(all_.size());
}

P::PropertyNames* PropertyBag::names(CORBA::ULong how_many) const {
  P::PropertyNames_var out = new P::PropertyNames;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, kept] : all_) {
    const CORBA::ULong n = out->length();
    if (n == how_many) break;
    out->length(n + 1);
    out[n] = name.c_str();
  }
  return out._retn();
}

CORBA::Any* PropertyBag::value(const char* name) const {
  check_name(name);
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(name);
  if (found == all_.end()) throw P::PropertyNotFound();
  return new CORBA::Any(found->second.value);
}

bool PropertyBag::values(const P::PropertyNames& names, P::Properties_out out) const {
  P::Properties_var all = new P::Properties;
  all->length(names.length());
  bool complete = true;
  const std::lock_guard lock(mutex_);
  for (CORBA::ULong i = 0; i < names.length(); ++i) {
    all[i].property_name = names[i];
    const auto found = all_.find(static_cast<const char*>(names[i]));
    if (found == all_.end()) {
      complete = false;
    } else {
      all[i].property_value = found->second.value;
    }
  }
  out = all._retn();
  return complete;
}

P::Properties* PropertyBag::all(CORBA::ULong how_many) const {
  P::Properties_var out = new P::Properties;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, kept] : all_) {
    const CORBA::ULong n = out->length();
    if (n == how_many) break;
    out->length(n + 1);
    out[n].property_name = name.c_str();
    out[n].property_value = kept.value;
  }
  return out._retn();
}

void PropertyBag::remove(const char* name) {
  check_name(name);
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(name);
  if (found == all_.end()) throw P::PropertyNotFound();
  if (found->second.own) throw P::FixedProperty();
  all_.erase(found);
}

void PropertyBag::remove_all(const P::PropertyNames& names) {
  each(
      names, [](const auto& name) { return CORBA::String_var(CORBA::string_dup(name)); },
      [&](const auto& name) { remove(name); });
}

bool PropertyBag::remove_everything() {
  const std::lock_guard lock(mutex_);
  bool all = true;
  for (auto at = all_.begin(); at != all_.end();) {
    if (at->second.own) all = false;
    at = at->second.own ? std::next(at) : all_.erase(at);
  }
  return all;
}

bool PropertyBag::has(const char* name) const {
  check_name(name);
  const std::lock_guard lock(mutex_);
  return all_.count(name) != 0;
}

}  // namespace callis::streams
