// SPDX-License-Identifier: Apache-2.0
// The file, its transactions of many jobs, and reading.
#include <callis/base/log.h>
#include <services/logging/archive_statements.h>
#include <sqlite3.h>
#include <cstring>

namespace callis::logs {

namespace sqlite = services::sqlite;
using services::StoreFailed;

namespace {

constexpr std::int64_t kApplication = 0x63616c4c;  // "calL"
constexpr std::int64_t kSchema = 1;

}  // namespace

struct Archive::Request {
  const Job* job;
  bool sync;
  std::exception_ptr failed{};
  std::condition_variable wake{};
  bool leads = false, done = false;
};

Archive::Archive(const std::string& where) : path_(where), durable_(where != "memory") {
  const char* tried = "opening the store";
  try {
    database_ = sqlite::open(durable_ ? path_ : ":memory:");
    prepare_file();
    tried = "reading the store";
    statements_ = std::make_unique<Statements>(database_.get());
    load();
  } catch (const sqlite::Failed& failed) {
    throw explained(failed, tried);
  }
}

Archive::~Archive() = default;

StoreFailed Archive::explained(const sqlite::Failed& failed, const char* tried) const {
  std::string words = path_ + ": " + tried + ": " + failed.what();
  if (failed.os_error() != 0) words += std::string(" (") + std::strerror(failed.os_error()) + ")";
  switch (failed.primary_code()) {
    case SQLITE_FULL: return {StoreFailed::Full, words + "; nothing is lost: make room on the disk and try again"};
    case SQLITE_IOERR:
      if (failed.os_error() == ENOSPC || failed.os_error() == EDQUOT || failed.os_error() == EFBIG)
        return {StoreFailed::Full, words + "; nothing is lost: make room on the disk and try again"};
      return {StoreFailed::Unknown, words};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return {StoreFailed::ReadOnly,
              words + "; is the folder there, and may this user write the file and its folder?"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {StoreFailed::InUse,
              path_ + ": another process uses this store; stop it, or give this one a file of its own"};
    case SQLITE_CORRUPT:
      return {StoreFailed::Damaged, words + "; the file is as it was: take a copy, then restore a backup"};
    case SQLITE_NOTADB:
      return {StoreFailed::Foreign, path_ + ": this file is no database of SQLite; it is as it was"};
    default: return {StoreFailed::Unknown, words};
  }
}

void Archive::prepare_file() {
  sqlite3* const db = database_.get();
  sqlite::lock(db);
  const std::int64_t application = sqlite::ask(db, "PRAGMA application_id"),
                     schema = sqlite::ask(db, "PRAGMA user_version");
  if (application == 0 && schema == 0 && sqlite::ask(db, "SELECT count(*) FROM sqlite_schema") == 0) {
    sqlite::run(db, "PRAGMA application_id=" + std::to_string(kApplication));
    sqlite::run(db, "PRAGMA user_version=" + std::to_string(kSchema));
    sqlite::run(
        db,
        "CREATE TABLE log(slot INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, settings BLOB NOT NULL, records "
        "INTEGER NOT NULL, bytes INTEGER NOT NULL, next INTEGER NOT NULL, newest INTEGER NOT NULL, lap INTEGER "
        "NOT NULL) STRICT");
    sqlite::run(db,
                "CREATE TABLE record(key INTEGER PRIMARY KEY, time INTEGER NOT NULL, info BLOB NOT NULL, attributes "
                "BLOB NOT NULL) STRICT");
    sqlite::run(db, "CREATE TABLE flushed(times INTEGER NOT NULL) STRICT");
    sqlite::run(db, "INSERT INTO flushed VALUES(0)");
  } else {
    if (application != kApplication)
      throw StoreFailed(StoreFailed::Foreign,
                        path_ + ": this is a database, but no store of callis logging; it is as it was");
    if (schema != kSchema)
      throw StoreFailed(StoreFailed::Foreign, path_ + ": this store has schema version " + std::to_string(schema) +
                                                  "; this program knows version 1 only: use a newer one");
  }
  sqlite::run(db, "COMMIT");
  sqlite::write_durably(db);
  sqlite::run(db, "PRAGMA journal_size_limit=67108864");
  sqlite::run(db, "PRAGMA wal_autocheckpoint=4000");
}

void Archive::load() {
  sqlite::Statement rows(database_.get(), "SELECT id, slot, records, bytes, next, newest, lap FROM log");
  while (rows.step()) {
    const auto number = [&](int at) { return static_cast<std::uint64_t>(rows.number(at)); };
    const Entry entry{number(1), {number(2), number(3), number(4), number(5), number(6)}};
    if (number(0) > 0xffffffff || entry.slot == 0 || entry.slot >= kMostSlots || entry.tally.next == 0)
      throw StoreFailed(StoreFailed::Damaged,
                        path_ + ": the store is damaged: a log that cannot be; take a copy, then restore a backup");
    logs_[static_cast<LogId>(number(0))] = entry;
  }
}

std::vector<Archive::Known> Archive::logs() {
  const std::lock_guard lock(database_mutex_);
  std::vector<Known> out;
  try {
    sqlite::Statement rows(database_.get(), "SELECT id, settings FROM log ORDER BY id");
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

void Archive::write(Group group) {
  const std::lock_guard lock(database_mutex_);
  if (unfit_.empty()) return write_together(group);
  for (Request* const each : group) each->failed = std::make_exception_ptr(StoreFailed(StoreFailed::Unknown, unfit_));
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
    sqlite::roll_back(database_.get());
    for (auto& [id, before] : before_) {
      if (before)
        logs_[id] = *before;
      else
        logs_.erase(id);
    }
    before_.clear();
  };
  try {
    if (sync != syncs_) sqlite::run(database_.get(), sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
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
    if (sync) sqlite::run(database_.get(), "UPDATE flushed SET times=times+1");  // so that there is something to sync
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
  const std::lock_guard lock(database_mutex_);
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
  const std::lock_guard lock(database_mutex_);
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
  const std::lock_guard lock(database_mutex_);
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
  sqlite::run(database_.get(), "PRAGMA max_page_count=" + std::to_string(pages));
}

}  // namespace callis::logs
