// SPDX-License-Identifier: Apache-2.0
#include <services/events/realtime/subscriptions.h>
#include <algorithm>
#include <array>

namespace callis::events {
namespace {

template <typename T>
void sort_each_once(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

void Subscriptions::set(ConsumerNumber consumer, const Wants& wants) {
  remove(consumer);
  std::map<Key, std::uint32_t> reaches;
  for (const Group& group : wants.groups) {
    for (const Term& term : group.terms) {
      if (term.kind != Term::Kind::Event) continue;
      std::uint32_t& reach = reaches[key(term.source, term.type)];
      reach = std::max(reach, term.reach);
    }
  }
  std::vector<Key> keys;
  for (const auto& [one, reach] : reaches) {
    std::vector<Wanting>& those = consumers_[one];
    if (those.empty() || reach > reach_of(those)) ++revision_;
    those.push_back({consumer, reach});
    keys.push_back(one);
  }
  keys_.emplace(consumer, std::move(keys));
}

void Subscriptions::remove(ConsumerNumber consumer) {
  const auto known = keys_.find(consumer);
  if (known == keys_.end()) return;
  for (const Key one : known->second) {
    const auto those = consumers_.find(one);
    const std::uint32_t before = reach_of(those->second);
    std::erase_if(those->second, [&](const Wanting& w) { return w.consumer == consumer; });
    if (those->second.empty()) consumers_.erase(those);
    else if (reach_of(those->second) == before) continue;
    ++revision_;
  }
  keys_.erase(known);
}

void Subscriptions::find(const Header& header, std::vector<ConsumerNumber>& out) const {
  out.clear();
  const std::array<Key, 4> places{key(header.source, header.type), key(header.source, kAnyType),
                                  key(kAnySource, header.type), key(kAnySource, kAnyType)};
  for (const Key place : places) {
    if (const auto those = consumers_.find(place); those != consumers_.end()) {
      for (const Wanting& w : those->second) out.push_back(w.consumer);
    }
  }
  sort_each_once(out);
}

bool Subscriptions::nobody_wants(const Header& header) const {
  return !has(header.source, header.type) && !has(header.source, kAnyType) && !has(kAnySource, header.type) &&
         !has(kAnySource, kAnyType);
}

std::uint32_t Subscriptions::reach_of(const std::vector<Wanting>& those) {
  std::uint32_t out = 0;
  for (const Wanting& w : those) out = std::max(out, w.reach);
  return out;
}

std::vector<Subscriptions::Interest> Subscriptions::interests(const std::vector<ConsumerNumber>& without) const {
  std::unordered_map<Key, std::uint32_t> reaches;
  for (const auto& [place, those] : consumers_) {
    std::uint32_t reach = 0;
    for (const Wanting& w : those) {
      if (!std::binary_search(without.begin(), without.end(), w.consumer)) reach = std::max(reach, w.reach);
    }
    if (reach != 0) reaches.emplace(place, reach);
  }
  std::vector<Interest> all;
  for (const auto& [place, reach] : reaches) {
    const Interest one{static_cast<SourceId>(place >> 32), static_cast<EventType>(place), reach};
    bool included = false;
    for (const Key wider : {key(kAnySource, one.type), key(one.source, kAnyType), key(kAnySource, kAnyType)}) {
      const auto other = reaches.find(wider);
      included = included || (wider != place && other != reaches.end() && other->second >= one.reach);
    }
    if (!included) all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const Interest& a, const Interest& b) {
    return a.source != b.source ? a.source < b.source : a.type < b.type;
  });
  return all;
}

}  // namespace callis::events
