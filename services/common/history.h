// SPDX-License-Identifier: Apache-2.0
// History: the last transactions of a store with one process, and the thread that tells a watcher of them. A watcher
// that is too slow for the kept transactions learns that changes are lost; nobody waits for the watcher.
#pragma once
#include <callis/base/thread.h>
#include <services/common/store.h>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace callis::services {

class History final {
 public:
  // These bound the kept transactions.
  static constexpr std::size_t kMostTransactions = 1024, kMostBytes = 1u << 20;

  // base: the store's revision when it was opened.
  explicit History(Revision base) : base_(base), told_(base) {}
  ~History() { stop(); }
  // Called before the first record() and watch().
  void start_at(Revision base) { base_ = told_ = base; }

  // One thread at a time calls, in the order of revisions. An empty list is passed over.
  void record(Revision revision, std::vector<Change>&& changes);
  // Starts the thread. Throws StoreFailed if the system has none, std::logic_error at a second call.
  void watch(Revision from, Watcher& watcher);
  // After its return the watcher is not called any more.
  void stop();

 private:
  struct Entry {
    Revision revision;
    std::vector<Change> changes;
    std::size_t bytes;
  };
  void tell();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> kept_;
  std::size_t bytes_ = 0;
  Revision base_;      // all after it are kept
  Revision last_ = 0;  // recorded
  Revision told_;
  Watcher* watcher_ = nullptr;
  bool stop_ = false;
  Thread thread_;
};

}  // namespace callis::services
