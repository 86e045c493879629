// SPDX-License-Identifier: Apache-2.0
// Measures demultiplexing alone: nanoseconds from a key to its target, for each strategy, one process, one thread.
// A lookup reads a key in a buffer, as a request's, and begins when the one before has its target: the time is that
// of a lookup, not of several at once (cases .../overlapped: of several). Every target is checked. rounds.h has the
// options and what is printed. Cases .../bound: no key takes longer. Each key is looked for again and again by itself
// and has its best time. The greatest of these is printed.
#include <limits>
#include <memory>
#include "../common/cold.h"
#include "rounds.h"
#include "strategies/names.h"
#include "strategies/strategies.h"

namespace {

using namespace bench::demux;

constexpr std::size_t kRing = 4096;  // keys drawn beforehand
constexpr std::size_t kLeaves = 64;  // adapters that are looked for, at the depth of the case

// Keys, one after the other in one buffer, and what they must lead to.
class Ring {
 public:
  void add(const std::string& key, std::size_t target) {
    keys_.push_back({text_.size(), key.size()});
    text_ += key;
    targets_.push_back(target);
  }
  // find(key) -> Target*. Nanoseconds of n lookups; overlapped: each may begin before the one before has ended.
  template<bool overlapped, class Find>
  double lookups(std::size_t n, Find find) {
    std::uint64_t sum = 0, expected = 0;
    std::size_t zero = 0, at = 0;
    const std::uint64_t start = bench::now_ns();
    for (std::size_t i = 0; i < n; ++i) {
      const Key& k = keys_[at];
      const Target* t = find(std::string_view(text_.data() + k.offset + zero, k.size));
      if constexpr (!overlapped) zero = t->zero;
      sum += t->id;
      if (++at == keys_.size()) at = 0;
    }
    const std::uint64_t end = bench::now_ns();
    for (std::size_t i = 0; i < n; ++i) expected += targets_[i % targets_.size()];
    bench::expect(sum == expected, "a lookup");
    return static_cast<double>(end - start);
  }
  // Nanoseconds of the key that takes longest, each at its best.
  template<class Find>
  double bound(Find find) const {
    constexpr int kTries = 5, kTimes = 32;
    double greatest = 0;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      double best = std::numeric_limits<double>::max();
      for (int i = 0; i < kTries; ++i) {
        std::size_t zero = 0;
        const std::uint64_t start = bench::now_ns();
        for (int n = 0; n < kTimes; ++n) {
          const Target* t = find(std::string_view(text_.data() + keys_[k].offset + zero, keys_[k].size));
          if (t->id != targets_[k]) bench::expect(false, "a lookup");
          zero = t->zero;
        }
        best = std::min(best, static_cast<double>(bench::now_ns() - start) / kTimes);
      }
      greatest = std::max(greatest, best);
    }
    return greatest;
  }
  // The median lookup of n, each after foreign code, less the time of reading the clock.
  template<class Find>
  double cold(std::size_t n, Find find) {
    std::vector<std::uint64_t> ns, clock;
    for (std::size_t i = 0; i < n; ++i) {
      const Key& k = keys_[i % keys_.size()];
      bench::make_cold();
      const std::uint64_t start = bench::now_ns();
      const Target* t = find(std::string_view(text_.data() + k.offset, k.size));
      const std::uint64_t found = t->id, end = bench::now_ns();
      bench::expect(found == targets_[i % targets_.size()], "a lookup");
      ns.push_back(end - start);
      clock.push_back(bench::now_ns() - end);
    }
    const auto middle = [](std::vector<std::uint64_t>& v) {
      std::sort(v.begin(), v.end());
      return static_cast<double>(v[v.size() / 2]);
    };
    return std::max(0.0, middle(ns) - middle(clock));
  }

 private:
  struct Key {
    std::size_t offset, size;
  };
  std::string text_;
  std::vector<Key> keys_;
  std::vector<std::size_t> targets_;
};

// A case: contestants, each with what it needs to stay alive.
class Case {
 public:
  Case(std::string name, const Sizes& sizes) : name_(std::move(name)), sizes_(sizes) {}

  // key(i) for each target drawn, find(key) -> Target*.
  template<class Key, class Find>
  void add(const char* system, const std::vector<std::size_t>& drawn, Key key, Find find) {
    auto ring = std::make_shared<Ring>();
    for (const std::size_t i : drawn) ring->add(key(i), i);
    warm_.push_back({system, [ring, find](std::size_t n) { return ring->template lookups<false>(n, find); }});
    overlapped_.push_back({system, [ring, find](std::size_t n) { return ring->template lookups<true>(n, find); }});
    cold_.push_back({system, [ring, find](std::size_t n) { return ring->cold(n, find); }});
    bounds_.push_back({system, [ring, find](std::size_t) { return ring->bound(find); }});
  }
  void run() {
    run_rounds(name_, warm_, sizes_.rounds, sizes_.batch_us);
    for (int round = 0; sizes_.cold && round < sizes_.rounds; ++round)
      for (Contestant& c : cold_)
        print(c.system, name_ + "/cold", "ns", c.batch(static_cast<std::size_t>(sizes_.cold)), round);
  }
  void run_bounds() {
    for (int round = 0; round < std::min(sizes_.rounds, 3); ++round)
      for (Contestant& c : bounds_) print(c.system, name_, "ns", c.batch(1), round);
  }
  void run_overlapped() { run_rounds(name_ + "/overlapped", overlapped_, sizes_.rounds, sizes_.batch_us); }

 private:
  const std::string name_;
  const Sizes& sizes_;
  std::vector<Contestant> warm_, overlapped_, cold_, bounds_;
};

std::vector<Target> targets(std::size_t n) {
  std::vector<Target> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i].id = i;
  return all;
}

// One of the named, by a table made for them.
template<template<class> class Table>
void add_table(Case& to, const char* system, const Names& names, const std::vector<std::size_t>& drawn) {
  struct World {
    std::vector<Target> all;
    Table<Target> table;
    explicit World(const Names& n) : all(targets(n.size())), table(n, all.data()) {}
  };
  auto world = std::make_shared<World>(names);
  to.add(
      system, drawn, [world](std::size_t i) { return world->table.key(i); },
      [world](std::string_view key) { return world->table.find(key); });
}

const char* suffix(bool worst) { return worst ? "/worst" : "/random"; }

void operations(const Sizes& sizes, std::size_t n, bool worst, std::uint64_t& random) {
  Case c("operations" + std::to_string(n) + suffix(worst), sizes);
  const auto drawn = draw(worst, kRing, n, random);
  for_each_strategy([&]<class S>() { add_table<S::template Operations>(c, S::kName, operation_names(n), drawn); });
  c.run();
}

void objects(const Sizes& sizes, std::size_t n, bool worst, std::uint64_t& random) {
  Case c("objects" + std::to_string(n) + suffix(worst), sizes);
  const auto drawn = draw(worst, kRing, n, random);
  for_each_strategy([&]<class S>() { add_table<S::template Objects>(c, S::kName, object_names(n), drawn); });
  c.run();
}

// Ways to kLeaves adapters, n levels down; the last of each level in the worst case.
std::vector<std::vector<std::size_t>> ways(std::size_t n, bool worst, std::uint64_t& random) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < (worst ? 1 : kLeaves); ++i) {
    auto way = draw(worst, n, kSiblings, random);
    if (std::find(all.begin(), all.end(), way) == all.end()) all.push_back(std::move(way));
  }
  return all;
}

template<class S>
void add_tree(Case& to, const std::vector<std::vector<std::size_t>>& all, const std::vector<std::size_t>& drawn) {
  struct World {
    Adapter<S> root;
    std::vector<std::string> paths;
  };
  auto world = std::make_shared<World>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    world->root.make(all[i], adapter_names(kSiblings)).id = i;
    world->paths.push_back(world->root.path(all[i]));
  }
  to.add(
      S::kName, drawn, [world](std::size_t i) { return world->paths[i]; },
      [world](std::string_view path) -> Target* { return world->root.find(path); });
}

// The ways drawn to adapters.
void add_adapters(Case& c, const std::vector<std::vector<std::size_t>>& all, const std::vector<std::size_t>& drawn) {
  for_each_strategy([&]<class S>() {
    if constexpr (std::is_same_v<S, Active>)
      add_table<SlotTable>(c, S::kName, adapter_names(all.size()), drawn);
    else
      add_tree<S>(c, all, drawn);
  });
}

void poas(const Sizes& sizes, std::size_t n, bool worst, std::uint64_t& random) {
  Case c("poas" + std::to_string(n) + suffix(worst), sizes);
  const auto all = ways(n, worst, random);
  add_adapters(c, all, draw(false, kRing, all.size(), random));
  c.run();
}

// All of n, or 500 that are spread evenly, the last among them.
std::vector<std::size_t> spread(std::size_t n) {
  constexpr std::size_t kMost = 500;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < std::min(n, kMost); ++i) all.push_back(n <= kMost ? i : i * (n - 1) / (kMost - 1));
  return all;
}

void bounds(const Sizes& sizes, std::uint64_t& random) {
  for (const std::size_t n : sizes.operations) {
    Case c("operations" + std::to_string(n) + "/bound", sizes);
    const auto all = spread(n);
    for_each_strategy([&]<class S>() { add_table<S::template Operations>(c, S::kName, operation_names(n), all); });
    c.run_bounds();
  }
  for (const std::size_t n : sizes.objects) {
    Case c("objects" + std::to_string(n) + "/bound", sizes);
    const auto all = spread(n);
    for_each_strategy([&]<class S>() { add_table<S::template Objects>(c, S::kName, object_names(n), all); });
    c.run_bounds();
  }
  for (const std::size_t n : sizes.poas) {
    Case c("poas" + std::to_string(n) + "/bound", sizes);
    const auto all = ways(n, false, random);
    add_adapters(c, all, spread(all.size()));
    c.run_bounds();
  }
}

// Both steps of a request, one after the other: the object's servant, then its operation's method.
template<template<class> class Objects, template<class> class Operations>
void add_both(Case& to, const char* system, std::size_t object_count, std::size_t operation_count,
              std::uint64_t random) {
  struct World {
    std::vector<Target> servants, methods;
    Objects<Target> objects;
    Operations<Target> operations;
    World(std::size_t n, std::size_t m)
        : servants(targets(n)),
          methods(targets(m)),
          objects(object_names(n), servants.data()),
          operations(operation_names(m), methods.data()) {}
  };
  auto world = std::make_shared<World>(object_count, operation_count);
  const auto drawn = draw(false, kRing, operation_count, random), of = draw(false, kRing, object_count, random);
  // The object's key stands before the operation's in the message; its first byte here is its length.
  std::size_t at = 0;
  to.add(
      system, drawn,
      [&, world](std::size_t operation) {
        const std::string key = world->objects.key(of[at++]);
        return static_cast<char>(key.size()) + key + world->operations.key(operation);
      },
      [world](std::string_view both) {
        const auto n = static_cast<unsigned char>(both[0]);
        const Target* const servant = world->objects.find(both.substr(1, n));
        return world->operations.find(both.substr(1 + n + servant->zero));
      });
}

void both(const Sizes& sizes, std::size_t object_count, std::size_t operation_count, std::uint64_t random) {
  Case c("objects" + std::to_string(object_count) + "/operations" + std::to_string(operation_count) + "/random",
         sizes);
  for_each_strategy([&]<class S>() {
    add_both<S::template Objects, S::template Operations>(c, S::kName, object_count, operation_count, random);
  });
  add_both<SlotTable, PerfectTable>(c, "callis-interpreted", object_count, operation_count, random);
  c.run();
  c.run_overlapped();
}

}  // namespace

int main(int argc, char** argv) {
  const Sizes sizes(argc, argv);
  std::uint64_t random = 0x9e3779b97f4a7c15u;
  for (const bool worst : {false, true}) {
    for (const std::size_t n : sizes.operations) operations(sizes, n, worst, random);
    for (const std::size_t n : sizes.objects) objects(sizes, n, worst, random);
    for (const std::size_t n : sizes.poas) poas(sizes, n, worst, random);
  }
  bounds(sizes, random);
  both(sizes, sizes.objects.back(), sizes.operations.back(), random);
}
