// SPDX-License-Identifier: Apache-2.0
// A log service and a client of it, in two ORBs of the process, over sockets; and shorter ways to say records.
#pragma once
#include <gtest/gtest.h>
#include <services/common/testing/folder.h>
#include <services/logging/service.h>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace callis::logs::testing {

namespace dla = DsLogAdmin;

inline CORBA::ORB_var new_orb(std::vector<std::string> words, const std::string& id) {
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), id.c_str());
}

template<class T>
CORBA::Any any(const T& value) {
  CORBA::Any out;
  out <<= value;
  return out;
}
inline CORBA::Any any(bool value) {
  CORBA::Any out;
  out <<= CORBA::Any::from_boolean(value);
  return out;
}
inline CORBA::Any any(int value) {
  CORBA::Any out;
  out <<= static_cast<CORBA::Long>(value);
  return out;
}
inline CORBA::Any any(const char* value) {
  CORBA::Any out;
  out <<= value;
  return out;
}

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
inline CORBA::Long long_of(const CORBA::Any& any) {
  CORBA::Long out = -1;
  EXPECT_TRUE(any >>= out);
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
class Life final {
 public:
  explicit Life(Archive& archive, const ServiceOptions& options = {}, const std::string& port = "0") {
    static std::atomic<int> count;
    const std::string id = "logging-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + port}, id + "-server");
    client = new_orb({}, id + "-client");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    service = std::make_unique<Service>(orb.in(), root.in(), archive, counters, options);
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const CORBA::String_var text = orb->object_to_string(service->reference());
    object = client->string_to_object(text.in());
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

  CORBA::ORB_var orb, client;
  PortableServer::POA_var root;
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
