// SPDX-License-Identifier: Apache-2.0
// Logs: all logs of a service, as their archive has them. Functions throw StoreFailed. Any thread.
#pragma once
#include <services/logging/log.h>
#include <functional>
#include <map>

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
  std::size_t size() const;
  // Nothing as id: one that is free. LogIdAlreadyExists, InvalidLogFullAction, InvalidThreshold.
  LogPtr make(std::optional<LogId> id, const Settings& settings);
  // Settings and records, with their ids and times; not the records that come meanwhile.
  LogPtr copy(Log& from, std::optional<LogId> id);
  // False: there was none.
  bool destroy(LogId id);

 private:
  LogPtr add(LogId id, const Settings& settings);
  LogId new_id(std::optional<LogId> wanted);
  template<class Event>
  void tell(LogId id);

  const LogParts parts_;
  const Refer refer_;
  std::mutex making_;  // one log is made at a time; before mutex_
  LogId last_ = 0;
  mutable std::mutex mutex_;
  std::map<LogId, LogPtr> logs_;
};

}  // namespace callis::logs
