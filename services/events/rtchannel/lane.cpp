// SPDX-License-Identifier: Apache-2.0
// Which job a lane's thread runs next, and when there is one thread more.
#include <callis/base/log.h>
#include <services/events/rtchannel/lane.h>
#include <algorithm>
#include <limits>
#include <system_error>

namespace callis::rtevents {

namespace {

class Once final : public Lane::Job {
 public:
  explicit Once(std::function<void()> f) : Job(std::numeric_limits<std::int32_t>::min()), f_(std::move(f)) {}
  Lane::Next run() noexcept override {
    f_();
    return {};
  }

 private:
  const std::function<void()> f_;
};

}  // namespace

Lane::Lane(const Options& options) : options_(options) {
  const std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < std::max(1u, options_.threads); ++i) {
    const int error = start_thread();
    if (error != 0 && threads_.empty())
      throw std::system_error(error, std::generic_category(), "events: a lane's threads cannot be started");
  }
}

int Lane::start_thread() {
  threads_.emplace_back();
  const int error = threads_.back().start({"callis-rt-lane"}, [this] { keep_running(); });
  if (error == 0) return 0;
  threads_.pop_back();
  if (!told_) log_failed("events: a lane has fewer threads than it may have", error);
  told_ = true;
  return error;
}

void Lane::wake(const JobPtr& job) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  if (job->state_ == Job::State::Running) job->woken_ = true;
  if (job->state_ != Job::State::Resting) return;
  put(job);
  call_another(Clock::now());
}

void Lane::run(std::function<void()> f) { wake(std::make_shared<Once>(std::move(f))); }

void Lane::put(JobPtr job) {
  job->state_ = Job::State::Ready;
  Ready& where = job->slow_ ? slow_ : ready_;
  where[job->urgency()].push_back(std::move(job));
}

// A thread that takes what there is, or waits until it may; none where one waits so already.
void Lane::call_another(Time now) {
  const bool slow = slow_may();
  if (ready_.empty() && !slow) return;
  if (watched_ && !slow && free_at(now) > now) return;
  if (resting_ != 0) changed_.notify_one();
  else if (threads_.size() < options_.most_threads) (void)start_thread();
}

Lane::JobPtr Lane::first_of(Ready& ready) {
  const auto most_urgent = ready.begin();
  JobPtr out = std::move(most_urgent->second.front());
  most_urgent->second.pop_front();
  if (most_urgent->second.empty()) ready.erase(most_urgent);
  return out;
}

Lane::Time Lane::free_at(Time now) const {
  std::size_t count = 0;
  Time oldest = now;
  for (auto i = working_.rbegin(); i != working_.rend() && now - *i < kBlocked; ++i) {
    oldest = *i;
    if (++count == std::max(1u, options_.threads)) return oldest + kBlocked;
  }
  return now;
}

// The more urgent one of those that are ready and those that are slow; by turns where they are alike.
Lane::JobPtr Lane::next(Time now) {
  const bool slow = slow_may(), quick = !ready_.empty() && free_at(now) <= now;
  if (!slow && !quick) return nullptr;
  bool take_slow = slow;
  if (slow && quick) {
    const std::int32_t of_slow = slow_.begin()->first, of_quick = ready_.begin()->first;
    take_slow = of_slow != of_quick ? of_slow > of_quick : slow_turn_;
    slow_turn_ = !slow_turn_;
  }
  return first_of(take_slow ? slow_ : ready_);
}

void Lane::rest(std::unique_lock<std::mutex>& lock, Time now) {
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

void Lane::run_one(std::unique_lock<std::mutex>& lock, JobPtr job, Time now) {
  const bool slow = job->slow_;
  auto working = working_.end();
  if (slow) ++slow_running_;
  else working = working_.insert(working_.end(), now);
  call_another(now);
  job->state_ = Job::State::Running;
  job->woken_ = false;
  lock.unlock();
  const Next next = job->run();
  const bool took_long = Clock::now() - now > kSlow;
  lock.lock();
  if (slow) --slow_running_;
  else working_.erase(working);
  job->slow_ = took_long;
  if (stopped_ || (next.kind == Next::Rest && !job->woken_)) {
    job->state_ = Job::State::Resting;
    lock.unlock();
    job.reset();  // it may be the last of what it holds
    lock.lock();
  } else if (next.kind == Next::At) {
    job->state_ = Job::State::Waiting;
    if (waiting_.emplace(next.at, std::move(job)) == waiting_.begin()) changed_.notify_one();
  } else {
    put(std::move(job));
  }
}

void Lane::keep_running() {
  if (options_.begin) options_.begin(options_.priority);
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    const Time now = Clock::now();
    while (!waiting_.empty() && waiting_.begin()->first <= now) {
      JobPtr due = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      put(std::move(due));
    }
    if (JobPtr job = next(now)) run_one(lock, std::move(job), now);
    else rest(lock, now);
  }
}

void Lane::stop() {
  Ready ready, slow;
  std::multimap<Time, JobPtr> waiting;
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

std::size_t Lane::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace callis::rtevents
