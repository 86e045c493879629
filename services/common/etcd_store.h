// SPDX-License-Identifier: Apache-2.0
// A Store in etcd v3, which several instances of a service share. Its keys, below PREFIX/:
//
//   !kind             "naming 1": what the store holds, and of which schema
//   !last             put by every transaction: its revision is the store's
//   !trace/ID         put by every transaction of one committer, with the transaction's id: by it, an answer that was
//   lost
//                     is found out. Under a lease
//   !instance/ID      what announce() was given. Under a lease
//   =SCHEMA/KEY       the pairs
//
// A transaction is a transaction of etcd's, with the condition that its trace has not changed since the committer
// last knew it. So the transaction may be sent again, to any member, as often as needed, and is applied once.
#pragma once
#include <services/common/etcd_leases.h>
#include <services/common/etcd_watch.h>
#include <services/common/store.h>

namespace callis::services {

class EtcdStore final : public Store {
 public:
  // where: as open_store() takes it. Throws StoreFailed.
  EtcdStore(const std::string& where, const StoreKind& kind, const StoreOptions& options = {});
  ~EtcdStore() override;

  Revision read(std::string_view prefix, const std::function<void(Pair&&)>& take) override;
  Outcome commit(const Transaction& transaction) override;
  Revision latest() override;
  void watch(Revision from, Watcher& watcher) override;
  bool shared() const override { return true; }
  void announce(const std::string& text) override;
  std::vector<std::string> instances() override;

 private:
  // The trace of one committer at a time.
  struct Trace {
    std::string key;
    Revision changed = 0;
    std::uint64_t lease = 0;
  };
  struct Commit;

  void take_kind(const StoreKind& kind, bool may_make);
  void migrate(const StoreKind& kind, unsigned from);
  void copy_migrated(const StoreKind& kind, unsigned from, const std::string& source);
  void put_batch(std::vector<etcd::Json>& puts);
  // Pairs below `prefix`, whole keys, as of one revision.
  std::vector<Pair> range(const std::string& prefix, Revision& as_of);
  Outcome ask_conditions(const Transaction& transaction);
  etcd::Json compares(const Transaction& transaction) const;
  etcd::Json message(const Transaction& transaction, const Trace& trace, const std::string& id) const;
  bool resolve(Commit& commit, const etcd::Attempt& attempt, Outcome& out);
  bool fence(Commit& commit, Outcome& out);
  Trace take_trace();
  void give_back(Trace&& trace);
  std::string unique();
  [[noreturn]] void another_schema() const;
  // Returns the result of work(). An answer that cannot be etcd's becomes StoreFailed::Unknown.
  template<class Work>
  auto with_answers(Work&& work) const -> decltype(work());
  Deadline deadline() const;

  const std::string where_;
  const StoreOptions options_;
  const std::string instance_;  // random
  std::string prefix_, data_;
  Revision kind_changed_ = 0;
  std::unique_ptr<etcd::Client> client_;
  std::unique_ptr<etcd::Leases> leases_;
  std::atomic<std::uint64_t> next_{1};
  std::mutex mutex_;
  std::vector<Trace> traces_;  // free
  std::unique_ptr<etcd::Watch> watch_;
};

}  // namespace callis::services
