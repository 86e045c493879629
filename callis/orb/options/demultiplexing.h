// SPDX-License-Identifier: Apache-2.0
// The ways in which object adapters find a request's target. Options of the ORB and policies of adapters choose among
// them (docs/guide/demultiplexing.md has the costs).
#pragma once
#include <cstdint>

namespace callis::orb {

// Active: by slot and generation, which the key holds; ids that the application chose are found by hash. Hint: such
// ids are found by slot, too, which the key holds beside the id. Hash: all by the whole key. Linear: by comparison
// with one key after the other.
enum class ObjectLookup : std::uint8_t { Active, Hint, Hash, Linear };
// The name of a transient adapter in keys: its slot and generation, or its own name behind those of the adapters
// above. Persistent adapters always stand by names.
enum class AdapterLookup : std::uint8_t { Active, Path };
enum class OperationLookup : std::uint8_t { Perfect, Binary, Hash, Linear };

// The way of calls within one ORB; collocated.h explains each.
enum class Collocation : std::uint8_t { Marshaled, ThroughAdapter, Direct };

struct Demultiplexing {
  ObjectLookup objects = ObjectLookup::Active;
  AdapterLookup adapters = AdapterLookup::Active;
  OperationLookup operations = OperationLookup::Perfect;

  friend bool operator==(const Demultiplexing&, const Demultiplexing&) = default;
};

}  // namespace callis::orb
