// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <services/imr/errands.h>
#include <cstring>

namespace callis::imr {

void Errands::add(const std::string& whom, std::function<void()> errand) {
  const std::lock_guard lock(mutex_);
  if (stop_) return;
  const auto [queue, fresh] = queues_.try_emplace(whom);
  queue->second.push_back(std::move(errand));
  if (!fresh) return;
  ready_.push_back(whom);
  if (idle_ < ready_.size() && threads_.size() < kMostThreads) {
    Thread thread;
    if (const int error = thread.start({"callis-imr-ask"}, [this] { run(); }))
      log(LogLevel::Error, {"no thread to ask servers and activators with: ", std::strerror(error)});
    else threads_.push_back(std::move(thread));
  }
  work_.notify_one();
}

void Errands::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (ready_.empty()) {
      ++idle_;
      work_.wait(lock);
      --idle_;
      continue;
    }
    const std::string whom = std::move(ready_.front());
    ready_.pop_front();
    const std::function<void()> errand = std::move(queues_[whom].front());
    queues_[whom].pop_front();
    lock.unlock();
    errand();
    lock.lock();
    const auto queue = queues_.find(whom);
    if (queue->second.empty()) queues_.erase(queue);
    else ready_.push_back(whom);
  }
}

void Errands::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (Thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

}  // namespace callis::imr
