// SPDX-License-Identifier: Apache-2.0
#include <services/trading/workers.h>
#include <system_error>

namespace callis::trading {

void Workers::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    queue_.clear();
    threads.swap(threads_);
    some_.notify_all();
    done_.notify_all();
  }
  for (std::thread& t : threads) t.join();
}

void Workers::run(std::vector<Task>&& tasks, std::chrono::milliseconds limit) {
  if (tasks.empty()) return;
  const auto batch = std::make_shared<Batch>();
  batch->left = tasks.size();
  const auto until = std::chrono::steady_clock::now() + limit;
  std::unique_lock lock(mutex_);
  if (stop_) return;
  for (Task& t : tasks) queue_.push_back({batch, std::move(t)});
  while (threads_.size() < most_ && idle_ < queue_.size()) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the system has no more: those that there are do it
      break;
    }
    ++idle_;
  }
  some_.notify_all();
  done_.wait_until(lock, until, [&] { return batch->left == 0 || stop_; });
  batch->over = true;
  std::erase_if(queue_, [&](const Item& i) { return i.batch == batch; });
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    some_.wait(lock, [this] { return stop_ || !queue_.empty(); });
    if (stop_) return;
    Item item = std::move(queue_.front());
    queue_.pop_front();
    --idle_;
    lock.unlock();
    item.task();
    item.task = nullptr;
    lock.lock();
    ++idle_;
    if (--item.batch->left == 0) done_.notify_all();
  }
}

std::size_t Workers::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace callis::trading
