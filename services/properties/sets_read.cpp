// SPDX-License-Identifier: Apache-2.0
// How sets come from the store: all at the start, and from a shared one what other instances change.
#include <callis/base/log.h>
#include <services/properties/keys.h>
#include <services/properties/sets.h>
#include <services/properties/value_bytes.h>
#include <set>
#include "CallisProperties.h"

namespace callis::properties {

namespace cos = CosPropertyService;

namespace {

constexpr std::chrono::seconds kPatience{5};

using Adopted = std::vector<std::pair<std::string, std::optional<Item>>>;

}  // namespace

Sets::Sets(orb::Core& orb, services::Store& store, services::Relay* relay, const Bounds& bounds, std::size_t most)
    : orb_(orb), store_(store), relay_(store.shared() ? relay : nullptr), bounds_(bounds), most_(most) {
  if (store.shared() && !relay) throw CORBA::INTERNAL(0, CORBA::COMPLETED_NO, "a shared store needs a relay");
  if (relay_) store_.announce("properties");  // before the store is read: others leave what is being made alone
  const Revision revision = read_all(true);
  if (!relay_) return;
  relay_->set(this);
  store_.watch(revision, *relay_);
}

Sets::~Sets() {
  if (relay_) relay_->set(nullptr);
}

std::optional<Item> Sets::item_of(const std::string& key, std::string_view text) const {
  Item item;
  const bool mode = !text.empty() && text[0] >= '0' && text[0] < '0' + int{cos::undefined};
  if (!mode || !from_bytes(text.substr(1), orb_, item.value)) {
    log(LogLevel::Error, {"what the store has at ", key, " is no property; it is passed over"});
    return {};
  }
  item.mode = static_cast<Mode>(text[0] - '0');
  return item;
}

Sets::KnownPtr Sets::made_of(std::uint64_t number, const Stored& stored) {
  CORBA::Any any;
  const CallisProperties::Kept* kept = nullptr;
  if (!from_bytes(stored.kept, orb_, any) || !(any >>= kept)) {
    log(LogLevel::Error, {"what the store has at ", key_of_set(number), " is no property set; it is passed over"});
    return nullptr;
  }
  Bounds all = bounds_;
  all.properties = all.set_bytes = all.name_bytes = all.types = SIZE_MAX;  // what was taken once stays
  const auto out = std::make_shared<Known>(*this, number, kept->has_modes, kept->name.in(),
                                           Constraints::make(kept->types, kept->allowed, all));
  out->made = stored.made;
  if (bounds_.memory) out->held = bounds_.memory->adopt(bytes_of(out->set.constraints(), stored.kept));
  (void)out->is_news(stored.turn);
  for (const auto& [name, text] : stored.values)
    if (auto item = item_of(key_of_value(number, name), text)) out->set.restore(name, std::move(*item));
  return out;
}

Sets::Revision Sets::read_all(bool first) {
  std::map<std::uint64_t, Stored> stored;
  std::map<std::uint64_t, std::map<std::string, std::pair<std::string, Revision>>> values;
  std::map<std::string, Revision> unowned;
  const Revision revision = store_.read("", [&](services::Pair&& pair) {
    if (const auto number = number_in(pair.key, kSets)) {
      stored[*number].kept = std::move(pair.value);
      stored[*number].made = pair.changed;
    } else if (pair.key.starts_with(kSets)) {
      log(LogLevel::Error, {"what the store has at ", pair.key, " is no property set; it is passed over"});
    } else if (const auto turn = number_in(pair.key, kTurns)) {
      stored[*turn].turn = pair.changed;
    } else if (auto value = value_key(pair.key)) {
      values[value->number][value->name] = {std::move(pair.value), pair.changed};
    } else if (pair.key.starts_with(kValues)) {
      unowned[pair.key] = pair.changed;
    }
  });
  for (auto& [number, all] : values) {
    const auto found = stored.find(number);
    const bool owned = found != stored.end() && found->second.made != 0;
    for (auto& [name, value] : all) {
      if (owned) {
        found->second.values[name] = std::move(value.first);
      } else {
        unowned[key_of_value(number, name)] = value.second;
        if (relay_) early_[number][name] = std::move(value.first);
      }
    }
  }
  std::vector<std::uint64_t> gone;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [number, known] : all_)
      if (const auto found = stored.find(number); found == stored.end() || found->second.made == 0)
        gone.push_back(number);
  }
  for (const std::uint64_t number : gone) (void)take_out(number);
  for (const auto& [number, each] : stored) {
    if (each.made == 0) continue;
    const KnownPtr there = known(number);
    if (!there) {
      if (const KnownPtr made = made_of(number, each)) insert(made);
      continue;
    }
    Adopted changes;
    for (const std::string& name : there->set.names())
      if (!each.values.contains(name)) changes.emplace_back(name, std::nullopt);
    for (const auto& [name, text] : each.values)
      if (auto item = item_of(key_of_value(number, name), text)) changes.emplace_back(name, std::move(item));
    there->set.adopt(std::move(changes), [&, turn = each.turn] { return there->is_news(turn); });
  }
  if (first && (!relay_ || store_.instances().size() <= 1)) erase_unowned(unowned);
  const std::lock_guard lock(seen_mutex_);
  seen_ = revision;
  seen_changed_.notify_all();
  return revision;
}

void Sets::erase_unowned(const std::map<std::string, Revision>& keys) {
  for (const auto& [key, changed] : keys) {
    services::Transaction t;
    t.conditions.push_back({key, changed});
    t.erased.push_back(key);
    (void)store_.commit(t);
    if (const auto value = value_key(key)) early_.erase(value->number);
  }
}

bool Sets::wait_for(Revision revision) {
  std::unique_lock lock(seen_mutex_);
  return seen_changed_.wait_for(lock, kPatience, [&] { return seen_ >= revision; });
}

void Sets::catch_up() {
  try {
    if (wait_for(store_.latest())) return;
  } catch (const services::StoreFailed& failed) {
    services::raise(failed);
  }
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the store has changes that it has not told of for a long time");
}

void Sets::told(Revision revision, const std::vector<services::Change>& changes) {
  {
    const std::lock_guard lock(seen_mutex_);
    if (revision <= seen_) return;
  }
  for (const services::Change& c : changes) {
    const auto number = number_in(c.key, kSets);
    if (!number) continue;
    const auto early = early_.find(*number);
    if (!c.value) {
      (void)take_out(*number);
    } else if (!known(*number)) {
      Stored stored{*c.value, revision, 0, early == early_.end() ? Texts() : std::move(early->second)};
      if (const KnownPtr made = made_of(*number, stored)) insert(made);
    }
    if (early != early_.end()) early_.erase(early);
  }
  tell_values(revision, changes);
  const std::lock_guard lock(seen_mutex_);
  seen_ = revision;
  seen_changed_.notify_all();
}

void Sets::tell_values(Revision revision, const std::vector<services::Change>& changes) {
  std::map<std::uint64_t, Adopted> of;
  std::set<std::uint64_t> turned;
  for (const services::Change& c : changes) {
    if (const auto turn = number_in(c.key, kTurns)) turned.insert(*turn);
    auto value = value_key(c.key);
    if (!value) continue;
    if (known(value->number)) {
      std::optional<Item> item;
      if (c.value) item = item_of(c.key, *c.value);
      of[value->number].emplace_back(std::move(value->name), std::move(item));
    } else if (c.value) {
      early_[value->number][value->name] = *c.value;
    } else if (const auto early = early_.find(value->number); early != early_.end()) {
      early->second.erase(value->name);
      if (early->second.empty()) early_.erase(early);
    }
  }
  for (const std::uint64_t number : turned)
    if (const KnownPtr there = known(number))
      there->set.adopt(std::move(of[number]), [&] { return there->is_news(revision); });
}

void Sets::lost() {
  try {
    early_.clear();
    (void)read_all(false);
  } catch (const services::StoreFailed& failed) {
    log(LogLevel::Error,
        {"properties: what other instances have changed meanwhile is not known here: ", failed.what()});
  }
}

}  // namespace callis::properties
