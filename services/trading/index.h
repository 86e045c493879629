// SPDX-License-Identifier: Apache-2.0
// Index: the offers of a type that have a property, ordered by its value: booleans, then numbers, then texts. In
// blocks, so that an insertion moves one block's pointers. 8 to 16 bytes for each offer. The catalogue's lock guards
// it once others have it; what a search is to look at are pieces of its blocks (snapshots.h).
#pragma once
#include <services/constraints/constraint.h>
#include <services/trading/snapshots.h>
#include <atomic>
#include <memory>
#include <vector>

namespace callis::trading {

class Index final {
 public:
  Index(Slot slot, Snapshots& snapshots) : snapshots_(snapshots), slot_(slot) {}
  Slot slot() const { return slot_; }
  void build(const std::vector<Piece>& offers);
  void insert(const Offer& offer);
  void erase(const Offer& offer);

  struct Place {
    std::size_t block = 0, at = 0;
  };
  // Those that may fulfil bounds, ordered by value, from begin to before end.
  struct Range {
    Place begin, end;
    std::size_t count = 0;
  };
  // bounds: of this property; Unequal ones are passed over.
  Range range(const std::vector<constraints::Bound>& bounds) const;
  // Adds those in the range, and before them those whose value is dynamic.
  void add_pieces(const Range& range, std::vector<Piece>& to) const;
  std::size_t dynamic() const { return dynamic_ ? dynamic_->offers.size() : 0; }

  mutable std::atomic<std::uint64_t> last_used{0};

 private:
  using Block = std::vector<const Offer*>;
  static constexpr std::size_t kMostInBlock = 512;
  // The first place whose value is not less than v (above: greater than v).
  Place bound(const constraints::Value& v, bool above) const;
  bool before(const Offer& a, const Offer& b) const;
  bool can_hold(const Offer& offer) const;
  std::size_t count(const Place& begin, const Place& end) const;

  const Block& block(std::size_t i) const { return blocks_[i]->offers; }

  Snapshots& snapshots_;
  const Slot slot_;
  std::vector<ChunkPtr> blocks_;  // none empty
  ChunkPtr dynamic_;              // nullptr: none
};

}  // namespace callis::trading
