// SPDX-License-Identifier: Apache-2.0
// Service types, and what they inherit.
#include <callis/base/text.h>
#include <services/trading/names.h>
#include <services/trading/types.h>
#include <algorithm>
#include <charconv>
#include <set>
#include "CallisTrading.h"

namespace callis::trading {

namespace {

constexpr const char *kTypePrefix = "t/", *kIncarnation = "a/incarnation";

Repository::PropStruct to_idl(const PropertyType& p) {
  Repository::PropStruct out;
  out.name = p.name.c_str();
  out.value_type = p.type;
  out.mode = mode_of(p);
  return out;
}

PropertyType from_idl(const Repository::PropStruct& p) {
  PropertyType out;
  out.name = p.name.in();
  out.type = CORBA::TypeCode::_duplicate(p.value_type.in());
  out.mandatory = p.mode == Repository::PROP_MANDATORY || p.mode == Repository::PROP_MANDATORY_READONLY;
  out.readonly = p.mode == Repository::PROP_READONLY || p.mode == Repository::PROP_MANDATORY_READONLY;
  return out;
}

// Those that come from one declaration share its TypeCode.
bool same_type(const PropertyType& a, const PropertyType& b) {
  return a.type.in() == b.type.in() || a.type->equivalent(b.type.in());
}

// Whether `to` may stand for `from` in a derived type: the same type, and a mode that is as strict.
bool may_redefine(const PropertyType& from, const PropertyType& to) {
  return same_type(from, to) && (to.mandatory || !from.mandatory) && (to.readonly || !from.readonly);
}

[[noreturn]] void too_many(const char* of, std::size_t most) {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, concat({"there are more ", of, " than ", Decimal(most)}));
}

constexpr const char* kProperties = "properties of a service type";
constexpr const char* kSupers = "types that a service type is derived from";

// Fills in `all` and `all_supers`. direct: the types it is derived from, in their order. ValueTypeRedefinition.
void inherit(ServiceType* type, const std::vector<ServiceTypePtr>& direct, services::OperationTime* time) {
  std::set<std::string> supers;
  std::map<std::string, std::string> from;  // property, the type that it comes from
  const auto refuse = [](const std::string& first, const PropertyType& a, const std::string& second,
                         const PropertyType& b) {
    throw Repository::ValueTypeRedefinition(first.c_str(), to_idl(a), second.c_str(), to_idl(b));
  };
  for (const ServiceTypePtr& super : direct) {
    const std::string& name = super->name;
    supers.insert(name);
    supers.insert(super->all_supers.begin(), super->all_supers.end());
    for (const auto& [property, declared] : super->all) {
      const auto [known, is_new] = type->all.emplace(property, declared);
      if (time) time->check();
      if (is_new) {
        if (time && type->all.size() > Types::kMostProperties) too_many(kProperties, Types::kMostProperties);
        from[property] = name;
        continue;
      }
      // Of two that inherit it, the stricter one counts.
      if (!same_type(known->second, declared)) refuse(from[property], known->second, name, declared);
      known->second.mandatory = known->second.mandatory || declared.mandatory;
      known->second.readonly = known->second.readonly || declared.readonly;
    }
  }
  for (const PropertyType& p : type->own) {
    const auto [known, is_new] = type->all.emplace(p.name, p);
    if (is_new) continue;
    if (!may_redefine(known->second, p)) refuse(from[p.name], known->second, type->name, p);
    known->second = p;
  }
  type->all_supers.assign(supers.begin(), supers.end());
}

}  // namespace

Repository::PropertyMode mode_of(const PropertyType& p) {
  if (p.mandatory) return p.readonly ? Repository::PROP_MANDATORY_READONLY : Repository::PROP_MANDATORY;
  return p.readonly ? Repository::PROP_READONLY : Repository::PROP_NORMAL;
}

Repository::IncarnationNumber to_idl(std::uint64_t n) {
  return {static_cast<CORBA::ULong>(n >> 32), static_cast<CORBA::ULong>(n & 0xffffffffu)};
}

std::uint64_t from_idl(const Repository::IncarnationNumber& n) {
  return static_cast<std::uint64_t>(n.high) << 32 | n.low;
}

Types::Types(Keeper& keeper, services::MemoryBound& memory) : keeper_(keeper), memory_(memory) {
  keeper_.read(kIncarnation, [&](services::Pair&& p) { (void)from_digits(p.value, next_); });
  struct Read {
    std::shared_ptr<ServiceType> type;
    std::size_t bytes;
  };
  std::vector<Read> read;
  keeper_.read(kTypePrefix, [&](services::Pair&& p) {
    CallisTrading::StoredType stored;
    auto type = std::make_shared<ServiceType>();
    type->name = p.key.substr(2);
    if (!keeper_.from_bytes(p.value, CallisTrading::_tc_StoredType, stored))
      throw services::StoreFailed(services::StoreFailed::Damaged,
                                  concat({"the service type ", type->name, " in the store cannot be read"}));
    type->interface = stored.if_name.in();
    for (CORBA::ULong i = 0; i < stored.props.length(); ++i) type->own.push_back(from_idl(stored.props[i]));
    for (CORBA::ULong i = 0; i < stored.super_types.length(); ++i)
      type->supers.emplace_back(stored.super_types[i].in());
    type->masked = stored.masked;
    type->incarnation = stored.incarnation;
    read.push_back({std::move(type), p.value.size()});
  });
  // A type is younger than its supertypes.
  std::sort(read.begin(), read.end(),
            [](const Read& a, const Read& b) { return a.type->incarnation < b.type->incarnation; });
  for (auto& [type, bytes] : read) {
    Supers supers;
    for (const std::string& s : type->supers) {
      supers.push_back(find(s));
      if (!supers.back())
        throw services::StoreFailed(
            services::StoreFailed::Damaged,
            concat({"the service type ", type->name, " in the store is derived from ", s, ", which is not there"}));
    }
    inherit(type.get(), supers, nullptr);
    const std::size_t needs = memory_of(*type, bytes);
    put(std::move(type), memory_.adopt(needs));
  }
}

ServiceTypePtr Types::find(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second.type;
}

ServiceTypePtr Types::get(const char* name) const {
  if (!is_type_name(name)) throw CosTrading::IllegalServiceType(name);
  const std::shared_lock lock(mutex_);
  ServiceTypePtr out = find(name);
  if (!out) throw CosTrading::UnknownServiceType(name);
  return out;
}

// Each type has the names of what it inherits in a map of its own; TypeCodes are shared.
std::size_t Types::memory_of(const ServiceType& type, std::size_t stored_bytes) const {
  constexpr std::size_t kOverhead = services::MemoryBound::kOverhead;
  std::size_t out = 4 * kOverhead + stored_bytes * (keeper_.in_memory() ? 7 : 6);
  for (const auto& [name, property] : type.all) out += kOverhead + 2 * name.size();
  for (const std::string& name : type.all_supers) out += kOverhead / 2 + name.size();
  return out;
}

// No type of that name is there.
void Types::put(ServiceTypePtr type, services::MemoryBound::Hold held) {
  for (const std::string& s : type->supers) subtypes_[s].push_back(type->name);
  next_ = std::max(next_, type->incarnation + 1);
  const std::string name = type->name;
  types_[name] = {std::move(type), std::move(held)};
}

std::string Types::bytes_of(const ServiceType& type) const {
  CallisTrading::StoredType stored;
  stored.if_name = type.interface.c_str();
  stored.props.length(static_cast<CORBA::ULong>(type.own.size()));
  for (CORBA::ULong i = 0; i < stored.props.length(); ++i) stored.props[i] = to_idl(type.own[i]);
  stored.super_types.length(static_cast<CORBA::ULong>(type.supers.size()));
  for (CORBA::ULong i = 0; i < stored.super_types.length(); ++i) stored.super_types[i] = type.supers[i].c_str();
  stored.masked = type.masked;
  stored.incarnation = type.incarnation;
  return keeper_.to_bytes(stored);
}

void Types::keep(const ServiceType& type, std::string&& bytes, std::uint64_t next) {
  keeper_.keep({{{kTypePrefix + type.name, std::move(bytes)}, {kIncarnation, to_digits(next)}}, {}});
}

std::uint64_t Types::add(const char* name, const char* interface, const Repository::PropStructSeq& props,
                         const Repository::ServiceTypeNameSeq& supers, services::OperationTime& time) {
  if (!is_type_name(name)) throw CosTrading::IllegalServiceType(name);
  if (props.length() > kMostProperties) too_many(kProperties, kMostProperties);
  if (supers.length() > kMostSupers) too_many(kSupers, kMostSupers);
  auto type = std::make_shared<ServiceType>();
  type->name = name;
  type->interface = interface;
  std::set<std::string> seen;
  for (CORBA::ULong i = 0; i < props.length(); ++i) {
    const char* const property = props[i].name.in();
    if (!is_property_name(property)) throw CosTrading::IllegalPropertyName(property);
    if (!seen.insert(property).second) throw CosTrading::DuplicatePropertyName(property);
    if (CORBA::is_nil(props[i].value_type.in()))
      throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO, concat({"property ", property, " has no type"}));
    type->own.push_back(from_idl(props[i]));
  }
  const std::lock_guard changing(changing_);
  Supers direct;
  {
    const std::shared_lock lock(mutex_);
    if (find(name)) throw Repository::ServiceTypeExists(name);
    if (types_.size() >= kMost) too_many("service types", kMost);
    for (CORBA::ULong i = 0; i < supers.length(); ++i) {
      const char* const super = supers[i];
      if (!is_type_name(super)) throw CosTrading::IllegalServiceType(super);
      direct.push_back(find(super));
      if (!direct.back()) throw CosTrading::UnknownServiceType(super);
      if (std::find(type->supers.begin(), type->supers.end(), super) != type->supers.end())
        throw Repository::DuplicateServiceTypeName(super);
      type->supers.emplace_back(super);
      const std::string& base = direct.back()->interface;
      if (!base.empty() && type->interface.empty())
        throw Repository::InterfaceTypeMismatch(super, base.c_str(), name, interface);
    }
    type->incarnation = next_;
  }
  inherit(type.get(), direct, &time);
  if (type->all.size() > kMostProperties) too_many(kProperties, kMostProperties);
  if (type->all_supers.size() > kMostSupers) too_many(kSupers, kMostSupers);
  std::string bytes = bytes_of(*type);
  services::MemoryBound::Hold held = memory_.take(memory_of(*type, bytes.size()));
  keep(*type, std::move(bytes), type->incarnation + 1);
  const std::unique_lock lock(mutex_);
  put(type, std::move(held));
  return type->incarnation;
}

void Types::remove(const char* name) {
  const std::lock_guard changing(changing_);
  const ServiceTypePtr type = get(name);
  {
    const std::shared_lock lock(mutex_);
    const auto found = subtypes_.find(name);
    if (found != subtypes_.end() && !found->second.empty())
      throw Repository::HasSubTypes(name, found->second.front().c_str());
  }
  keeper_.keep({{}, {kTypePrefix + type->name}});
  const std::unique_lock lock(mutex_);
  for (const std::string& s : type->supers) std::erase(subtypes_[s], type->name);
  subtypes_.erase(type->name);
  types_.erase(type->name);
}

void Types::mask(const char* name, bool masked) {
  const std::lock_guard changing(changing_);
  auto type = std::make_shared<ServiceType>(*get(name));
  if (type->masked == masked) {
    if (masked) throw Repository::AlreadyMasked(name);
    throw Repository::NotMasked(name);
  }
  type->masked = masked;
  keep(*type, bytes_of(*type), incarnation());
  const std::unique_lock lock(mutex_);
  types_[type->name].type = type;
}

std::vector<std::string> Types::list(std::uint64_t since) const {
  std::vector<ServiceTypePtr> all;
  {
    const std::shared_lock lock(mutex_);
    all.reserve(types_.size());
    for (const auto& [name, entry] : types_) {
      if (entry.type->incarnation >= since) all.push_back(entry.type);
    }
  }
  std::vector<std::string> out;
  out.reserve(all.size());
  for (const ServiceTypePtr& type : all) out.push_back(type->name);
  return out;
}

// The lock is let go after each type, so that nobody waits for a large family.
std::vector<std::string> Types::with_subtypes(const std::string& name, services::OperationTime& time) const {
  std::vector<std::string> out = {name};
  std::set<std::string> seen = {name};
  for (std::size_t i = 0; i < out.size(); ++i) {
    time.step();
    std::vector<std::string> direct;
    {
      const std::shared_lock lock(mutex_);
      const auto found = subtypes_.find(out[i]);
      if (found != subtypes_.end()) direct = found->second;
    }
    for (std::string& s : direct) {
      if (seen.insert(s).second) out.push_back(std::move(s));
    }
  }
  return out;
}

std::uint64_t Types::incarnation() const {
  const std::shared_lock lock(mutex_);
  return next_;
}

std::size_t Types::size() const {
  const std::shared_lock lock(mutex_);
  return types_.size();
}

}  // namespace callis::trading
