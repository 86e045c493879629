// SPDX-License-Identifier: Apache-2.0
#include <callis/base/string_map.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

CALLIS_PROVIDE(lookups);

namespace callis::poa {
namespace {

using Operation = const SkeletonOperation*;

std::string_view name_of(const Skeleton& skeleton, Operation op) {
  const marshal::OperationView view(*skeleton.unit, op->op);
  return {view.name(), view.name_length()};
}

struct Index {
  const Skeleton* skeleton;
  std::vector<Operation> in_turn, sorted;
  StringMap<Operation> by_name;
  Index* next;  // in its bucket
};

// By the skeleton's address; only ever added to.
constexpr std::size_t kBuckets = 256;
constinit std::atomic<Index*> buckets[kBuckets] = {};

std::atomic<Index*>& bucket_of(const Skeleton& skeleton) {
  return buckets[(reinterpret_cast<std::uintptr_t>(&skeleton) >> 4) % kBuckets];
}

const Index* find_index(const Skeleton& skeleton) {
  const Index* i = bucket_of(skeleton).load(std::memory_order_acquire);
  while (i && i->skeleton != &skeleton) i = i->next;
  return i;
}

const Index* make_index(const Skeleton& skeleton) {
  static std::mutex making;
  const std::lock_guard lock(making);
  if (const Index* known = find_index(skeleton)) return known;
  auto index = std::make_unique<Index>();
  index->skeleton = &skeleton;
  for (std::size_t place = 0; place < skeleton.hash.count; ++place) {
    index->in_turn.push_back(&skeleton.operations[place]);
    index->by_name.insert(std::string(name_of(skeleton, &skeleton.operations[place])), &skeleton.operations[place]);
  }
  index->sorted = index->in_turn;
  std::sort(index->sorted.begin(), index->sorted.end(),
            [&](Operation a, Operation b) { return name_of(skeleton, a) < name_of(skeleton, b); });
  index->next = bucket_of(skeleton).load(std::memory_order_relaxed);
  bucket_of(skeleton).store(index.get(), std::memory_order_release);
  return index.release();
}

}  // namespace

const SkeletonOperation* find_operation_otherwise(const Skeleton& skeleton, std::string_view name,
                                                  orb::OperationLookup way) {
  const Index* index = find_index(skeleton);
  if (!index) index = make_index(skeleton);
  if (way == orb::OperationLookup::Hash) {
    const Operation* found = index->by_name.find(name);
    return found ? *found : nullptr;
  }
  if (way == orb::OperationLookup::Binary) {
    const auto at = std::lower_bound(index->sorted.begin(), index->sorted.end(), name,
                                     [&](Operation op, std::string_view n) { return name_of(skeleton, op) < n; });
    return at != index->sorted.end() && name_of(skeleton, *at) == name ? *at : nullptr;
  }
  for (const Operation op : index->in_turn)
    if (name_of(skeleton, op) == name) return op;
  return nullptr;
}

}  // namespace callis::poa
