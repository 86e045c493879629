// SPDX-License-Identifier: Apache-2.0
// The file, its transactions of many jobs, and reading.
#include <callis/base/log.h>
#include <services/logging/archive_statements.h>
#include <sqlite3.h>

namespace callis::logs {

namespace sqlite = services::sqlite;
using services::StoreFailed;

namespace {

// Version 2 has the tables of version 1, in pages with checksums.
const sqlite::FileKind kKind{0x63616c4c, "callis logging", 2, 256u << 20, 4000, 64u << 20};  // "calL"

}  // namespace

struct Archive::Request {
  const Job* job;
  bool sync;
  std::exception_ptr failed{};
  std::condition_variable wake{};
  bool leads = false, done = false;
};

Archive::Archive(const std::string& where, const services::StoreOptions& options)
    : path_(where), durable_(where != "memory") {
  const char* tried = "opening the store";
  try {
    if (durable_) {
      file_ = std::make_unique<sqlite::StoreFile>(path_, kKind, options);
      database_ = file_->database();
      if (file_->version() == 0) make_tables();
      file_->ready();
    } else {
      memory_ = sqlite::open(":memory:");
      database_ = memory_.get();
      make_tables();
    }
    tried = "reading the store";
    statements_ = std::make_unique<Statements>(database_);
    load();
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, tried);
  }
}

Archive::~Archive() = default;

StoreFailed Archive::explained(const sqlite::Failed& failed, const char* tried) const {
  if (file_) return file_->explained(failed, tried);
  return {failed.primary_code() == SQLITE_NOMEM || failed.primary_code() == SQLITE_FULL ? StoreFailed::Full
                                                                                       : StoreFailed::Unknown,
          path_ + ": " + tried + ": " + failed.what()};
}

void Archive::make_tables() {
  for (const char* const text : {
           "CREATE TABLE log(slot INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, settings BLOB NOT NULL, records "
           "INTEGER NOT NULL, bytes INTEGER NOT NULL, next INTEGER NOT NULL, newest INTEGER NOT NULL, lap INTEGER "
           "NOT NULL) STRICT",
           "CREATE TABLE record(key INTEGER PRIMARY KEY, time INTEGER NOT NULL, info BLOB NOT NULL, attributes "
           "BLOB NOT NULL) STRICT",
           "CREATE TABLE flushed(times INTEGER NOT NULL) STRICT", "INSERT INTO flushed VALUES(0)"})
    sqlite::run(database_, text);
}

void Archive::load() {
  sqlite::Statement rows(database_, "SELECT id, slot, records, bytes, next, newest, lap FROM log");
  while (rows.step()) {
    const auto number = [&](int at) { return static_cast<std::uint64_t>(rows.number(at)); };
    const Entry entry{number(1), {number(2), number(3), number(4), number(5), number(6)}};
    if (number(0) > 0xffffffff || entry.slot == 0 || entry.slot >= kMostSlots || entry.tally.next == 0)
      throw file_->damaged("a log that cannot be");
    logs_[static_cast<LogId>(number(0))] = entry;
  }
}

std::vector<Archive::Known> Archive::logs() {
  const std::lock_guard lock(database_mutex_);
  std::vector<Known> out;
  try {
    sqlite::Statement rows(database_, "SELECT id, settings FROM log ORDER BY id");
    while (rows.step()) out.push_back({static_cast<LogId>(rows.number(0)), rows.bytes(1)});
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, "reading the store");
  }
  return out;
}

void Archive::change(bool sync, const Job& job) {
  Request mine{&job, sync};
  std::unique_lock lock(queue_mutex_);
  queue_.push_back(&mine);
  if (writing_) mine.wake.wait(lock, [&] { return mine.leads || mine.done; });
  if (!mine.done) {
    writing_ = true;
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), kMostJobs));
    const std::vector<Request*> group(queue_.begin(), end);
    queue_.erase(queue_.begin(), end);
    lock.unlock();
    write(group);
    lock.lock();
    for (Request* const each : group) {
      each->done = true;
      if (each != &mine) each->wake.notify_one();
    }
    writing_ = !queue_.empty();
    if (writing_) {
      queue_.front()->leads = true;
      queue_.front()->wake.notify_one();
    }
  }
  lock.unlock();
  if (mine.failed) std::rethrow_exception(mine.failed);
}

std::unique_lock<std::mutex> Archive::for_reading() const {
  std::unique_lock lock(database_mutex_);
  if (write_waits_.load(std::memory_order_relaxed))
    written_.wait(lock, [this, before = writes_] { return writes_ != before; });
  return lock;
}

// By one thread at a time.
void Archive::write(Group group) {
  write_waits_.store(true, std::memory_order_relaxed);
  {
    const std::lock_guard lock(database_mutex_);
    write_waits_.store(false, std::memory_order_relaxed);
    ++writes_;
    if (unfit_.empty()) {
      write_together(group);
    } else {
      for (Request* const each : group)
        each->failed = std::make_exception_ptr(StoreFailed(StoreFailed::Unknown, unfit_));
    }
  }
  written_.notify_all();
}

void Archive::keep_tallies() {
  for (const auto& [id, before] : before_) {
    const auto found = logs_.find(id);
    if (found == logs_.end()) continue;
    const Tally& t = found->second.tally;
    statements_->tally.bind(1, t.records)
        .bind(2, t.bytes)
        .bind(3, t.next)
        .bind(4, t.newest)
        .bind(5, t.lap)
        .bind(6, found->second.slot)
        .run();
  }
}

void Archive::write_together(Group group) {
  bool sync = false, committing = false;
  for (const Request* const each : group) sync |= each->sync;
  const auto undo = [&] {
    sqlite::roll_back(database_);
    for (auto& [id, before] : before_) {
      if (before)
        logs_[id] = *before;
      else
        logs_.erase(id);
    }
    before_.clear();
  };
  try {
    if (sync != syncs_) sqlite::run(database_, sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    syncs_ = sync;
    statements_->begin.run();
    Batch batch(*this);
    for (Request* const each : group) {
      each->failed = nullptr;
      try {
        (*each->job)(batch);
      } catch (const sqlite::Failed&) {
        throw;
      } catch (...) {
        each->failed = std::current_exception();
      }
    }
    keep_tallies();
    if (sync) sqlite::run(database_, "UPDATE flushed SET times=times+1");  // so that there is something to sync
    committing = true;
    statements_->commit.run();
    before_.clear();
    groups_.fetch_add(1, std::memory_order_relaxed);
  } catch (const sqlite::Failed& failed) {
    undo();
    StoreFailed why = explained(failed, "writing to the store");
    // After an fsync that failed nobody knows what is on the disk.
    if (committing && (failed.code() == SQLITE_IOERR_FSYNC || failed.code() == SQLITE_IOERR_DIR_FSYNC)) {
      unfit_ = path_ + ": the disk has failed (" + failed.what() +
               "): no record is taken until the service is started again";
      log(LogLevel::Error, unfit_);
      why = StoreFailed(why.kind(), why.what(), true);
    }
    if (group.size() == 1 || !unfit_.empty()) {
      for (Request* const each : group) each->failed = std::make_exception_ptr(why);
      return;
    }
    for (Request* const each : group) {
      if (unfit_.empty())
        write_together(Group(&each, 1));
      else
        each->failed = std::make_exception_ptr(StoreFailed(StoreFailed::Unknown, unfit_));
    }
  }
}

Tally Archive::tally(LogId log) {
  const std::lock_guard lock(database_mutex_);
  const auto found = logs_.find(log);
  return found == logs_.end() ? Tally() : found->second.tally;
}

std::optional<Row> Archive::find(LogId log, RecordId id) {
  std::vector<Row> rows = read(log, id, 1);
  if (rows.empty() || rows.front().id != id) return {};
  return std::move(rows.front());
}

std::vector<Row> Archive::read(LogId log, RecordId from, std::size_t most) {
  const std::unique_lock lock = for_reading();
  std::vector<Row> out;
  const auto found = logs_.find(log);
  if (found == logs_.end() || from > kLastRecord) return out;
  const std::uint64_t slot = found->second.slot;
  sqlite::Statement& rows = statements_->up;
  try {
    rows.bind(1, key_of(slot, from)).bind(2, key_of(slot, kLastRecord)).bind(3, std::uint64_t{most});
    std::size_t bytes = 0;
    while (bytes < (4u << 20) && rows.step()) {
      out.push_back({id_of(rows.number(0)), static_cast<TimeT>(rows.number(1)), rows.bytes(2), rows.bytes(3)});
      bytes += out.back().bytes();
    }
    rows.reset();
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, "reading the store");
  }
  return out;
}

std::vector<RecordId> Archive::ids(LogId log, RecordId from, bool backwards, std::size_t most) {
  const std::unique_lock lock = for_reading();
  std::vector<RecordId> out;
  const auto found = logs_.find(log);
  if (found == logs_.end() || (from > kLastRecord && !backwards)) return out;
  const std::uint64_t slot = found->second.slot;
  const RecordId at = std::min(from, kLastRecord);
  sqlite::Statement& rows = backwards ? statements_->ids_down : statements_->ids_up;
  try {
    rows.bind(1, key_of(slot, backwards ? 0 : at)).bind(2, key_of(slot, backwards ? at : kLastRecord));
    rows.bind(3, std::uint64_t{most});
    while (rows.step()) out.push_back(id_of(rows.number(0)));
    rows.reset();
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, "reading the store");
  }
  return out;
}

// Times do not go back, so ids are searched by halves; there are holes, where records were deleted.
RecordId Archive::first_at(LogId log, TimeT time) {
  const std::unique_lock lock = for_reading();
  const auto found = logs_.find(log);
  if (found == logs_.end()) return 1;
  const std::uint64_t slot = found->second.slot;
  RecordId low = 1, high = found->second.tally.next;
  sqlite::Statement& row = statements_->size;
  try {
    while (low < high) {
      const RecordId middle = low + (high - low) / 2;
      const bool there = row.bind(1, key_of(slot, middle)).bind(2, key_of(slot, high - 1)).step();
      const RecordId id = there ? id_of(row.number(0)) : 0;
      const bool before = there && static_cast<TimeT>(row.number(1)) < time;
      row.reset();
      if (before)
        low = id + 1;
      else
        high = middle;
    }
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, "reading the store");
  }
  return low;
}

std::string Archive::unfit() const {
  const std::lock_guard lock(database_mutex_);
  return unfit_;
}

void Archive::limit_pages(std::uint64_t pages) {
  const std::lock_guard lock(database_mutex_);
  sqlite::run(database_, "PRAGMA max_page_count=" + std::to_string(pages));
}

}  // namespace callis::logs
