// SPDX-License-Identifier: Apache-2.0
// What an RT_Info may say, and what is said to those who give another.
#include <callis/base/text.h>
#include <services/scheduling/model.h>
#include <services/scheduling/time_text.h>
#include <algorithm>

namespace callis::scheduling {

using Kind = Refused::Kind;

std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 120;
  const bool cut = name.size() > kMost;
  return "'" + std::string(Printable(name.substr(0, kMost))) + (cut ? "...'" : "'");
}

namespace {

// Of more names the nearest is not looked for: it takes longer than what was asked for.
constexpr std::size_t kMostCompared = 2000;

std::string number(std::size_t n) { return std::to_string(n); }

void check_name(std::string_view what, std::string_view name, const Bounds& bounds) {
  if (name.empty()) throw Refused(Kind::BadValue, "the name of " + std::string(what) + " is empty");
  if (name.size() > bounds.name_bytes)
    throw Refused(Kind::TooMany, "the name " + quoted(name) + " of " + std::string(what) + " has " +
                                     number(name.size()) + " bytes, " + number(bounds.name_bytes) + " are allowed");
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control)
    throw Refused(Kind::BadValue,
                  "the name " + quoted(name) + " of " + std::string(what) + " has control characters");
}

void check_time(const RtInfo& info, std::string_view what, Time time) {
  if (time.count() < 0)
    throw Refused(Kind::BadValue, "the " + std::string(what) + " of " + quoted(info.entry_point) +
                                      " is negative: " + std::to_string(time.count()) + " ns");
  if (time > kLongestTime)
    throw Refused(Kind::BadValue, "the " + std::string(what) + " of " + quoted(info.entry_point) + " is " +
                                      std::to_string(time.count()) + " ns, more than " + time_text(kLongestTime));
}

template<class E>
void check_word(const RtInfo& info, std::string_view what, E value, E last) {
  if (value > last)
    throw Refused(Kind::BadValue,
                  "the " + std::string(what) + " of " + quoted(info.entry_point) + " is no value of it");
}

std::uint64_t pair_key(const Dependency& d) {
  return (std::uint64_t{d.caller} << 32 | d.called) << 1 | (d.kind == CallKind::TwoWay ? 1 : 0);
}

}  // namespace

void Model::check(const RtInfo& info) const {
  check_name("an RT_Info", info.entry_point, bounds_);
  const std::string name = quoted(info.entry_point);
  check_word(info, "kind", info.kind, InfoKind::Or);
  check_word(info, "criticality", info.criticality, Criticality::VeryHigh);
  check_word(info, "importance", info.importance, Importance::VeryHigh);
  check_time(info, "worst-case execution time", info.worst_case);
  check_time(info, "typical execution time", info.typical);
  check_time(info, "cached execution time", info.cached);
  check_time(info, "period", info.period);
  check_time(info, "deadline", info.deadline);
  check_time(info, "jitter", info.jitter);
  check_time(info, "blocking", info.blocking);
  check_time(info, "quantum", info.quantum);
  if (info.worst_case.count() != 0 && std::max(info.typical, info.cached) > info.worst_case)
    throw Refused(Kind::BadValue, "the typical or cached execution time of " + name +
                                      " is more than its worst case, " + time_text(info.worst_case));
  if (info.threads == 0 || info.threads > bounds_.threads)
    throw Refused(Kind::BadValue, name + " has " + number(info.threads) + " threads; 1 to " +
                                      number(bounds_.threads) + " are allowed");
  if (info.kind != InfoKind::Operation && info.period.count() != 0)
    throw Refused(Kind::BadValue,
                  name + " is an " + std::string(word_of(info.kind)) +
                      " and has a period: it runs when it is called, so give the period to its callers");
  if (info.jitter.count() != 0 && info.period.count() == 0)
    throw Refused(Kind::BadValue, name + " has a jitter and no period: what is called has the jitter of its callers");
  for (const Lock& lock : info.locks) {
    check_name("a lock", lock.name, bounds_);
    check_time(info, "time of a lock", lock.longest);
    if (lock.longest > info.worst_case && info.worst_case.count() != 0)
      throw Refused(Kind::BadValue, name + " holds the lock " + quoted(lock.name) + " for " +
                                        time_text(lock.longest) + ", longer than it runs, " +
                                        time_text(info.worst_case));
  }
}

Index Model::add(RtInfo info) {
  check(info);
  if (by_name_.contains(info.entry_point))
    throw Refused(Kind::Duplicate, quoted(info.entry_point) + " is there already: names are unique");
  if (infos_.size() >= bounds_.infos)
    throw Refused(Kind::TooMany, quoted(info.entry_point) + " is one more than the " + number(bounds_.infos) +
                                     " RT_Infos that are allowed");
  if (locks_ + info.locks.size() > bounds_.locks)
    throw Refused(Kind::TooMany, "there are more than " + number(bounds_.locks) + " locks of operations");
  const auto at = static_cast<Index>(infos_.size());
  by_name_.emplace(info.entry_point, at);
  locks_ += info.locks.size();
  infos_.push_back(std::move(info));
  return at;
}

void Model::change(Index at, RtInfo info) {
  check(info);
  RtInfo& old = infos_.at(at);
  if (info.entry_point != old.entry_point)
    throw Refused(Kind::BadValue, quoted(old.entry_point) + " cannot be renamed: remove it and add another");
  if (info.kind != InfoKind::Operation)
    for (const Dependency& d : dependencies_)
      if (d.called == at && d.kind == CallKind::TwoWay)
        throw Refused(Kind::BadValue, quoted(info.entry_point) + " is called two-way by " +
                                          quoted(infos_[d.caller].entry_point) + ", so it must stay an operation");
  if (locks_ - old.locks.size() + info.locks.size() > bounds_.locks)
    throw Refused(Kind::TooMany, "there are more than " + number(bounds_.locks) + " locks of operations");
  locks_ += info.locks.size() - old.locks.size();
  old = std::move(info);
}

void Model::add(const Dependency& d) {
  if (d.caller >= infos_.size() || d.called >= infos_.size())
    throw Refused(Kind::Unknown, "a dependency leads from or to an RT_Info that is not there");
  const std::string which = quoted(infos_[d.caller].entry_point) + " calls " + quoted(infos_[d.called].entry_point);
  if (d.caller == d.called) throw Refused(Kind::Cycle, which + ": it would call itself for ever");
  if (d.kind != CallKind::OneWay && d.kind != CallKind::TwoWay)
    throw Refused(Kind::BadValue, which + " neither one-way nor two-way");
  if (d.kind == CallKind::TwoWay && infos_[d.called].kind != InfoKind::Operation)
    throw Refused(Kind::BadValue, which + " two-way, but that is an " + std::string(word_of(infos_[d.called].kind)) +
                                      ", which waits for other calls: call it one-way");
  const auto known = by_pair_.find(pair_key(d));
  const std::uint64_t all =
      d.times + (known == by_pair_.end() ? 0 : std::uint64_t{dependencies_[known->second].times});
  if (d.times == 0 || all > bounds_.times)
    throw Refused(Kind::BadValue, which + " " + number(all) + " times in an execution; 1 to " +
                                      number(bounds_.times) + " are allowed");
  if (known != by_pair_.end()) {
    dependencies_[known->second].times = static_cast<std::uint32_t>(all);
    return;
  }
  if (dependencies_.size() >= bounds_.dependencies)
    throw Refused(Kind::TooMany,
                  which + ", one more than the " + number(bounds_.dependencies) + " dependencies that are allowed");
  by_pair_.emplace(pair_key(d), dependencies_.size());
  dependencies_.push_back(d);
}

void Model::remove(Index at) {
  locks_ -= infos_.at(at).locks.size();
  infos_.erase(infos_.begin() + at);
  std::erase_if(dependencies_, [at](const Dependency& d) { return d.caller == at || d.called == at; });
  by_name_.clear();
  by_pair_.clear();
  for (Index i = 0; i < infos_.size(); ++i) by_name_.emplace(infos_[i].entry_point, i);
  for (std::size_t i = 0; i < dependencies_.size(); ++i) {
    Dependency& d = dependencies_[i];
    d.caller -= d.caller > at ? 1 : 0;
    d.called -= d.called > at ? 1 : 0;
    by_pair_.emplace(pair_key(d), i);
  }
}

void Model::clear() { *this = Model(bounds_); }

Index Model::find(std::string_view entry_point) const {
  const auto found = by_name_.find(std::string(entry_point));
  return found == by_name_.end() ? kNobody : found->second;
}

Index Model::at(std::string_view entry_point) const {
  const Index found = find(entry_point);
  if (found != kNobody) return found;
  std::size_t best = 4;
  const RtInfo* near = nullptr;
  for (const RtInfo& info : infos_) {
    if (infos_.size() > kMostCompared) break;
    const std::size_t distance = edit_distance(info.entry_point, entry_point);
    if (distance < best) {
      best = distance;
      near = &info;
    }
  }
  throw Refused(Kind::Unknown, "there is no RT_Info " + quoted(entry_point) +
                                   (near ? "; did you mean " + quoted(near->entry_point) + "?" : ""));
}

}  // namespace callis::scheduling
