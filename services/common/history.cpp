// SPDX-License-Identifier: Apache-2.0
#include <services/common/history.h>
#include <cstring>
#include <stdexcept>

namespace callis::services {

void History::record(Revision revision, std::vector<Change>&& changes) {
  if (changes.empty()) return;
  std::size_t bytes = 0;
  for (const Change& c : changes) bytes += c.key.size() + (c.value ? c.value->size() : 0) + sizeof(Change);
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back({revision, std::move(changes), bytes});
    bytes_ += bytes;
    last_ = revision;
    while (kept_.size() > kMostTransactions || (bytes_ > kMostBytes && kept_.size() > 1)) {
      base_ = kept_.front().revision;
      bytes_ -= kept_.front().bytes;
      kept_.pop_front();
    }
    if (!watcher_) return;
  }
  changed_.notify_one();
}

void History::watch(Revision from, Watcher& watcher) {
  const std::lock_guard lock(mutex_);
  if (watcher_) throw std::logic_error("a store has one watcher");
  told_ = from;
  watcher_ = &watcher;
  if (const int error = thread_.start({"callis-watch"}, [this] { tell(); })) {
    watcher_ = nullptr;
    throw StoreFailed(StoreFailed::Unknown, std::string("no thread to watch a store by: ") + std::strerror(error));
  }
}

void History::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!watcher_ || stop_) return;
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void History::tell() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (told_ < base_) {
      told_ = std::max(base_, last_);
      lock.unlock();
      watcher_->lost();
      lock.lock();
      continue;
    }
    const auto next = std::find_if(kept_.begin(), kept_.end(), [this](const Entry& e) { return e.revision > told_; });
    if (next == kept_.end()) {
      changed_.wait(lock);
      continue;
    }
    const Revision revision = told_ = next->revision;
    const std::vector<Change> changes = next->changes;
    lock.unlock();
    watcher_->told(revision, changes);
    lock.lock();
  }
}

}  // namespace callis::services
