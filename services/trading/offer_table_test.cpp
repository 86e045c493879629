// SPDX-License-Identifier: Apache-2.0
// The table of offers against std::map, with random insertions, replacements and removals.
#include <gtest/gtest.h>
#include <services/trading/offer_table.h>
#include <services/trading/type_offers.h>
#include <map>
#include <random>

namespace callis::trading {
namespace {

struct Made {
  Snapshots snapshots;
  std::shared_ptr<TypeOffers> of_type = std::make_shared<TypeOffers>("T", snapshots);
  OfferTable table;
  std::map<OfferNumber, OfferPtr> model;

  OfferPtr offer(OfferNumber number) { return Offer::make(number, of_type, "", {}, nullptr, {}); }
  void put(OfferNumber number) {
    const OfferPtr o = offer(number);
    OfferPtr& before = model[number];
    ASSERT_EQ(table.put(o).get(), before.get());
    before = o;
  }
  void take(OfferNumber number) {
    const auto known = model.find(number);
    ASSERT_EQ(table.take(number).get(), known == model.end() ? nullptr : known->second.get());
    if (known != model.end()) model.erase(known);
  }
  void compare() {
    ASSERT_EQ(table.size(), model.size());
    for (const auto& [number, offer] : model) ASSERT_EQ(table.find(number).get(), offer.get()) << number;
  }
};

TEST(OfferTable, is_empty_at_first) {
  Made m;
  EXPECT_EQ(m.table.size(), 0u);
  EXPECT_FALSE(m.table.find(1));
  EXPECT_FALSE(m.table.take(1));
}

// Few numbers, so that they come, are replaced and go often; of one part, so that its places run out and go round.
TEST(OfferTable, has_what_was_put_in_after_any_removals) {
  for (const OfferNumber step : {OfferNumber{1}, OfferNumber{64}, OfferNumber{1} << 40}) {
    Made m;
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
      const OfferNumber number = random() % 500 * step;
      if (random() % 5 < (i < 10'000 ? 3u : 2u))
        m.put(number);
      else
        m.take(number);
      if (i % 500 == 0) m.compare();
      if (HasFatalFailure()) return;
    }
    m.compare();
    while (!m.model.empty()) {
      m.take(m.model.begin()->first);
      m.compare();
      if (HasFatalFailure()) return;
    }
  }
}

TEST(OfferTable, keeps_an_offer_until_it_is_taken_out) {
  Made m;
  m.put(1);
  const TypeOffers* const of_type = m.of_type.get();
  m.model.clear();
  m.of_type.reset();
  ASSERT_TRUE(m.table.find(1));
  EXPECT_EQ(&m.table.find(1)->of_type(), of_type);
}

}  // namespace
}  // namespace callis::trading
