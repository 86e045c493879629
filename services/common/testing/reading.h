// SPDX-License-Identifier: Apache-2.0
// Helpers of tests that read stores.
#pragma once
#include <gtest/gtest.h>
#include <services/common/store.h>
#include <condition_variable>
#include <map>
#include <mutex>

namespace callis::services::testing {

using All = std::map<std::string, std::string>;

inline All all_of(Store& store, std::string_view prefix = "", Revision* as_of = nullptr) {
  All out;
  const Revision revision = store.read(prefix, [&](Pair&& pair) { out.emplace(pair.key, pair.value); });
  if (as_of) *as_of = revision;
  return out;
}

inline Revision changed(Store& store, const std::string& key) {
  Revision out = 0;
  store.read(key, [&](Pair&& pair) {
    if (pair.key == key) out = pair.changed;
  });
  return out;
}

inline Transaction put(const std::string& key, const std::string& value) { return {{}, {{key, value}}, {}}; }
inline Transaction erase(const std::string& key) { return {{}, {}, {key}}; }

// Returns the failure of `what`; fails the test if there was none.
template<class What>
StoreFailed failure(What&& what) {
  try {
    what();
  } catch (const StoreFailed& failed) {
    return failed;
  }
  ADD_FAILURE() << "nothing failed";
  return {StoreFailed::Unknown, ""};
}

// Keeps what it is told, as a model that follows its store; several of them are waited for.
class Follower final : public Watcher {
 public:
  void told(Revision revision, const std::vector<Change>& changes) override {
    const std::lock_guard lock(mutex_);
    if (revision <= seen_) return;
    seen_ = revision;
    ++transactions_;
    for (const Change& c : changes) {
      if (c.revision != revision) mixed_ = true;
      if (c.value)
        all_[c.key] = *c.value;
      else
        all_.erase(c.key);
    }
    changed_.notify_all();
  }
  void lost() override {
    const std::lock_guard lock(mutex_);
    ++lost_;
    changed_.notify_all();
  }
  void connected(bool is) override {
    const std::lock_guard lock(mutex_);
    if (!is) ++cut_off_;
    changed_.notify_all();
  }

  // Waits for ten seconds at most; then returns false.
  bool wait_for(const std::function<bool(const Follower&)>& what) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return what(*this); });
  }
  bool wait_until_it_has(const All& all) {
    return wait_for([&](const Follower& f) { return f.all_ == all; });
  }
  // Within wait_for(), or when nothing is told any more.
  const All& all() const { return all_; }
  int lost_times() const { return lost_; }
  int cut_off_times() const { return cut_off_; }
  int transactions() const { return transactions_; }
  bool mixed() const { return mixed_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  All all_;
  Revision seen_ = 0;
  int transactions_ = 0, lost_ = 0, cut_off_ = 0;
  bool mixed_ = false;
};

}  // namespace callis::services::testing
