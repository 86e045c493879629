// SPDX-License-Identifier: Apache-2.0
// How sets are kept, and read again.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/properties/iterators.h>
#include <services/properties/sets.h>
#include <services/properties/value_bytes.h>
#include "CallisProperties.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

constexpr std::string_view kSets = "set/", kValues = "value/";

std::string key_of_set(std::uint64_t number) { return std::string(kSets) + digits_of(number); }
std::string key_of_value(std::uint64_t number, std::string_view name) {
  return concat({kValues, digits_of(number), "/", name});
}

std::string text_of(const Item& item) {
  return static_cast<char>('0' + item.mode) + to_bytes(item.value);
}

std::string text_of(bool has_modes, const std::string& name, const Constraints& constraints) {
  CallisProperties::Kept kept;
  kept.has_modes = has_modes;
  kept.name = name.c_str();
  kept.types.length(static_cast<CORBA::ULong>(constraints.types.size()));
  for (CORBA::ULong i = 0; i < kept.types.length(); ++i)
    kept.types[i] = CORBA::TypeCode::_duplicate(constraints.types[i].in());
  kept.allowed.length(static_cast<CORBA::ULong>(constraints.properties.size()));
  CORBA::ULong i = 0;
  for (const auto& [property, allowed] : constraints.properties) {
    kept.allowed[i].property_name = property.c_str();
    kept.allowed[i].property_value = allowed.value;
    kept.allowed[i++].property_mode = allowed.mode;
  }
  CORBA::Any any;
  any <<= kept;
  return to_bytes(any);
}

// Puts and erased keys in transactions that stores take.
class Portions {
 public:
  explicit Portions(services::Store& store) : store_(store) {}
  void put(std::string&& key, std::string&& value) {
    room_for(key.size() + value.size());
    now_.puts.emplace_back(std::move(key), std::move(value));
  }
  void erase(std::string&& key) {
    room_for(key.size());
    now_.erased.push_back(std::move(key));
  }
  void flush() {
    if (now_.puts.empty() && now_.erased.empty()) return;
    store_.commit(now_);
    now_ = {};
    bytes_ = 0;
  }

 private:
  void room_for(std::size_t bytes) {
    if (now_.puts.size() + now_.erased.size() >= services::kMaxChanges || bytes_ + bytes > Keeper::kMostBytes) flush();
    bytes_ += bytes;
  }
  services::Store& store_;
  services::Transaction now_;
  std::size_t bytes_ = 0;
};

}  // namespace

void Sets::Known::keep(std::span<const Change> changes) {
  const std::shared_lock lock(mutex_);
  if (ended_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the property set has been destroyed");
  services::Transaction t;
  for (const Change& c : changes) {
    if (c.item) t.puts.emplace_back(key_of_value(number, c.name), text_of(*c.item));
    else t.erased.push_back(key_of_value(number, c.name));
  }
  try {
    store_.commit(t);
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

bool Sets::Known::end() {
  const std::unique_lock lock(mutex_);
  return !std::exchange(ended_, true);
}

Sets::Sets(orb::Core& orb, services::Store& store, const Bounds& bounds, std::size_t most)
    : orb_(orb), store_(store), bounds_(bounds), most_(most) {
  read();
}

void Sets::read() {
  store_.read(kSets, [&](services::Pair&& pair) {
    const auto number = number_of(std::string_view(pair.key).substr(kSets.size()));
    CORBA::Any any;
    const CallisProperties::Kept* kept = nullptr;
    if (!number || !from_bytes(pair.value, orb_, any) || !(any >>= kept)) {
      log(LogLevel::Error, {"what the store has at ", pair.key, " is no property set; it is passed over"});
      return;
    }
    Bounds all = bounds_;
    all.properties = all.set_bytes = all.name_bytes = SIZE_MAX;  // what was taken once stays
    const auto known = std::make_shared<Known>(store_, *number, kept->has_modes, kept->name.in(), bounds_,
                                               Constraints::make(kept->types, kept->allowed, all));
    if (!known->name.empty()) by_name_[known->name] = known;
    all_[*number] = known;
  });
  std::vector<std::string> left;
  store_.read(kValues, [&](services::Pair&& pair) {
    const std::string_view rest = std::string_view(pair.key).substr(kValues.size());
    const auto number = number_of(rest.substr(0, 16));
    const auto found = number && rest.size() > 17 ? all_.find(*number) : all_.end();
    if (found == all_.end()) {
      left.push_back(std::move(pair.key));
      return;
    }
    Item item;
    const bool mode = !pair.value.empty() && pair.value[0] >= '0' && pair.value[0] < '0' + int{cos::undefined};
    if (!mode || !from_bytes(std::string_view(pair.value).substr(1), orb_, item.value)) {
      log(LogLevel::Error, {"what the store has at ", pair.key, " is no property; it is passed over"});
      return;
    }
    item.mode = static_cast<Mode>(pair.value[0] - '0');
    found->second->set.restore(std::string(rest.substr(17)), std::move(item));
  });
  Portions portions(store_);
  for (std::string& key : left) portions.erase(std::move(key));
  portions.flush();
}

Sets::KnownPtr Sets::add(bool has_modes, const std::string& name, Constraints&& constraints, Contents&& contents) {
  if (size() >= most_)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"there are ", Decimal(most_), " property sets, and may not be more"}));
  const std::uint64_t number = new_number();
  const std::string text = text_of(has_modes, name, constraints);
  const auto known = std::make_shared<Known>(store_, number, has_modes, name, bounds_, std::move(constraints));
  Portions portions(store_);
  for (auto& [property, item] : contents) {
    portions.put(key_of_value(number, property), text_of(item));
    known->set.restore(std::move(property), std::move(item));
  }
  portions.put(key_of_set(number), std::string(text));
  portions.flush();
  const std::unique_lock lock(mutex_);
  all_[number] = known;
  if (!name.empty()) by_name_[name] = known;
  return known;
}

Sets::KnownPtr Sets::make(bool has_modes, const std::string& name, Constraints constraints) {
  return add(has_modes, name, std::move(constraints), {});
}

Sets::KnownPtr Sets::make(bool has_modes, const cos::PropertyDefs& contents, bool with_modes) {
  // A set that nobody has says what it refuses.
  class Collecting final : public Keeper {
   public:
    void keep(std::span<const Change> changes) override {
      for (const Change& c : changes) all.insert_or_assign(std::string(c.name), *c.item);
    }
    std::map<std::string, Item> all;
  } collecting;
  Set tried(bounds_, {}, &collecting);
  if (with_modes) {
    tried.define(contents);
  } else {
    cos::Properties plain;
    plain.length(contents.length());
    for (CORBA::ULong i = 0; i < plain.length(); ++i) {
      plain[i].property_name = contents[i].property_name;
      plain[i].property_value = contents[i].property_value;
    }
    tried.define(plain);
  }
  Contents all;
  for (auto& [name, item] : collecting.all) all.emplace_back(name, std::move(item));
  return add(has_modes, {}, {}, std::move(all));
}

Sets::KnownPtr Sets::named(const std::string& name) {
  if (auto known = find(name)) return known;
  const std::lock_guard one_at_a_time(making_);
  if (auto known = find(name)) return known;
  return add(true, name, {}, {});
}

Sets::KnownPtr Sets::find(std::uint64_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = all_.find(number);
  return found == all_.end() ? nullptr : found->second;
}

Sets::KnownPtr Sets::find(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

bool Sets::destroy(std::uint64_t number) {
  const KnownPtr known = find(number);
  if (!known || !known->end()) return false;
  {
    const std::unique_lock lock(mutex_);
    all_.erase(number);
    const auto named = by_name_.find(known->name);
    if (named != by_name_.end() && named->second == known) by_name_.erase(named);
  }
  Portions portions(store_);
  portions.erase(key_of_set(number));
  for (const std::string& name : known->set.names()) portions.erase(key_of_value(number, name));
  portions.flush();
  return true;
}

std::size_t Sets::size() const {
  const std::shared_lock lock(mutex_);
  return all_.size();
}

std::size_t Sets::properties() const {
  const std::shared_lock lock(mutex_);
  std::size_t n = 0;
  for (const auto& [number, known] : all_) n += known->set.size();
  return n;
}

}  // namespace callis::properties
