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
  std::vector<std::uint16_t> slots{PerfectHash::kEmpty};
  std::uint8_t bucket_bits = 0, slot_bits = 0;
  bool whole_name = false;

  PerfectHash view() const {
    return {k1, k2, displacements.data(), slots.data(), bucket_bits, slot_bits, whole_name};
  }
};

namespace detail {

// Places every bucket, largest first, at the first displacement where its names meet no other.
inline bool place(const std::vector<std::uint64_t>& hashes, PerfectHashTables& t) {
  const std::size_t buckets = std::size_t{1} << t.bucket_bits, size = std::size_t{1} << t.slot_bits;
  std::vector<std::vector<std::uint16_t>> members(buckets);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    members[PerfectHash::bucket(hashes[i], t.bucket_bits)].push_back(static_cast<std::uint16_t>(i));
  std::vector<std::size_t> order(buckets);
  for (std::size_t i = 0; i < buckets; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].size() > members[b].size(); });
  t.displacements.assign(buckets, 0);
  t.slots.assign(size, PerfectHash::kEmpty);
  for (std::size_t b : order) {
    bool placed = members[b].empty();
    for (std::size_t d = 0; d < size && d < 0xffff && !placed; ++d) {
      std::vector<std::size_t> taken;
      for (std::uint16_t i : members[b]) {
        const std::size_t s = ((hashes[i] >> (64 - t.bucket_bits - t.slot_bits) % 64) + d) & (size - 1);
        if (t.slots[s] != PerfectHash::kEmpty) break;
        t.slots[s] = i;
        taken.push_back(s);
      }
      placed = taken.size() == members[b].size();
      if (placed) t.displacements[b] = static_cast<std::uint16_t>(d);
      else for (std::size_t s : taken) t.slots[s] = PerfectHash::kEmpty;
    }
    if (!placed) return false;
  }
  return true;
}

}  // namespace detail

// names: distinct, fewer than 65,535. Deterministic. False for two equal names or too many.
inline bool build_perfect_hash(const std::vector<std::string>& names, PerfectHashTables& t) {
  if (names.size() >= PerfectHash::kEmpty) return false;
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
  while ((std::size_t{1} << bits) < names.size()) ++bits;
  std::vector<std::uint64_t> hashes(names.size());
  for (int attempt = 0; attempt < 4000; ++attempt) {
    t.k1 = random();
    t.k2 = random();
    t.slot_bits = static_cast<std::uint8_t>(bits + (attempt >= 200 ? 1 : 0) + (attempt >= 2000 ? 1 : 0));
    t.bucket_bits = static_cast<std::uint8_t>(bits >= 2 ? bits - 2 : 0);
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
