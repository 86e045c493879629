// SPDX-License-Identifier: Apache-2.0
// Which table each strategy uses for operations, for objects, and for the adapters below an adapter; and an adapter
// tree of them.
#pragma once
#include <callis/poa/object/key.h>
#include <memory>
#include "active.h"
#include "tables.h"
#include "target.h"

namespace bench::demux {

struct Linear {
  static constexpr const char* kName = "demux-linear";
  template<class T>
  using Operations = LinearTable<T>;
  template<class T>
  using Objects = LinearTable<T>;
  template<class T>
  using Adapters = LinearTable<T>;
};
struct Index {
  static constexpr const char* kName = "demux-index";
  template<class T>
  using Operations = NumberedTable<T>;  // in the place of the name: text
  template<class T>
  using Objects = IndexTable<T>;
  template<class T>
  using Adapters = IndexTable<T>;
};
struct Binary {
  static constexpr const char* kName = "demux-binary";
  template<class T>
  using Operations = BinaryTable<T>;
  template<class T>
  using Objects = BinaryTable<T>;
  template<class T>
  using Adapters = BinaryTable<T>;
};
struct Hash {
  static constexpr const char* kName = "demux-hash";
  template<class T>
  using Operations = HashTable<T>;
  template<class T>
  using Objects = KeyedTable<T>;
  template<class T>
  using Adapters = HashTable<T>;
};
struct Perfect {
  static constexpr const char* kName = "demux-perfect";
  template<class T>
  using Operations = PerfectTable<T>;
  template<class T>
  using Objects = PerfectTable<T>;
  template<class T>
  using Adapters = PerfectTable<T>;
};
// De-layered: object and adapter in one step.
struct Active {
  static constexpr const char* kName = "demux-active";
  template<class T>
  using Operations = ActiveOperations<T>;
  template<class T>
  using Objects = SlotTable<T>;
  template<class T>
  using Adapters = SlotTable<T>;
};

// Calls f.operator()<S>() for each strategy S.
template<class F>
void for_each_strategy(F f) {
  f.template operator()<Linear>();
  f.template operator()<Index>();
  f.template operator()<Binary>();
  f.template operator()<Hash>();
  f.template operator()<Perfect>();
  f.template operator()<Active>();
}

inline constexpr std::size_t kSiblings = 8;  // adapters below one

// An adapter and those below it, found level by level, each among kSiblings.
template<class S>
struct Adapter : Target {
  std::vector<Adapter> below;
  std::unique_ptr<typename S::template Adapters<Adapter>> names;

  // The way down, which adapters are made for where they are missing: at each level the one of that number.
  Adapter& make(const std::vector<std::size_t>& way, const Names& sibling_names) {
    Adapter* at = this;
    for (const std::size_t i : way) {
      if (at->below.empty()) {
        at->below.resize(kSiblings);
        at->names = std::make_unique<typename S::template Adapters<Adapter>>(sibling_names, at->below.data());
      }
      at = &at->below[i];
    }
    return *at;
  }
  // The way as keys carry it: encoded as the names in callis's persistent keys are.
  std::string path(const std::vector<std::size_t>& way) const {
    std::vector<std::string> keys;
    const Adapter* at = this;
    for (const std::size_t i : way) {
      keys.push_back(at->names->key(i));
      at = &at->below[i];
    }
    const auto bytes = callis::poa::encode_path(keys);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // path: as parse_key() or path() give it, any names in it.
  Adapter* find(std::string_view path) {
    callis::poa::PathReader reader(bytes_of(path));
    Adapter* at = this;
    for (std::string_view name; reader.next(name);) {
      if (!at->names) return nullptr;
      at = at->names->find(name);
      if (!at) return nullptr;
    }
    return at;
  }
};

}  // namespace bench::demux
