// SPDX-License-Identifier: Apache-2.0
// callis_logging_peer SERVICE THREADS SECONDS BATCH: clients of one log, an ORB each, that write records of a text of
// 64 bytes, BATCH with each call. Prints the records a second.
//
// callis_logging_peer --raw FILE SECONDS BATCH: the same rows into a table of SQLite, BATCH in a transaction, each
// synced.
#include <callis/corba.h>
#include <services/common/sqlite.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>
#include "CallisLogging.h"

namespace {

namespace sqlite = callis::services::sqlite;
using Clock = std::chrono::steady_clock;

const std::string kText(64, 'x');

CORBA::ORB_var new_orb(int number) {
  std::string words[] = {"peer", "-ORBid", "peer-" + std::to_string(number)};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv);
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

int raw(const char* file, double seconds, unsigned batch) {
  const sqlite::Database database = sqlite::open(file);
  sqlite3* const db = database.get();
  sqlite::write_durably(db);
  sqlite::run(db, "CREATE TABLE record(key INTEGER PRIMARY KEY, time INTEGER, info BLOB, attributes BLOB) STRICT");
  sqlite::Statement put(db, "INSERT INTO record VALUES(?, ?, ?, ?)");
  std::uint64_t written = 0;
  const auto begin = Clock::now();
  while (seconds_since(begin) < seconds) {
    sqlite::run(db, "BEGIN IMMEDIATE");
    for (unsigned i = 0; i < batch; ++i) {
      ++written;
      put.bind(1, written).bind(2, written).bind_bytes(3, kText).bind_bytes(4, "").run();
    }
    sqlite::run(db, "COMMIT");
  }
  std::printf("raw %.0f\n", static_cast<double>(written) / seconds_since(begin));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--raw")
    return raw(argv[2], std::atof(argv[3]), static_cast<unsigned>(std::atoi(argv[4])));
  if (argc != 5) return 2;
  const double seconds = std::atof(argv[3]);
  std::vector<CORBA::ORB_var> orbs;
  std::vector<DsLogAdmin::Log_var> logs;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    orbs.push_back(new_orb(i));
    const CORBA::Object_var object = orbs.back()->string_to_object(argv[1]);
    const CallisLogging::Service_var service = CallisLogging::Service::_narrow(object.in());
    const DsLogAdmin::BasicLogFactory_var factory = service->basic_logs();
    DsLogAdmin::Log_var log = factory->find_log(100);
    if (CORBA::is_nil(log.in())) log = factory->create_with_id(100, DsLogAdmin::wrap, std::uint64_t{1} << 30);
    logs.push_back(log);
  }
  DsLogAdmin::Anys records;
  records.length(static_cast<CORBA::ULong>(std::atoi(argv[4])));
  for (CORBA::ULong i = 0; i < records.length(); ++i) records[i] <<= kText.c_str();
  const CORBA::ULongLong before = logs[0]->get_n_records();
  const auto begin = Clock::now();
  std::vector<std::thread> threads;
  for (const DsLogAdmin::Log_var& log : logs)
    threads.emplace_back([&] {
      while (seconds_since(begin) < seconds) log->write_records(records);
    });
  for (std::thread& thread : threads) thread.join();
  const double took = seconds_since(begin);
  std::printf("write_records %.0f\n", static_cast<double>(logs[0]->get_n_records() - before) / took);
  logs.clear();
  for (CORBA::ORB_var& orb : orbs) orb->destroy();
}
