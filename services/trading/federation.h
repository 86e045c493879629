// SPDX-License-Identifier: Apache-2.0
// Federation: queries that are passed on to other traders, over links and by proxy offers (Trading Object Service
// 1.0). Each with a deadline, several at once. A trader that fails, or does not answer in time, adds nothing.
// Loops end by request ids: a trader that has seen one answers nothing a second time. Any thread.
#pragma once
#include <services/common/stats.h>
#include <services/common/operation_time.h>
#include <services/trading/answers.h>
#include <services/trading/links.h>
#include <services/trading/policies.h>
#include <services/trading/workers.h>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace callis::trading {

// The ids of queries that have been here. Bounded: where there are too many, the client that has sent most of them
// loses its oldest; so nobody's ids are pushed out by a stranger's. Any thread.
class RequestIds final {
 public:
  static constexpr std::size_t kMost = 100'000;
  static constexpr std::size_t kMostBytes = 16u << 20;
  // client: who has sent it, as MemoryBound counts clients. False: it has been here.
  bool add(const std::string& id, const std::string& client);
  std::size_t size() const;

 private:
  struct Sent {
    std::deque<const std::string*> ids;  // oldest first; of seen_
    std::size_t bytes = 0;
  };
  static std::size_t memory_of(const std::string& id) { return id.size() + 100; }
  void forget_one();  // under the lock

  mutable std::mutex mutex_;  // guards what follows
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, Sent> clients_;
  std::size_t bytes_ = 0;
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

// The answer that came back.
struct Received {
  std::vector<CosTrading::Offer> offers;
  std::vector<std::string> limits;
  std::vector<std::string> failed;  // those of whom nothing came
  bool left_out = false;            // the query has no memory for all that came
};

class Federation final {
 public:
  struct Options {
    std::size_t threads = 32;
    std::chrono::milliseconds deadline{5'000};
  };
  // keeper: outlives the calls.
  Federation(const Options& options, const Keeper& keeper, services::Counters& counters)
      : options_(options),
        keeper_(keeper),
        workers_(options.threads),
        asked_(counters.counter("traders_asked")),
        failed_(counters.counter("traders_failed")) {}

  // Asks all; returns when all have answered, or the deadline or the operation's time is over. `answers` counts what
  // has come.
  Received ask(std::vector<Passed>&& queries, const std::shared_ptr<Answers>& answers,
               const services::OperationTime& time);
  // Makes one call on the object, by a thread of the workers; the call has a deadline. Returns false if the call has
  // not ended: the call goes on, and owns everything that it uses. Throws the call's exceptions.
  bool call(CORBA::Object_ptr object, std::function<void()> call, std::chrono::nanoseconds limit);
  RequestIds& requests() { return requests_; }
  std::chrono::milliseconds deadline() const { return options_.deadline; }
  // 128 random bits behind the stem: who knows one cannot tell the next.
  static std::string next_request_id(const CosTrading::Admin::OctetSeq& stem);
  void stop() { workers_.stop(); }

 private:
  const Options options_;
  const Keeper& keeper_;
  Workers workers_;
  RequestIds requests_;
  services::Counters::Counter &asked_, &failed_;
};

// The rule by which links are followed for a query here, and the one that is passed on over a link.
CosTrading::FollowOption follow_rule(const Settings::Values& settings, const Links::Info& link,
                                     const Policies& policies);
CosTrading::FollowOption pass_on_rule(const Settings::Values& settings, const Links::Info& link,
                                      const Policies& policies);

}  // namespace callis::trading
