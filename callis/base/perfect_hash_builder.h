// SPDX-License-Identifier: Apache-2.0
// Finds a PerfectHash for a set of names. Used by the IDL compiler and by tests; not by the runtime.
#pragma once
#include <callis/base/perfect_hash.h>
#include <algorithm>
#include <string>
#include <vector>

namespace callis {

struct PerfectHashTables {
  std::uint64_t k1 = 1, k2 = 1;
  std::vector<std::uint16_t> displacements{0};
  std::vector<std::uint16_t> order;  // of each place the name's index
  std::uint8_t bucket_bits = 0, place_bits = 0;
  bool whole_name = false;

  PerfectHash view() const {
    return {k1, k2, displacements.data(), static_cast<std::uint32_t>(order.size()), bucket_bits, place_bits, whole_name};
  }
};

namespace detail {

// Places every bucket, largest first, at the first displacement where its names meet no other.
inline bool place(const std::vector<std::uint64_t>& hashes, PerfectHashTables& t) {
  constexpr std::uint16_t kFree = PerfectHash::kNowhere;
  const std::size_t buckets = std::size_t{1} << t.bucket_bits;
  t.displacements.assign(buckets, 0);
  t.order.assign(hashes.size(), kFree);
  const PerfectHash hash = t.view();
  std::vector<std::vector<std::uint16_t>> members(buckets);
  for (std::size_t i = 0; i < hashes.size(); ++i) members[hash.bucket(hashes[i])].push_back(static_cast<std::uint16_t>(i));
  std::vector<std::size_t> by_size(buckets);
  for (std::size_t i = 0; i < buckets; ++i) by_size[i] = i;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].size() > members[b].size(); });
  for (const std::size_t b : by_size) {
    const std::vector<std::uint16_t>& names = members[b];
    std::size_t placed = 0;
    for (std::size_t first = 0; first < t.order.size() && placed < names.size(); ++first) {
      const auto displacement = static_cast<std::uint16_t>(first - hash.undisplaced(hashes[names[0]]));
      const auto place_of = [&](std::uint16_t name) {
        return static_cast<std::uint16_t>(hash.undisplaced(hashes[name]) + displacement);
      };
      for (placed = 0; placed < names.size(); ++placed) {
        const std::uint16_t at = place_of(names[placed]);
        if (at >= t.order.size() || t.order[at] != kFree) break;
        t.order[at] = names[placed];
      }
      if (placed == names.size()) t.displacements[b] = displacement;
      else for (std::size_t i = 0; i < placed; ++i) t.order[place_of(names[i])] = kFree;
    }
    if (placed < names.size()) return false;
  }
  return true;
}

}  // namespace detail

// names: distinct, fewer than 65,535. Deterministic. False for two equal names or too many.
inline bool build_perfect_hash(const std::vector<std::string>& names, PerfectHashTables& t) {
  if (names.size() >= PerfectHash::kNowhere) return false;
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
  std::uint64_t seed = 0x9E3779B97F4A7C15u;
  const auto random = [&seed] {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed | 1;
  };
  t.whole_name = false;
  std::uint8_t bits = 0;
  while ((std::size_t{2} << bits) <= names.size()) ++bits;
  std::vector<std::uint64_t> hashes(names.size());
  for (int attempt = 0; attempt < 4000; ++attempt) {
    t.k1 = random();
    t.k2 = random();
    t.place_bits = bits;
    t.bucket_bits = static_cast<std::uint8_t>((bits == 0 ? 0 : bits - 1) + (attempt >= 50 ? 1 : 0) + (attempt >= 100 ? 1 : 0) +
                                              (attempt >= 200 ? 1 : 0));
    for (std::size_t i = 0; i < names.size(); ++i)
      hashes[i] = PerfectHash::mix(names[i].data(), names[i].size(), t.k1, t.k2, t.whole_name);
    std::vector<std::uint64_t> h = hashes;
    std::sort(h.begin(), h.end());
    if (std::adjacent_find(h.begin(), h.end()) != h.end()) {
      t.whole_name = t.whole_name || attempt >= 8;  // the ends do not tell the names apart
      continue;
    }
    if (detail::place(hashes, t)) return true;
  }
  return false;
}

}  // namespace callis
