// SPDX-License-Identifier: Apache-2.0
// The threads of a pool: what each runs next, and when there is one more.
#include <callis/base/log.h>
#include <services/events/pool.h>
#include <algorithm>
#include <thread>

namespace callis::events {

namespace {

class Once final : public Pool::Task {
 public:
  explicit Once(std::function<void()> f) : f_(std::move(f)) {}
  Pool::Next run() noexcept override {
    f_();
    return {};
  }

 private:
  const std::function<void()> f_;
};

}  // namespace

void Pool::wake(const TaskPtr& task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  if (task->state_ == Task::State::Resting) enqueue(task);
  else if (task->state_ == Task::State::Running) task->woken_ = true;
}

void Pool::run(std::function<void()> f) { wake(std::make_shared<Once>(std::move(f))); }

Pool::Pool(const Options& options)
    : options_(options),
      at_once_(std::min<std::size_t>(options.threads, std::max(2u, std::thread::hardware_concurrency()))) {}

void Pool::enqueue(TaskPtr task) {
  task->state_ = Task::State::Ready;
  const bool slow = task->slow_;
  (slow ? slow_ : ready_).push_back(std::move(task));
  call_thread(Clock::now());
}

// One that does the work, or watches until it may; none where one watches, and must.
void Pool::call_thread(Time now) {
  if (!is_work() || (watched_ && !slow_may() && free_at(now) > now)) return;
  if (resting_ == 0 && threads_.size() < options_.threads) start_thread();
  changed_.notify_one();
}

Pool::Time Pool::free_at(Time now) const {
  std::size_t count = 0;
  Time oldest = now;
  for (auto i = working_.rbegin(); i != working_.rend() && now - *i < kBlocked; ++i) {
    oldest = *i;
    if (++count == at_once_) return oldest + kBlocked;
  }
  return now;
}

void Pool::rest(std::unique_lock<std::mutex>& lock, Time free) {
  const bool watches = is_work() && !watched_;  // so `free` is later than now
  if (watches) watched_ = true;
  ++resting_;
  if (watches) changed_.wait_until(lock, waiting_.empty() ? free : std::min(free, Time(waiting_.begin()->first)));
  else if (waiting_.empty()) changed_.wait(lock);
  else changed_.wait_until(lock, Time(waiting_.begin()->first));
  --resting_;
  if (watches) watched_ = false;
}

void Pool::start_thread() {
  threads_.emplace_back();
  const int error = threads_.back().start({"callis-events"}, [this] { keep_running(); });
  if (error == 0) return;
  threads_.pop_back();
  log_failed(threads_.empty() ? "events: no thread can be started: nothing is delivered"
                              : "events: no further thread can be started", error);
}

// One of those that are ready, by turns with the slow ones; nullptr: none may be run now.
Pool::TaskPtr Pool::next(bool quick_may) {
  const bool slow_next = slow_may();
  slow_turn_ = !slow_turn_;
  const bool quick = quick_may && !ready_.empty();
  std::deque<TaskPtr>* const from = slow_next && (!quick || slow_turn_) ? &slow_ : quick ? &ready_ : nullptr;
  if (!from) return nullptr;
  TaskPtr out = std::move(from->front());
  from->pop_front();
  return out;
}

void Pool::keep_running() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    while (!waiting_.empty() && waiting_.begin()->first <= Clock::now()) {
      enqueue(std::move(waiting_.begin()->second));
      waiting_.erase(waiting_.begin());
    }
    const Time began = Clock::now(), free = free_at(began);
    TaskPtr task = next(free <= began);
    if (!task) {
      rest(lock, free);
      continue;
    }
    const bool slow = task->slow_;
    auto working = working_.end();
    if (!slow) working = working_.insert(working_.end(), began);
    if (slow) ++slow_running_;
    call_thread(began);
    task->state_ = Task::State::Running;
    task->woken_ = false;
    lock.unlock();
    const Next next = task->run();
    const bool took_long = Clock::now() - began > options_.slow_after;
    lock.lock();
    if (!slow) working_.erase(working);
    if (slow) --slow_running_;
    task->slow_ = took_long;
    if (stopped_ || (next.kind == Next::Rest && !task->woken_)) {
      task->state_ = Task::State::Resting;
    } else if (next.kind == Next::At) {
      task->state_ = Task::State::Waiting;
      if (waiting_.emplace(next.at, std::move(task)) == waiting_.begin()) changed_.notify_one();
      continue;
    } else {
      enqueue(std::move(task));
      continue;
    }
    lock.unlock();
    task.reset();  // it may be the last of what it holds
    lock.lock();
  }
}

void Pool::stop() {
  std::deque<TaskPtr> ready, slow;
  std::multimap<Time, TaskPtr> waiting;
  std::list<Thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    ready.swap(ready_);
    slow.swap(slow_);
    waiting.swap(waiting_);
    threads.swap(threads_);
    changed_.notify_all();
  }
  for (Thread& t : threads) t.join();
}

std::size_t Pool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

bool Pool::watches() const {
  const std::lock_guard lock(mutex_);
  return watched_;
}

}  // namespace callis::events
