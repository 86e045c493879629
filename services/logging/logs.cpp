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
      services::HeldBytes kept;
      const std::size_t bytes = Log::in_memory(parts_.archive, parts_.archive.tally(known.id));
      if (parts_.memory) kept = services::HeldBytes(parts_.memory->adopt(bytes));
      add(known.id, settings, std::move(kept));
    }
  }
}

LogPtr Logs::add(LogId id, const Settings& settings, services::HeldBytes kept) {
  const LogPtr out = std::make_shared<Log>(id, settings, parts_, std::move(kept));
  const CORBA::Object_var reference = refer_(id, settings.event_log);
  out->set_reference(reference.in());
  {
    const std::lock_guard lock(mutex_);
    logs_[id] = out;
  }
  if (parts_.keeper && settings.max_record_life != 0) parts_.keeper->tell();
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

class Logs::Reserved {
 public:
  // LogIdAlreadyExists. Nothing as `wanted`: one that is free.
  Reserved(Logs& logs, std::optional<LogId> wanted) : logs_(logs) {
    const std::lock_guard lock(logs.mutex_);
    const auto taken = [&](LogId id) { return logs.logs_.count(id) != 0 || logs.reserved_.count(id) != 0; };
    if (wanted && taken(*wanted)) throw DsLogAdmin::LogIdAlreadyExists();
    if (wanted) id_ = *wanted;
    else do id_ = ++logs.last_;
      while (id_ == 0 || taken(id_));
    logs.reserved_.insert(id_);
  }
  // Takes the log out of the others' sight; id() has none then where there was none.
  struct Leaving {};
  Reserved(Logs& logs, LogId id, Leaving) : logs_(logs), id_(id) {
    const std::lock_guard lock(logs.mutex_);
    const auto found = logs.logs_.find(id);
    if (found == logs.logs_.end()) return;
    leaving_ = std::move(found->second);
    logs.logs_.erase(found);
    logs.reserved_.insert(id);
  }
  ~Reserved() {
    const std::lock_guard lock(logs_.mutex_);
    logs_.reserved_.erase(id_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  LogId id() const { return id_; }
  const LogPtr& leaving() const { return leaving_; }
  void stays() {
    const std::lock_guard lock(logs_.mutex_);
    logs_.logs_[id_] = leaving_;
  }

 private:
  Logs& logs_;
  LogId id_ = 0;
  LogPtr leaving_;
};

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
  services::HeldBytes kept = parts_.keep(Log::kBytes);
  const Reserved reserved(*this, wanted);
  const LogId id = reserved.id();
  bool made = false;
  parts_.archive.change(parts_.archive.durable(),
                        [&](Archive::Batch& batch) { made = batch.make(id, to_bytes(settings)); });
  if (!made) throw DsLogAdmin::LogIdAlreadyExists();
  const LogPtr out = add(id, settings, std::move(kept));
  tell<DsLogNotification::ObjectCreation>(id);
  return out;
}

LogPtr Logs::copy(Log& from, std::optional<LogId> wanted) {
  services::HeldBytes kept = parts_.keep(Log::kBytes);
  const Reserved reserved(*this, wanted);
  const LogId id = reserved.id();
  Settings settings = from.settings();
  settings.copying = true;
  Archive& archive = parts_.archive;
  bool made = false;
  archive.change(false, [&](Archive::Batch& batch) { made = batch.make(id, to_bytes(settings)); });
  if (!made) throw DsLogAdmin::LogIdAlreadyExists();
  try {
    const Tally source = from.tally();
    if (!kept.reach(Log::in_memory(archive, source)))
      throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                                "the service has no memory left for a copy (--max-memory, --max-memory-each)");
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
  const LogPtr out = add(id, settings, std::move(kept));
  tell<DsLogNotification::ObjectCreation>(id);
  return out;
}

// In portions, so that others write meanwhile. Where the service ends before it is done, load() does the rest.
bool Logs::destroy(LogId id) {
  constexpr std::size_t kPortion = 1'000;
  Reserved reserved(*this, id, Reserved::Leaving());
  if (!reserved.leaving()) return false;
  Archive& archive = parts_.archive;
  try {
    Settings settings = reserved.leaving()->settings();
    settings.copying = true;
    archive.change(archive.durable(), [&](Archive::Batch& batch) {
      if (batch.has(id)) batch.set(id, to_bytes(settings));
    });
  } catch (...) {
    reserved.stays();
    throw;
  }
  for (std::uint64_t left = archive.tally(id).records / kPortion; left != 0; --left)
    archive.change(false, [&](Archive::Batch& batch) {
      if (batch.has(id)) batch.erase_before(id, INT64_MAX, kPortion);
    });
  archive.change(archive.durable(), [&](Archive::Batch& batch) { batch.drop(id); });
  tell<DsLogNotification::ObjectDeletion>(id);
  return true;
}

}  // namespace callis::logs
