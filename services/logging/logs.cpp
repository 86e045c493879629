// SPDX-License-Identifier: Apache-2.0
// Logs that come and go; a copy is seen when it is whole.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/logging/logs.h>

namespace callis::logs {

void Logs::load() {
  for (const Archive::Known& known : parts_.archive.logs()) {
    Settings settings;
    if (!from_bytes(known.settings, parts_.context, settings))
      throw services::StoreFailed(services::StoreFailed::Damaged,
                                  "the settings of log " + std::to_string(known.id) +
                                      " cannot be read; the file is as it was: take a copy, then restore a backup");
    if (settings.copying) {
      log(LogLevel::Warning,
          {"logging: log ", Decimal(known.id), " was being copied to when the service ended; it goes"});
      parts_.archive.change(true, [&](Archive::Batch& batch) { batch.drop(known.id); });
    } else {
      add(known.id, settings);
    }
  }
}

LogPtr Logs::add(LogId id, const Settings& settings) {
  const LogPtr out = std::make_shared<Log>(id, settings, parts_);
  const CORBA::Object_var reference = refer_(id, settings.event_log);
  out->set_reference(reference.in());
  const std::lock_guard lock(mutex_);
  logs_[id] = out;
  return out;
}

LogPtr Logs::find(LogId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find(id);
  return found == logs_.end() ? nullptr : found->second;
}

std::vector<LogPtr> Logs::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<LogPtr> out;
  for (const auto& [id, log] : logs_) out.push_back(log);
  return out;
}

std::size_t Logs::size() const {
  const std::lock_guard lock(mutex_);
  return logs_.size();
}

// Under making_.
LogId Logs::new_id(std::optional<LogId> wanted) {
  const std::lock_guard lock(mutex_);
  if (wanted) {
    if (logs_.count(*wanted) != 0) throw DsLogAdmin::LogIdAlreadyExists();
    return *wanted;
  }
  do ++last_;
  while (last_ == 0 || logs_.count(last_) != 0);
  return last_;
}

template<class Event>
void Logs::tell(LogId id) {
  Event event;
  event.id = id;
  event.time = parts_.clock();
  CORBA::Any any;
  any <<= event;
  parts_.notices.tell(any);
}

LogPtr Logs::make(std::optional<LogId> wanted, const Settings& wanted_settings) {
  if (wanted_settings.full_action != DsLogAdmin::wrap && wanted_settings.full_action != DsLogAdmin::halt)
    throw DsLogAdmin::InvalidLogFullAction();
  Settings settings = wanted_settings;
  settings.thresholds = ordered(settings.thresholds);
  const std::lock_guard lock(making_);
  const LogId id = new_id(wanted);
  bool made = false;
  parts_.archive.change(parts_.archive.durable(),
                        [&](Archive::Batch& batch) { made = batch.make(id, to_bytes(settings)); });
  if (!made) throw DsLogAdmin::LogIdAlreadyExists();
  const LogPtr out = add(id, settings);
  tell<DsLogNotification::ObjectCreation>(id);
  return out;
}

LogPtr Logs::copy(Log& from, std::optional<LogId> wanted) {
  const std::lock_guard lock(making_);
  const LogId id = new_id(wanted);
  Settings settings = from.settings();
  settings.copying = true;
  Archive& archive = parts_.archive;
  bool made = false;
  archive.change(false, [&](Archive::Batch& batch) { made = batch.make(id, to_bytes(settings)); });
  if (!made) throw DsLogAdmin::LogIdAlreadyExists();
  try {
    const Tally source = from.tally();
    RecordId next = 1;
    for (;;) {
      const std::vector<Row> rows = archive.read(from.id(), next);
      if (rows.empty() || rows.front().id >= source.next) break;
      archive.change(false, [&](Archive::Batch& batch) {
        for (const Row& row : rows)
          if (row.id < source.next) batch.insert(id, row);
      });
      next = rows.back().id + 1;
    }
    settings.copying = false;
    archive.change(archive.durable(), [&](Archive::Batch& batch) {
      Tally& tally = batch.tally(id);
      tally.lap = source.lap;
      tally.next = std::max(tally.next, source.next);
      batch.set(id, to_bytes(settings));
    });
  } catch (...) {
    try {
      archive.change(false, [&](Archive::Batch& batch) { batch.drop(id); });
    } catch (const services::StoreFailed& failed) {  // load() drops it
      log(LogLevel::Warning, failed.what());
    }
    throw;
  }
  const LogPtr out = add(id, settings);
  tell<DsLogNotification::ObjectCreation>(id);
  return out;
}

bool Logs::destroy(LogId id) {
  const std::lock_guard making(making_);
  bool was = false;
  parts_.archive.change(parts_.archive.durable(), [&](Archive::Batch& batch) { was = batch.drop(id); });
  {
    const std::lock_guard lock(mutex_);
    logs_.erase(id);
  }
  if (was) tell<DsLogNotification::ObjectDeletion>(id);
  return was;
}

}  // namespace callis::logs
