// SPDX-License-Identifier: Apache-2.0
// The properties of a stream's objects, each of which is a PropertySet (Property Service 1.0). Those that the object
// itself has defined are read only and fixed; clients define others beside them, within limits.
#pragma once
#include <services/properties/servant.h>
#include <services/streams/adapter.h>
#include <map>

namespace callis::streams {

inline constexpr properties::Bounds kPropertyBounds{256, 64u << 10, 256, 1u << 20};

// Counts what clients define, each property for who has defined it last.
class CountedProperties final : public properties::Keeper {
 public:
  explicit CountedProperties(services::MemoryBound& memory) : memory_(memory) {}
  // Under the set's lock.
  void keep(std::span<const Change> changes) override {
    std::map<std::string, services::MemoryBound::Hold> all;
    for (const Change& each : changes)
      if (each.item)
        all[std::string(each.name)] = memory_.take(2 * each.item->bytes + 2 * services::MemoryBound::kOverhead);
    for (const Change& each : changes)
      if (!each.item) held_.erase(std::string(each.name));
    for (auto& [name, hold] : all) held_[name] = std::move(hold);
  }

 private:
  services::MemoryBound& memory_;
  std::map<std::string, services::MemoryBound::Hold> held_;
};

// A servant of `Skeleton` with a set of properties of its own.
template<class Skeleton>
class WithProperties : public properties::WithOwnSet<properties::PropertySetOperations, Skeleton> {
 public:
  explicit WithProperties(const Adapter& adapter)
      : properties::WithOwnSet<properties::PropertySetOperations, Skeleton>(adapter.iterators(), kPropertyBounds, {},
                                                                            &counted_),
        counted_(adapter.memory()) {}

 protected:
  properties::Set& own_set() { return *this->set(); }

 private:
  CountedProperties counted_;  // the set keeps its address from the beginning, and uses it when clients call
};

}  // namespace callis::streams
