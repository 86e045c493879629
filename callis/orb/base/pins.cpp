// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/pins.h>
#include <cstdlib>
#include <linux/membarrier.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace callis::orb {

constinit thread_local PinRecord* pin_record __attribute__((tls_model("initial-exec"))) = nullptr;
constinit std::atomic<PinRecord*> all_pin_records{nullptr};

namespace {

bool membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }
bool register_barrier() { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

constinit thread_local bool thread_over = false;

// Gives the record back at the thread's end.
struct ThreadEnd {
  bool known = false;
  ~ThreadEnd() {
    thread_over = true;
    if (PinRecord* const mine = pin_record) mine->taken.store(false, std::memory_order_release);
    pin_record = nullptr;
  }
};
thread_local ThreadEnd thread_end;

PinRecord* take_unused() {
  for (PinRecord* r = all_pin_records.load(std::memory_order_acquire); r; r = r->next)
    if (!r->taken.load(std::memory_order_relaxed) && !r->taken.exchange(true, std::memory_order_acquire)) return r;
  return nullptr;
}

}  // namespace

bool has_heavy_barrier() noexcept {
  static const bool has = register_barrier();
  return has;
}

void prepare_pins() noexcept { (void)has_heavy_barrier(); }

[[gnu::cold]] PinRecord* make_pin_record() noexcept {
  if (thread_over) return nullptr;
  thread_end.known = true;
  PinRecord* r = take_unused();
  if (!r) {
    r = new (std::nothrow) PinRecord;
    if (!r) return nullptr;
    r->taken.store(true, std::memory_order_relaxed);
    r->exchanges = !has_heavy_barrier();
    if (r->exchanges) r->plain_pairs = 0;
    r->next = all_pin_records.load(std::memory_order_relaxed);
    while (!all_pin_records.compare_exchange_weak(r->next, r, std::memory_order_seq_cst)) {
    }
  }
  return pin_record = r;
}

void heavy_barrier() noexcept {
  if (!has_heavy_barrier()) return;
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) [[likely]] return;
  // Not registered after all: a child of fork() may have lost it.
  if (!register_barrier() || !membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) std::abort();
}

}  // namespace callis::orb
