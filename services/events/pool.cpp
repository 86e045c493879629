// SPDX-License-Identifier: Apache-2.0
// The threads of a pool: what each runs next, and when there is one more.
#include <callis/base/log.h>
#include <services/events/pool.h>
#include <algorithm>
#include <system_error>
#include <thread>

namespace callis::events {

namespace {

class Once final : public Pool::Task {
 public:
  Once(std::int32_t urgency, std::function<void()> f) : Task(urgency), f_(std::move(f)) {}
  Pool::Next run() noexcept override {
    f_();
    return {};
  }

 private:
  const std::function<void()> f_;
};

}  // namespace

Pool::Pool(const Options& options)
    : options_(options),
      at_once_(options.at_once != 0
                   ? options.at_once
                   : std::min<std::size_t>(options.threads, std::max(2u, std::thread::hardware_concurrency()))) {
  if (!options_.start_at_once) return;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < at_once_; ++i) {
    const int error = start_thread();
    if (error != 0 && threads_.empty())
      throw std::system_error(error, std::generic_category(), "events: threads cannot be started");
  }
}

int Pool::start_thread() {
  threads_.emplace_back();
  const int error = threads_.back().start({options_.name}, [this] { keep_running(); });
  if (error == 0) return 0;
  threads_.pop_back();
  if (!told_ || threads_.empty())
    log_failed(threads_.empty() ? "events: no thread can be started: nothing is delivered"
                                : "events: no further thread can be started", error);
  told_ = true;
  return error;
}

void Pool::wake(const TaskPtr& task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  if (task->state_ == Task::State::Running) task->woken_ = true;
  if (task->state_ != Task::State::Resting) return;
  put(task);
  call_another(Clock::now());
}

void Pool::run(std::function<void()> f, std::int32_t urgency) {
  wake(std::make_shared<Once>(urgency, std::move(f)));
}

void Pool::put(TaskPtr task) {
  task->state_ = Task::State::Ready;
  Ready& where = task->slow_ ? slow_ : ready_;
  const std::int32_t urgency = task->urgency();
  where.emplace(urgency, std::move(task));
}

void Pool::call_another(Time now) {
  const bool slow = slow_may();
  if (ready_.empty() && !slow) return;
  if (watched_ && !slow && free_at(now) > now) return;
  if (resting_ != 0) changed_.notify_one();
  else if (threads_.size() < options_.threads) (void)start_thread();
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

// Returns the more urgent of the first ready task and the first slow task, by turns if they are equally urgent.
// Returns nullptr if no task may run now.
Pool::TaskPtr Pool::next(Time now) {
  const bool slow = slow_may(), quick = !ready_.empty() && free_at(now) <= now;
  if (!slow && !quick) return nullptr;
  bool take_slow = slow;
  if (slow && quick) {
    const std::int32_t of_slow = slow_.begin()->first, of_quick = ready_.begin()->first;
    take_slow = of_slow != of_quick ? of_slow > of_quick : slow_turn_;
    slow_turn_ = !slow_turn_;
  }
  Ready& from = take_slow ? slow_ : ready_;
  TaskPtr out = std::move(from.begin()->second);
  from.erase(from.begin());
  return out;
}

void Pool::rest(std::unique_lock<std::mutex>& lock, Time now) {
  const bool watches = !ready_.empty() && !watched_;
  Time until = waiting_.empty() ? Time::max() : waiting_.begin()->first;
  if (watches) until = std::min(until, free_at(now));
  if (watches) watched_ = true;
  ++resting_;
  if (until == Time::max()) changed_.wait(lock);
  else changed_.wait_until(lock, until);
  --resting_;
  if (watches) watched_ = false;
}

void Pool::run_one(std::unique_lock<std::mutex>& lock, TaskPtr task, Time now) {
  const bool slow = task->slow_;
  auto working = working_.end();
  if (slow) ++slow_running_;
  else working = working_.insert(working_.end(), now);
  call_another(now);
  task->state_ = Task::State::Running;
  task->woken_ = false;
  lock.unlock();
  const Next next = task->run();
  const bool took_long = Clock::now() - now > options_.slow_after;
  lock.lock();
  if (slow) --slow_running_;
  else working_.erase(working);
  task->slow_ = took_long;
  if (stopped_ || (next.kind == Next::Rest && !task->woken_)) {
    task->state_ = Task::State::Resting;
    lock.unlock();
    task.reset();  // it may be the last of what it holds
    lock.lock();
  } else if (next.kind == Next::At) {
    task->state_ = Task::State::Waiting;
    if (waiting_.emplace(next.at, std::move(task)) == waiting_.begin()) changed_.notify_one();
  } else {
    put(std::move(task));
  }
}

void Pool::keep_running() {
  if (options_.begin) options_.begin();
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    const Time now = Clock::now();
    while (!waiting_.empty() && waiting_.begin()->first <= now) {
      TaskPtr due = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      put(std::move(due));
    }
    if (TaskPtr task = next(now)) run_one(lock, std::move(task), now);
    else rest(lock, now);
  }
}

void Pool::stop() {
  Ready ready, slow;
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
