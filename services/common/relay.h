// SPDX-License-Identifier: Apache-2.0
// Relay: what watches a store in place of the part of a service that hears of the changes. A store has one watcher
// for life; so the relay outlives the store, which outlives the part. Any thread.
#pragma once
#include <services/common/store.h>
#include <mutex>

namespace callis::services {

class Relay final : public Watcher {
 public:
  // If `to` is nullptr, nobody hears. Returns when no call to the earlier watcher runs any more.
  void set(Watcher* to) {
    const std::lock_guard lock(mutex_);
    to_ = to;
  }
  void told(Revision revision, const std::vector<Change>& changes) override {
    const std::lock_guard lock(mutex_);
    if (to_) to_->told(revision, changes);
  }
  void lost() override {
    const std::lock_guard lock(mutex_);
    if (to_) to_->lost();
  }

 private:
  std::mutex mutex_;  // held while it is told
  Watcher* to_ = nullptr;
};

}  // namespace callis::services
