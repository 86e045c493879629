// SPDX-License-Identifier: Apache-2.0
// What each operation on a set does, and what it refuses.
#include <callis/base/text.h>
#include <services/common/operation_time.h>
#include <services/properties/servant.h>
#include <services/properties/value_bytes.h>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

using services::OperationTime;

constexpr std::chrono::seconds kPatience{5};
// Types that are compared before others have their turn: some milliseconds.
constexpr std::size_t kMostWork = 20'000;

bool is_fixed(Mode m) { return m == cos::fixed_normal || m == cos::fixed_readonly; }
bool is_read_only(Mode m) { return m == cos::read_only || m == cos::fixed_readonly; }

bool has_no_value(const CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  const CORBA::TCKind kind = type->kind();
  return kind == CORBA::tk_null || kind == CORBA::tk_void;
}

bool is_of_type(const CORBA::Any& any, CORBA::TypeCode_ptr type) {
  const CORBA::TypeCode_var own = any.type();
  return own->equivalent(type);
}

const CORBA::Any& no_value() {
  static const CORBA::Any value(CORBA::_tc_void, nullptr);
  return value;
}

using Refused = std::vector<std::pair<CORBA::ULong, Reason>>;

// The exception of an operation on one, where it was refused.
void raise(const Refused& refused) {
  if (!refused.empty()) properties::raise(refused.front().second);
}

// That of an operation on several. name: of an element.
template<class Name>
void raise(const Refused& refused, Name&& name) {
  if (refused.empty()) return;
  cos::PropertyExceptions all;
  all.length(static_cast<CORBA::ULong>(refused.size()));
  for (CORBA::ULong i = 0; i < all.length(); ++i) {
    all[i].reason = refused[i].second;
    all[i].failing_property_name = name(refused[i].first);
  }
  throw cos::MultipleExceptions(all);
}

// One that the servant itself or its peer has said too much in: nothing of it is done.
void check_length(CORBA::ULong n, const Bounds& bounds, const char* what) {
  if (n <= bounds.properties) return;
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         concat({Decimal(n), " ", what, " in one call, more than ", Decimal(bounds.properties)}));
}

}  // namespace

void raise(Reason reason) {
  switch (reason) {
    case cos::invalid_property_name: throw cos::InvalidPropertyName();
    case cos::conflicting_property: throw cos::ConflictingProperty();
    case cos::property_not_found: throw cos::PropertyNotFound();
    case cos::unsupported_type_code: throw cos::UnsupportedTypeCode();
    case cos::unsupported_property: throw cos::UnsupportedProperty();
    case cos::unsupported_mode: throw cos::UnsupportedMode();
    case cos::fixed_property: throw cos::FixedProperty();
    case cos::read_only_property: break;
  }
  throw cos::ReadOnlyProperty();
}

// --- constraints ---

bool Constraints::allows_type(CORBA::TypeCode_ptr type) const {
  if (types.empty()) return true;
  for (const CORBA::TypeCode_var& t : types)
    if (t->equivalent(type)) return true;
  return false;
}

Constraints Constraints::make(const cos::PropertyTypes& types, const cos::PropertyDefs& defs, const Bounds& bounds) {
  Constraints out;
  OperationTime time(Set::kLongest);
  if (types.length() > bounds.types || defs.length() > bounds.properties) throw cos::ConstraintNotSupported();
  for (CORBA::ULong i = 0; i < types.length(); ++i) {
    if (CORBA::is_nil(types[i])) throw cos::ConstraintNotSupported();
    out.types.emplace_back(CORBA::TypeCode::_duplicate(types[i]));
  }
  std::size_t bytes = 0;
  for (CORBA::ULong i = 0; i < defs.length(); ++i) {
    const std::string name = defs[i].property_name.in();
    bytes += name.size() + size_of(defs[i].property_value);
    if (name.empty() || name.size() > bounds.name_bytes || bytes > bounds.set_bytes)
      throw cos::ConstraintNotSupported();
    time.check();
    const CORBA::TypeCode_var type = defs[i].property_value.type();
    if (!has_no_value(defs[i].property_value) && !out.allows_type(type.in())) throw cos::ConstraintNotSupported();
    if (!out.properties.emplace(name, Allowed{defs[i].property_value, defs[i].property_mode}).second)
      throw cos::ConstraintNotSupported();
  }
  return out;
}

cos::PropertyTypes* types_of(const Constraints& constraints) {
  auto out = std::make_unique<cos::PropertyTypes>();
  out->length(static_cast<CORBA::ULong>(constraints.types.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i)
    (*out)[i] = CORBA::TypeCode::_duplicate(constraints.types[i].in());
  return out.release();
}

cos::PropertyDefs* defs_of(const Constraints& constraints) {
  auto out = std::make_unique<cos::PropertyDefs>();
  out->length(static_cast<CORBA::ULong>(constraints.properties.size()));
  CORBA::ULong i = 0;
  for (const auto& [name, allowed] : constraints.properties) {
    (*out)[i].property_name = name.c_str();
    (*out)[i].property_value = allowed.value;
    (*out)[i++].property_mode = allowed.mode;
  }
  return out.release();
}

// --- changes ---

// Changes that are kept together, and made when they are kept. A name is among them once.
class Set::Batch {
 public:
  explicit Batch(Set& set) : set_(set) {}
  // Before anything is said of that name by items_: what is pending of it is made.
  void before(std::string_view name) {
    if (pending_.contains(name)) flush();
  }
  // nothing: deleted. held: of the item; empty: what the one before it has.
  void add(std::string_view name, std::optional<Item> item, Hold held = {}) {
    const std::size_t bytes = name.size() + (item ? item->bytes : 0);
    const bool full = pending_.size() >= Keeper::kMostChanges || bytes_ + bytes > Keeper::kMostBytes;
    if (full && !pending_.empty()) flush();
    growth_ += item ? static_cast<std::ptrdiff_t>(item->bytes) : 0;
    if (const Item* const before = set_.find(name)) growth_ -= static_cast<std::ptrdiff_t>(before->bytes);
    else if (item) ++new_;
    if (!item) --new_;
    bytes_ += bytes;
    pending_.emplace(std::string(name), Pending{std::move(item), std::move(held)});
  }
  // Whether it is time to flush.
  bool is_full() const { return pending_.size() >= Keeper::kMostChanges || bytes_ >= Keeper::kMostBytes; }
  void flush() {
    if (pending_.empty()) return;
    if (set_.keeper_) {
      std::vector<Keeper::Change> changes;
      for (const auto& [name, p] : pending_) changes.push_back({name, p.item ? &*p.item : nullptr});
      set_.keeper_->keep(changes);
    }
    for (auto& [name, p] : pending_) {
      if (!p.item) {
        set_.items_.erase(name);
        continue;
      }
      Kept& kept = set_.items_[name];
      kept.item = std::move(*p.item);
      if (p.held.counts()) kept.held = std::move(p.held);
    }
    set_.bytes_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(set_.bytes_) + growth_);
    set_.size_ = set_.items_.size();
    clear();
    ++flushes_;
  }
  void clear() {
    pending_.clear();
    bytes_ = 0;
    growth_ = new_ = 0;
  }
  std::size_t flushes() const { return flushes_; }
  // What the set is to have.
  std::size_t bytes() const { return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(set_.bytes_) + growth_); }
  std::size_t size() const {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(set_.items_.size()) + new_);
  }

 private:
  struct Pending {
    std::optional<Item> item;
    Hold held;
  };
  Set& set_;
  std::map<std::string, Pending, std::less<>> pending_;
  std::size_t bytes_ = 0, flushes_ = 0;
  std::ptrdiff_t growth_ = 0, new_ = 0;
};

Set::Refused Set::change(CORBA::ULong n, const Each& each) {
  const OperationTime time(kLongest), patience(kPatience);
  std::unique_lock lock(mutex_);
  Batch batch(*this);
  Refused refused;
  // Elements before this one are done; so many of them were refused.
  CORBA::ULong kept = 0;
  std::size_t refused_of_kept = 0;
  bool fresh = !keeper_ || keeper_->alone();
  std::size_t work = 0;
  for (CORBA::ULong i = 0; i <= n;) {
    bool again = false;
    try {
      // Nothing is decided then that is not done yet.
      work += 1 + constraints_.types.size();
      if (batch.is_full() || work > kMostWork) {
        batch.flush();
        kept = i;
        refused_of_kept = refused.size();
        work = 0;
        lock.unlock();
        time.check(i == 0 ? CORBA::COMPLETED_NO : CORBA::COMPLETED_MAYBE);
        lock.lock();
      }
      const std::size_t flushes = batch.flushes();
      std::optional<Reason> reason;
      if (i < n)
        reason = each(i, batch);
      else
        batch.flush();
      if (batch.flushes() != flushes) {
        kept = i;
        refused_of_kept = refused.size();
      }
      again = reason && !std::exchange(fresh, true);
      if (reason && !again) refused.emplace_back(i, *reason);
      if (!again) ++i;
    } catch (const Keeper::Changed&) {
      again = true;
    }
    if (!again) continue;
    batch.clear();
    i = kept;
    refused.resize(refused_of_kept);
    lock.unlock();
    if (patience.over())
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_MAYBE,
                             "other instances of the service change the same set all the time");
    keeper_->catch_up();
    lock.lock();
  }
  return refused;
}

bool Set::hear_others() const {
  if (!keeper_ || keeper_->alone()) return false;
  keeper_->catch_up();
  return true;
}

std::size_t Set::cost(std::string_view name, const Item& item) const {
  constexpr std::size_t kOverhead = services::MemoryBound::kOverhead;
  const std::size_t here = name.size() + memory_of(item.value, item.bytes) + 2 * kOverhead;
  return bounds_.twice ? here + name.size() + item.bytes + kOverhead : here;
}

Set::Hold Set::take(std::string_view name, const Item& item) const {
  return bounds_.memory ? bounds_.memory->take(cost(name, item)) : Hold();
}

void Set::restore(std::string name, Item&& item, Hold hold) {
  item.bytes = name.size() + size_of(item.value);
  bytes_ += item.bytes;
  if (bounds_.memory && !hold.counts()) hold = bounds_.memory->adopt(cost(name, item));
  items_.insert_or_assign(std::move(name), Kept{std::move(item), std::move(hold)});
  size_ = items_.size();
}

void Set::adopt(std::vector<std::pair<std::string, std::optional<Item>>>&& changes,
                const std::function<bool()>& newer) {
  const std::lock_guard lock(mutex_);
  if (!newer()) return;
  for (auto& [name, item] : changes) {
    if (const auto found = items_.find(name); found != items_.end()) {
      bytes_ -= found->second.item.bytes;
      items_.erase(found);
    }
    if (item) restore(std::move(name), std::move(*item));
  }
  size_ = items_.size();
}

void Set::define_own(const std::string& name, const CORBA::Any& value) {
  const std::lock_guard lock(mutex_);
  if (const auto found = items_.find(name); found != items_.end()) bytes_ -= found->second.item.bytes;
  restore(name, {value, cos::fixed_readonly});
}

const Item* Set::find(std::string_view name) const {
  const auto found = items_.find(name);
  return found == items_.end() ? nullptr : &found->second.item;
}

std::optional<Reason> Set::may_have(std::string_view name, CORBA::TypeCode_ptr type, std::optional<Mode> mode) const {
  if (!constraints_.allows_type(type)) return cos::unsupported_type_code;
  if (constraints_.properties.empty()) return {};
  const auto found = constraints_.properties.find(name);
  if (found == constraints_.properties.end()) return cos::unsupported_property;
  const Constraints::Allowed& allowed = found->second;
  if (!has_no_value(allowed.value) && !is_of_type(allowed.value, type)) return cos::unsupported_type_code;
  if (mode && allowed.mode != cos::undefined && *mode != allowed.mode) return cos::unsupported_mode;
  return {};
}

std::optional<Reason> Set::define(std::string_view name, const CORBA::Any& value, std::optional<Mode> mode,
                                  Batch& batch, bool alone) {
  if (!is_name(name)) return cos::invalid_property_name;
  if (mode && *mode == cos::undefined) return cos::unsupported_mode;
  batch.before(name);
  const CORBA::TypeCode_var type = value.type();
  const Item* const before = find(name);
  if (before) {
    if (!is_of_type(before->value, type.in())) return cos::conflicting_property;
    if (is_read_only(before->mode)) return cos::read_only_property;
    if (mode && is_fixed(before->mode) && !is_fixed(*mode)) return cos::unsupported_mode;
  }
  if (const auto refused = may_have(name, type.in(), mode)) return refused;
  Item item{value, cos::normal, name.size() + size_of(value)};
  if (mode) {
    item.mode = *mode;
  } else if (before) {
    item.mode = before->mode;
  } else if (const auto allowed = constraints_.properties.find(name); allowed != constraints_.properties.end()) {
    if (allowed->second.mode != cos::undefined) item.mode = allowed->second.mode;
  }
  const auto limit = [&](const char* what, std::size_t is, std::size_t most) -> std::optional<Reason> {
    if (is <= most) return {};
    if (!alone) return cos::unsupported_property;
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({what, Decimal(is), ", more than ", Decimal(most)}));
  };
  if (const auto over = limit("bytes of a value: ", item.bytes - name.size(), bounds_.value_bytes)) return over;
  const std::size_t size = batch.size() + (before ? 0 : 1);
  if (const auto over = limit("properties of a set: ", size, bounds_.properties)) return over;
  const std::size_t bytes = batch.bytes() + item.bytes - (before ? before->bytes : 0);
  if (const auto over = limit("bytes of a set: ", bytes, bounds_.set_bytes)) return over;
  Hold held;
  try {
    held = take(name, item);
  } catch (const CORBA::NO_RESOURCES&) {
    if (alone) throw;
    return cos::unsupported_property;
  }
  batch.add(name, std::move(item), std::move(held));
  return {};
}

std::optional<Reason> Set::remove(std::string_view name, Batch& batch) {
  if (!is_name(name)) return cos::invalid_property_name;
  batch.before(name);
  const Item* const found = find(name);
  if (!found) return cos::property_not_found;
  if (is_fixed(found->mode)) return cos::fixed_property;
  batch.add(name, {});
  return {};
}

std::optional<Reason> Set::change_mode(std::string_view name, Mode mode, Batch& batch) {
  if (!is_name(name)) return cos::invalid_property_name;
  batch.before(name);
  const Item* const found = find(name);
  if (!found) return cos::property_not_found;
  if (mode == cos::undefined || (is_fixed(found->mode) && !is_fixed(mode))) return cos::unsupported_mode;
  const CORBA::TypeCode_var type = found->value.type();
  if (may_have(name, type.in(), mode)) return cos::unsupported_mode;
  if (found->mode != mode) batch.add(name, Item{found->value, mode, found->bytes});
  return {};
}

void Set::define(const char* name, const CORBA::Any& value, std::optional<Mode> mode) {
  raise(change(1, [&](CORBA::ULong, Batch& batch) { return define(name, value, mode, batch, true); }));
}

void Set::define(const cos::Properties& all) {
  check_length(all.length(), bounds_, "properties");
  const auto name = [&](CORBA::ULong i) { return all[i].property_name.in(); };
  raise(change(all.length(), [&](CORBA::ULong i,
                                 Batch& batch) { return define(name(i), all[i].property_value, {}, batch, false); }),
        name);
}

void Set::define(const cos::PropertyDefs& all) {
  check_length(all.length(), bounds_, "properties");
  const auto name = [&](CORBA::ULong i) { return all[i].property_name.in(); };
  raise(change(all.length(),
               [&](CORBA::ULong i, Batch& batch) {
                 return define(name(i), all[i].property_value, all[i].property_mode, batch, false);
               }),
        name);
}

void Set::remove(const char* name) {
  raise(change(1, [&](CORBA::ULong, Batch& batch) { return remove(std::string_view(name), batch); }));
}

void Set::remove(const cos::PropertyNames& names) {
  check_length(names.length(), bounds_, "names");
  const auto name = [&](CORBA::ULong i) -> const char* { return names[i]; };
  raise(
      change(names.length(), [&](CORBA::ULong i, Batch& batch) { return remove(std::string_view(name(i)), batch); }),
      name);
}

// A portion at a time, in the order of names; so those that come meanwhile do not make it endless.
bool Set::remove_all() {
  const OperationTime time(kLongest);
  (void)hear_others();
  bool all = true;
  std::string from;
  for (bool more = true; more;) {
    bool fixed = false;
    std::string last;
    (void)change(1, [&](CORBA::ULong, Batch& batch) -> std::optional<Reason> {
      fixed = more = false;  // it may be done again
      std::vector<std::string> names;
      for (auto each = items_.upper_bound(from); each != items_.end(); ++each) {
        more = names.size() == Keeper::kMostChanges;
        if (more) break;
        last = each->first;
        if (is_fixed(each->second.item.mode))
          fixed = true;
        else
          names.push_back(each->first);
      }
      for (const std::string& name : names) batch.add(name, {});
      return {};
    });
    from = last;
    all = all && !fixed;
    time.check(CORBA::COMPLETED_MAYBE);
  }
  return all;
}

void Set::set_mode(const char* name, Mode mode) {
  raise(change(1, [&](CORBA::ULong, Batch& batch) { return change_mode(name, mode, batch); }));
}

void Set::set_modes(const cos::PropertyModes& all) {
  check_length(all.length(), bounds_, "modes");
  const auto name = [&](CORBA::ULong i) { return all[i].property_name.in(); };
  raise(change(all.length(),
               [&](CORBA::ULong i, Batch& batch) { return change_mode(name(i), all[i].property_mode, batch); }),
        name);
}

// --- reading ---

Item Set::get(const char* name) const {
  if (!is_name(name)) raise(cos::invalid_property_name);
  for (bool again = true;; again = false) {
    {
      const std::shared_lock lock(mutex_);
      if (const Item* const found = find(name)) return *found;
    }
    if (!again || !hear_others()) raise(cos::property_not_found);
  }
}

CORBA::Any* Set::value(const char* name) const { return new CORBA::Any(get(name).value); }

bool Set::has(const char* name) const {
  if (!is_name(name)) raise(cos::invalid_property_name);
  const auto is_there = [&] {
    const std::shared_lock lock(mutex_);
    return find(name) != nullptr;
  };
  return is_there() || (hear_others() && is_there());
}

bool Set::values(const cos::PropertyNames& names, cos::Properties& out) const {
  check_length(names.length(), bounds_, "names");
  const auto find_all = [&] {
    bool all = true;
    std::size_t bytes = 0;  // the same property may be asked for many times
    const std::shared_lock lock(mutex_);
    out.length(names.length());
    for (CORBA::ULong i = 0; i < names.length(); ++i) {
      const Item* const found = find(static_cast<const char*>(names[i]));
      all = all && found;
      if (found && (bytes += found->bytes) > bounds_.set_bytes)
        throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                               concat({"values of more than ", Decimal(bounds_.set_bytes), " bytes in one answer"}));
      out[i].property_name = names[i];
      out[i].property_value = found ? found->value : no_value();
    }
    return all;
  };
  return find_all() || (hear_others() && find_all());
}

std::vector<std::string> Set::names() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> out;
  out.reserve(items_.size());
  for (const auto& [name, kept] : items_) out.push_back(name);
  return out;
}

std::vector<std::pair<std::string, CORBA::Any>> Set::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::pair<std::string, CORBA::Any>> out;
  out.reserve(items_.size());
  for (const auto& [name, kept] : items_) out.emplace_back(name, kept.item.value);
  return out;
}

Mode Set::mode(const char* name) const { return get(name).mode; }

bool Set::modes(const cos::PropertyNames& names, cos::PropertyModes& out) const {
  check_length(names.length(), bounds_, "names");
  const auto find_all = [&] {
    bool all = true;
    const std::shared_lock lock(mutex_);
    out.length(names.length());
    for (CORBA::ULong i = 0; i < names.length(); ++i) {
      const Item* const found = find(static_cast<const char*>(names[i]));
      all = all && found;
      out[i].property_name = names[i];
      out[i].property_mode = found ? found->mode : cos::undefined;
    }
    return all;
  };
  return find_all() || (hear_others() && find_all());
}

}  // namespace callis::properties
