// SPDX-License-Identifier: Apache-2.0
// Finding an operation of a skeleton by its name. The usual way is the perfect hash that the IDL compiler has made.
// The other ways exist for measurements, and for users whose ORB options or adapter policies choose them.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/demultiplexing.h>
#include <callis/poa/servant/skeleton.h>
#include <string_view>

CALLIS_FEATURE(lookups);

namespace callis::poa {

// Returns nullptr. This is a function so that the compiler makes a branch: the code that needs the operation does not
// wait until names are compared.
[[gnu::cold, gnu::noinline]] inline const SkeletonOperation* no_operation() {
  asm volatile("");
  return nullptr;
}

// The operation of that name, of any length, or nullptr.
[[gnu::noinline]] inline const SkeletonOperation* find_of_any_length(const Skeleton& skeleton,
                                                                     std::string_view name) {
  const std::uint16_t i = skeleton.hash.find(name.data(), name.size());
  if (i == PerfectHash::kNowhere) return nullptr;
  const SkeletonOperation& op = skeleton.operations[i];
  if (op.name != kNameInEntry) {
    const bool same = (op.name & 0xff) == name.size() &&
                      PerfectHash::same(skeleton.unit->names + (op.name >> 8), name.data(), name.size());
    return same ? &op : nullptr;
  }
  const marshal::OperationView view(*skeleton.unit, op.op);
  const bool same = view.name_length() == name.size() && PerfectHash::same(view.name(), name.data(), name.size());
  return same ? &op : nullptr;
}

#ifdef __OPTIMIZE_SIZE__
inline const SkeletonOperation* find_operation(const Skeleton& skeleton, std::string_view name) {
  return find_of_any_length(skeleton, name);
}
#else
// The skeleton in which the thread looked last.
inline constinit thread_local const Skeleton* last_skeleton __attribute__((tls_model("initial-exec"))) = nullptr;

// The operation of that name, or nullptr. The name is the peer's.
//
// The search uses the thread's last skeleton, and a branch checks that this is the given skeleton. So the processor
// looks for the operation while the skeleton's address is still being read from the object's slot.
inline const SkeletonOperation* find_operation(const Skeleton& skeleton, std::string_view name) {
  const Skeleton* const last = last_skeleton;
  const Skeleton* expected = last;
  asm("" : "+r"(expected));  // or the compiler takes the address given, which is the same
  if (&skeleton != last) [[unlikely]] last_skeleton = expected = &skeleton;
  if (!expected->hash.mixes_ends(name.size())) [[unlikely]] return find_of_any_length(*expected, name);
  const std::uint32_t i = expected->hash.find_by_ends(name.data(), name.size());
  if (i >= expected->hash.count) [[unlikely]] return no_operation();
  const SkeletonOperation& op = expected->operations[i];
  if ((op.name & 0xff) != name.size()) [[unlikely]]
    return op.name == kNameInEntry ? find_of_any_length(*expected, name) : no_operation();
  if (!PerfectHash::same_8_to_32(expected->unit->names + (op.name >> 8), name.data(), name.size())) [[unlikely]]
    return no_operation();
  return &op;
}
#endif

// Uses any of the ways, in programs that have them; all find the same operation. The tables for binary search and for
// the hash table are made at the skeleton's first request. They last as long as the process. Returns nullptr also if
// there is no memory for them. Takes no lock afterwards.
CALLIS_OPTIONAL const SkeletonOperation* find_operation_otherwise(const Skeleton& skeleton, std::string_view name,
                                                                  orb::OperationLookup way);

inline const SkeletonOperation* find_operation(const Skeleton& skeleton, std::string_view name,
                                               orb::OperationLookup way) {
  if (way != orb::OperationLookup::Perfect) [[unlikely]] {
    if (CALLIS_HAS(lookups)) return find_operation_otherwise(skeleton, name, way);
  }
  return find_operation(skeleton, name);
}

}  // namespace callis::poa
