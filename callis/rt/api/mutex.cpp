// SPDX-License-Identifier: Apache-2.0
// Mutexes of POSIX threads, with priority inheritance, as objects.
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/rt/api/mutex.h>
#include <callis/rt/base/minor_codes.h>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace callis::rt {
namespace {

constexpr std::uint64_t kPerSecond = 10'000'000;  // units of TimeBase::TimeT
// Some 30 years: beyond it a wait has no end.
constexpr std::uint64_t kMost = kPerSecond * 1'000'000'000;

timespec moment_after(clockid_t clock, std::uint64_t units) {
  timespec at{};
  clock_gettime(clock, &at);
  at.tv_sec += static_cast<time_t>(units / kPerSecond);
  at.tv_nsec += static_cast<long>(units % kPerSecond) * 100;
  if (at.tv_nsec >= 1'000'000'000) {
    at.tv_nsec -= 1'000'000'000;
    ++at.tv_sec;
  }
  return at;
}

}  // namespace

RtMutex::RtMutex(const void* owner, std::string name) : owner_(owner), name_(std::move(name)) {
  pthread_mutexattr_t attributes;
  int error = pthread_mutexattr_init(&attributes);
  if (error == 0) {
    error = pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    if (error == 0) error = pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    if (error == 0) error = pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  if (error != 0)
    raise<CORBA::NO_RESOURCES>(0, CORBA::COMPLETED_NO,
                               concat({"no mutex with priority inheritance: ", std::strerror(error)}));
}

RtMutex::~RtMutex() { pthread_mutex_destroy(&mutex_); }

void RtMutex::raise_destroyed() {
  raise<CORBA::OBJECT_NOT_EXIST>(kMutexDestroyed, CORBA::COMPLETED_NO, "the mutex has been destroyed");
}

// After the system has answered a wish for the mutex: 0, or why not.
void RtMutex::got(int error) {
  if (error == EDEADLK)
    raise<CORBA::BAD_INV_ORDER>(kLockedByMe, CORBA::COMPLETED_NO,
                                "the calling thread has the mutex already, and would wait for itself");
  if (error != 0)
    raise<CORBA::NO_RESOURCES>(0, CORBA::COMPLETED_NO,
                               concat({"the mutex cannot be locked: ", std::strerror(error)}));
  if (ended_.load(std::memory_order_relaxed)) {
    pthread_mutex_unlock(&mutex_);
    raise_destroyed();
  }
  locked_.store(true, std::memory_order_relaxed);
}

void RtMutex::lock() {
  if (ended_.load(std::memory_order_relaxed)) raise_destroyed();
  got(pthread_mutex_lock(&mutex_));
}

void RtMutex::unlock() {
  if (ended_.load(std::memory_order_relaxed)) raise_destroyed();
  // Set false before another thread can have it; who has not got it changes nothing.
  const bool locked = locked_.load(std::memory_order_relaxed);
  locked_.store(false, std::memory_order_relaxed);
  if (pthread_mutex_unlock(&mutex_) == 0) return;
  locked_.store(locked, std::memory_order_relaxed);
  if (locked)
    raise<CORBA::NO_PERMISSION>(kLockedByOther, CORBA::COMPLETED_NO,
                                "another thread has the mutex, and alone can unlock it");
  raise<CORBA::BAD_INV_ORDER>(kNotLocked, CORBA::COMPLETED_NO, "no thread has the mutex");
}

int RtMutex::wait(TimeBase::TimeT max_wait) {
  if (max_wait == 0) return pthread_mutex_trylock(&mutex_);
  if (max_wait > kMost) return pthread_mutex_lock(&mutex_);
  timespec until = moment_after(CLOCK_MONOTONIC, max_wait);
  const int error = pthread_mutex_clocklock(&mutex_, CLOCK_MONOTONIC, &until);
  if (error != EINVAL) return error;
  // Linux before 5.14 knows waits for such a mutex by the clock of the day alone.
  until = moment_after(CLOCK_REALTIME, max_wait);
  return pthread_mutex_timedlock(&mutex_, &until);
}

CORBA::Boolean RtMutex::try_lock(TimeBase::TimeT max_wait) {
  if (ended_.load(std::memory_order_relaxed)) raise_destroyed();
  const int error = wait(max_wait);
  if (error == EBUSY || error == ETIMEDOUT) return false;
  got(error);
  return true;
}

void RtMutex::end() {
  const int error = pthread_mutex_trylock(&mutex_);
  if (error != 0)
    raise<CORBA::BAD_INV_ORDER>(kMutexInUse, CORBA::COMPLETED_NO, "a thread has the mutex that is to be destroyed");
  const bool before = ended_.exchange(true, std::memory_order_relaxed);
  pthread_mutex_unlock(&mutex_);
  if (before) raise_destroyed();
}

}  // namespace callis::rt
