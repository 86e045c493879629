// SPDX-License-Identifier: Apache-2.0
// Logs: all logs of a service, as their archive has them. Functions throw StoreFailed. Any thread.
#pragma once
#include <services/logging/log.h>
#include <functional>
#include <map>
#include <set>

namespace callis::logs {

using LogPtr = std::shared_ptr<Log>;

class Logs final {
 public:
  // Makes the reference of a log; the caller owns it. Called before anybody sees the log.
  using Refer = std::function<CORBA::Object_ptr(LogId id, bool event_log)>;

  Logs(const LogParts& parts, Refer refer) : parts_(parts), refer_(std::move(refer)) {}
  // What the archive has; once, before all others. Copies that were never finished are dropped.
  void load();

  // nullptr: there is none.
  LogPtr find(LogId id) const;
  std::vector<LogPtr> all() const;  // ordered by id
  Archive& archive() const { return parts_.archive; }
  const LogParts& parts() const { return parts_; }
  std::size_t size() const;
  // Nothing as id: one that is free. LogIdAlreadyExists, InvalidLogFullAction, InvalidThreshold.
  LogPtr make(std::optional<LogId> id, const Settings& settings);
  // Settings and records, with their ids and times; not the records that come meanwhile.
  LogPtr copy(Log& from, std::optional<LogId> id);
  // False: there was none.
  bool destroy(LogId id);

 private:
  // An id that nobody else takes as long as this lives.
  class Reserved;
  LogPtr add(LogId id, const Settings& settings, services::HeldBytes kept);
  template<class Event>
  void tell(LogId id);

  const LogParts parts_;
  const Refer refer_;
  mutable std::mutex mutex_;  // guards what follows
  LogId last_ = 0;
  std::map<LogId, LogPtr> logs_;
  std::set<LogId> reserved_;  // of logs that are being made, or destroyed
};

}  // namespace callis::logs
