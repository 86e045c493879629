// SPDX-License-Identifier: Apache-2.0
// Reading in pages as of one revision; committing so that a lost answer is found out by the transaction's trace.
#include <services/common/etcd_store.h>
#include <services/common/transaction.h>
#include <algorithm>
#include <stdexcept>

namespace callis::services {

using etcd::Attempt;
using etcd::Json;
using etcd::number;
using etcd::to_base64;

namespace {

constexpr int kNotFound = 5, kOutOfRange = 11;
constexpr std::size_t kPage = 500;

Json put_of(const std::string& key, std::string_view value) {
  return {{"request_put", {{"key", to_base64(key)}, {"value", to_base64(value)}}}};
}
Json compare_of(const std::string& key, Revision changed) {
  return {{"key", to_base64(key)}, {"target", "MOD"}, {"result", "EQUAL"}, {"mod_revision", std::to_string(changed)}};
}
Revision revision_of(const Json& answer) { return number(answer.at("header"), "revision"); }

}  // namespace

// A transaction on its way.
struct EtcdStore::Commit {
  const Transaction& transaction;
  std::string id;
  Deadline deadline;
  Trace trace;
  bool unsure = false;  // it may have been applied, or be yet
};

std::string EtcdStore::unique() { return instance_ + "." + std::to_string(next_.fetch_add(1)); }

void EtcdStore::another_schema() const {
  throw StoreFailed(
      StoreFailed::Foreign,
      where_ + ": a newer program has migrated the store while this one had it open; start this one anew");
}

template<class Work>
auto EtcdStore::with_answers(Work&& work) const -> decltype(work()) {
  const auto fail = [this](const std::exception& e) {
    return StoreFailed(StoreFailed::Unknown, where_ + ": an answer of etcd cannot be read: " + e.what());
  };
  try {
    return work();
  } catch (const Json::exception& e) {
    throw fail(e);
  } catch (const std::invalid_argument& e) {
    throw fail(e);
  }
}

std::vector<Pair> EtcdStore::range(const std::string& prefix, Revision& as_of) {
  const Deadline until = deadline();
  std::vector<Pair> out;
  std::size_t page = kPage;
  std::string from = prefix;
  as_of = 0;
  for (;;) {
    const Json asked = {{"key", to_base64(from)},
                        {"range_end", to_base64(etcd::end_of(prefix))},
                        {"limit", page},
                        {"revision", std::to_string(as_of)}};
    bool unsure = false;
    const Attempt attempt = client_->call("/v3/kv/range", asked, until, unsure);
    if (attempt.end == Attempt::End::TooLong && page > 1) {
      page = std::max<std::size_t>(page / 8, 1);
      continue;
    }
    if (attempt.end == Attempt::End::Refused && attempt.refusal.code == kOutOfRange && as_of != 0) {
      out.clear();  // etcd has compacted that revision meanwhile
      from = prefix;
      as_of = 0;
      continue;
    }
    if (attempt.end != Attempt::End::Answered) throw client_->refused(attempt.refusal);
    if (as_of == 0) as_of = revision_of(attempt.answer);
    if (const auto pairs = attempt.answer.find("kvs"); pairs != attempt.answer.end())
      for (const Json& pair : *pairs)
        out.push_back({etcd::bytes(pair, "key"), etcd::bytes(pair, "value"), number(pair, "mod_revision")});
    if (!attempt.answer.value("more", false) || out.empty()) return out;
    from = out.back().key + '\0';
  }
}

Revision EtcdStore::read(std::string_view prefix, const std::function<void(Pair&&)>& take) {
  Revision as_of = 0;
  std::vector<Pair> all = with_answers([&] { return range(data_ + std::string(prefix), as_of); });
  for (Pair& pair : all) {
    pair.key.erase(0, data_.size());
    take(std::move(pair));
  }
  return as_of;
}

Revision EtcdStore::latest() {
  return with_answers([&] {
    const Json found = client_->ask("/v3/kv/range", {{"key", to_base64(prefix_ + "!last")}}, deadline());
    return found.contains("kvs") && !found["kvs"].empty() ? number(found["kvs"].at(0), "mod_revision") : 0;
  });
}

void EtcdStore::watch(Revision from, Watcher& watcher) {
  if (watch_) throw std::logic_error("a store has one watcher");
  watch_ = std::make_unique<etcd::Watch>(*client_, etcd::Watched{prefix_, data_, prefix_ + "!last"}, from, watcher);
}

void EtcdStore::announce(const std::string& text) { leases_->announce(text); }

std::vector<std::string> EtcdStore::instances() {
  Json asked = etcd::range_of(prefix_ + "!instance/");
  asked["sort_target"] = "CREATE";
  asked["sort_order"] = "ASCEND";
  return with_answers([&] {
    const Json found = client_->ask("/v3/kv/range", asked, deadline());
    std::vector<std::string> out;
    if (const auto pairs = found.find("kvs"); pairs != found.end())
      for (const Json& pair : *pairs) out.push_back(etcd::bytes(pair, "value"));
    return out;
  });
}

EtcdStore::Trace EtcdStore::take_trace() {
  const std::uint64_t lease = leases_->traces();
  const std::lock_guard lock(mutex_);
  while (!traces_.empty()) {
    Trace out = std::move(traces_.back());
    traces_.pop_back();
    if (out.lease == lease) return out;
  }
  return {prefix_ + "!trace/" + unique(), 0, lease};
}

void EtcdStore::give_back(Trace&& trace) {
  const std::lock_guard lock(mutex_);
  traces_.push_back(std::move(trace));
}

Json EtcdStore::compares(const Transaction& transaction) const {
  Json out = Json::array();
  out.push_back(compare_of(prefix_ + "!kind", kind_changed_));
  for (const Condition& c : transaction.conditions) out.push_back(compare_of(data_ + c.key, c.changed));
  return out;
}

Json EtcdStore::message(const Transaction& transaction, const Trace& trace, const std::string& id) const {
  Json compare = compares(transaction);
  compare.push_back(compare_of(trace.key, trace.changed));
  Json traced = put_of(trace.key, id);
  traced["request_put"]["lease"] = std::to_string(trace.lease);
  Json success = Json::array({std::move(traced), put_of(prefix_ + "!last", id)});
  for (const auto& [key, value] : transaction.puts) success.push_back(put_of(data_ + key, value));
  for (const std::string& key : transaction.erased)
    success.push_back({{"request_delete_range", {{"key", to_base64(data_ + key)}}}});
  Json failure = Json::array();
  for (const std::string& key : {trace.key, prefix_ + "!kind"})
    failure.push_back({{"request_range", {{"key", to_base64(key)}}}});
  return {{"compare", std::move(compare)}, {"success", std::move(success)}, {"failure", std::move(failure)}};
}

Outcome EtcdStore::ask_conditions(const Transaction& transaction) {
  const Json failure = Json::array({{{"request_range", {{"key", to_base64(prefix_ + "!kind")}}}}});
  const Json answer =
      client_->ask("/v3/kv/txn", {{"compare", compares(transaction)}, {"failure", failure}}, deadline());
  const bool hold = answer.value("succeeded", false);
  if (!hold) {
    const Json& kind = answer.at("responses").at(0).at("response_range");
    if (!kind.contains("kvs") || number(kind["kvs"].at(0), "mod_revision") != kind_changed_) another_schema();
  }
  return {hold, revision_of(answer)};
}

namespace {

// The pair that the `at`th range of an answer's other branch has found; its value and revision, or nothing.
Pair found_in(const Json& answer, std::size_t at) {
  const Json& range = answer.at("responses").at(at).at("response_range");
  const auto pairs = range.find("kvs");
  if (pairs == range.end() || pairs->empty()) return {};
  return {{}, etcd::bytes(pairs->at(0), "value"), number(pairs->at(0), "mod_revision")};
}

}  // namespace

// Returns false if the commit must be tried again, with another trace.
bool EtcdStore::resolve(Commit& commit, const Attempt& attempt, Outcome& out) {
  if (attempt.answer.value("succeeded", false)) {
    out = {true, revision_of(attempt.answer)};
    commit.trace.changed = out.revision;
    return true;
  }
  const Pair trace = found_in(attempt.answer, 0), kind = found_in(attempt.answer, 1);
  if (trace.value == commit.id) {  // applied by an attempt whose answer was lost
    out = {true, trace.changed};
    commit.trace.changed = out.revision;
    return true;
  }
  if (trace.changed != commit.trace.changed) {  // the lease has ended
    leases_->forget_traces(commit.trace.lease);
    if (commit.unsure)
      throw StoreFailed(StoreFailed::Unreachable,
                        where_ + ": etcd was away for so long that nobody knows whether it has taken a change", true);
    commit.trace = take_trace();
    return false;
  }
  if (commit.unsure && fence(commit, out)) return true;
  if (kind.changed != kind_changed_) another_schema();
  out = {false, revision_of(attempt.answer)};
  return true;
}

// A condition did not hold, but an earlier attempt may still arrive when the condition holds again. After this call
// the attempt cannot be applied any more. Returns true if the attempt was applied.
bool EtcdStore::fence(Commit& commit, Outcome& out) {
  const std::string mark = unique();
  Json put = put_of(commit.trace.key, mark);
  put["request_put"]["lease"] = std::to_string(commit.trace.lease);
  const Json asked = {{"compare", {compare_of(commit.trace.key, commit.trace.changed)}},
                      {"success", {put}},
                      {"failure", {{{"request_range", {{"key", to_base64(commit.trace.key)}}}}}}};
  bool unsure = false;
  const Attempt attempt = client_->call("/v3/kv/txn", asked, commit.deadline, unsure);
  if (attempt.end != Attempt::End::Answered) throw client_->refused(attempt.refusal);
  if (attempt.answer.value("succeeded", false)) {
    commit.trace.changed = revision_of(attempt.answer);
    return false;
  }
  const Pair trace = found_in(attempt.answer, 0);
  commit.trace.changed = trace.changed;
  if (trace.value == mark) return false;
  out = {true, trace.changed};
  return trace.value == commit.id;
}

Outcome EtcdStore::commit(const Transaction& transaction) {
  check(transaction);
  if (transaction.puts.empty() && transaction.erased.empty())
    return with_answers([&] { return ask_conditions(transaction); });
  Commit commit{transaction, unique(), deadline(), take_trace(), false};
  try {
    for (;;) {
      const Attempt attempt =
          client_->call("/v3/kv/txn", message(transaction, commit.trace, commit.id), commit.deadline, commit.unsure);
      if (attempt.end == Attempt::End::Refused) {
        if (attempt.refusal.code != kNotFound || commit.unsure) throw client_->refused(attempt.refusal);
        leases_->forget_traces(commit.trace.lease);  // it has ended: nothing was applied
        commit.trace = take_trace();
        continue;
      }
      Outcome out;
      if (!resolve(commit, attempt, out)) continue;
      give_back(std::move(commit.trace));
      return out;
    }
  } catch (const StoreFailed& failed) {
    throw StoreFailed(failed.kind(), failed.what(), failed.maybe_applied() || commit.unsure);
  } catch (const std::exception& e) {
    throw StoreFailed(StoreFailed::Unknown, where_ + ": an answer of etcd cannot be read: " + e.what(), true);
  }
}

}  // namespace callis::services
