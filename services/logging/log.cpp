// SPDX-License-Identifier: Apache-2.0
// Settings and states of a log, and writing to it.
#include <services/logging/log.h>
#include <services/logging/schedule.h>
#include <services/properties/value_bytes.h>
#include <algorithm>

namespace callis::logs {

namespace note = DsLogNotification;

std::string to_bytes(const Settings& settings) {
  CORBA::Any any;
  any <<= settings;
  return properties::to_bytes(any);
}

bool from_bytes(std::string_view bytes, orb::OrbContext& context, Settings& settings) {
  CORBA::Any any;
  const Settings* found = nullptr;
  if (!properties::from_bytes(bytes, context, any) || !(any >>= found)) return false;
  settings = *found;
  return true;
}

Settings new_settings(const Archive& archive) {
  Settings out;
  out.event_log = false;
  out.full_action = DsLogAdmin::wrap;
  out.max_size = 0;
  out.max_record_life = 0;
  out.qos.length(archive.durable() ? 2 : 1);
  out.qos[0] = archive.durable() ? DsLogAdmin::QoSFlush : DsLogAdmin::QoSNone;
  if (archive.durable()) out.qos[1] = DsLogAdmin::QoSReliability;
  out.administrative = DsLogAdmin::unlocked;
  out.forwarding = DsLogAdmin::on;
  out.interval.start = out.interval.stop = 0;
  out.copying = false;
  return out;
}

DsLogAdmin::CapacityAlarmThresholdList ordered(const DsLogAdmin::CapacityAlarmThresholdList& thresholds) {
  std::vector<DsLogAdmin::Threshold> all;
  for (CORBA::ULong i = 0; i < thresholds.length(); ++i) {
    if (thresholds[i] > 100 || all.size() > 100) throw DsLogAdmin::InvalidThreshold();
    all.push_back(thresholds[i]);
  }
  std::sort(all.begin(), all.end());
  if (std::adjacent_find(all.begin(), all.end()) != all.end()) throw DsLogAdmin::InvalidThreshold();
  DsLogAdmin::CapacityAlarmThresholdList out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = all[i];
  return out;
}

namespace {

[[noreturn]] void gone() {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the log has been destroyed, or never was");
}

bool has(const DsLogAdmin::QoSList& qos, DsLogAdmin::QoSType wanted) {
  for (CORBA::ULong i = 0; i < qos.length(); ++i)
    if (qos[i] == wanted) return true;
  return false;
}

template<class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any out;
  out <<= value;
  return out;
}

}  // namespace

std::size_t Log::in_memory(const Archive& archive, const Tally& tally) {
  constexpr std::size_t kOfRecord = 64;  // its place in the archive's tables
  return kBytes + (archive.durable() ? 0 : tally.bytes + kOfRecord * tally.records);
}

Log::Log(LogId id, Settings settings, const LogParts& parts, services::HeldBytes kept)
    : id_(id), parts_(parts), event_log_(settings.event_log), settings_(std::move(settings)),
      kept_(std::move(kept)) {}

void Log::make_room(const Tally& tally, std::uint64_t more) {
  if (parts_.archive.durable()) return;
  Tally then = tally;
  then.bytes += more;
  ++then.records;
  if (!kept_.reach(in_memory(parts_.archive, then)))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                              "the service has no memory left for records of this log (--max-memory, "
                              "--max-memory-each); delete some, or keep them in a file (--store)");
}

Settings Log::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Log::set_reference(CORBA::Object_ptr log) { reference_ = CORBA::Object::_duplicate(log); }

bool Log::forwards() const {
  const std::lock_guard lock(mutex_);
  return settings_.forwarding == DsLogAdmin::on;
}

bool Log::reliable() const {
  const std::lock_guard lock(mutex_);
  return has(settings_.qos, DsLogAdmin::QoSReliability);
}

// The setting is on the disk before others see it. Under altering_.
template<class Change>
void Log::alter(Change&& change) {
  Settings next = settings();
  change(next);
  const std::string bytes = to_bytes(next);
  parts_.archive.change(parts_.archive.durable(), [&](Archive::Batch& batch) {
    if (!batch.has(id_)) gone();
    batch.set(id_, bytes);
  });
  const std::lock_guard lock(mutex_);
  settings_ = std::move(next);
}

template<class T>
void Log::tell_change(note::AttributeType type, const T& before, const T& after) {
  note::AttributeValueChange event;
  event.logref = DsLogAdmin::Log::_unchecked_narrow(reference_.in());
  event.id = id_;
  event.time = parts_.clock();
  event.type = type;
  event.old_value = any_of(before);
  event.new_value = any_of(after);
  parts_.notices.tell(any_of(event));
}

void Log::tell_state(note::StateType type, const CORBA::Any& value) {
  note::StateChange event;
  event.logref = DsLogAdmin::Log::_unchecked_narrow(reference_.in());
  event.id = id_;
  event.time = parts_.clock();
  event.type = type;
  event.new_value = value;
  parts_.notices.tell(any_of(event));
}

void Log::set_qos(const DsLogAdmin::QoSList& qos) {
  DsLogAdmin::UnsupportedQoS denied;
  for (CORBA::ULong i = 0; i < qos.length(); ++i) {
    if (qos[i] == DsLogAdmin::QoSNone) continue;
    if (parts_.archive.durable() && qos[i] <= DsLogAdmin::QoSReliability) continue;
    const CORBA::ULong at = denied.denied.length();
    denied.denied.length(at + 1);
    denied.denied[at] = qos[i];
    if (at == 100) break;
  }
  if (denied.denied.length() != 0) throw denied;
  DsLogAdmin::QoSList each;  // once, and None only alone
  for (const DsLogAdmin::QoSType type : {DsLogAdmin::QoSFlush, DsLogAdmin::QoSReliability})
    if (has(qos, type)) {
      each.length(each.length() + 1);
      each[each.length() - 1] = type;
    }
  if (each.length() == 0) {
    each.length(1);
    each[0] = DsLogAdmin::QoSNone;
  }
  const std::lock_guard lock(altering_);
  const DsLogAdmin::QoSList before = settings().qos;
  alter([&](Settings& s) { s.qos = each; });
  tell_change(note::qualityOfService, before, each);
}

void Log::set_life(CORBA::ULong seconds) {
  const std::lock_guard lock(altering_);
  const CORBA::ULong before = settings().max_record_life;
  alter([&](Settings& s) { s.max_record_life = seconds; });
  if (parts_.keeper) parts_.keeper->tell();
  tell_change(note::maxRecordLife, before, seconds);
}

void Log::set_max_size(CORBA::ULongLong octets) {
  const std::lock_guard lock(altering_);
  const std::uint64_t now_has = tally().bytes;
  if (octets != 0 && octets < now_has)
    throw DsLogAdmin::InvalidParam(
        ("the log has " + std::to_string(now_has) + " octets: delete records first").c_str());
  const CORBA::ULongLong before = settings().max_size;
  alter([&](Settings& s) { s.max_size = octets; });
  full_ = false;
  tell_change(note::maxLogSize, before, octets);
  watch_capacity(0, false);
}

void Log::set_full_action(DsLogAdmin::LogFullActionType action) {
  if (action != DsLogAdmin::wrap && action != DsLogAdmin::halt) throw DsLogAdmin::InvalidLogFullAction();
  const std::lock_guard lock(altering_);
  const DsLogAdmin::LogFullActionType before = settings().full_action;
  alter([&](Settings& s) { s.full_action = action; });
  full_ = false;
  tell_change(note::logFullAction, before, action);
  watch_capacity(0, false);
}

void Log::set_administrative(DsLogAdmin::AdministrativeState state) {
  const std::lock_guard lock(altering_);
  if (settings().administrative == state) return;
  alter([&](Settings& s) { s.administrative = state; });
  tell_state(note::administrativeState, any_of(state));
}

void Log::set_forwarding(DsLogAdmin::ForwardingState state) {
  const std::lock_guard lock(altering_);
  if (settings().forwarding == state) return;
  alter([&](Settings& s) { s.forwarding = state; });
  tell_state(note::forwardingState, any_of(state));
}

void Log::set_interval(const DsLogAdmin::TimeInterval& interval) {
  check(interval);
  const std::lock_guard lock(altering_);
  const DsLogAdmin::TimeInterval before = settings().interval;
  alter([&](Settings& s) { s.interval = interval; });
  if (before.start != interval.start) tell_change(note::startTime, before.start, interval.start);
  if (before.stop != interval.stop) tell_change(note::stopTime, before.stop, interval.stop);
}

void Log::set_thresholds(const DsLogAdmin::CapacityAlarmThresholdList& thresholds) {
  const DsLogAdmin::CapacityAlarmThresholdList ordered = logs::ordered(thresholds);
  const std::lock_guard lock(altering_);
  const DsLogAdmin::CapacityAlarmThresholdList before = settings().thresholds;
  alter([&](Settings& s) { s.thresholds = ordered; });
  tell_change(note::capacityAlarmThreshold, before, ordered);
  watch_capacity(0, false);
}

void Log::set_week(const DsLogAdmin::WeekMask& week) {
  check(week);
  const std::lock_guard lock(altering_);
  const DsLogAdmin::WeekMask before = settings().week;
  alter([&](Settings& s) { s.week = week; });
  tell_change(note::weekMask, before, week);
}

DsLogAdmin::AvailabilityStatus Log::availability() const {
  const Tally tally = parts_.archive.tally(id_);
  const std::lock_guard lock(mutex_);
  DsLogAdmin::AvailabilityStatus out;
  out.off_duty = !on_duty(settings_.interval, settings_.week, parts_.clock());
  out.log_full = full_ || (settings_.full_action == DsLogAdmin::halt && settings_.max_size != 0 &&
                           tally.bytes >= settings_.max_size);
  return out;
}

void Log::check_open() const {
  if (!enabled()) throw DsLogAdmin::LogDisabled();
  const std::lock_guard lock(mutex_);
  if (settings_.administrative == DsLogAdmin::locked) throw DsLogAdmin::LogLocked();
  if (!on_duty(settings_.interval, settings_.week, parts_.clock())) throw DsLogAdmin::LogOffDuty();
}

void Log::check_size(const Entry& entry) const {
  if (entry.info.size() + entry.attributes.size() <= parts_.bounds.record_bytes) return;
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         "a record of " + std::to_string(entry.info.size() + entry.attributes.size()) +
                             " octets; the service takes " + std::to_string(parts_.bounds.record_bytes));
}

void Log::write(const DsLogAdmin::Anys& records) {
  check_open();
  std::vector<Entry> entries(std::min<std::size_t>(records.length(), parts_.bounds.records + 1));
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].info = bytes_of(records[static_cast<CORBA::ULong>(i)]);
  write(entries);
}

void Log::write(const DsLogAdmin::RecordList& records) {
  check_open();
  std::vector<Entry> entries(std::min<std::size_t>(records.length(), parts_.bounds.records + 1));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const DsLogAdmin::LogRecord& record = records[static_cast<CORBA::ULong>(i)];
    try {
      entries[i] = {bytes_of(record.info), checked(record.attr_list)};
    } catch (const DsLogAdmin::InvalidAttribute& e) {  // which this operation cannot raise
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             std::string("an attribute's name is empty or twice there, or its "
                                         "value is too large: ") +
                                 e.attr_name.in());
    }
  }
  write(entries);
}

void Log::write(const std::vector<Entry>& entries) {
  check_open();
  if (entries.size() > parts_.bounds.records)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "too many records at once; the service takes " + std::to_string(parts_.bounds.records));
  for (const Entry& entry : entries) check_size(entry);
  if (!entries.empty()) write_bounded(entries);
}

void Log::write_bounded(const std::vector<Entry>& entries) {
  std::uint64_t most;
  bool halts, sync;
  {
    const std::lock_guard lock(mutex_);
    most = settings_.max_size;
    halts = settings_.full_action == DsLogAdmin::halt;
    sync = has(settings_.qos, DsLogAdmin::QoSReliability);
  }
  std::size_t written = 0;
  unsigned laps = 0;
  bool refused = false;
  parts_.archive.change(sync, [&](Archive::Batch& batch) {
    written = 0;
    laps = 0;
    refused = false;
    if (!batch.has(id_)) gone();
    Tally& has = batch.tally(id_);
    const TimeT moment = parts_.clock();
    for (const Entry& entry : entries) {
      const std::uint64_t bytes = 16 + entry.info.size() + entry.attributes.size();
      if (most != 0) {
        if (bytes > most || (halts && has.bytes + bytes > most)) {
          refused = true;
          break;
        }
        while (has.bytes + bytes > most && batch.erase_oldest(id_) != 0) {}
        if (has.lap + bytes > most) {
          ++laps;
          has.lap = 0;
        }
        has.lap += bytes;
      }
      make_room(has, bytes);
      batch.append(id_, moment, entry.info, entry.attributes);
      ++written;
    }
  });
  if (refused) full_ = true;
  watch_capacity(halts ? 0 : laps, refused);
  if (refused) throw DsLogAdmin::LogFull(static_cast<CORBA::Short>(written));
}

// Of a log that halts: how full it is. Of one that wraps: how far it is in its lap, at whose end it begins anew with
// 0.
void Log::watch_capacity(unsigned laps, bool refused) {
  DsLogAdmin::CapacityAlarmThresholdList thresholds;
  std::uint64_t most;
  bool halts;
  {
    const std::lock_guard lock(mutex_);
    if (settings_.thresholds.length() == 0) return;
    thresholds = settings_.thresholds;
    most = settings_.max_size;
    halts = settings_.full_action == DsLogAdmin::halt;
  }
  const std::lock_guard lock(capacity_mutex_);
  const Tally tally = parts_.archive.tally(id_);
  const double part =
      most == 0 ? 0 : static_cast<double>(halts ? tally.bytes : tally.lap) / static_cast<double>(most);
  const auto percent = static_cast<DsLogAdmin::Threshold>(refused && halts ? 100 : std::min(part, 1.0) * 100);
  const auto rise = [&](DsLogAdmin::Threshold from, DsLogAdmin::Threshold to) {
    for (CORBA::ULong i = 0; i < thresholds.length(); ++i)
      if (thresholds[i] > from && thresholds[i] <= to)
        alarm(thresholds[i], to, thresholds[i] == 100 ? note::critical : note::minor);
  };
  if (laps != 0) {
    rise(percent_, 100);
    percent_ = 0;
  }
  rise(percent_, percent);
  for (CORBA::ULong i = thresholds.length(); i-- != 0;)
    if (thresholds[i] > percent && thresholds[i] <= percent_) alarm(thresholds[i], percent, note::cleared);
  percent_ = percent;
}

void Log::alarm(DsLogAdmin::Threshold crossed, DsLogAdmin::Threshold observed, note::PerceivedSeverityType severity) {
  note::ThresholdAlarm event;
  event.logref = DsLogAdmin::Log::_unchecked_narrow(reference_.in());
  event.id = id_;
  event.time = parts_.clock();
  event.crossed_value = crossed;
  event.observed_value = observed;
  event.perceived_severity = severity;
  parts_.notices.tell(any_of(event));
}

void Log::flush() {
  {
    const std::lock_guard lock(mutex_);
    if (!has(settings_.qos, DsLogAdmin::QoSFlush)) {
      DsLogAdmin::UnsupportedQoS denied;
      denied.denied.length(1);
      denied.denied[0] = DsLogAdmin::QoSFlush;
      throw denied;
    }
  }
  parts_.archive.change(true, [](Archive::Batch&) {});
}

}  // namespace callis::logs
