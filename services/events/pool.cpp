// SPDX-License-Identifier: Apache-2.0
// The threads of a pool: what each runs next, and when there is one more.
#include <callis/base/log.h>
#include <services/events/pool.h>

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

void Pool::enqueue(TaskPtr task) {
  task->state_ = Task::State::Ready;
  const bool slow = task->slow_;
  (slow ? slow_ : ready_).push_back(std::move(task));
  if (slow && slow_running_ >= options_.threads / 2) return;  // who ends one takes it
  if (ready_.size() + slow_.size() > resting_ && threads_.size() < options_.threads) start_thread();
  changed_.notify_one();
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
Pool::TaskPtr Pool::next() {
  const bool slow_may = !slow_.empty() && slow_running_ < options_.threads / 2;
  slow_turn_ = !slow_turn_;
  std::deque<TaskPtr>* const from = slow_may && (ready_.empty() || slow_turn_) ? &slow_
                                    : ready_.empty()                            ? nullptr
                                                                                : &ready_;
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
    TaskPtr task = next();
    if (!task) {
      ++resting_;
      if (waiting_.empty()) changed_.wait(lock);
      else changed_.wait_until(lock, Time(waiting_.begin()->first));
      --resting_;
      continue;
    }
    const bool slow = task->slow_;
    if (slow) ++slow_running_;
    task->state_ = Task::State::Running;
    task->woken_ = false;
    lock.unlock();
    const Time began = Clock::now();
    const Next next = task->run();
    const bool took_long = Clock::now() - began > options_.slow_after;
    lock.lock();
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

}  // namespace callis::events
