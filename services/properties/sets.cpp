// SPDX-License-Identifier: Apache-2.0
// How sets are made, kept and destroyed.
#include <callis/base/text.h>
#include <services/common/numbered_objects.h>
#include <services/properties/keys.h>
#include <services/properties/sets.h>
#include <services/properties/value_bytes.h>
#include "CallisProperties.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

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
  // With what comes after all others, of which it is a transaction of its own.
  services::Outcome finish(const services::Transaction& last) {
    flush();
    return store_.commit(last);
  }

 private:
  void room_for(std::size_t bytes) {
    const std::size_t changes = now_.puts.size() + now_.erased.size();
    if (changes >= services::kMaxChanges || bytes_ + bytes > Keeper::kMostBytes) flush();
    bytes_ += bytes;
  }
  services::Store& store_;
  services::Transaction now_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::size_t Sets::bytes_of(const Constraints& constraints, std::string_view kept) {
  return constraints.types.empty() && constraints.properties.empty() ? kSetBytes : kSetBytes + 4 * kept.size();
}

void Sets::Known::keep(std::span<const Change> changes) {
  const std::shared_lock lock(mutex_);
  if (ended_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the property set has been destroyed");
  services::Transaction t;
  for (const Change& c : changes) {
    if (c.item) t.puts.emplace_back(key_of_value(number, c.name), text_of(*c.item));
    else t.erased.push_back(key_of_value(number, c.name));
  }
  if (!alone()) {
    t.conditions.push_back({key_of_turn(number), turn_});
    t.puts.emplace_back(key_of_turn(number), "");
  }
  try {
    const services::Outcome outcome = sets_.store_.commit(t);
    if (!outcome.applied) throw Changed{};
    turn_ = outcome.revision;
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
}

bool Sets::Known::end() {
  const std::unique_lock lock(mutex_);
  return !std::exchange(ended_, true);
}

bool Sets::Known::is_news(Revision turn) {
  if (turn <= turn_) return false;
  turn_ = turn;
  return true;
}

Sets::KnownPtr Sets::add(bool has_modes, const std::string& name, Constraints&& constraints, Contents&& contents) {
  if (size() >= most_)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"there are ", Decimal(most_), " property sets, and may not be more"}));
  const std::uint64_t number = services::new_number();
  services::Transaction first;
  first.puts.emplace_back(key_of_set(number), text_of(has_modes, name, constraints));
  const auto made = std::make_shared<Known>(*this, number, has_modes, name, std::move(constraints));
  if (bounds_.memory) made->held = bounds_.memory->take(bytes_of(made->set.constraints(), first.puts.front().second));
  Portions portions(store_);
  for (auto& [property, item] : contents) {
    Set::Hold hold = made->set.take(property, item);
    made->set.restore(std::string(property), Item(item), std::move(hold));
  }
  for (const auto& [property, item] : contents) portions.put(key_of_value(number, property), text_of(item));
  if (!relay_) {
    portions.finish(first);
    insert(made);
    return made;
  }
  first.puts.emplace_back(key_of_turn(number), "");
  if (!name.empty()) {
    first.conditions.push_back({key_of_name(name), 0});
    first.puts.emplace_back(key_of_name(name), services::digits_of(number));
  }
  const services::Outcome outcome = portions.finish(first);
  if (!outcome.applied) return nullptr;  // another instance has made the set of that name
  // It is here when the store tells of it.
  KnownPtr out = wait_for(outcome.revision) ? known(number) : nullptr;
  if (!out) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_YES, "the store has not told of the new set for a long time");
  out->held = std::move(made->held);
  return out;
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
  Bounds uncounted = bounds_;
  uncounted.memory = nullptr;
  Set tried(uncounted, {}, &collecting);
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
  for (;;) {
    if (auto found = find(name)) return found;
    const std::lock_guard one_at_a_time(making_);
    if (auto found = known(name)) return found;
    if (auto made = add(true, name, {}, {})) return made;
  }
}

Sets::KnownPtr Sets::known(std::uint64_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = all_.find(number);
  return found == all_.end() ? nullptr : found->second;
}

Sets::KnownPtr Sets::known(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Sets::KnownPtr Sets::find(std::uint64_t number) {
  KnownPtr out = known(number);
  if (out || !relay_) return out;
  catch_up();
  return known(number);
}

Sets::KnownPtr Sets::find(const std::string& name) {
  KnownPtr out = known(name);
  if (out || !relay_) return out;
  catch_up();
  return known(name);
}

void Sets::insert(const KnownPtr& known) {
  const std::unique_lock lock(mutex_);
  all_[known->number] = known;
  if (!known->name.empty()) by_name_[known->name] = known;
}

Sets::KnownPtr Sets::take_out(std::uint64_t number) {
  KnownPtr out;
  {
    const std::unique_lock lock(mutex_);
    const auto found = all_.find(number);
    if (found == all_.end()) return nullptr;
    out = std::move(found->second);
    all_.erase(found);
    const auto named = by_name_.find(out->name);
    if (named != by_name_.end() && named->second == out) by_name_.erase(named);
  }
  (void)out->end();
  return out;
}

bool Sets::destroy(std::uint64_t number) {
  const KnownPtr known = find(number);
  if (!known) return false;
  Portions portions(store_);
  if (!relay_) {
    if (!known->end()) return false;
    (void)take_out(number);
    portions.erase(key_of_set(number));
  } else {
    services::Transaction last;
    last.conditions.push_back({key_of_set(number), known->made});
    last.erased = {key_of_set(number), key_of_turn(number)};
    if (!known->name.empty()) last.erased.push_back(key_of_name(known->name));
    const services::Outcome outcome = store_.commit(last);
    if (!outcome.applied) return false;  // another instance was faster
    (void)wait_for(outcome.revision);    // then it has all properties that it ever had
  }
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
