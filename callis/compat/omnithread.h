// SPDX-License-Identifier: Apache-2.0
// omnithread's classes, for programs that were written with them: threads, mutexes, conditions and semaphores over
// the C++ standard library and POSIX threads. docs/guide/from-omniorb.md says who links what.
//
// New programs use <thread> and <mutex>. Times are seconds and nanoseconds since 1970 unless a function says
// otherwise. A call that fails in the system throws omni_thread_fatal. A call that the state of a thread forbids
// throws omni_thread_invalid.
#pragma once
#ifdef __omnithread_h_
#error "callis/compat and omniORB's own headers in one program: leave one of both out of the -I options"
#endif
#define CALLIS_COMPAT_OMNITHREAD
#include <compare>
#include <condition_variable>
#include <memory>
#include <mutex>

inline namespace callis_compat {

// A time, or a span. The nanoseconds are below 1,000,000,000 after each operation.
struct omni_time_t {
  unsigned long s, ns;

  omni_time_t(unsigned long seconds = 0, unsigned long nanoseconds = 0) { assign(seconds, nanoseconds); }
  void assign(unsigned long seconds, unsigned long nanoseconds) {
    s = seconds + nanoseconds / kSecond;
    ns = nanoseconds % kSecond;
  }
  explicit operator bool() const { return s != 0 || ns != 0; }
  friend bool operator==(const omni_time_t&, const omni_time_t&) = default;
  friend auto operator<=>(const omni_time_t&, const omni_time_t&) = default;
  omni_time_t& operator+=(const omni_time_t& o) {
    assign(s + o.s, ns + o.ns);
    return *this;
  }
  omni_time_t& operator-=(const omni_time_t& o) {
    const bool borrows = ns < o.ns;
    assign(s - o.s - (borrows ? 1 : 0), ns + (borrows ? kSecond : 0) - o.ns);
    return *this;
  }
  friend omni_time_t operator+(omni_time_t a, const omni_time_t& b) { return a += b; }
  friend omni_time_t operator-(omni_time_t a, const omni_time_t& b) { return a -= b; }

 private:
  static constexpr unsigned long kSecond = 1'000'000'000;
};

class omni_mutex {
 public:
  omni_mutex() = default;
  omni_mutex(const omni_mutex&) = delete;
  omni_mutex& operator=(const omni_mutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  int trylock() { return mutex_.try_lock(); }
  void acquire() { lock(); }
  void release() { unlock(); }

 private:
  friend class omni_condition;
  std::mutex mutex_;
};

// Holds the mutex as long as it lives.
class omni_mutex_lock {
 public:
  explicit omni_mutex_lock(omni_mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  omni_mutex_lock(const omni_mutex_lock&) = delete;
  omni_mutex_lock& operator=(const omni_mutex_lock&) = delete;
  ~omni_mutex_lock() { mutex_.unlock(); }

 private:
  omni_mutex& mutex_;
};

// Holds the mutex if nobody held it before; the conversion tells.
class omni_mutex_trylock {
 public:
  explicit omni_mutex_trylock(omni_mutex& mutex) : mutex_(mutex), locked_(mutex.trylock()) {}
  omni_mutex_trylock(const omni_mutex_trylock&) = delete;
  omni_mutex_trylock& operator=(const omni_mutex_trylock&) = delete;
  ~omni_mutex_trylock() {
    if (locked_) mutex_.unlock();
  }
  operator int() const { return locked_; }

 private:
  omni_mutex& mutex_;
  const int locked_;
};

// A condition of one mutex, which must outlive the condition. Waiting threads hold the mutex.
class omni_condition {
 public:
  explicit omni_condition(omni_mutex* mutex) : mutex_(mutex) {}
  omni_condition(const omni_condition&) = delete;
  omni_condition& operator=(const omni_condition&) = delete;

  void wait();
  // Waits until that time of the clock. Returns 0 if the time came first, else 1.
  int timedwait(unsigned long seconds, unsigned long nanoseconds = 0);
  int timedwait(const omni_time_t& until) { return timedwait(until.s, until.ns); }
  void signal() { condition_.notify_one(); }
  void broadcast() { condition_.notify_all(); }

 private:
  omni_mutex* const mutex_;
  std::condition_variable condition_;
};

// A counter that waits at 0. post() leaves a counter at max_count as it is.
class omni_semaphore {
 public:
  explicit omni_semaphore(unsigned int initial = 1, unsigned int max_count = 0x7fffffff)
      : count_(initial), most_(max_count) {}
  omni_semaphore(const omni_semaphore&) = delete;
  omni_semaphore& operator=(const omni_semaphore&) = delete;

  void wait();
  // Returns 1 if the counter was above 0 and is less by one now, else 0.
  int trywait();
  void post();

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  unsigned int count_;
  const unsigned int most_;
};

// Waits for the semaphore, and posts it at its end.
class omni_semaphore_lock {
 public:
  explicit omni_semaphore_lock(omni_semaphore& semaphore) : semaphore_(semaphore) { semaphore_.wait(); }
  omni_semaphore_lock(const omni_semaphore_lock&) = delete;
  omni_semaphore_lock& operator=(const omni_semaphore_lock&) = delete;
  ~omni_semaphore_lock() { semaphore_.post(); }

 private:
  omni_semaphore& semaphore_;
};

class omni_thread_fatal {
 public:
  explicit omni_thread_fatal(int e = 0) : error(e) {}
  int error;  // errno's numbers
};
class omni_thread_invalid {};

// A thread, made by new, which runs from start() on. A detached thread, whose function returns void, deletes the
// object at the end of the function. join() deletes the object of any other thread.
class omni_thread {
 public:
  enum priority_t { PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH };
  enum state_t { STATE_NEW, STATE_RUNNING, STATE_TERMINATED };

  omni_thread(void (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  omni_thread(void* (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  omni_thread(const omni_thread&) = delete;
  omni_thread& operator=(const omni_thread&) = delete;

  void start();
  // Waits for the end of a thread that is not detached. The object is gone afterwards.
  void join(void** result);
  // The least, the middle or the greatest priority of SCHED_FIFO or SCHED_RR. Threads of other policies have none.
  void set_priority(priority_t priority);
  priority_t priority();
  state_t state();
  int id() { return id_; }

  static omni_thread* create(void (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL);
  static omni_thread* create(void* (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL);
  // Ends the calling thread. Objects of its stack are destroyed.
  [[noreturn]] static void exit(void* result = nullptr);
  // The calling thread's object; nullptr in a thread that omnithread has not made. The main thread has an object.
  static omni_thread* self();
  static void yield();
  static void sleep(unsigned long seconds, unsigned long nanoseconds = 0);
  static void sleep(const omni_time_t& span) { sleep(span.s, span.ns); }
  // The time of now and of the span behind now.
  static void get_time(unsigned long* seconds, unsigned long* nanoseconds, unsigned long span_seconds = 0,
                       unsigned long span_nanoseconds = 0);
  static void get_time(omni_time_t& time, const omni_time_t& span = omni_time_t()) {
    get_time(&time.s, &time.ns, span.s, span.ns);
  }
  static void get_time(omni_time_t& time, unsigned long span_seconds, unsigned long span_nanoseconds = 0) {
    get_time(&time.s, &time.ns, span_seconds, span_nanoseconds);
  }
  // Of threads that start later, in bytes; 0: the system's.
  static void stacksize(unsigned long bytes);
  static unsigned long stacksize();

  // Values of the thread by key. Only the thread itself uses them. The thread's end deletes the values.
  class value_t {
   public:
    virtual ~value_t() = default;
  };
  using key_t = unsigned int;
  static key_t allocate_key();
  // Deletes the value before. Throws omni_thread_invalid if no allocate_key() has given the key. Returns value.
  value_t* set_value(key_t key, value_t* value);
  // nullptr if there is none.
  value_t* get_value(key_t key);
  // The caller owns the result.
  value_t* remove_value(key_t key);

  // An object for a thread that omnithread has not made; omni_thread_invalid for any other thread.
  static omni_thread* create_dummy();
  static void release_dummy();
  // Makes the object in its constructor unless the thread has one, and releases the object at its end.
  class ensure_self {
   public:
    ensure_self() : made_(!omni_thread::self()) {
      if (made_) create_dummy();
    }
    ensure_self(const ensure_self&) = delete;
    ensure_self& operator=(const ensure_self&) = delete;
    ~ensure_self() {
      if (made_) release_dummy();
    }

   private:
    const bool made_;
  };

 protected:
  // For classes with run() or run_undetached() of their own.
  explicit omni_thread(void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  virtual ~omni_thread();
  // Starts run_undetached(), as start() starts run().
  void start_undetached();
  virtual void run(void* argument);
  virtual void* run_undetached(void* argument);

 private:
  struct State;
  struct Ending;
  static void* run_thread(void* thread);
  void launch(bool detached);

  const std::unique_ptr<State> state_;
  const int id_;
};

}  // namespace callis_compat
