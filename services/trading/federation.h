// SPDX-License-Identifier: Apache-2.0
// Federation: queries that are passed on to other traders, over links and by proxy offers (Trading Object Service
// 1.0). Each with a deadline, several at once. A trader that fails, or does not answer in time, adds nothing.
// Loops end by request ids: a trader that has seen one answers nothing a second time. Any thread.
#pragma once
#include <services/common/stats.h>
#include <services/trading/links.h>
#include <services/trading/policies.h>
#include <services/trading/workers.h>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace callis::trading {

// The ids of queries that have been here. Bounded: the oldest are forgotten.
class RequestIds final {
 public:
  static constexpr std::size_t kMost = 100'000;
  // False: it has been here.
  bool add(const std::string& id);

 private:
  std::mutex mutex_;
  std::deque<std::string> order_;
  std::unordered_set<std::string> seen_;
};

// A query as it goes to another trader.
struct Passed {
  CosTrading::Lookup_var target;
  std::string of;  // the link's name or the proxy offer's id, for the log
  std::string type, constraint, preference;
  CosTrading::PolicySeq policies;
  CosTrading::Lookup::SpecifiedProps properties;
  CORBA::ULong most = 0;  // offers
};

// What came back.
struct Received {
  std::vector<CosTrading::Offer> offers;
  std::vector<std::string> limits;
  std::vector<std::string> failed;  // those of whom nothing came
};

class Federation final {
 public:
  static constexpr std::size_t kMostListBytes = 8u << 20;  // of the answers to one query
  struct Options {
    std::size_t threads = 32;
    std::chrono::milliseconds deadline{5'000};
  };
  Federation(const Options& options, services::Counters& counters)
      : options_(options),
        workers_(options.threads),
        asked_(counters.counter("traders_asked")),
        failed_(counters.counter("traders_failed")) {}

  // Asks all; returns when all have answered, or the deadline is over.
  Received ask(std::vector<Passed>&& queries);
  RequestIds& requests() { return requests_; }
  std::chrono::milliseconds deadline() const { return options_.deadline; }
  std::string next_request_id(const CosTrading::Admin::OctetSeq& stem);
  void stop() { workers_.stop(); }

 private:
  const Options options_;
  Workers workers_;
  RequestIds requests_;
  const std::uint64_t start_ = draw();
  std::atomic<std::uint64_t> next_{0};
  services::Counters::Counter &asked_, &failed_;
};

// The rule by which links are followed for a query here, and the one that is passed on over a link.
CosTrading::FollowOption follow_rule(const Settings::Values& settings, const Links::Info& link,
                                     const Policies& policies);
CosTrading::FollowOption pass_on_rule(const Settings::Values& settings, const Links::Info& link,
                                      const Policies& policies);

}  // namespace callis::trading
