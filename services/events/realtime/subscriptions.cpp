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
  std::vector<Key> keys;
  for (const Group& group : wants.groups) {
    for (const Term& term : group.terms) {
      if (term.kind == Term::Kind::Event) keys.push_back(key(term.source, term.type));
    }
  }
  sort_each_once(keys);
  for (const Key one : keys) {
    std::vector<ConsumerNumber>& those = consumers_[one];
    if (those.empty()) ++revision_;
    those.push_back(consumer);
  }
  keys_.emplace(consumer, std::move(keys));
}

void Subscriptions::remove(ConsumerNumber consumer) {
  const auto known = keys_.find(consumer);
  if (known == keys_.end()) return;
  for (const Key one : known->second) {
    const auto those = consumers_.find(one);
    std::erase(those->second, consumer);
    if (!those->second.empty()) continue;
    consumers_.erase(those);
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
      out.insert(out.end(), those->second.begin(), those->second.end());
    }
  }
  sort_each_once(out);
}

bool Subscriptions::nobody_wants(const Header& header) const {
  return !has(header.source, header.type) && !has(header.source, kAnyType) && !has(kAnySource, header.type) &&
         !has(kAnySource, kAnyType);
}

std::vector<Subscriptions::Interest> Subscriptions::interests() const {
  if (has(kAnySource, kAnyType)) return {{kAnySource, kAnyType}};
  std::vector<Interest> all;
  for (const auto& [place, those] : consumers_) {
    const Interest one{static_cast<Source>(place >> 32), static_cast<EventType>(place)};
    const bool wider_source = one.source != kAnySource && has(kAnySource, one.type);
    const bool wider_type = one.type != kAnyType && has(one.source, kAnyType);
    if (!wider_source && !wider_type) all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const Interest& a, const Interest& b) {
    return a.source != b.source ? a.source < b.source : a.type < b.type;
  });
  return all;
}

}  // namespace callis::events
