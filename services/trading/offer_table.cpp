// SPDX-License-Identifier: Apache-2.0
#include <services/trading/offer_table.h>

namespace callis::trading {

namespace {

constexpr std::size_t kLeastPlaces = 8;

// Four of five places are used at most: a search looks at three on average, and always ends.
bool is_full(std::size_t used, std::size_t places) { return (used + 1) * 5 > places * 4; }

}  // namespace

std::size_t OfferTable::Part::home(OfferNumber number) const {
  // The upper bits; the lower ones have chosen the part.
  return static_cast<std::size_t>((mixed(number) >> 32) * places.size() >> 32);
}

std::size_t OfferTable::Part::place_of(OfferNumber number) const {
  std::size_t at = home(number);
  while (places[at] && places[at]->number() != number) at = after(at);
  return at;
}

void OfferTable::Part::grow() {
  std::vector<OfferPtr> before(places.empty() ? kLeastPlaces : places.size() + places.size() / 2);
  before.swap(places);
  for (OfferPtr& offer : before) {
    if (!offer) continue;
    OfferPtr& place = places[place_of(offer->number())];
    place = std::move(offer);
  }
}

std::size_t OfferTable::size() const {
  std::size_t out = 0;
  for (const Part& p : parts_) out += p.used;
  return out;
}

OfferPtr OfferTable::find(OfferNumber number) const {
  const Part& p = part(number);
  return p.used == 0 ? OfferPtr() : p.places[p.place_of(number)];
}

OfferPtr OfferTable::put(OfferPtr offer) {
  Part& p = part(offer->number());
  if (is_full(p.used, p.places.size())) p.grow();
  OfferPtr& place = p.places[p.place_of(offer->number())];
  if (!place) ++p.used;
  return std::exchange(place, std::move(offer));
}

OfferPtr OfferTable::take(OfferNumber number) {
  Part& p = part(number);
  if (p.used == 0) return {};
  std::size_t hole = p.place_of(number);
  OfferPtr out = std::move(p.places[hole]);
  if (!out) return {};
  --p.used;
  // Later ones close the gap, each that may stand there: a search must not end before it has found them.
  for (std::size_t at = p.after(hole); p.places[at]; at = p.after(at)) {
    const std::size_t home = p.home(p.places[at]->number());
    const bool may_move = hole <= at ? home <= hole || home > at : home <= hole && home > at;
    if (!may_move) continue;
    p.places[hole] = std::move(p.places[at]);
    hole = at;
  }
  return out;
}

}  // namespace callis::trading
