// SPDX-License-Identifier: Apache-2.0
// ACE's mutexes, guards, conditions and semaphores, and ACE_Task_Base, over the C++ standard library. Functions
// return 0, or -1 with errno, as ACE's do.
#pragma once
#include <ace/base.h>
#include <pthread.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#define USYNC_THREAD 0
#define USYNC_PROCESS 1
enum {
  THR_NEW_LWP = 1,
  THR_JOINABLE = 2,
  THR_DETACHED = 4,
  THR_BOUND = 8,
  THR_INHERIT_SCHED = 16,
  THR_SCHED_FIFO = 32,
  THR_SCHED_RR = 64,
  THR_SCHED_DEFAULT = 128,
  THR_SCOPE_SYSTEM = 256,
  THR_SCOPE_PROCESS = 512
};
#define ACE_DEFAULT_THREAD_PRIORITY (-0x7fffffffL - 1L)

template <class Mutex>
class CallisAceLock {
 public:
  explicit CallisAceLock(const ACE_TCHAR* = nullptr) {}
  CallisAceLock(int, const ACE_TCHAR* = nullptr, void* = nullptr) {}
  CallisAceLock(const CallisAceLock&) = delete;
  CallisAceLock& operator=(const CallisAceLock&) = delete;
  int acquire() { return mutex_.lock(), 0; }
  int tryacquire() {
    if (mutex_.try_lock()) return 0;
    errno = EBUSY;
    return -1;
  }
  int release() { return mutex_.unlock(), 0; }
  int acquire_read() { return acquire(); }
  int acquire_write() { return acquire(); }
  int tryacquire_read() { return tryacquire(); }
  int tryacquire_write() { return tryacquire(); }
  int remove() { return 0; }
  Mutex& lock() { return mutex_; }

 private:
  Mutex mutex_;
};
class ACE_Thread_Mutex : public CallisAceLock<std::mutex> {
  using CallisAceLock::CallisAceLock;
};
class ACE_Recursive_Thread_Mutex : public CallisAceLock<std::recursive_mutex> {
  using CallisAceLock::CallisAceLock;
};
using ACE_Mutex = ACE_Thread_Mutex;

class ACE_Null_Mutex {
 public:
  explicit ACE_Null_Mutex(const ACE_TCHAR* = nullptr) {}
  int acquire() { return 0; }
  int tryacquire() { return 0; }
  int release() { return 0; }
  int acquire_read() { return 0; }
  int acquire_write() { return 0; }
  int remove() { return 0; }
};

class ACE_RW_Thread_Mutex {
 public:
  int acquire() { return acquire_write(); }
  int acquire_read() {
    mutex_.lock_shared();
    return 0;
  }
  int acquire_write() {
    mutex_.lock();
    writes_ = true;
    return 0;
  }
  int tryacquire_read() { return mutex_.try_lock_shared() ? 0 : -1; }
  int tryacquire_write() {
    if (!mutex_.try_lock()) return -1;
    writes_ = true;
    return 0;
  }
  int release() {
    if (writes_) {
      writes_ = false;
      mutex_.unlock();
    } else {
      mutex_.unlock_shared();
    }
    return 0;
  }

 private:
  std::shared_mutex mutex_;
  bool writes_ = false;
};
using ACE_RW_Mutex = ACE_RW_Thread_Mutex;

struct ACE_MT_SYNCH;
struct ACE_NULL_SYNCH;

template <class LOCK>
class ACE_Guard {
 public:
  explicit ACE_Guard(LOCK& lock) : lock_(&lock) { acquire(); }
  ACE_Guard(LOCK& lock, bool block) : lock_(&lock) { block ? acquire() : tryacquire(); }
  ~ACE_Guard() { release(); }
  ACE_Guard(const ACE_Guard&) = delete;
  ACE_Guard& operator=(const ACE_Guard&) = delete;
  int acquire() { return owner_ = lock_->acquire(); }
  int tryacquire() { return owner_ = lock_->tryacquire(); }
  int release() {
    if (owner_ == -1) return -1;
    owner_ = -1;
    return lock_->release();
  }
  int locked() const { return owner_ != -1; }
  int remove() { return lock_->remove(); }
  void disown() { owner_ = -1; }

 protected:
  struct Unlocked {};
  ACE_Guard(LOCK& lock, Unlocked) : lock_(&lock) {}
  LOCK* lock_;
  int owner_ = -1;
};
template <class LOCK>
class ACE_Write_Guard : public ACE_Guard<LOCK> {
 public:
  explicit ACE_Write_Guard(LOCK& lock) : ACE_Guard<LOCK>(lock, typename ACE_Guard<LOCK>::Unlocked()) {
    this->owner_ = lock.acquire_write();
  }
};
template <class LOCK>
class ACE_Read_Guard : public ACE_Guard<LOCK> {
 public:
  explicit ACE_Read_Guard(LOCK& lock) : ACE_Guard<LOCK>(lock, typename ACE_Guard<LOCK>::Unlocked()) {
    this->owner_ = lock.acquire_read();
  }
};
// Releases the lock for the scope.
template <class LOCK>
class ACE_Reverse_Lock {
 public:
  explicit ACE_Reverse_Lock(LOCK& lock) : lock_(lock) {}
  int acquire() { return lock_.release(); }
  int release() { return lock_.acquire(); }
  int remove() { return 0; }

 private:
  LOCK& lock_;
};
#define ACE_GUARD(MUTEX, name, lock) \
  ACE_Guard<MUTEX> name(lock);       \
  if (name.locked() == 0) return
#define ACE_GUARD_RETURN(MUTEX, name, lock, result) \
  ACE_Guard<MUTEX> name(lock);                      \
  if (name.locked() == 0) return result
#define ACE_READ_GUARD(MUTEX, name, lock) \
  ACE_Read_Guard<MUTEX> name(lock);       \
  if (name.locked() == 0) return
#define ACE_READ_GUARD_RETURN(MUTEX, name, lock, result) \
  ACE_Read_Guard<MUTEX> name(lock);                      \
  if (name.locked() == 0) return result
#define ACE_WRITE_GUARD(MUTEX, name, lock) \
  ACE_Write_Guard<MUTEX> name(lock);       \
  if (name.locked() == 0) return
#define ACE_WRITE_GUARD_RETURN(MUTEX, name, lock, result) \
  ACE_Write_Guard<MUTEX> name(lock);                      \
  if (name.locked() == 0) return result

template <class MUTEX>
class ACE_Condition {
 public:
  explicit ACE_Condition(MUTEX& mutex, int = USYNC_THREAD) : mutex_(mutex) {}
  // until: a moment, as gettimeofday() has it. -1 and ETIME if it has come.
  int wait(const ACE_Time_Value* until = nullptr) { return wait(mutex_, until); }
  int wait(MUTEX& mutex, const ACE_Time_Value* until = nullptr) {
    Held held{mutex};
    if (!until) return condition_.wait(held), 0;
    const auto when = std::chrono::system_clock::time_point(
        std::chrono::seconds(until->sec()) + std::chrono::microseconds(until->usec()));
    if (condition_.wait_until(held, when) == std::cv_status::no_timeout) return 0;
    errno = ETIME;
    return -1;
  }
  int signal() { return condition_.notify_one(), 0; }
  int broadcast() { return condition_.notify_all(), 0; }
  int remove() { return 0; }
  MUTEX& mutex() { return mutex_; }

 private:
  struct Held {
    MUTEX& mutex;
    void lock() { mutex.acquire(); }
    void unlock() { mutex.release(); }
  };
  MUTEX& mutex_;
  std::condition_variable_any condition_;
};
using ACE_Condition_Thread_Mutex = ACE_Condition<ACE_Thread_Mutex>;
using ACE_Condition_Recursive_Thread_Mutex = ACE_Condition<ACE_Recursive_Thread_Mutex>;
using ACE_Thread_Condition_Of_Mutex = ACE_Condition<ACE_Thread_Mutex>;
template <class MUTEX>
using ACE_Thread_Condition = ACE_Condition<MUTEX>;

class ACE_Thread_Semaphore {
 public:
  explicit ACE_Thread_Semaphore(unsigned count = 1, const ACE_TCHAR* = nullptr) : count_(count) {}
  int acquire() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ > 0; });
    --count_;
    return 0;
  }
  int tryacquire() {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return errno = EBUSY, -1;
    --count_;
    return 0;
  }
  int release() { return release(1); }
  int release(unsigned n) {
    const std::lock_guard lock(mutex_);
    count_ += n;
    changed_.notify_all();
    return 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned count_;
};
using ACE_Semaphore = ACE_Thread_Semaphore;

struct ACE_Null_Condition {
  explicit ACE_Null_Condition(ACE_Null_Mutex&) {}
  int wait(const ACE_Time_Value* = nullptr) { return errno = ETIME, -1; }
  int signal() { return 0; }
  int broadcast() { return 0; }
};
struct ACE_MT_SYNCH {
  using MUTEX = ACE_Thread_Mutex;
  using RECURSIVE_MUTEX = ACE_Recursive_Thread_Mutex;
  using CONDITION = ACE_Condition_Thread_Mutex;
  using SEMAPHORE = ACE_Thread_Semaphore;
};
struct ACE_NULL_SYNCH {
  using MUTEX = ACE_Null_Mutex;
  using RECURSIVE_MUTEX = ACE_Null_Mutex;
  using CONDITION = ACE_Null_Condition;
};
#define ACE_SYNCH ACE_MT_SYNCH
#define ACE_SYNCH_USE ACE_MT_SYNCH
#define ACE_SYNCH_DECL class ACE_SYNCH_OF
#define ACE_SYNCH_MUTEX ACE_Thread_Mutex
#define ACE_SYNCH_NULL_MUTEX ACE_Null_Mutex
#define ACE_SYNCH_RECURSIVE_MUTEX ACE_Recursive_Thread_Mutex
#define ACE_SYNCH_RW_MUTEX ACE_RW_Thread_Mutex
#define ACE_SYNCH_CONDITION ACE_Condition_Thread_Mutex
#define ACE_SYNCH_SEMAPHORE ACE_Thread_Semaphore

class ACE_Barrier {
 public:
  explicit ACE_Barrier(unsigned count, const ACE_TCHAR* = nullptr) : count_(count), left_(count) {}
  int wait() {
    std::unique_lock lock(mutex_);
    if (--left_ == 0) {
      left_ = count_;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [this, round = round_] { return round != round_; });
    }
    return 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const unsigned count_;
  unsigned left_;
  unsigned long round_ = 0;
};
using ACE_Thread_Barrier = ACE_Barrier;

// A number that threads may change. LOCK is what ACE guards it with.
template <class LOCK, class TYPE>
class ACE_Atomic_Op {
 public:
  ACE_Atomic_Op(TYPE value = TYPE()) : value_(value) {}
  ACE_Atomic_Op(const ACE_Atomic_Op& o) : value_(o.value()) {}
  ACE_Atomic_Op& operator=(const ACE_Atomic_Op& o) { return value_ = o.value(), *this; }
  ACE_Atomic_Op& operator=(TYPE v) { return value_ = v, *this; }
  TYPE operator++() { return ++value_; }
  TYPE operator++(int) { return value_++; }
  TYPE operator--() { return --value_; }
  TYPE operator--(int) { return value_--; }
  TYPE operator+=(TYPE v) { return value_ += v; }
  TYPE operator-=(TYPE v) { return value_ -= v; }
  bool operator==(TYPE v) const { return value() == v; }
  bool operator>=(TYPE v) const { return value() >= v; }
  bool operator>(TYPE v) const { return value() > v; }
  bool operator<=(TYPE v) const { return value() <= v; }
  bool operator<(TYPE v) const { return value() < v; }
  TYPE value() const { return value_.load(); }

 private:
  std::atomic<TYPE> value_;
};

template <class TYPE>
class ACE_TSS {
 public:
  TYPE* operator->() const { return get(); }
  operator TYPE*() const { return get(); }
  TYPE* ts_object() const { return get(); }

 private:
  TYPE* get() const {
    thread_local std::vector<std::pair<const void*, std::unique_ptr<TYPE>>> all;
    for (auto& [owner, one] : all)
      if (owner == this) return one.get();
    return all.emplace_back(this, std::make_unique<TYPE>()).second.get();
  }
};

template <class TYPE, class LOCK>
class ACE_Singleton {
 public:
  static TYPE* instance() {
    static ACE_Singleton one;
    return &one.object_;
  }

 protected:
  ACE_Singleton() = default;
  TYPE object_;
};
template <class TYPE, class LOCK>
using TAO_Singleton = ACE_Singleton<TYPE, LOCK>;

using ACE_THR_FUNC = void* (*)(void*);
using ACE_THR_FUNC_RETURN = void*;

// All threads that tasks and spawn() start, to wait for.
class ACE_Thread_Manager {
 public:
  static ACE_Thread_Manager* instance() {
    static ACE_Thread_Manager one;
    return &one;
  }
  ~ACE_Thread_Manager() {
    for (std::thread& t : threads_)
      if (t.joinable()) t.detach();
  }
  // The group of the thread, or -1.
  int spawn(ACE_THR_FUNC function, void* argument = nullptr, long = 0, ACE_thread_t* = nullptr) {
    return start([=] { function(argument); });
  }
  int spawn_n(std::size_t n, ACE_THR_FUNC function, void* argument = nullptr, long = 0) {
    for (std::size_t i = 0; i < n; ++i)
      if (spawn(function, argument) == -1) return -1;
    return 1;
  }
  // Waits for all, also for those that are started meanwhile.
  int wait(const ACE_Time_Value* = nullptr) {
    for (;;) {
      std::vector<std::thread> some;
      {
        const std::lock_guard lock(mutex_);
        some.swap(threads_);
      }
      if (some.empty()) return 0;
      for (std::thread& t : some) t.get_id() == std::this_thread::get_id() ? t.detach() : t.join();
    }
  }
  template <class Function>
  int start(Function&& function) {
    const std::lock_guard lock(mutex_);
    try {
      threads_.emplace_back(std::forward<Function>(function));
    } catch (const std::system_error&) {
      errno = EAGAIN;
      return -1;
    }
    return ++group_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
  int group_ = 0;
};

namespace ACE_Thread {
inline ACE_thread_t self() { return ::pthread_self(); }
inline void yield() { std::this_thread::yield(); }
}  // namespace ACE_Thread

// A class whose svc() runs in threads, which the manager starts.
class ACE_Task_Base {
 public:
  explicit ACE_Task_Base(ACE_Thread_Manager* manager = nullptr)
      : manager_(manager ? manager : ACE_Thread_Manager::instance()) {}
  virtual ~ACE_Task_Base() = default;
  ACE_Task_Base(const ACE_Task_Base&) = delete;
  ACE_Task_Base& operator=(const ACE_Task_Base&) = delete;

  virtual int open(void* = nullptr) { return 0; }
  // Called by the last thread when svc() has ended.
  virtual int close(unsigned long = 0) { return 0; }
  virtual int svc() { return 0; }
  // Starts n threads in svc(). 1 if there are some already, unless force_active.
  virtual int activate(long = THR_NEW_LWP | THR_JOINABLE | THR_INHERIT_SCHED, int n = 1, int force_active = 0,
                       long = ACE_DEFAULT_THREAD_PRIORITY, int = -1, ACE_Task_Base* = nullptr, void*[] = nullptr,
                       std::size_t[] = nullptr, ACE_thread_t[] = nullptr) {
    {
      const std::lock_guard lock(mutex_);
      if (count_ > 0 && !force_active) return 1;
      count_ += n;
      in_svc_ += n;
    }
    for (int i = 0; i < n; ++i) {
      const int group = manager_->start([this] {
        svc();
        if (in_svc_.fetch_sub(1) == 1) close(0);
        end(1);
      });
      if (group == -1) {
        in_svc_ -= n - i;
        end(n - i);
        return -1;
      }
      group_ = group;
    }
    return 0;
  }
  virtual int wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return count_ == 0; });
    return 0;
  }
  std::size_t thr_count() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(count_);
  }
  ACE_Thread_Manager* thr_mgr() const { return manager_; }
  void thr_mgr(ACE_Thread_Manager* m) { manager_ = m; }
  int grp_id() const { return group_; }

 private:
  // The task may be gone as soon as the lock is released.
  void end(int n) {
    const std::lock_guard lock(mutex_);
    count_ -= n;
    ended_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  int count_ = 0;
  std::atomic<int> in_svc_{0};
  std::atomic<int> group_{-1};
  ACE_Thread_Manager* manager_;
};
// It lacks ACE's queue of messages.
template <class SYNCH = ACE_MT_SYNCH>
class ACE_Task : public ACE_Task_Base {
 public:
  using ACE_Task_Base::ACE_Task_Base;
};
