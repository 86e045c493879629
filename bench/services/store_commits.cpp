// SPDX-License-Identifier: Apache-2.0
// bench_store_commits FILE SECONDS store THREADS: so many threads commit small changes to a callis store for so long.
// bench_store_commits FILE SECONDS sqlite GROUP:  SQLite itself does, so many changes a transaction, from one thread.
// Prints changes a second, and changes a group. A change: a key that must be new, as binding a name is.
#include <services/common/sqlite_store.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace callis::services;
using Steady = std::chrono::steady_clock;

// A name in a context, and an IOR.
std::string key_of(std::uint64_t thread, std::uint64_t n) {
  return "context/0000000000000001/plant.area." + std::to_string(thread) + "/device." + std::to_string(n);
}
const std::string kValue(200, 'v');

struct Done {
  double changes = 0, groups = 0, seconds = 0;
};

Done by_store(const std::string& file, double seconds, unsigned count) {
  SqliteStore store(file, {"bench", 1, {}});
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> changes{0};
  std::vector<std::thread> threads;
  const std::uint64_t before = store.groups();
  const auto began = Steady::now();
  for (unsigned t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t n = 0; !stop; ++n) {
        const std::string key = key_of(t, n);
        if (!store.commit({{{key, 0}}, {{key, kValue}}, {}}).applied) std::abort();
        ++changes;
      }
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& each : threads) each.join();
  const std::chrono::duration<double> took = Steady::now() - began;
  return {static_cast<double>(changes), static_cast<double>(store.groups() - before), took.count()};
}

Done by_sqlite(const std::string& file, double seconds, unsigned group) {
  const sqlite::Database database = sqlite::open(file);
  sqlite3* const db = database.get();
  sqlite::lock(db);
  sqlite::run(
      db,
      "CREATE TABLE pair(key BLOB PRIMARY KEY, value BLOB NOT NULL, changed INTEGER NOT NULL) STRICT, WITHOUT "
      "ROWID");
  sqlite::run(db, "COMMIT");
  sqlite::write_durably(db);
  sqlite::Statement begin(db, "BEGIN IMMEDIATE"), put(db, "INSERT INTO pair VALUES(?, ?, ?)"), commit(db, "COMMIT");
  Done done;
  const auto began = Steady::now();
  for (std::uint64_t n = 0; done.seconds < seconds; ++n) {
    begin.run();
    for (unsigned i = 0; i < group; ++i) {
      const std::string key = key_of(i, n);
      put.bind_bytes(1, key).bind_bytes(2, kValue).bind(3, n + 1).run();
    }
    commit.run();
    done.changes += group;
    done.groups += 1;
    done.seconds = std::chrono::duration<double>(Steady::now() - began).count();
  }
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const double seconds = std::atof(argv[2]);
  const auto count = static_cast<unsigned>(std::atoi(argv[4]));
  try {
    const Done done =
        std::strcmp(argv[3], "store") == 0 ? by_store(argv[1], seconds, count) : by_sqlite(argv[1], seconds, count);
    std::printf("%.1f %.3f\n", done.changes / done.seconds, done.changes / done.groups);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
