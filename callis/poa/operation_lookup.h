// SPDX-License-Identifier: Apache-2.0
// Finding an operation of a skeleton by its name. The usual way is the perfect hash that the IDL compiler has made;
// the others are there to be measured, and for whom the options of the ORB or an adapter's policy choose them.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/demultiplexing.h>
#include <callis/poa/skeleton.h>
#include <string_view>

CALLIS_FEATURE(lookups);

namespace callis::poa {

// nullptr. A call, so that it is a branch that leads here: who needs the operation does not wait for names to be compared.
[[gnu::cold, gnu::noinline]] inline const SkeletonOperation* no_operation() {
  asm volatile("");
  return nullptr;
}

// The operation of that name, or nullptr. The name is the peer's.
inline const SkeletonOperation* find_operation(const Skeleton& skeleton, std::string_view name) {
  const std::uint16_t i = skeleton.hash.find(name.data(), name.size());
  if (i == PerfectHash::kEmpty) [[unlikely]] return nullptr;
  const SkeletonOperation& op = skeleton.operations[i];
  const marshal::OperationView view(*skeleton.unit, op.op);
  if (view.name_length() != name.size() || !PerfectHash::same(view.name(), name.data(), name.size())) [[unlikely]]
    return no_operation();
  return &op;
}

// By any of the ways, in programs that have them; all find the same. What binary search and the hash table need is made at the skeleton's first request and kept for
// as long as the process runs; nullptr also when there is no memory for it. No lock afterwards.
CALLIS_OPTIONAL const SkeletonOperation* find_operation_otherwise(const Skeleton& skeleton, std::string_view name, orb::OperationLookup way);

inline const SkeletonOperation* find_operation(const Skeleton& skeleton, std::string_view name, orb::OperationLookup way) {
  if (way != orb::OperationLookup::Perfect && CALLIS_HAS(lookups)) [[unlikely]]
    return find_operation_otherwise(skeleton, name, way);
  return find_operation(skeleton, name);
}

}  // namespace callis::poa
