// SPDX-License-Identifier: Apache-2.0
// How object adapters find what a request names, as options of the ORB and policies of adapters choose it
// (docs/guide/demultiplexing.md has what each costs).
#pragma once
#include <cstdint>

namespace callis::orb {

// Active: by slot and generation, which the key holds; ids that the application chose by hash. Hint: those by slot,
// too, which the key holds beside the id. Hash: all by the whole key. Linear: by comparing with one after the other.
enum class ObjectLookup : std::uint8_t { Active, Hint, Hash, Linear };
// What names a transient adapter in keys: its slot and generation, or the names of it and those above. Persistent
// adapters are named by names in any case.
enum class AdapterLookup : std::uint8_t { Active, Path };
enum class OperationLookup : std::uint8_t { Perfect, Binary, Hash, Linear };

// How calls within one ORB are made; collocated.h explains it.
enum class Collocation : std::uint8_t { Marshaled, ThroughAdapter, Direct };

struct Demultiplexing {
  ObjectLookup objects = ObjectLookup::Active;
  AdapterLookup adapters = AdapterLookup::Active;
  OperationLookup operations = OperationLookup::Perfect;

  friend bool operator==(const Demultiplexing&, const Demultiplexing&) = default;
};

}  // namespace callis::orb
