// SPDX-License-Identifier: Apache-2.0
// Store: keeps a service's keys with values, both of any bytes. It has whole transactions with conditions, and tells
// changes to a watcher. Three back ends pass one suite of tests: memory, a file of SQLite (one process), etcd v3
// (many processes).
//
//   Model in memory ──commit(transaction)──→ Store ──fsync──→ disk, or a majority of etcd's members
//          ↑                                    │
//          └────────watch: told(changes)────────┘            also what other processes have changed
//
// A service reads all at its start, answers from memory, and commits each change before it acknowledges it.
#pragma once
#include <services/common/store_failed.h>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callis::services {

// Counts the applied transactions of a whole store. 0: none, or "the key is not there".
using Revision = std::uint64_t;

// Bounds of every store, whatever its back end; etcd takes no more. Beyond them a call throws StoreFailed::TooLarge,
// with nothing changed.
inline constexpr std::size_t kMaxKeyBytes = 32u << 10;
inline constexpr std::size_t kMaxTransactionBytes = 1u << 20;  // keys and values of one transaction together
inline constexpr std::size_t kMaxChanges = 100;                // puts and erased keys of one transaction together
inline constexpr std::size_t kMaxConditions = 100;

// In shared stores a dead instance counts as living for at most this long.
inline constexpr std::chrono::seconds kInstanceLife{10};

struct Pair {
  std::string key, value;
  Revision changed = 0;  // by which transaction last
};

// Holds if the key's last change is this one. 0: if the key is not there.
struct Condition {
  std::string key;
  Revision changed = 0;
};

// A key is put or erased once at most. Erasing a key that is not there does nothing.
struct Transaction {
  std::vector<Condition> conditions;
  std::vector<std::pair<std::string, std::string>> puts;  // key, value
  std::vector<std::string> erased;
};

struct Outcome {
  bool applied = false;   // false: a condition did not hold; nothing was changed
  Revision revision = 0;  // applied: the transaction's own; otherwise one at which the condition did not hold
};

struct Change {
  std::string key;
  std::optional<std::string> value;  // nothing: erased
  Revision revision = 0;
};

// Called on one thread of the store, one call at a time; must not throw, nor destroy the store.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Tells all changes of one transaction, in the order of revisions; own ones, too. The same changes may be told
  // again after a connection was lost: ignore changes with a revision not greater than the last. `changes` is empty
  // if a transaction has only erased keys that were not there.
  virtual void told(Revision revision, const std::vector<Change>& changes) = 0;
  // Changes were missed (etcd has compacted them): read all anew, in this call or later. All changes after this call
  // began are told.
  virtual void lost() = 0;
  // false: the store cannot be reached, so changes of others may be missing for now. true: they come again, and those
  // from between have been asked for. Only of shared stores.
  virtual void connected(bool) {}
};

// Any thread, many at once. All functions throw StoreFailed.
class Store {
 public:
  Store() = default;
  virtual ~Store() = default;  // ends the watching; the watcher may go afterwards
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Gives all pairs whose keys begin with `prefix` to take(), ordered by key, as of one revision, which is returned.
  // take() must not use the store.
  virtual Revision read(std::string_view prefix, const std::function<void(Pair&&)>& take) = 0;
  // Applies the transaction whole or not at all. On return the changes are on the disk (of a majority). Transactions
  // that arrive while another is being written go to the disk together, with one fsync (group commit). A transaction
  // without changes, but with conditions, asks whether they hold.
  virtual Outcome commit(const Transaction& transaction) = 0;
  // Returns the revision of the last applied transaction, also of another process; waits for a majority. An instance
  // whose watcher has been told of this revision knows everything that was acknowledged before this call.
  virtual Revision latest() = 0;
  // Tells of all changes after `from`, also of other processes. One watcher for the life of the store.
  virtual void watch(Revision from, Watcher& watcher) = 0;
  // Returns whether other processes may change the store while this process has it open.
  virtual bool shared() const = 0;
  // Returns whether all pairs are in this process' memory. A service that counts memory then counts the pairs, too.
  virtual bool in_memory() const { return false; }
  // In shared stores `text` is among instances() as long as this process lives and reaches the store, and for at most
  // kInstanceLife longer (a lease). A second call replaces the text. Other stores keep the text in memory.
  virtual void announce(const std::string& text) = 0;
  // Returns the texts of all living instances, ordered by when they came.
  virtual std::vector<std::string> instances() = 0;
};

// The kind of the pairs in a store. A store of another kind is refused. A store of an older schema is migrated, a
// store of a newer schema is refused.
struct StoreKind {
  std::string name;     // "naming": at most 16 letters, digits and '-'
  unsigned schema = 1;  // version of what the service writes into values
  // Functions from each schema to the next: [0] from 1 to 2. Each is called with every pair, in any order, and
  // returns the new pair, or nothing to drop the pair. All run in one transaction before open_store() returns.
  std::vector<std::function<std::optional<Pair>(Pair&&)>> migrations;
};

struct StoreOptions {
  // A damaged file is renamed to FILE.damaged-YYYYMMDD-HHMMSS, with its log, and a new one is made. Otherwise
  // StoreFailed::Damaged, and the file stays as it is.
  bool keep_damaged_aside = false;
  // A file with its log may take so much of the disk; beyond it calls throw StoreFailed::Full, and reading goes on.
  // 0: a quarter of the file system, and 64 MiB at least.
  std::uint64_t max_disk_bytes = 0;
  // A call of etcd gives up after this time, with all attempts at all endpoints.
  unsigned deadline_ms = 10'000;
};

// `where`: "memory"; "FILE" or "sqlite:FILE"; "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]" (http; a prefix names one
// store among several of a cluster: "callis/naming" by default, with the kind's name). Throws StoreFailed; what() is
// whole: it names the store, what was tried and what to do.
std::unique_ptr<Store> open_store(const std::string& where, const StoreKind& kind, const StoreOptions& options = {});

}  // namespace callis::services
