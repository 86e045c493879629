// SPDX-License-Identifier: Apache-2.0
// omnithread's classes. One mutex guards the states of all threads, since a detached thread may delete its object
// while its maker still looks at the object.
#include <callis/compat/omnithread.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

inline namespace callis_compat {

namespace {

// A time point of the clock counts nanoseconds in 64 bits; the year 2200 is far enough for each wait.
constexpr unsigned long kLastSecond = 7'258'118'400;

std::mutex states;
std::atomic<int> next_id{0};
std::atomic<unsigned int> keys{0};
std::atomic<unsigned long> stack_bytes{0};
thread_local omni_thread* current = nullptr;

void check(int error) {
  if (error != 0) throw omni_thread_fatal(error);
}

}  // namespace

void omni_condition::wait() {
  std::unique_lock<std::mutex> held(mutex_->mutex_, std::adopt_lock);
  condition_.wait(held);
  held.release();
}

int omni_condition::timedwait(unsigned long seconds, unsigned long nanoseconds) {
  const omni_time_t until(std::min(seconds, kLastSecond), nanoseconds % 1'000'000'000);
  const std::chrono::sys_time<std::chrono::nanoseconds> moment(std::chrono::seconds(until.s) +
                                                               std::chrono::nanoseconds(until.ns));
  std::unique_lock<std::mutex> held(mutex_->mutex_, std::adopt_lock);
  const std::cv_status status = condition_.wait_until(held, moment);
  held.release();
  return status == std::cv_status::no_timeout;
}

void omni_semaphore::wait() {
  std::unique_lock lock(mutex_);
  posted_.wait(lock, [this] { return count_ != 0; });
  --count_;
}

int omni_semaphore::trywait() {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return 0;
  --count_;
  return 1;
}

void omni_semaphore::post() {
  const std::lock_guard lock(mutex_);
  if (count_ < most_) ++count_;
  posted_.notify_one();
}

struct omni_thread::State {
  void (*detached_function)(void*) = nullptr;
  void* (*function)(void*) = nullptr;
  void* argument;
  priority_t priority;
  state_t state = STATE_NEW;
  bool detached = true, dummy = false;
  void* result = nullptr;
  pthread_t thread{};
  std::vector<std::unique_ptr<value_t>> values;  // by key

  State(void* a, priority_t p) : argument(a), priority(p) {}

  // Does nothing where the thread has no priorities. The caller holds the mutex.
  void use_priority() const {
    int policy = 0;
    sched_param p{};
    check(pthread_getschedparam(thread, &policy, &p));
    if (policy != SCHED_FIFO && policy != SCHED_RR) return;
    const int least = sched_get_priority_min(policy), greatest = sched_get_priority_max(policy);
    p.sched_priority = priority == PRIORITY_LOW    ? least
                       : priority == PRIORITY_HIGH ? greatest
                                                   : (least + greatest) / 2;
    check(pthread_setschedparam(thread, policy, &p));
  }
};

omni_thread::omni_thread(void* argument, priority_t priority)
    : state_(new State(argument, priority)), id_(next_id.fetch_add(1, std::memory_order_relaxed)) {}

omni_thread::omni_thread(void (*function)(void*), void* argument, priority_t priority)
    : omni_thread(argument, priority) {
  state_->detached_function = function;
}

omni_thread::omni_thread(void* (*function)(void*), void* argument, priority_t priority)
    : omni_thread(argument, priority) {
  state_->function = function;
  state_->detached = false;
}

omni_thread::~omni_thread() = default;

void omni_thread::run(void* argument) {
  if (state_->detached_function) state_->detached_function(argument);
}

void* omni_thread::run_undetached(void* argument) { return state_->function ? state_->function(argument) : nullptr; }

// Its destructor ends the thread, also when exit() unwinds the stack.
struct omni_thread::Ending {
  omni_thread* const thread;
  ~Ending() {
    State& state = *thread->state_;
    // Destructors of values may set values again.
    while (!state.values.empty()) std::vector<std::unique_ptr<value_t>>(std::move(state.values)).clear();
    current = nullptr;
    const std::unique_lock lock(states);
    state.state = STATE_TERMINATED;
    if (state.detached) delete thread;
  }
};

void* omni_thread::run_thread(void* of) {
  auto* const thread = static_cast<omni_thread*>(of);
  current = thread;
  State& state = *thread->state_;
  { const std::lock_guard started(states); }  // launch() has written the rest
  const Ending ending{thread};
  if (state.detached) thread->run(state.argument);
  else return state.result = thread->run_undetached(state.argument);
  return nullptr;
}

void omni_thread::launch(bool detached) {
  const std::lock_guard lock(states);
  State& state = *state_;
  if (state.state != STATE_NEW) throw omni_thread_invalid();
  pthread_attr_t attributes;
  check(pthread_attr_init(&attributes));
  const std::unique_ptr<pthread_attr_t, int (*)(pthread_attr_t*)> end(&attributes, &pthread_attr_destroy);
  if (detached) check(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
  if (const unsigned long bytes = stack_bytes) check(pthread_attr_setstacksize(&attributes, bytes));
  state.detached = detached;
  check(pthread_create(&state.thread, &attributes, &run_thread, this));
  state.state = STATE_RUNNING;
  state.use_priority();
}

void omni_thread::start() { launch(state_->detached); }
void omni_thread::start_undetached() { launch(false); }

void omni_thread::join(void** result) {
  {
    const std::lock_guard lock(states);
    if (this == current || state_->state == STATE_NEW || state_->detached) throw omni_thread_invalid();
  }
  check(pthread_join(state_->thread, nullptr));
  if (result) *result = state_->result;
  delete this;
}

void omni_thread::set_priority(priority_t priority) {
  const std::lock_guard lock(states);
  if (state_->state != STATE_RUNNING) throw omni_thread_invalid();
  state_->priority = priority;
  state_->use_priority();
}

omni_thread::priority_t omni_thread::priority() {
  const std::lock_guard lock(states);
  return state_->priority;
}

omni_thread::state_t omni_thread::state() {
  const std::lock_guard lock(states);
  return state_->state;
}

omni_thread* omni_thread::create(void (*function)(void*), void* argument, priority_t priority) {
  auto* const thread = new omni_thread(function, argument, priority);
  thread->start();
  return thread;
}

omni_thread* omni_thread::create(void* (*function)(void*), void* argument, priority_t priority) {
  auto* const thread = new omni_thread(function, argument, priority);
  thread->start();
  return thread;
}

void omni_thread::exit(void* result) {
  if (current) current->state_->result = result;
  pthread_exit(result);
}

omni_thread* omni_thread::self() {
  if (!current && gettid() == getpid()) {  // as long as the process lives
    auto* const main_thread = new omni_thread();
    main_thread->state_->thread = pthread_self();
    main_thread->state_->state = STATE_RUNNING;
    current = main_thread;
  }
  return current;
}

void omni_thread::yield() { sched_yield(); }

void omni_thread::sleep(unsigned long seconds, unsigned long nanoseconds) {
  const omni_time_t span(std::min(seconds, kLastSecond), nanoseconds);
  timespec left{static_cast<time_t>(span.s), static_cast<long>(span.ns)};
  while (nanosleep(&left, &left) != 0) check(errno == EINTR ? 0 : errno);
}

void omni_thread::get_time(unsigned long* seconds, unsigned long* nanoseconds, unsigned long span_seconds,
                           unsigned long span_nanoseconds) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  omni_time_t time(static_cast<unsigned long>(now.tv_sec), static_cast<unsigned long>(now.tv_nsec));
  time += omni_time_t(span_seconds, span_nanoseconds);
  *seconds = time.s;
  *nanoseconds = time.ns;
}

void omni_thread::stacksize(unsigned long bytes) { stack_bytes = bytes; }
unsigned long omni_thread::stacksize() { return stack_bytes; }

omni_thread::key_t omni_thread::allocate_key() { return ++keys; }

omni_thread::value_t* omni_thread::set_value(key_t key, value_t* value) {
  if (key == 0 || key > keys) throw omni_thread_invalid();
  auto& values = state_->values;
  if (values.size() <= key) values.resize(key + 1);
  const std::unique_ptr<value_t> before = std::exchange(values[key], std::unique_ptr<value_t>(value));
  return value;
}

omni_thread::value_t* omni_thread::get_value(key_t key) {
  return key < state_->values.size() ? state_->values[key].get() : nullptr;
}

omni_thread::value_t* omni_thread::remove_value(key_t key) {
  return key < state_->values.size() ? state_->values[key].release() : nullptr;
}

omni_thread* omni_thread::create_dummy() {
  if (self()) throw omni_thread_invalid();
  auto* const dummy = new omni_thread();
  dummy->state_->thread = pthread_self();
  dummy->state_->state = STATE_RUNNING;
  dummy->state_->dummy = true;
  return current = dummy;
}

void omni_thread::release_dummy() {
  if (!current || !current->state_->dummy) throw omni_thread_invalid();
  const Ending ending{current};
}

}  // namespace callis_compat
