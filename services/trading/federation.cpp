// SPDX-License-Identifier: Apache-2.0
// Other traders are asked here, each by a thread of the workers; and which rules queries follow links by.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <services/trading/federation.h>
#include <services/trading/names.h>
#include <algorithm>

namespace callis::trading {

bool RequestIds::add(const std::string& id, const std::string& client) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = seen_.insert(id);
  if (!is_new) return false;
  Sent& sent = clients_[client];
  sent.ids.push_back(&*at);
  sent.bytes += memory_of(id);
  bytes_ += memory_of(id);
  while (seen_.size() > kMost || bytes_ > kMostBytes) forget_one();
  return true;
}

void RequestIds::forget_one() {
  const auto most = std::max_element(clients_.begin(), clients_.end(), [](const auto& a, const auto& b) {
    return a.second.bytes < b.second.bytes;
  });
  const std::string* const id = most->second.ids.front();
  most->second.ids.pop_front();
  most->second.bytes -= memory_of(*id);
  bytes_ -= memory_of(*id);
  seen_.erase(seen_.find(*id));
  if (most->second.ids.empty()) clients_.erase(most);
}

std::size_t RequestIds::size() const {
  const std::lock_guard lock(mutex_);
  return seen_.size();
}

std::string Federation::next_request_id(const CosTrading::Admin::OctetSeq& stem) {
  std::string out(reinterpret_cast<const char*>(stem.get_buffer()), stem.length());
  return out + ":" + draw_digits();
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
  bool closed = false;  // what comes now is too late
  std::vector<bool> done;
};

// The question to one trader, and its deadline.
struct Question {
  const Keeper& keeper;
  const Passed query;
  const std::size_t number;
  const std::chrono::steady_clock::time_point until;
  const bool full_time;  // who does not answer in that time hangs
  const std::shared_ptr<Answers> answers;
  const std::shared_ptr<Shared> shared;
};

// False: no more may come.
bool add(const Question& q, CosTrading::OfferSeq& offers, CORBA::ULong& left) {
  for (CORBA::ULong i = 0; i < offers.length() && left > 0; ++i, --left) {
    const std::size_t bytes = memory_of(q.keeper, offers[i]);
    const std::lock_guard lock(q.shared->mutex);
    if (q.shared->closed) return false;
    if (!q.answers->keep(bytes)) {
      q.shared->received.left_out = true;
      return false;
    }
    q.shared->received.offers.push_back(std::move(offers[i]));
  }
  return left > 0;
}

// Each call takes what is left of the time.
template<class F>
void in_time(const Question& q, const F& f) {
  const ThreadDeadline limit(q.until - std::chrono::steady_clock::now());
  f();
}

void ask_one(const Question& q) {
  const Passed& p = q.query;
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
  CosTrading::PolicyNameSeq_var limits;
  CORBA::ULong left = p.most;
  in_time(q, [&] {
    p.target->query(p.type.c_str(), p.constraint.c_str(), p.preference.c_str(), p.policies, p.properties, left,
                    offers.out(), more.out(), limits.out());
  });
  {
    const std::lock_guard lock(q.shared->mutex);
    for (CORBA::ULong i = 0; i < limits->length() && i < kMostPolicies && !q.shared->closed; ++i) {
      if (is_policy_name(limits[i].in())) q.shared->received.limits.emplace_back(limits[i]);
    }
  }
  bool wanted = add(q, offers.inout(), left);
  while (wanted && !CORBA::is_nil(more.in())) {
    bool any = false;
    in_time(q, [&] { any = more->next_n(left, offers.out()); });
    wanted = add(q, offers.inout(), left) && any && offers->length() != 0;
  }
  offers = nullptr;
  if (CORBA::is_nil(more.in())) return;
  try {
    in_time(q, [&] { more->destroy(); });
  } catch (const CORBA::Exception&) {  // it has gone by itself
  }
}

Workers::End answer_of(const Question& q) {
  try {
    ask_one(q);
    const std::lock_guard lock(q.shared->mutex);
    q.shared->done[q.number] = true;
    return Workers::End::Answered;
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Warning, {"trading: the trader of ", q.query.of, " did not answer a query: ", e.what()});
    if (q.full_time && CORBA::TIMEOUT::_downcast(&e)) return Workers::End::Hung;
  } catch (const std::exception& e) {
    log(LogLevel::Warning, {"trading: the answer of ", q.query.of, " could not be taken: ", e.what()});
  }
  return Workers::End::Not;
}

}  // namespace

Received Federation::ask(std::vector<Passed>&& queries, const std::shared_ptr<Answers>& answers,
                         const services::OperationTime& time) {
  const auto shared = std::make_shared<Shared>();
  shared->done.resize(queries.size());
  const auto limit = std::min<std::chrono::nanoseconds>(options_.deadline, time.left());
  const auto until = std::chrono::steady_clock::now() + limit;
  std::vector<Workers::Task> tasks;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ++asked_;
    names.push_back(queries[i].of);
    std::string server = server_of(queries[i].target.in());
    const std::shared_ptr<const Question> q(new Question{keeper_, std::move(queries[i]), i, until,
                                                    limit >= options_.deadline, answers, shared});
    tasks.push_back({std::move(server), [q] { return answer_of(*q); }});
  }
  workers_.run(std::move(tasks), answers->client(), limit);
  const std::lock_guard lock(shared->mutex);
  Received out = std::move(shared->received);
  shared->closed = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (shared->done[i]) continue;
    ++failed_;
    out.failed.push_back(names[i]);
  }
  return out;
}

bool Federation::call(CORBA::Object_ptr object, std::function<void()> call, std::chrono::nanoseconds limit) {
  struct Ended {
    std::mutex mutex;
    bool done = false;
    std::exception_ptr thrown;
  };
  const auto ended = std::make_shared<Ended>();
  const auto until = std::chrono::steady_clock::now() + limit;
  std::vector<Workers::Task> task;
  const bool full_time = limit >= std::min<std::chrono::nanoseconds>(options_.deadline, std::chrono::seconds(1));
  task.push_back({server_of(object), [ended, until, full_time, call = std::move(call)] {
    Workers::End how = Workers::End::Answered;
    std::exception_ptr thrown;
    try {
      const ThreadDeadline within(until - std::chrono::steady_clock::now());
      call();
    } catch (const CORBA::TIMEOUT&) {
      how = full_time ? Workers::End::Hung : Workers::End::Not;
      thrown = std::current_exception();
    } catch (const CORBA::UserException&) {
      thrown = std::current_exception();
    } catch (...) {
      how = Workers::End::Not;
      thrown = std::current_exception();
    }
    const std::lock_guard lock(ended->mutex);
    ended->done = true;
    ended->thrown = thrown;
    return how;
  }});
  workers_.run(std::move(task), Caller::current().counted_as(), limit);
  const std::lock_guard lock(ended->mutex);
  if (ended->thrown) std::rethrow_exception(ended->thrown);
  return ended->done;
}

}  // namespace callis::trading
