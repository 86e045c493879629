// SPDX-License-Identifier: Apache-2.0
// Archive: the records of all logs and what is known of each log, in tables of a file of SQLite of its own, or in
// memory. One process at a time: the file is locked as long as this lives. Any thread, many at once.
//
//   thread A ─┐  change(job)       the first leads: one transaction of SQLite runs the jobs of all that wait
//   thread B ─┼─→ queue ─→ leader ─→ BEGIN · job A · job B · job C · COMMIT      one fsync, where one of them asks
//   thread C ─┘
#pragma once
#include <services/common/sqlite_file.h>
#include <services/logging/times.h>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace callis::logs {

using LogId = std::uint32_t;
using RecordId = std::uint64_t;  // from 1 on

inline constexpr RecordId kLastRecord = (RecordId{1} << 43) - 1;  // of a log: ten years of 27,000 a second

struct Row {
  RecordId id = 0;
  TimeT time = 0;
  std::string info, attributes;  // record_bytes.h
  // What it counts for in the size of its log.
  std::uint64_t bytes() const { return 16 + info.size() + attributes.size(); }
};

// What is known of a log's records.
struct Tally {
  std::uint64_t records = 0, bytes = 0;
  RecordId next = 1;
  TimeT newest = 0;       // no record is later; times of a log do not go back
  std::uint64_t lap = 0;  // octets written since the log was empty, or since it wrapped
};

class Archive final {
 public:
  class Batch;
  using Job = std::function<void(Batch&)>;
  static constexpr std::size_t kMostJobs = 1000;  // of a transaction
  static constexpr std::size_t kMostLogs = 10'000;
  static constexpr std::size_t kPage = 256;  // rows that are read at once

  // "memory" or a FILE, which is made where there is none, and guarded as those of all services are. A damaged page
  // is found when a record of it is read, in files up to 256 MiB when they are opened. Throws StoreFailed.
  explicit Archive(const std::string& where, const services::StoreOptions& options = {});
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  // Whether records outlive the process.
  bool durable() const { return durable_; }
  struct Known {
    LogId id;
    std::string settings;
  };
  std::vector<Known> logs();

  // Runs the job in a transaction and returns when that has been committed; `sync`: and is on the disk. kill -9 loses
  // nothing after that, a failing computer nothing that was synced. Throws what the job has thrown, which has changed
  // nothing then, and StoreFailed. A job may run twice: where the transaction of several fails, each has one of its
  // own.
  void change(bool sync, const Job& job);

  // Nothing of a log that there is not.
  Tally tally(LogId log);
  std::optional<Row> find(LogId log, RecordId id);
  // Up to `most`, fewer where they are long, from that id on.
  std::vector<Row> read(LogId log, RecordId from, std::size_t most = kPage);
  // Ids alone; backwards: from that one down.
  std::vector<RecordId> ids(LogId log, RecordId from, bool backwards, std::size_t most);
  // The first record that is not before the moment; the next one's id where there is none.
  RecordId first_at(LogId log, TimeT time);

  // Why nothing is taken any more, since the disk has failed; empty: it is.
  std::string unfit() const;
  // Transactions since the start; measurements divide by it.
  std::uint64_t groups() const { return groups_.load(std::memory_order_relaxed); }
  // The file gets no more pages of 4 KiB than these; tests make it full by that.
  void limit_pages(std::uint64_t pages);

 private:
  class Statements;
  struct Request;
  struct Entry {
    std::uint64_t slot;
    Tally tally;
  };
  using Group = std::span<Request* const>;

  std::unique_lock<std::mutex> for_reading() const;
  void make_tables();
  void load();
  void write(Group group);
  void write_together(Group group);
  void keep_tallies();
  services::StoreFailed explained(const services::sqlite::Failed& failed, const char* tried) const;

  const std::string path_;
  const bool durable_;
  mutable std::mutex database_mutex_;  // over all below but the queue
  // A transaction that waits goes before the next piece of a long query; a reader lets one pass, and no second one.
  std::atomic<bool> write_waits_{false};
  std::uint64_t writes_ = 0;
  mutable std::condition_variable written_;
  std::unique_ptr<services::sqlite::StoreFile> file_;  // nullptr: in memory
  services::sqlite::Database memory_;
  sqlite3* database_ = nullptr;  // of one of them
  std::unique_ptr<Statements> statements_;
  std::map<LogId, Entry> logs_;
  std::map<LogId, std::optional<Entry>> before_;  // of logs that the transaction has changed
  bool syncs_ = true;                             // what SQLite has been told
  std::string unfit_;
  std::atomic<std::uint64_t> groups_{0};
  std::mutex queue_mutex_;  // over what follows
  std::deque<Request*> queue_;
  bool writing_ = false;
};

// What a job may do, in its transaction. Throws StoreFailed::TooLarge, with nothing changed, where bounds are
// reached; other failures are the archive's.
class Archive::Batch final {
 public:
  // False: there is one of that id.
  bool make(LogId log, const std::string& settings);
  void set(LogId log, const std::string& settings);
  // With all its records. False: there was none.
  bool drop(LogId log);
  bool has(LogId log) const { return archive_.logs_.count(log) != 0; }
  // Of a log that there is; as it is after what the transaction has done so far. Its `lap` may be set.
  Tally& tally(LogId log);
  // At the log's end. The record has the log's next id; its time is not before the last one's.
  RecordId append(LogId log, TimeT time, std::string_view info, std::string_view attributes);
  // A record of a copy, with its own id and time; ids come in their order.
  void insert(LogId log, const Row& row);
  // False: there is none.
  bool erase(LogId log, RecordId id);
  // The octets of the record that was erased; 0: the log has none.
  std::uint64_t erase_oldest(LogId log);
  // Erases up to `most` records from before the moment, and returns how many.
  std::size_t erase_before(LogId log, TimeT time, std::size_t most);
  // Octets that the record has more (or fewer) now; nothing: there is none.
  std::optional<std::int64_t> set_attributes(LogId log, RecordId id, std::string_view attributes);

 private:
  friend class Archive;
  explicit Batch(Archive& archive) : archive_(archive) {}
  Entry& changing(LogId log);
  Archive& archive_;
};

}  // namespace callis::logs
