// SPDX-License-Identifier: Apache-2.0
// Dynamic: the values of dynamic properties, asked of their exporters' objects by DII (module CosTradingDynamic).
// Several at once; each within a deadline. A value that does not come in time, or is of another type than was
// promised, or for which the query has no memory left (answers.h), is not there. An object that let a call wait to
// its deadline is not asked again by the same query, nor is a server that answered more than can be kept. Any
// thread.
#pragma once
#include <services/common/stats.h>
#include <services/common/operation_time.h>
#include <services/trading/answers.h>
#include <services/trading/offer.h>
#include <services/trading/workers.h>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace callis::trading {

// One dynamic property of one offer, and where its value goes.
struct Asked {
  OfferPtr offer;
  Slot slot;
  std::string name;
};

// Values that are known of dynamic properties: by offer and slot. Missing ones have failed.
class Evaluated final {
 public:
  using Key = std::pair<OfferNumber, Slot>;
  struct Known {
    CORBA::Any any;
    constraints::Decoded decoded;
    bool there = false;
  };
  // nullptr: it has not been asked for.
  const Known* find(const Offer& offer, Slot slot) const {
    const auto found = all_.find({offer.number(), slot});
    return found == all_.end() ? nullptr : &found->second;
  }
  std::map<Key, Known>& all() { return all_; }

 private:
  std::map<Key, Known> all_;
};

class Dynamic final {
 public:
  struct Options {
    std::size_t threads = 16;
    std::chrono::milliseconds deadline{1'000};        // of one call
    std::chrono::milliseconds query_deadline{3'000};  // of all calls that a query waits for at once
  };
  // keeper: outlives the calls.
  Dynamic(const Options& options, const Keeper& keeper, services::Counters& counters)
      : options_(options),
        keeper_(keeper),
        workers_(options.threads),
        asked_(counters.counter("dynamic_asked")),
        failed_(counters.counter("dynamic_failed")) {}

  // Asks for what is not in `known` yet, and puts it there; `answers` counts it. False: some of it was left out since
  // the query has no memory left.
  bool evaluate(const std::vector<Asked>& wanted, Evaluated& known, const std::shared_ptr<Answers>& answers,
                const services::OperationTime& time);
  void stop() { workers_.stop(); }

 private:
  const Options options_;
  const Keeper& keeper_;
  Workers workers_;
  services::Counters::Counter &asked_, &failed_;
};

}  // namespace callis::trading
