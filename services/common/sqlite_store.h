// SPDX-License-Identifier: Apache-2.0
// A Store in a file of SQLite: one table of pairs, and one row with the kind and the revision. One process at a time
// has the file: it is locked as long as the SqliteStore lives.
//
// Transactions of a group go into one transaction of SQLite, which is on the disk (WAL, synchronous=FULL) before any
// of them is acknowledged. If the group fails, each transaction is written by itself, so that a failing one fails
// alone.
#pragma once
#include <services/common/group_commit.h>
#include <services/common/history.h>
#include <services/common/sqlite_file.h>
#include <atomic>
#include <span>

namespace callis::services {

// A step from one version of the tables to the next, one statement in each text. The file's user_version is the
// version.
using SchemaStep = std::vector<std::string_view>;

class SqliteStore final : public Store {
 public:
  // path: as open_store() takes it. Makes the file where there is none, or an empty one. Throws StoreFailed.
  SqliteStore(const std::string& path, const StoreKind& kind, const StoreOptions& options = {});
  // schema: the steps from nothing to version 1, to version 2 ... Tests have others than schema_steps().
  SqliteStore(const std::string& path, const StoreKind& kind, const StoreOptions& options,
              std::span<const SchemaStep> schema);
  ~SqliteStore() override;

  Revision read(std::string_view prefix, const std::function<void(Pair&&)>& take) override;
  Outcome commit(const Transaction& transaction) override;
  Revision latest() override;
  void watch(Revision from, Watcher& watcher) override { history_.watch(from, watcher); }
  bool shared() const override { return false; }
  void announce(const std::string& text) override;
  std::vector<std::string> instances() override;

  // Returns how many groups were written, each with one fsync; measurements divide by this number.
  std::uint64_t groups() const { return groups_.load(std::memory_order_relaxed); }
  // The file gets no more pages of 4 KiB than these; tests make it full by that.
  void limit_pages(std::uint64_t pages);

 private:
  class Statements;
  using Group = std::span<GroupCommit::Request* const>;

  // Opens path_, checks it, and brings it to the newest schema.
  void open_file(const StoreKind& kind, const StoreOptions& options, std::span<const SchemaStep> schema);
  void prepare_file(const StoreKind& kind, const StoreOptions& options, std::span<const SchemaStep> schema);
  void migrate_tables(std::int64_t version, std::span<const SchemaStep> schema);
  void take_kind(const StoreKind& kind);
  void migrate_values(const StoreKind& kind, unsigned from);

  void write(Group group);
  void write_together(Group group);
  static const std::pair<std::string, std::string>* put_of_new(const Transaction& transaction);
  // Within a transaction of SQLite; the changes that were made go into changes.
  Outcome apply(const Transaction& transaction, Revision now, std::vector<Change>& changes);
  std::exception_ptr commit_failure(const sqlite::Failed& failed, bool at_commit);

  const std::string path_;
  std::mutex database_mutex_;  // over all below but group_
  std::unique_ptr<sqlite::StoreFile> file_;
  std::unique_ptr<Statements> statements_;
  Revision revision_ = 0;
  std::string unfit_;  // why nothing can be committed any more; empty: it can
  std::vector<std::string> instances_;
  History history_;
  std::atomic<std::uint64_t> groups_{0};
  GroupCommit group_;
};

// Returns the steps to this version.
std::span<const SchemaStep> schema_steps();

}  // namespace callis::services
