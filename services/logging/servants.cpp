// SPDX-License-Identifier: Apache-2.0
// Log, BasicLog and EventLog, and their two factories.
#include <callis/poa/servant/administrative.h>
#include <services/common/numbered_objects.h>
#include <services/logging/servants.h>

namespace callis::logs {

namespace dla = DsLogAdmin;

namespace {

template<class Skeleton>
class LogServant : public poa::Administrative<Skeleton> {
 public:
  LogServant(const ServantParts& parts, bool event_log) : parts_(parts), event_log_(event_log) {}
  CORBA::Boolean _non_existent() override { return !known(); }

  dla::LogMgr_ptr my_factory() override {
    here();
    if (event_log_) return dla::LogMgr::_duplicate(parts_.events.in());
    return dla::LogMgr::_duplicate(parts_.basic.in());
  }
  dla::LogId id() override { return here()->id(); }
  dla::QoSList* get_log_qos() override { return new dla::QoSList(here()->settings().qos); }
  void set_log_qos(const dla::QoSList& qos) override {
    answered([&] { here()->set_qos(qos); });
  }
  CORBA::ULong get_max_record_life() override { return here()->settings().max_record_life; }
  void set_max_record_life(CORBA::ULong life) override {
    answered([&] { here()->set_life(life); });
  }
  CORBA::ULongLong get_max_size() override { return here()->settings().max_size; }
  void set_max_size(CORBA::ULongLong size) override {
    answered([&] { here()->set_max_size(size); });
  }
  CORBA::ULongLong get_current_size() override {
    return answered([&] { return here()->tally().bytes; });
  }
  CORBA::ULongLong get_n_records() override {
    return answered([&] { return here()->tally().records; });
  }
  dla::LogFullActionType get_log_full_action() override { return here()->settings().full_action; }
  void set_log_full_action(dla::LogFullActionType action) override {
    answered([&] { here()->set_full_action(action); });
  }
  dla::AdministrativeState get_administrative_state() override { return here()->settings().administrative; }
  void set_administrative_state(dla::AdministrativeState state) override {
    answered([&] { here()->set_administrative(state); });
  }
  dla::ForwardingState get_forwarding_state() override { return here()->settings().forwarding; }
  void set_forwarding_state(dla::ForwardingState state) override {
    answered([&] { here()->set_forwarding(state); });
  }
  dla::OperationalState get_operational_state() override { return here()->enabled() ? dla::enabled : dla::disabled; }
  dla::TimeInterval get_interval() override { return here()->settings().interval; }
  void set_interval(const dla::TimeInterval& interval) override {
    answered([&] { here()->set_interval(interval); });
  }
  dla::AvailabilityStatus get_availability_status() override { return here()->availability(); }
  dla::CapacityAlarmThresholdList* get_capacity_alarm_thresholds() override {
    return new dla::CapacityAlarmThresholdList(here()->settings().thresholds);
  }
  void set_capacity_alarm_thresholds(const dla::CapacityAlarmThresholdList& thresholds) override {
    answered([&] { here()->set_thresholds(thresholds); });
  }
  dla::WeekMask* get_week_mask() override { return new dla::WeekMask(here()->settings().week); }
  void set_week_mask(const dla::WeekMask& week) override {
    answered([&] { here()->set_week(week); });
  }

  dla::RecordList* query(const char* grammar, const char* c, dla::Iterator_out i) override {
    return answered([&] {
      const LogPtr log = here();
      Selection selection(grammar, c, parts_.context);
      services::HeldBytes found = parts_.logs.parts().keep(0);
      std::vector<RecordId> ids = log->select(selection, Iterators::kMostOfOne, found);
      return parts_.iterators.split(log, std::move(ids), i, std::move(found));
    });
  }
  dla::RecordList* retrieve(dla::TimeT from_time, CORBA::Long how_many, dla::Iterator_out i) override {
    return answered([&] {
      const LogPtr log = here();
      services::HeldBytes found = parts_.logs.parts().keep(0);
      std::vector<RecordId> ids = log->select(from_time, how_many, Iterators::kMostOfOne, found);
      return parts_.iterators.split(log, std::move(ids), i, std::move(found));
    });
  }
  CORBA::ULong match(const char* grammar, const char* c) override {
    return answered([&] {
      Selection selection(grammar, c, parts_.context);
      return here()->count(selection);
    });
  }
  CORBA::ULong delete_records(const char* grammar, const char* c) override {
    return answered([&] {
      Selection selection(grammar, c, parts_.context);
      return here()->erase(selection);
    });
  }
  CORBA::ULong delete_records_by_id(const dla::RecordIdList& ids) override {
    return answered([&] { return here()->erase(ids); });
  }
  void write_records(const dla::Anys& records) override {
    answered([&] { here()->write(records); });
    parts_.written += records.length();
  }
  void write_recordlist(const dla::RecordList& list) override {
    answered([&] { here()->write(list); });
    parts_.written += list.length();
  }
  void set_record_attribute(dla::RecordId id, const dla::NVList& attributes) override {
    answered([&] { here()->set_attributes(id, attributes); });
  }
  CORBA::ULong set_records_attribute(const char* grammar, const char* c, const dla::NVList& attributes) override {
    return answered([&] {
      Selection selection(grammar, c, parts_.context);
      return here()->set_attributes(selection, attributes);
    });
  }
  dla::NVList* get_record_attribute(dla::RecordId id) override {
    const std::optional<Row> row = answered([&] { return here()->find(id); });
    if (!row) throw dla::InvalidRecordId();
    dla::NVList_var out = new dla::NVList;
    read(row->attributes, parts_.context, out.inout());
    return out._retn();
  }
  dla::Log_ptr copy(dla::LogId_out id) override {
    const LogPtr made = copied({});
    id = made->id();
    return dla::Log::_unchecked_narrow(made->reference());
  }
  dla::Log_ptr copy_with_id(dla::LogId id) override { return dla::Log::_unchecked_narrow(copied(id)->reference()); }
  void flush() override {
    answered([&] { here()->flush(); });
  }
  void destroy() override {
    const LogId id = here()->id();
    answered([&] { parts_.logs.destroy(id); });
    parts_.channels.end(id);
  }

 protected:
  LogPtr here() {
    LogPtr out = known();
    if (!out) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the log has been destroyed, or never was");
    return out;
  }
  const ServantParts parts_;

 private:
  LogPtr known() const {
    const auto number = services::number_of(services::request_id());
    LogPtr out = number && *number <= 0xffffffff ? parts_.logs.find(static_cast<LogId>(*number)) : nullptr;
    return out && out->is_event_log() == event_log_ ? out : nullptr;
  }
  LogPtr copied(std::optional<LogId> id) {
    const LogPtr from = here();
    const LogPtr made = answered([&] { return parts_.logs.copy(*from, id); });
    if (event_log_) parts_.channels.begin(made);
    return made;
  }
  const bool event_log_;
};

class EventLogServant final : public LogServant<POA_DsEventLogAdmin::EventLog> {
 public:
  explicit EventLogServant(const ServantParts& parts) : LogServant(parts, true) {}
  CosEventChannelAdmin::ConsumerAdmin_ptr for_consumers() override {
    return CosEventChannelAdmin::ConsumerAdmin::_unchecked_narrow(parts_.channels.consumers(here()->id()).in());
  }
  CosEventChannelAdmin::SupplierAdmin_ptr for_suppliers() override {
    return CosEventChannelAdmin::SupplierAdmin::_unchecked_narrow(parts_.channels.suppliers(here()->id()).in());
  }
};

// The managers share one store and one space of ids; each knows the logs of its kind.
template<class Skeleton>
class ManagerServant : public poa::Administrative<Skeleton> {
 public:
  ManagerServant(const ServantParts& parts, bool event_logs) : parts_(parts), event_logs_(event_logs) {}
  dla::LogList* list_logs() override {
    const std::vector<LogPtr> all = mine();
    dla::LogList_var out = new dla::LogList(static_cast<CORBA::ULong>(all.size()));
    out->length(static_cast<CORBA::ULong>(all.size()));
    for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = dla::Log::_unchecked_narrow(all[i]->reference());
    return out._retn();
  }
  dla::Log_ptr find_log(dla::LogId id) override {
    const LogPtr found = parts_.logs.find(id);
    if (!found || found->is_event_log() != event_logs_) return dla::Log::_nil();
    return dla::Log::_unchecked_narrow(found->reference());
  }
  dla::LogIdList* list_logs_by_id() override {
    const std::vector<LogPtr> all = mine();
    dla::LogIdList_var out = new dla::LogIdList;
    out->length(static_cast<CORBA::ULong>(all.size()));
    for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = all[i]->id();
    return out._retn();
  }

 protected:
  LogPtr made(std::optional<LogId> id, dla::LogFullActionType action, CORBA::ULongLong max_size,
              const dla::CapacityAlarmThresholdList& thresholds) {
    Settings settings = new_settings_();
    settings.event_log = event_logs_;
    settings.full_action = action;
    settings.max_size = max_size;
    settings.thresholds = thresholds;
    const LogPtr out = answered([&] { return parts_.logs.make(id, settings); });
    if (event_logs_) parts_.channels.begin(out);
    return out;
  }
  const ServantParts parts_;

 private:
  Settings new_settings_() const { return new_settings(parts_.logs.archive()); }
  std::vector<LogPtr> mine() const {
    std::vector<LogPtr> out;
    for (LogPtr& log : parts_.logs.all())
      if (log->is_event_log() == event_logs_) out.push_back(std::move(log));
    return out;
  }
  const bool event_logs_;
};

class BasicFactoryServant final : public ManagerServant<POA_DsLogAdmin::BasicLogFactory> {
 public:
  explicit BasicFactoryServant(const ServantParts& parts) : ManagerServant(parts, false) {}
  dla::BasicLog_ptr create(dla::LogFullActionType action, CORBA::ULongLong max_size, dla::LogId_out id) override {
    const LogPtr log = made({}, action, max_size, {});
    id = log->id();
    return dla::BasicLog::_unchecked_narrow(log->reference());
  }
  dla::BasicLog_ptr create_with_id(dla::LogId id, dla::LogFullActionType action, CORBA::ULongLong max_size) override {
    return dla::BasicLog::_unchecked_narrow(made(id, action, max_size, {})->reference());
  }
};

class EventFactoryServant final : public ManagerServant<POA_DsEventLogAdmin::EventLogFactory> {
 public:
  explicit EventFactoryServant(const ServantParts& parts) : ManagerServant(parts, true) {}
  DsEventLogAdmin::EventLog_ptr create(dla::LogFullActionType action, CORBA::ULongLong max_size,
                                       const dla::CapacityAlarmThresholdList& thresholds,
                                       dla::LogId_out id) override {
    const LogPtr log = made({}, action, max_size, thresholds);
    id = log->id();
    return DsEventLogAdmin::EventLog::_unchecked_narrow(log->reference());
  }
  DsEventLogAdmin::EventLog_ptr create_with_id(dla::LogId id, dla::LogFullActionType action,
                                               CORBA::ULongLong max_size,
                                               const dla::CapacityAlarmThresholdList& thresholds) override {
    return DsEventLogAdmin::EventLog::_unchecked_narrow(made(id, action, max_size, thresholds)->reference());
  }
  CosEventChannelAdmin::ProxyPushSupplier_ptr obtain_push_supplier() override {
    return CosEventChannelAdmin::ProxyPushSupplier::_unchecked_narrow(
        parts_.channels.obtain_supplier(events::ProxyKind::PushSupplier).in());
  }
  CosEventChannelAdmin::ProxyPullSupplier_ptr obtain_pull_supplier() override {
    return CosEventChannelAdmin::ProxyPullSupplier::_unchecked_narrow(
        parts_.channels.obtain_supplier(events::ProxyKind::PullSupplier).in());
  }
};

}  // namespace

PortableServer::ServantBase* make_basic_log_servant(const ServantParts& parts) {
  return new LogServant<POA_DsLogAdmin::BasicLog>(parts, false);
}
PortableServer::ServantBase* make_event_log_servant(const ServantParts& parts) { return new EventLogServant(parts); }
PortableServer::ServantBase* make_basic_factory_servant(const ServantParts& parts) {
  return new BasicFactoryServant(parts);
}
PortableServer::ServantBase* make_event_factory_servant(const ServantParts& parts) {
  return new EventFactoryServant(parts);
}

}  // namespace callis::logs
