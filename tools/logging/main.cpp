// SPDX-License-Identifier: Apache-2.0
// callis logging: a log service.
#include <services/common/program.h>
#include <services/logging/service.h>
#include <memory>

namespace {

using namespace callis;
using services::Frame;
using services::Options;

class Running final : public services::RunningService {
 public:
  Running(Frame& frame, const std::string& store, const logs::ServiceOptions& options)
      : archive_(store, frame.store_options),
        service_(frame.orb, frame.root_poa, archive_, frame.counters, options) {}
  CORBA::Object_ptr reference() override { return service_.reference(); }
  bool healthy() override { return service_.healthy(); }
  void stop() override { service_.stop(); }

 private:
  logs::Archive archive_;
  logs::Service service_;
};

logs::ServiceOptions options_of(const Options& given) {
  logs::ServiceOptions out;
  out.bounds.record_bytes = given.number("--record-bytes", out.bounds.record_bytes, 16, 64u << 20);
  out.bounds.records = given.number("--max-records", out.bounds.records, 1, 32'767);
  out.bounds.query = std::chrono::milliseconds(
      given.number("--query-time", static_cast<std::uint64_t>(out.bounds.query.count()), 1, 3'600'000));
  out.line_log = static_cast<logs::LogId>(given.number("--line-log", out.line_log, 0, 0xffffffff));
  out.line_log_bytes = given.number("--line-log-bytes", out.line_log_bytes, 4'096, std::uint64_t{1} << 40);
  return out;
}

std::unique_ptr<services::RunningService> start(Frame& frame) {
  std::string store = frame.place;
  if (store.starts_with("sqlite:")) store.erase(0, 7);
  if (store.starts_with("etcd:"))
    throw services::ProgramFailed{services::kWrongUsage,
                                  "records are not kept in etcd, which is for settings: --store FILE, or memory"};
  logs::ServiceOptions options = options_of(frame.options);
  options.memory = &frame.memory;
  return std::make_unique<Running>(frame, store, options);
}

services::ServiceDescription describe() {
  services::ServiceDescription out;
  out.name = "logging";
  out.says =
      "A log service (OMG Telecom Log Service 1.1): logs of records that clients write, query and delete, logs of\n"
      "events, and a sink for programs' own log lines. Clients reach its factories as\n"
      "corbaloc::HOST:PORT/BasicLogFactory and .../EventLogFactory, the sink as .../LogSink.";
  out.options = {
      {"--record-bytes", "BYTES", "larger records are refused: IMP_LIMIT; 1048576"},
      {"--max-records", "NUMBER", "the same for more of them in one call; 32767"},
      {"--query-time", "MILLISECONDS",
       "that one question, deletion or marking by a constraint may take; then NO_RESOURCES; 10000"},
      {"--line-log", "ID", "the log that has programs' own lines; made where there is none; 1"},
      {"--line-log-bytes", "BYTES",
       "how large it is made; then it wraps; 268435456,\nand without --store half of --max-memory-each at most"},
  };
  out.own_store = true;
  out.initial_reference = logs::Service::kInitialReference;
  out.port = 2814;
  out.sends_lines = false;  // lines that arrive would bring lines
  out.guarded = {
      {services::Group::Write, "IDL:omg.org/DsLogAdmin/Log:1.0",
       {"write_records", "write_recordlist", "copy", "copy_with_id", "flush"}},
      {services::Group::Write, "IDL:omg.org/DsLogAdmin/BasicLogFactory:1.0",
       {"create", "create_with_id"}},
      {services::Group::Write, "IDL:omg.org/DsEventLogAdmin/EventLogFactory:1.0",
       {"create", "create_with_id"}},
      {services::Group::Write, "IDL:CallisLogging/Sink:1.0",
       {"write", "write_and_wait"}},
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/SupplierAdmin:1.0",
       {"obtain_push_consumer", "obtain_pull_consumer"}},
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/ProxyPushConsumer:1.0",
       {"connect_push_supplier", "push"}},
      {services::Group::Write, "IDL:omg.org/CosEventChannelAdmin/ProxyPullConsumer:1.0",
       {"connect_pull_supplier"}},
      {services::Group::Admin, "IDL:omg.org/DsLogAdmin/Log:1.0",
       {"delete_records", "delete_records_by_id", "set_record_attribute", "set_records_attribute",
        "set_log_qos", "set_max_record_life", "set_max_size", "set_log_full_action",
        "set_administrative_state", "set_forwarding_state", "set_interval", "set_capacity_alarm_thresholds",
        "set_week_mask"}},
      {services::Group::Admin, "IDL:omg.org/DsLogAdmin/BasicLog:1.0",
       {"destroy"}},
      {services::Group::Admin, "IDL:omg.org/CosEventChannelAdmin/EventChannel:1.0",
       {"destroy"}},
  };
  out.start = &start;
  return out;
}

}  // namespace

int main(int argc, char** argv) { return services::run_service(argc, argv, describe()); }
