// SPDX-License-Identifier: Apache-2.0
// Reads and commits. A group of transactions is one transaction of SQLite; if the group fails, each is tried by
// itself.
#include <callis/base/log.h>
#include <services/common/sqlite_statements.h>
#include <services/common/transaction.h>
#include <sqlite3.h>
#include <algorithm>

namespace callis::services {

Revision SqliteStore::read(std::string_view prefix, const std::function<void(Pair&&)>& take) {
  const std::lock_guard lock(database_mutex_);
  sqlite::Statement& rows = statements_->from;
  try {
    rows.bind_bytes(1, prefix);
    while (rows.step()) {
      Pair pair{rows.bytes(0), rows.bytes(1), static_cast<Revision>(rows.number(2))};
      if (!std::string_view(pair.key).starts_with(prefix)) break;
      take(std::move(pair));
    }
    rows.reset();
  } catch (const sqlite::Failed& failed) {
    throw file_->explained(failed, "reading the store");
  } catch (...) {
    rows.reset();
    throw;
  }
  return revision_;
}

Outcome SqliteStore::commit(const Transaction& transaction) {
  check(transaction);
  return group_.commit(transaction);
}

Revision SqliteStore::latest() {
  const std::lock_guard lock(database_mutex_);
  return revision_;
}

void SqliteStore::announce(const std::string& text) {
  const std::lock_guard lock(database_mutex_);
  instances_ = {text};
}

std::vector<std::string> SqliteStore::instances() {
  const std::lock_guard lock(database_mutex_);
  return instances_;
}

void SqliteStore::limit_pages(std::uint64_t pages) {
  const std::lock_guard lock(database_mutex_);
  file_->limit_pages(pages);
}

// The put of the first key that must be new, as names that are bound are; nullptr: there is none.
const std::pair<std::string, std::string>* SqliteStore::put_of_new(const Transaction& transaction) {
  const auto fresh = std::find_if(transaction.conditions.begin(), transaction.conditions.end(),
                                  [](const Condition& c) { return c.changed == 0; });
  if (fresh == transaction.conditions.end()) return nullptr;
  const auto found = std::find_if(transaction.puts.begin(), transaction.puts.end(),
                                  [&](const auto& put) { return put.first == fresh->key; });
  return found == transaction.puts.end() ? nullptr : &*found;
}

// A key that must be new is looked up and put by one statement, the last of the conditions and the first of the puts.
Outcome SqliteStore::apply(const Transaction& transaction, Revision now, std::vector<Change>& changes) {
  Statements& s = *statements_;
  const auto* const put_new = put_of_new(transaction);
  for (const Condition& c : transaction.conditions) {
    if (put_new && c.changed == 0 && c.key == put_new->first) continue;
    s.changed.bind_bytes(1, c.key);
    const Revision is = s.changed.step() ? static_cast<Revision>(s.changed.number(0)) : 0;
    s.changed.reset();
    if (is != c.changed) return {false, now - 1};
  }
  if (put_new) {
    s.put_new.bind_bytes(1, put_new->first).bind_bytes(2, put_new->second).bind(3, now).run();
    if (sqlite3_changes(file_->database()) == 0) return {false, now - 1};
    changes.push_back({put_new->first, put_new->second, now});
  }
  for (const auto& put : transaction.puts) {
    if (&put == put_new) continue;
    s.put.bind_bytes(1, put.first).bind_bytes(2, put.second).bind(3, now).run();
    changes.push_back({put.first, put.second, now});
  }
  for (const std::string& key : transaction.erased) {
    const bool was_there = s.erase.bind_bytes(1, key).step();
    if (was_there) s.erase.step();
    s.erase.reset();
    if (was_there) changes.push_back({key, std::nullopt, now});
  }
  return {true, changes.empty() ? now - 1 : now};
}

void SqliteStore::write(Group group) {
  const std::lock_guard lock(database_mutex_);
  if (!unfit_.empty()) {
    for (GroupCommit::Request* const each : group)
      each->failed = std::make_exception_ptr(StoreFailed(StoreFailed::Unknown, unfit_));
    return;
  }
  write_together(group);
}

// SQLite may have rolled back by itself after a full disk or a worse failure; then ROLLBACK does nothing.
void SqliteStore::write_together(Group group) {
  sqlite3* const db = file_->database();
  std::vector<std::pair<Revision, std::vector<Change>>> made;
  bool at_commit = false;
  try {
    Revision now = revision_;
    statements_->begin.run();
    for (GroupCommit::Request* const each : group) {
      std::vector<Change> changes;
      each->outcome = apply(*each->transaction, now + 1, changes);
      if (!changes.empty()) made.emplace_back(++now, std::move(changes));
    }
    if (now != revision_) statements_->revision.bind(1, now).run();
    at_commit = true;
    statements_->commit.run();
    revision_ = now;
    groups_.fetch_add(1, std::memory_order_relaxed);
  } catch (const sqlite::Failed& failed) {
    sqlite::roll_back(db);
    const std::exception_ptr why = commit_failure(failed, at_commit);
    if (group.size() == 1 || !unfit_.empty()) {
      for (GroupCommit::Request* const each : group) each->failed = why;
      return;
    }
    for (GroupCommit::Request* const each : group)
      if (unfit_.empty())
        write_together(Group(&each, 1));
      else
        each->failed = std::make_exception_ptr(StoreFailed(StoreFailed::Unknown, unfit_));
    return;
  } catch (...) {  // no memory
    sqlite::roll_back(db);
    for (GroupCommit::Request* const each : group) each->failed = std::current_exception();
    return;
  }
  for (auto& [revision, changes] : made) history_.record(revision, std::move(changes));
}

// After a failed fsync nobody knows what is on the disk, and a later fsync may succeed without these bytes. So the
// store takes no more changes, and says so.
std::exception_ptr SqliteStore::commit_failure(const sqlite::Failed& failed, bool at_commit) {
  const StoreFailed why = file_->explained(failed, "committing to the store");
  const bool unsure = at_commit && (failed.code() == SQLITE_IOERR_FSYNC || failed.code() == SQLITE_IOERR_DIR_FSYNC);
  if (!unsure) return std::make_exception_ptr(why);
  unfit_ =
      path_ + ": the disk has failed (" + failed.what() + "): no change is taken until the service is started again";
  log(LogLevel::Error, unfit_);
  return std::make_exception_ptr(StoreFailed(why.kind(), why.what(), true));
}

}  // namespace callis::services
