// SPDX-License-Identifier: Apache-2.0
// RtMutex: RTCORBA::Mutex, with the priority inheritance of POSIX (Real-time CORBA 1.2, "Mutex Interface"). The
// thread that has the mutex runs at the priority of the most urgent waiting thread.
#pragma once
#include <callis/idl/RTCORBA.h>
#include <pthread.h>
#include <atomic>
#include <string>

namespace callis::rt {

class RtMutex final : public RTCORBA::Mutex {
 public:
  // owner: of whom it is, for RTORB::destroy_mutex(). name: empty for none. NO_RESOURCES.
  explicit RtMutex(const void* owner, std::string name = {});

  void lock() override;
  void unlock() override;
  CORBA::Boolean try_lock(TimeBase::TimeT max_wait) override;

  // The mutex cannot be locked any more. BAD_INV_ORDER while a thread has it.
  void end();
  const void* owner() const { return owner_; }
  const std::string& name() const { return name_; }

 private:
  ~RtMutex() override;
  int wait(TimeBase::TimeT max_wait);
  void got(int error);
  [[noreturn]] static void raise_destroyed();

  pthread_mutex_t mutex_;
  std::atomic<bool> ended_{false};
  std::atomic<bool> locked_{false};
  const void* const owner_;
  const std::string name_;
};

}  // namespace callis::rt
