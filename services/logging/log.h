// SPDX-License-Identifier: Apache-2.0
// Log: one log of the Telecom Log Service (1.1, 2.1): its settings and states, what writing to it means, and the
// alarms of its capacity. What is not said here is as the specification has it; functions throw its exceptions, and
// StoreFailed. Any thread.
#pragma once
#include <services/common/held_bytes.h>
#include <services/common/operation_time.h>
#include <services/common/rest.h>
#include <services/logging/archive.h>
#include <services/logging/notices.h>
#include <services/logging/selection.h>
#include <atomic>
#include <memory>
#include <mutex>
#include "CallisLogging.h"

namespace callis::logs {

using Settings = CallisLogging::Settings;

// What a peer may ask for at once. Beyond: IMP_LIMIT.
struct LogBounds {
  std::size_t records = 32'767;         // of one write; as many as LogFull can count
  std::size_t record_bytes = 1u << 20;  // value and attributes of one
  std::size_t attributes = 100;         // of a record; beyond: InvalidAttribute
  std::chrono::milliseconds query{10'000};  // that one question, deletion or marking may take; beyond: NO_RESOURCES
};

// What all logs of a service have; outlives them.
struct LogParts {
  Archive& archive;
  orb::OrbContext& context;
  Notices& notices;
  LogBounds bounds{};
  TimeT (*clock)() = &now;
  services::Rest* keeper = nullptr;         // is told that a log's records have got a life
  services::MemoryBound* memory = nullptr;  // what is kept for clients is taken from it; nullptr: is not counted

  // For the client whose request the thread serves. Counts nothing without a bound. NO_RESOURCES.
  services::HeldBytes keep(std::size_t bytes) const {
    return memory ? services::HeldBytes(memory->take(bytes)) : services::HeldBytes();
  }
};

std::string to_bytes(const Settings& settings);
// False where they are none.
bool from_bytes(std::string_view bytes, orb::OrbContext& context, Settings& settings);
// Of a new log.
Settings new_settings(const Archive& archive);

// The lowest first. InvalidThreshold: above 100, or one twice.
DsLogAdmin::CapacityAlarmThresholdList ordered(const DsLogAdmin::CapacityAlarmThresholdList& thresholds);

class Log final {
 public:
  struct Entry {
    std::string info, attributes;
  };

  // What one takes without its records: itself, its settings, its place among the others.
  static constexpr std::size_t kBytes = 2u << 10;
  // What it takes with them: an archive in memory has them all.
  static std::size_t in_memory(const Archive& archive, const Tally& tally);

  // kept: pays for it; has room for what it has already.
  Log(LogId id, Settings settings, const LogParts& parts, services::HeldBytes kept = {});

  LogId id() const { return id_; }
  Settings settings() const;
  bool is_event_log() const { return event_log_; }
  // For events that name the log. Once, before others see it.
  void set_reference(CORBA::Object_ptr log);
  CORBA::Object_ptr reference() const { return reference_.in(); }

  void set_qos(const DsLogAdmin::QoSList& qos);
  void set_life(CORBA::ULong seconds);
  void set_max_size(CORBA::ULongLong octets);
  void set_full_action(DsLogAdmin::LogFullActionType action);
  void set_administrative(DsLogAdmin::AdministrativeState state);
  void set_forwarding(DsLogAdmin::ForwardingState state);
  void set_interval(const DsLogAdmin::TimeInterval& interval);
  void set_thresholds(const DsLogAdmin::CapacityAlarmThresholdList& thresholds);
  void set_week(const DsLogAdmin::WeekMask& week);

  bool enabled() const { return parts_.archive.unfit().empty(); }
  bool forwards() const;
  DsLogAdmin::AvailabilityStatus availability() const;
  // Without records whose life is over.
  Tally tally();

  // With QoSReliability they are on the disk when it returns, otherwise what kill -9 does not lose.
  void write(const DsLogAdmin::Anys& records);
  void write(const DsLogAdmin::RecordList& records);
  void write(const std::vector<Entry>& entries);
  void flush();

  // Those that the constraint means, or from a moment on (how_many < 0: before it, backwards), by their ids.
  // IMP_LIMIT: more than `most`.
  // found: pays for the ids. NO_RESOURCES, as of the two others with a selection: it takes too long.
  std::vector<RecordId> select(Selection& selection, std::size_t most, services::HeldBytes& found);
  std::vector<RecordId> select(TimeT from, CORBA::Long how_many, std::size_t most, services::HeldBytes& found);
  CORBA::ULong count(Selection& selection);
  CORBA::ULong erase(Selection& selection);
  CORBA::ULong erase(const DsLogAdmin::RecordIdList& ids);
  void set_attributes(RecordId id, const DsLogAdmin::NVList& attributes);
  CORBA::ULong set_attributes(Selection& selection, const DsLogAdmin::NVList& attributes);
  std::optional<Row> find(RecordId id);
  // Erases what is older than records may be, and up to a bound; true: there is more.
  bool expire();

 private:
  template<class Change>
  void alter(Change&& change);
  template<class T>
  void tell_change(DsLogNotification::AttributeType type, const T& before, const T& after);
  void tell_state(DsLogNotification::StateType type, const CORBA::Any& value);
  void check_open() const;
  bool reliable() const;
  std::string checked(const DsLogAdmin::NVList& attributes) const;
  void check_size(const Entry& entry) const;
  void write_bounded(const std::vector<Entry>& entries);
  void erase_all(const std::vector<RecordId>& ids, CORBA::ULong& count);
  void mark_all(const std::vector<RecordId>& ids, const std::string& attributes, CORBA::ULong& count);
  template<class Take>
  void each(Selection& selection, CORBA::CompletionStatus completed, Take&& take);
  // In a job of the archive's: room for so many bytes more. NO_RESOURCES.
  void make_room(const Tally& tally, std::uint64_t more);
  void settle(const Tally& tally) { kept_.settle(in_memory(parts_.archive, tally)); }
  void watch_capacity(unsigned laps, bool refused);
  void alarm(DsLogAdmin::Threshold crossed, DsLogAdmin::Threshold observed,
             DsLogNotification::PerceivedSeverityType severity);

  const LogId id_;
  const LogParts parts_;
  const bool event_log_;
  CORBA::Object_var reference_;
  std::atomic<bool> full_{false};  // a record was refused, and none has been deleted since
  mutable std::mutex mutex_;       // over what follows
  Settings settings_;
  std::mutex altering_;  // one setter at a time; before mutex_
  std::mutex capacity_mutex_;
  DsLogAdmin::Threshold percent_ = 0;  // as alarms know it
  services::HeldBytes kept_;           // of jobs of the archive's, of which one runs at a time
};

}  // namespace callis::logs
