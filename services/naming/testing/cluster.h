// SPDX-License-Identifier: Apache-2.0
// A store that several instances in one process share, as they do etcd: each Member is one's way to it, with a thread
// that tells its watcher. hold() keeps what others change from being told, until let_go(), as a slow network does.
#pragma once
#include <services/common/store.h>
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace callis::naming::testing {

class Cluster {
 public:
  struct Told {
    services::Revision revision;
    std::vector<services::Change> changes;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, services::Pair> pairs;
  std::deque<Told> log;
  std::map<const void*, std::string> instances;
  services::Revision revision = 0;
  bool fail = false;        // every commit is StoreFailed::Unreachable, and not applied
  std::uint64_t commits = 0;
};

class Member final : public services::Store {
 public:
  explicit Member(Cluster& cluster, bool shared = true) : cluster_(cluster), shared_(shared) {}
  ~Member() override {
    {
      const std::lock_guard lock(cluster_.mutex);
      end_ = true;
      cluster_.instances.erase(this);
      cluster_.changed.notify_all();
    }
    if (teller_.joinable()) teller_.join();
  }

  services::Revision read(std::string_view prefix, const std::function<void(services::Pair&&)>& take) override {
    const std::lock_guard lock(cluster_.mutex);
    for (const auto& [key, pair] : cluster_.pairs)
      if (key.starts_with(prefix)) take(services::Pair(pair));
    return cluster_.revision;
  }
  services::Outcome commit(const services::Transaction& t) override {
    const std::lock_guard lock(cluster_.mutex);
    ++cluster_.commits;
    if (cluster_.fail) throw services::StoreFailed(services::StoreFailed::Unreachable, "the cluster is away");
    for (const services::Condition& c : t.conditions) {
      const auto found = cluster_.pairs.find(c.key);
      if ((found == cluster_.pairs.end() ? 0 : found->second.changed) != c.changed) return {false, cluster_.revision};
    }
    const services::Revision revision = ++cluster_.revision;
    Cluster::Told told{revision, {}};
    for (const auto& [key, value] : t.puts) {
      cluster_.pairs[key] = {key, value, revision};
      told.changes.push_back({key, value, revision});
    }
    for (const std::string& key : t.erased)
      if (cluster_.pairs.erase(key) != 0) told.changes.push_back({key, std::nullopt, revision});
    cluster_.log.push_back(std::move(told));
    cluster_.changed.notify_all();
    return {true, revision};
  }
  services::Revision latest() override {
    const std::lock_guard lock(cluster_.mutex);
    return cluster_.revision;
  }
  void watch(services::Revision from, services::Watcher& watcher) override {
    teller_ = std::thread([this, from, &watcher] { tell(from, watcher); });
  }
  bool shared() const override { return shared_; }
  void announce(const std::string& text) override {
    const std::lock_guard lock(cluster_.mutex);
    cluster_.instances[this] = text;
  }
  std::vector<std::string> instances() override {
    const std::lock_guard lock(cluster_.mutex);
    std::vector<std::string> out;
    for (const auto& [member, text] : cluster_.instances) out.push_back(text);
    return out;
  }

  void hold() {
    const std::lock_guard lock(cluster_.mutex);
    held_ = true;
  }
  void let_go() {
    const std::lock_guard lock(cluster_.mutex);
    held_ = false;
    cluster_.changed.notify_all();
  }

 private:
  void tell(services::Revision seen, services::Watcher& watcher) {
    std::unique_lock lock(cluster_.mutex);
    for (;;) {
      cluster_.changed.wait(lock, [&] { return end_ || (!held_ && cluster_.revision > seen); });
      if (end_) return;
      for (const Cluster::Told& each : std::deque(cluster_.log)) {
        if (each.revision <= seen) continue;
        seen = each.revision;
        lock.unlock();
        watcher.told(each.revision, each.changes);
        lock.lock();
      }
    }
  }

  Cluster& cluster_;
  const bool shared_;
  bool held_ = false, end_ = false;
  std::thread teller_;
};

}  // namespace callis::naming::testing
