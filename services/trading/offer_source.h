// SPDX-License-Identifier: Apache-2.0
// OfferSource: the offers that a query has found, in their order, made into lists when they are asked for. Dynamic
// properties that are wanted are asked for then, those of one list at once.
#pragma once
#include <services/trading/query.h>
#include <memory>
#include <string>
#include <vector>

namespace callis::trading {

// Which properties of an offer its importer wants.
struct Wanted {
  bool all = false;
  std::vector<std::string> names;
  // Throws IllegalPropertyName, DuplicatePropertyName.
  static Wanted parse(const CosTrading::Lookup::SpecifiedProps& properties);
};

// One of here, or of another trader.
struct Hit {
  OfferPtr here;
  std::unique_ptr<CosTrading::Offer> elsewhere;
};

class OfferSource final : public Iterators::Source {
 public:
  static constexpr std::size_t kMostListBytes = 1u << 20;

  // answers: counts what this keeps.
  OfferSource(Services& services, std::vector<Hit>&& hits, const Wanted& wanted, Evaluated&& known,
              std::shared_ptr<Answers> answers)
      : s_(services),
        hits_(std::move(hits)),
        wanted_(wanted),
        known_(std::move(known)),
        answers_(std::move(answers)) {}
  CosTrading::OfferSeq* next(std::size_t most) override;
  CosTrading::OfferSeq* next(std::size_t most, const services::OperationTime& time);
  std::size_t left() const override { return hits_.size() - next_; }

 private:
  // Of an offer of here: name and slot.
  std::vector<std::pair<std::string, Slot>> slots_of(const Offer& offer) const;
  std::size_t put(const Hit& hit, CosTrading::Offer& to) const;  // returns about how many bytes it takes

  Services& s_;
  std::vector<Hit> hits_;  // those before next_ are empty
  const Wanted wanted_;
  Evaluated known_;
  const std::shared_ptr<Answers> answers_;
  std::size_t next_ = 0;
};

}  // namespace callis::trading
