// SPDX-License-Identifier: Apache-2.0
// Boost.Wave guards its grammar tables with Boost.Thread's call_once and thread_specific_ptr: five
// functions of a library that distributions often have only as a shared object. callis-idl must be
// one static program, so the five are here, on the standard library.
#include <boost/thread/once.hpp>
#include <boost/thread/tss.hpp>
#include <mutex>
#include <unordered_map>

namespace boost {

namespace thread_detail {

namespace {
// Held from enter_once_region() to commit or rollback. Recursive: the initialisation of one table
// may need another's.
std::recursive_mutex& once_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}
constexpr unsigned kDone = 2;
}  // namespace

bool enter_once_region(once_flag& flag) BOOST_NOEXCEPT {
  once_mutex().lock();
  if (get_atomic_storage(flag).load() == kDone) {
    once_mutex().unlock();
    return false;
  }
  return true;
}

void commit_once_region(once_flag& flag) BOOST_NOEXCEPT {
  get_atomic_storage(flag).store(kDone);
  once_mutex().unlock();
}

void rollback_once_region(once_flag&) BOOST_NOEXCEPT { once_mutex().unlock(); }

}  // namespace thread_detail

namespace detail {

namespace {

struct Slot {
  thread::cleanup_caller_t caller = nullptr;
  thread::cleanup_func_t cleanup = nullptr;
  void* data = nullptr;

  void release() {
    if (caller != nullptr && data != nullptr) {
      caller(cleanup, data);
    }
  }
};

struct Slots {
  std::unordered_map<void const*, Slot> by_key;
  ~Slots() {
    alive = false;
    for (auto& [key, slot] : by_key) {
      slot.release();
    }
  }
  // Static thread_specific_ptrs are destroyed after the main thread's slots.
  static thread_local bool alive;
};

thread_local bool Slots::alive = true;
thread_local Slots slots;

}  // namespace

void* get_tss_data(void const* key) {
  if (!Slots::alive) {
    return nullptr;
  }
  const auto found = slots.by_key.find(key);
  return found == slots.by_key.end() ? nullptr : found->second.data;
}

void set_tss_data(void const* key, thread::cleanup_caller_t caller, thread::cleanup_func_t func,
                  void* tss_data, bool cleanup_existing) {
  if (!Slots::alive) {
    return;
  }
  if (const auto found = slots.by_key.find(key); found != slots.by_key.end()) {
    Slot old = found->second;
    slots.by_key.erase(found);
    if (cleanup_existing) {
      old.release();
    }
  }
  if (tss_data != nullptr) {
    slots.by_key[key] = Slot{caller, func, tss_data};
  }
}

}  // namespace detail

}  // namespace boost
