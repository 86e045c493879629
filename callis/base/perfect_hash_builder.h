// SPDX-License-Identifier: Apache-2.0
// Finds a PerfectHash for a set of names. Used by the IDL compiler and by tests; not by the runtime.
#pragma once
#include <callis/base/perfect_hash.h>
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace callis {

struct PerfectHashTables {
  std::uint64_t k1 = 1, k2 = 1;
  std::vector<std::uint16_t> displacements{0};
  std::vector<std::uint16_t> order;  // of each place the name's index
  std::uint8_t bucket_bits = 0, place_bits = 0;
  bool whole_name = false;
  std::uint64_t steps = 0;  // what finding them took: names mixed and places tried

  PerfectHash view() const {
    return {k1,         k2,        displacements.data(), static_cast<std::uint32_t>(order.size()), bucket_bits,
            place_bits, whole_name};
  }
};

namespace detail {

// The places that are free, so that looking for the next one costs nothing for those that are taken (union-find).
class FreePlaces {
 public:
  explicit FreePlaces(std::size_t n) : next_(n + 1) {
    for (std::size_t i = 0; i <= n; ++i) next_[i] = i;
  }
  // The first free place that is not before `at`; n where there is none.
  std::size_t from(std::size_t at) {
    while (next_[at] != at) at = next_[at] = next_[next_[at]];
    return at;
  }
  void take(std::size_t at) { next_[at] = at + 1; }

 private:
  std::vector<std::size_t> next_;
};

// From so many names on, places for a bucket are looked for from a place of its own. Below, from the first free one:
// that fills the low places, so that more are tried in vain the more names there are.
constexpr std::size_t kManyNames = 1024;

// Places every bucket, largest first, at the first displacement where its names meet no other. False if there is
// none.
inline bool place(const std::vector<std::uint64_t>& hashes, PerfectHashTables& t) {
  constexpr std::uint16_t kFree = PerfectHash::kNowhere;
  const std::size_t buckets = std::size_t{1} << t.bucket_bits, places = hashes.size();
  t.displacements.assign(buckets, 0);
  t.order.assign(places, kFree);
  const PerfectHash hash = t.view();
  std::vector<std::vector<std::uint16_t>> members(buckets);
  for (std::size_t i = 0; i < places; ++i) members[hash.bucket(hashes[i])].push_back(static_cast<std::uint16_t>(i));
  std::vector<std::size_t> by_size(buckets);
  for (std::size_t i = 0; i < buckets; ++i) by_size[i] = i;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].size() > members[b].size(); });
  FreePlaces free(places);
  for (const std::size_t b : by_size) {
    const std::vector<std::uint16_t>& names = members[b];
    if (names.empty()) break;
    // Whether the bucket's names were placed with the first of them at a free place.
    const auto place_from = [&](std::size_t first) {
      const auto displacement = static_cast<std::uint16_t>(first - hash.undisplaced(hashes[names[0]]));
      const auto place_of = [&](std::uint16_t name) {
        return static_cast<std::uint16_t>(hash.undisplaced(hashes[name]) + displacement);
      };
      ++t.steps;
      for (const std::uint16_t name : names)
        if (place_of(name) >= places || t.order[place_of(name)] != kFree) return false;
      for (const std::uint16_t name : names) {
        t.order[place_of(name)] = name;
        free.take(place_of(name));
      }
      t.displacements[b] = displacement;
      return true;
    };
    const std::size_t start = places < kManyNames ? 0 : hash.undisplaced(hashes[names[0]]) % places;
    std::size_t first = free.from(start);
    while (first < places && !place_from(first)) first = free.from(first + 1);
    if (first < places) continue;
    for (first = free.from(0); first < start && !place_from(first);) first = free.from(first + 1);
    if (first >= start) return false;
  }
  return true;
}

}  // namespace detail

// names: distinct, fewer than 65,535. Deterministic; takes time in proportion to their number, near enough: 0.2 s for
// 65,534. False for two equal names or too many.
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
  t.steps = 0;
  const int bits = static_cast<int>(std::bit_width(names.size() | 1)) - 1;
  const bool many = names.size() >= detail::kManyNames;
  // Of many names, those of one bucket come to lie within half of the places. Those farther apart would fit near both
  // ends only, where soon no place is free.
  const int place_bits = many ? bits - 1 : bits;
  const int bucket_bits = many || bits == 0 ? bits : bits - 1;
  std::vector<std::uint64_t> hashes(names.size());
  for (int attempt = 0; attempt < 4000; ++attempt) {
    t.k1 = random();
    t.k2 = random();
    t.place_bits = static_cast<std::uint8_t>(place_bits);
    t.bucket_bits = static_cast<std::uint8_t>(bucket_bits + (attempt >= 50 ? 1 : 0) + (attempt >= 100 ? 1 : 0) +
                                              (attempt >= 200 ? 1 : 0));
    t.steps += names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      hashes[i] = PerfectHash::mix(names[i].data(), names[i].size(), t.k1, t.k2, t.whole_name);
    std::vector<std::uint64_t> h = hashes;
    std::sort(h.begin(), h.end());
    if (std::adjacent_find(h.begin(), h.end()) != h.end()) {
      t.whole_name = t.whole_name || attempt >= 8;  // the ends do not tell the names apart
      continue;
    }
    // No displacement tells names of one bucket apart whose bits below the bucket's are the same, too.
    const int rest = 64 - t.bucket_bits - t.place_bits;
    const auto meet = [rest](std::uint64_t a, std::uint64_t b) { return a >> rest == b >> rest; };
    if (std::adjacent_find(h.begin(), h.end(), meet) != h.end()) continue;
    if (detail::place(hashes, t)) return true;
  }
  return false;
}

}  // namespace callis
