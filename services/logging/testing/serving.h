// SPDX-License-Identifier: Apache-2.0
// A log service and a client of it, in two ORBs of the process, over sockets; and shorter ways to say records.
#pragma once
#include <gtest/gtest.h>
#include <services/common/testing/anys.h>
#include <services/common/testing/folder.h>
#include <services/common/testing/orbs.h>
#include <services/logging/service.h>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace callis::logs::testing {

namespace dla = DsLogAdmin;

using services::testing::any, services::testing::long_of, services::testing::new_orb;

// Records with the values from .. from + count - 1.
inline dla::Anys numbers(CORBA::Long from, CORBA::ULong count) {
  dla::Anys out;
  out.length(count);
  for (CORBA::ULong i = 0; i < count; ++i) out[i] <<= from + static_cast<CORBA::Long>(i);
  return out;
}
inline dla::Anys values(const std::vector<CORBA::Any>& all) {
  dla::Anys out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = all[i];
  return out;
}
inline dla::NVList attributes(const std::vector<std::pair<std::string, CORBA::Any>>& all) {
  dla::NVList out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].name = all[i].first.c_str();
    out[i].value = all[i].second;
  }
  return out;
}
inline std::vector<CORBA::Long> longs(const dla::RecordList& records) {
  std::vector<CORBA::Long> out;
  for (CORBA::ULong i = 0; i < records.length(); ++i) out.push_back(long_of(records[i].info));
  return out;
}

// The clock of services under test.
inline std::atomic<TimeT> moment{0};
inline TimeT set_moment() { return moment; }

// One life of a service; its archive outlives it.
class Life final : public services::testing::TwoOrbs {
 public:
  explicit Life(Archive& archive, const ServiceOptions& options = {}, const std::string& port = "0")
      : TwoOrbs("logging", port) {
    service = std::make_unique<Service>(orb.in(), root.in(), archive, counters, options);
    activate();
    const CORBA::Object_var object = at(service->reference());
    front = CallisLogging::Service::_narrow(object.in());
    basic = front->basic_logs();
    events = front->event_logs();
  }
  ~Life() {
    basic = dla::BasicLogFactory::_nil();
    events = DsEventLogAdmin::EventLogFactory::_nil();
    front = CallisLogging::Service::_nil();
    client->destroy();
    service->stop();
    orb->destroy();
    service.reset();
  }
  // A new basic log.
  dla::BasicLog_var make(dla::LogFullActionType action = dla::wrap, CORBA::ULongLong size = 0) {
    dla::LogId id = 0;
    return basic->create(action, size, id);
  }

  services::Counters counters;
  std::unique_ptr<Service> service;
  CallisLogging::Service_var front;
  dla::BasicLogFactory_var basic;
  DsEventLogAdmin::EventLogFactory_var events;
};

struct LogService : ::testing::Test {
  Archive archive{"memory"};
  std::unique_ptr<Life> life = std::make_unique<Life>(archive);

  static dla::RecordList_var query(dla::Log_ptr log, const char* constraint) {
    dla::Iterator_var rest;
    dla::RecordList_var out = log->query("EXTENDED_TCL", constraint, rest.out());
    EXPECT_TRUE(CORBA::is_nil(rest.in()));
    return out;
  }
};

}  // namespace callis::logs::testing
