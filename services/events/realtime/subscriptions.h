// SPDX-License-Identifier: Apache-2.0
// Subscriptions: the consumers that want events of a source and a type, found by four look-ups for any number of
// consumers. It also has the wants of all consumers together, for which a gateway asks other channels. Its user
// guards it: const functions may run at once, the others alone.
#pragma once
#include <services/events/realtime/wants.h>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace callis::events {

using ConsumerNumber = std::uint64_t;  // the channel gives each consumer one, and never again

class Subscriptions {
 public:
  struct Interest {
    SourceId source;   // kAnySource: all
    EventType type;  // kAnyType: all
    std::uint32_t reach = 1;  // the greatest reach among those who want it, for gateways
    bool operator==(const Interest&) const = default;
  };

  // Replaces the consumer's earlier wants.
  void set(ConsumerNumber consumer, const Wants& wants);
  // Nothing, if it is not there.
  void remove(ConsumerNumber consumer);

  // Those who want it, each once, in ascending order, into `out`, which is emptied first.
  void find(const Header& header, std::vector<ConsumerNumber>& out) const;
  // Nobody does: the event needs no further work.
  bool nobody_wants(const Header& header) const;

  // The wants of all consumers together, except those in `without` (ascending) and wants without reach. Leaves out an
  // interest that another in the list includes. Ordered by source, then type.
  std::vector<Interest> interests(const std::vector<ConsumerNumber>& without = {}) const;
  // Changes when interests() may have.
  std::uint64_t revision() const { return revision_; }
  std::size_t size() const { return keys_.size(); }

 private:
  using Key = std::uint64_t;  // source and type
  static Key key(SourceId source, EventType type) { return Key{source} << 32 | type; }
  bool has(SourceId source, EventType type) const { return consumers_.contains(key(source, type)); }
  struct Wanting {
    ConsumerNumber consumer;
    std::uint32_t reach;
  };
  static std::uint32_t reach_of(const std::vector<Wanting>& those);

  std::unordered_map<Key, std::vector<Wanting>> consumers_;  // no empty ones
  std::map<ConsumerNumber, std::vector<Key>> keys_;
  std::uint64_t revision_ = 0;
};

}  // namespace callis::events
