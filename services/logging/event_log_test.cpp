// SPDX-License-Identifier: Apache-2.0
// Logs that are event channels, and the events that logs tell of themselves (Telecom Log Service 1.1, 2.3 and 2.4).
#include <services/logging/testing/serving.h>
#include <condition_variable>
#include <deque>
#include "CosEventComm_skel.h"

namespace callis::logs::testing {
namespace {

namespace admin = CosEventChannelAdmin;
namespace note = DsLogNotification;

class Consumer final : public POA_CosEventComm::PushConsumer {
 public:
  void push(const CORBA::Any& data) override {
    const std::lock_guard lock(mutex_);
    events_.push_back(data);
    came_.notify_all();
  }
  void disconnect_push_consumer() override {}
  // The next event of that type; others before it are passed over. Fails where none comes.
  template<class Event>
  Event next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (!came_.wait_for(lock, std::chrono::seconds(20), [&] { return !events_.empty(); })) {
        ADD_FAILURE() << "no event came";
        return Event();
      }
      const CORBA::Any any = events_.front();
      events_.pop_front();
      const Event* found = nullptr;
      if (any >>= found) return *found;
    }
  }
  CORBA::Long next_long() {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, std::chrono::seconds(20), [&] { return !events_.empty(); })) return -1;
    const CORBA::Any any = events_.front();
    events_.pop_front();
    return long_of(any);
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<CORBA::Any> events_;
};

struct EventLogs : LogService {
  PortableServer::POA_var poa;
  PortableServer::Servant_var<Consumer> consumer = new Consumer;

  void SetUp() override {
    const CORBA::Object_var object = life->client->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
  }
  void connect(admin::ConsumerAdmin_ptr to) {
    const admin::ProxyPushSupplier_var proxy = to->obtain_push_supplier();
    const PortableServer::ObjectId_var id = poa->activate_object(consumer.in());
    const CORBA::Object_var object = poa->id_to_reference(id.in());
    proxy->connect_push_consumer(
        CosEventComm::PushConsumer_var(CosEventComm::PushConsumer::_narrow(object.in())).in());
  }
  DsEventLogAdmin::EventLog_var make(dla::LogFullActionType action, CORBA::ULongLong size,
                                     const std::vector<dla::Threshold>& thresholds = {}) {
    dla::CapacityAlarmThresholdList list;
    list.length(static_cast<CORBA::ULong>(thresholds.size()));
    for (CORBA::ULong i = 0; i < list.length(); ++i) list[i] = thresholds[i];
    dla::LogId id = 0;
    return life->events->create(action, size, list, id);
  }
  static admin::ProxyPushConsumer_var supplier(DsEventLogAdmin::EventLog_ptr log) {
    const admin::SupplierAdmin_var suppliers = log->for_suppliers();
    admin::ProxyPushConsumer_var out = suppliers->obtain_push_consumer();
    out->connect_push_supplier(CosEventComm::PushSupplier::_nil());
    return out;
  }
};

TEST_F(EventLogs, log_the_events_that_they_forward) {
  const DsEventLogAdmin::EventLog_var log = make(dla::wrap, 0);
  connect(admin::ConsumerAdmin_var(log->for_consumers()).in());
  const admin::ProxyPushConsumer_var to = supplier(log.in());
  to->push(any(1));
  EXPECT_EQ(consumer->next_long(), 1);
  EXPECT_EQ(log->get_n_records(), 1u) << "it is in the log when push() returns";
  log->set_forwarding_state(dla::off);
  to->push(any(2));
  log->set_forwarding_state(dla::on);
  log->set_administrative_state(dla::locked);
  to->push(any(3));
  EXPECT_EQ(consumer->next_long(), 3) << "2 was logged, and not forwarded; 3 the other way round";
  EXPECT_EQ(longs(query(log.in(), "").in()), (std::vector<CORBA::Long>{1, 2}));
  EXPECT_TRUE(dla::LogMgr_var(log->my_factory())->_is_equivalent(life->events.in()));
}

TEST_F(EventLogs, are_there_again_in_the_next_life) {
  const services::testing::Folder folder;
  dla::LogId id = 0;
  {
    Archive file(folder / "logs.db");
    Life first(file);
    const DsEventLogAdmin::EventLog_var log = first.events->create(dla::halt, 10'000, {}, id);
    supplier(log.in())->push(any(1));
  }
  Archive file(folder / "logs.db");
  Life next(file);
  const dla::Log_var found = next.events->find_log(id);
  const DsEventLogAdmin::EventLog_var log = DsEventLogAdmin::EventLog::_narrow(found.in());
  ASSERT_FALSE(CORBA::is_nil(log.in()));
  supplier(log.in())->push(any(2));
  EXPECT_EQ(longs(query(log.in(), "").in()), (std::vector<CORBA::Long>{1, 2}));
  log->destroy();
  EXPECT_THROW(log->for_consumers(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(EventLogs, tell_when_thresholds_of_their_capacity_are_crossed) {
  const dla::BasicLog_var probe = life->make();
  probe->write_records(numbers(0, 1));
  const CORBA::ULongLong one = probe->get_current_size();
  connect(life->events.in());
  EXPECT_THROW(make(dla::halt, 10, {50, 101}), dla::InvalidThreshold);
  const DsEventLogAdmin::EventLog_var log = make(dla::halt, 10 * one, {100, 50, 80});
  EXPECT_EQ(consumer->next<note::ObjectCreation>().id, log->id());
  const auto alarm = [&](dla::Threshold crossed, dla::Threshold observed, note::PerceivedSeverityType severity) {
    const auto event = consumer->next<note::ThresholdAlarm>();
    EXPECT_EQ(event.id, log->id());
    EXPECT_EQ(event.crossed_value, crossed);
    EXPECT_EQ(event.observed_value, observed);
    EXPECT_EQ(event.perceived_severity, severity);
    EXPECT_TRUE(event.logref->_is_equivalent(log.in()));
  };
  log->write_records(numbers(0, 5));
  alarm(50, 50, note::minor);
  log->write_records(numbers(0, 4));
  alarm(80, 90, note::minor);
  EXPECT_THROW(log->write_records(numbers(0, 5)), dla::LogFull);
  alarm(100, 100, note::critical);
  log->delete_records("EXTENDED_TCL", "id <= 4");
  alarm(100, 60, note::cleared);
  alarm(80, 60, note::cleared);
}

TEST_F(EventLogs, tell_thresholds_of_each_lap_where_they_wrap) {
  const dla::BasicLog_var probe = life->make();
  probe->write_records(numbers(0, 1));
  const CORBA::ULongLong one = probe->get_current_size();
  connect(life->events.in());
  const DsEventLogAdmin::EventLog_var log = make(dla::wrap, 10 * one, {60});
  for (int lap = 0; lap < 3; ++lap) {
    log->write_records(numbers(0, 5));
    log->write_records(numbers(0, 5));
    EXPECT_EQ(consumer->next<note::ThresholdAlarm>().perceived_severity, note::minor);
  }
  EXPECT_EQ(log->get_n_records(), 10u);
}

TEST_F(EventLogs, tell_what_is_changed_in_logs) {
  connect(life->events.in());
  const dla::BasicLog_var log = life->make();
  EXPECT_EQ(consumer->next<note::ObjectCreation>().id, log->id());
  log->set_max_size(5'000);
  const auto change = consumer->next<note::AttributeValueChange>();
  EXPECT_EQ(change.type, note::maxLogSize);
  CORBA::ULongLong before = 1, after = 0;
  EXPECT_TRUE(change.old_value >>= before);
  EXPECT_TRUE(change.new_value >>= after);
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(after, 5'000u);
  log->set_administrative_state(dla::locked);
  const auto state = consumer->next<note::StateChange>();
  EXPECT_EQ(state.type, note::administrativeState);
  dla::AdministrativeState now = dla::unlocked;
  EXPECT_TRUE(state.new_value >>= now);
  EXPECT_EQ(now, dla::locked);
  const dla::LogId id = log->id();
  log->destroy();
  EXPECT_EQ(consumer->next<note::ObjectDeletion>().id, id);
}

}  // namespace
}  // namespace callis::logs::testing
