// SPDX-License-Identifier: Apache-2.0
// OfferTable: a catalogue's offers by their numbers: 10 to 16 bytes for each offer besides the offer. Open addressing
// with linear probing, in 64 parts that grow by themselves, so that no insertion moves all offers. The catalogue's
// lock guards it.
#pragma once
#include <services/trading/offer.h>
#include <array>
#include <vector>

namespace callis::trading {

class OfferTable final {
 public:
  std::size_t size() const;
  // nil: there is none.
  OfferPtr find(OfferNumber number) const;
  // Puts the offer in place of the offer with its number, which it returns; nil if there was none. Throws
  // std::bad_alloc, and changes nothing then.
  OfferPtr put(OfferPtr offer);
  // nil: there was none.
  OfferPtr take(OfferNumber number);

 private:
  struct Part {
    std::vector<OfferPtr> places;  // nil: free
    std::size_t used = 0;
    std::size_t home(OfferNumber number) const;      // where the search for the number begins
    std::size_t place_of(OfferNumber number) const;  // where its offer is, or would be put
    std::size_t after(std::size_t place) const { return place + 1 == places.size() ? 0 : place + 1; }
    void grow();
  };
  static constexpr std::size_t kParts = 64;
  static std::uint64_t mixed(OfferNumber number) { return number * 0x9e3779b97f4a7c15u; }
  const Part& part(OfferNumber number) const { return parts_[mixed(number) % kParts]; }
  Part& part(OfferNumber number) { return parts_[mixed(number) % kParts]; }

  std::array<Part, kParts> parts_;
};

}  // namespace callis::trading
