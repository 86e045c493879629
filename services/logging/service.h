// SPDX-License-Identifier: Apache-2.0
// Service: a log service in an ORB (OMG Telecom Log Service 1.1 but for logs on notification channels): both
// factories, their logs, and the sink of programs' own log lines. Logs are objects of persistent adapters: their
// references are good as long as the logs are there, also in the next process with the same store and port. Any
// thread.
//
//   key LogService        CallisLogging::Service: all of it
//   BasicLogFactory, EventLogFactory, LogSink
#pragma once
#include <callis/base/thread.h>
#include <services/common/rest.h>
#include <services/logging/servants.h>
#include "CallisLogSink_skel.h"
#include "CallisLogging_skel.h"

namespace callis::logs {

struct ServiceOptions {
  LogBounds bounds;
  LogId line_log = 1;                         // has the sink's lines; made where there is none
  std::uint64_t line_log_bytes = 256u << 20;  // at which that one wraps; in memory half of a client's share at most
  std::chrono::milliseconds every{10'000};    // how often old records and iterators go
  TimeT (*clock)() = &now;
  services::MemoryBound* memory = nullptr;  // as of LogParts; outlives the service
};

class Service final {
 public:
  // Makes adapter "LogService" below the root, and others below it; they serve when root_poa's manager is active. All
  // that is passed outlives this. Throws StoreFailed and system exceptions.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, Archive& archive, services::Counters& counters,
          const ServiceOptions& options = {});
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  CallisLogging::Service_ptr reference() const { return reference_.in(); }
  Logs& logs() { return logs_; }
  Iterators& iterators() { return *iterators_; }
  bool healthy() const { return archive_.unfit().empty(); }
  // Consumers are not called any more.
  void stop() { channels_->stop(); }

  static constexpr const char* kInitialReference = "LogService";

 private:
  class Front;
  class SinkServant;
  CORBA::Object_ptr refer(LogId id, bool event_log) const;
  LogPtr line_log();
  CORBA::Object_var activate(const char* key, PortableServer::ServantBase* servant);
  void keep_house();

  const CORBA::ORB_var orb_;
  Archive& archive_;
  const ServiceOptions options_;
  PortableServer::POA_var poa_, basic_poa_, event_poa_;
  std::unique_ptr<Channels> channels_;
  Logs logs_;
  std::unique_ptr<Iterators> iterators_;
  DsLogAdmin::BasicLogFactory_var basic_;
  DsEventLogAdmin::EventLogFactory_var events_;
  CallisLogging::Sink_var sink_;
  CallisLogging::Service_var reference_;
  services::Counters::Counter &written_, &lines_, &lines_dropped_;
  services::Counters::Source gauges_;
  services::Rest rest_;  // of the housekeeper
  Thread housekeeper_;
};

}  // namespace callis::logs
