// SPDX-License-Identifier: Apache-2.0
// Index: the offers of a shelf that have a property, ordered by its value: booleans, then numbers, then texts. In
// blocks, so that an insertion moves one block's pointers. 8 to 16 bytes for each offer. The shelf's lock guards it.
#pragma once
#include <services/constraints/constraint.h>
#include <services/trading/offer.h>
#include <atomic>
#include <memory>
#include <vector>

namespace callis::trading {

class Index final {
 public:
  explicit Index(Slot slot) : slot_(slot) {}
  Slot slot() const { return slot_; }
  void build(const std::vector<const Offer*>& offers);
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
  // Calls f(offer) for all in the range, and for those whose value is dynamic, until it returns false.
  template<class F>
  void each(const Range& range, const F& f) const {
    for (const Offer* o : dynamic_) {
      if (!f(*o)) return;
    }
    for (Place p = range.begin; p.block < range.end.block || (p.block == range.end.block && p.at < range.end.at);) {
      if (p.at == blocks_[p.block].size()) {
        p = {p.block + 1, 0};
        continue;
      }
      if (!f(*blocks_[p.block][p.at++])) return;
    }
  }
  std::size_t dynamic() const { return dynamic_.size(); }

  mutable std::atomic<std::uint64_t> last_used{0};

 private:
  using Block = std::vector<const Offer*>;
  static constexpr std::size_t kMostInBlock = 512;
  // The first place whose value is not less than v (above: greater than v).
  Place bound(const constraints::Value& v, bool above) const;
  bool before(const Offer& a, const Offer& b) const;
  bool can_hold(const Offer& offer) const;
  std::size_t count(const Place& begin, const Place& end) const;

  const Slot slot_;
  std::vector<Block> blocks_;  // none empty
  std::vector<const Offer*> dynamic_;
};

}  // namespace callis::trading
