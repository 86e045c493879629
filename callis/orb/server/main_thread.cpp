// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocking_scope.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/server/main_thread.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/server.h>

namespace callis::orb {

constinit thread_local MainThread::Inside* MainThread::Inside::innermost = nullptr;

namespace {

// The main thread may wait for connections.
void wake_server(OrbContext& orb) {
  if (orb.options().server_threads != ServerThreads::Single || !CALLIS_HAS(pool)) return;
  if (Pool* const pool = orb.server().pool()) pool->nudge();
}

}  // namespace

bool MainThread::is_this_thread() const {
  for (const Inside* i = Inside::innermost; i; i = i->outer_)
    if (&i->main_ == this) return true;
  return inside_.load(std::memory_order_acquire) == 0 &&
         last_.load(std::memory_order_relaxed) == std::this_thread::get_id();
}

// The upcall was counted when its request came in. This record only shows that this thread is inside the upcall.
void MainThread::run_now(Task& task) {
  const std::lock_guard turn(turn_);
  const Upcall upcall(orb_, Upcall::OnBehalf());
  task.run();
}

bool MainThread::run(Task& task) {
  if (is_this_thread()) return run_now(task), true;
  std::unique_lock lock(mutex_);
  if (stopped()) return false;
  *newest_ = &task;
  newest_ = &task.next_;
  waiting_.store(true, std::memory_order_seq_cst);
  changed_.notify_all();
  wake_server(orb_);
  const BlockingScope blocked;
  changed_.wait(lock, [&task] { return task.state_ == Task::State::Done || task.state_ == Task::State::Refused; });
  return task.state_ == Task::State::Done;
}

bool MainThread::run_one() {
  if (!waiting()) return false;
  const std::lock_guard turn(turn_);
  std::unique_lock lock(mutex_);
  Task* const task = oldest_;
  if (!task) return false;
  oldest_ = task->next_;
  if (!oldest_) newest_ = &oldest_;
  waiting_.store(oldest_ != nullptr, std::memory_order_seq_cst);
  task->state_ = Task::State::Running;
  lock.unlock();
  run_now(*task);
  lock.lock();
  task->state_ = Task::State::Done;
  changed_.notify_all();
  return true;
}

void MainThread::serve() {
  while (!stopped()) {
    if (run_one()) continue;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped() || oldest_; });
  }
}

void MainThread::stop() {
  const std::lock_guard lock(mutex_);
  stopped_.store(true, std::memory_order_seq_cst);
  for (Task* t = oldest_; t; t = t->next_) t->state_ = Task::State::Refused;
  oldest_ = nullptr;
  newest_ = &oldest_;
  waiting_.store(false, std::memory_order_seq_cst);
  changed_.notify_all();
}

}  // namespace callis::orb
