// SPDX-License-Identifier: Apache-2.0
// Other traders are asked here, each by a thread of the workers; and which rules queries follow links by.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/trading/federation.h>
#include <algorithm>

namespace callis::trading {

bool RequestIds::add(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (!seen_.insert(id).second) return false;
  order_.push_back(id);
  if (order_.size() > kMost) {
    seen_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

std::string Federation::next_request_id(const CosTrading::Admin::OctetSeq& stem) {
  std::string out(reinterpret_cast<const char*>(stem.get_buffer()), stem.length());
  return out + ":" + to_digits(start_ + next_++);
}

CosTrading::FollowOption follow_rule(const Settings::Values& settings, const Links::Info& link,
                                     const Policies& policies) {
  return std::min({settings.max_follow_policy, link.limiting_follow_rule,
                   policies.link_follow_rule.value_or(settings.def_follow_policy)});
}

CosTrading::FollowOption pass_on_rule(const Settings::Values& settings, const Links::Info& link,
                                      const Policies& policies) {
  return std::min({settings.max_follow_policy, link.limiting_follow_rule,
                   policies.link_follow_rule.value_or(link.def_pass_on_follow_rule)});
}

namespace {

struct Shared {
  std::mutex mutex;
  Received received;
  std::size_t bytes = 0;
  std::vector<bool> done;
};

// A rough size, so that traders that answer without end are cut off.
std::size_t bytes_of(const CosTrading::Offer& o) { return 200 + 100 * std::size_t{o.properties.length()}; }

// False: no more may come.
bool add(Shared& shared, CosTrading::OfferSeq& offers, CORBA::ULong& left) {
  const std::lock_guard lock(shared.mutex);
  for (CORBA::ULong i = 0; i < offers.length() && left > 0; ++i, --left) {
    shared.bytes += bytes_of(offers[i]);
    if (shared.bytes > Federation::kMostListBytes) return false;
    shared.received.offers.push_back(offers[i]);
  }
  return left > 0;
}

void ask_one(const Passed& q, Shared& shared) {
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
  CosTrading::PolicyNameSeq_var limits;
  CORBA::ULong left = q.most;
  q.target->query(q.type.c_str(), q.constraint.c_str(), q.preference.c_str(), q.policies, q.properties, left,
                  offers.out(), more.out(), limits.out());
  {
    const std::lock_guard lock(shared.mutex);
    for (CORBA::ULong i = 0; i < limits->length() && i < kMostPolicies; ++i)
      shared.received.limits.emplace_back(limits[i]);
  }
  bool wanted = add(shared, offers.inout(), left);
  while (wanted && !CORBA::is_nil(more.in())) {
    const bool any = more->next_n(left, offers.out());
    wanted = add(shared, offers.inout(), left) && any && offers->length() != 0;
  }
  if (!CORBA::is_nil(more.in())) {
    try {
      more->destroy();
    } catch (const CORBA::Exception&) {  // it has gone by itself
    }
  }
}

}  // namespace

Received Federation::ask(std::vector<Passed>&& queries) {
  const auto shared = std::make_shared<Shared>();
  shared->done.resize(queries.size());
  std::vector<Workers::Task> tasks;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ++asked_;
    names.push_back(queries[i].of);
    const auto q = std::make_shared<const Passed>(std::move(queries[i]));
    tasks.push_back([shared, q, i, deadline = options_.deadline] {
      try {
        const ThreadDeadline limit(deadline);
        ask_one(*q, *shared);
        const std::lock_guard lock(shared->mutex);
        shared->done[i] = true;
      } catch (const CORBA::Exception& e) {
        log(LogLevel::Warning, {"trading: the trader of ", q->of, " did not answer a query: ", e.what()});
      } catch (const std::exception& e) {
        log(LogLevel::Warning, {"trading: the answer of ", q->of, " could not be taken: ", e.what()});
      }
    });
  }
  workers_.run(std::move(tasks), options_.deadline);
  const std::lock_guard lock(shared->mutex);
  Received out = std::move(shared->received);
  shared->bytes = kMostListBytes;  // what comes now is too late
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (shared->done[i]) continue;
    ++failed_;
    out.failed.push_back(names[i]);
  }
  return out;
}

}  // namespace callis::trading
