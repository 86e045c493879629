// SPDX-License-Identifier: Apache-2.0
// Pins: the slots of object tables, and the ORBs, that each thread is inside. A thread notes the slot in a record of
// its own and looks at the slot's word afterwards. A thread that ends an activation changes the word first and looks
// at the records afterwards. One of the two always sees the other, because the ending thread makes all notes visible
// (heavy_barrier). So pinning costs a thread two stores to its own memory, and nothing is written to the slot.
//
//   thread:  note slot | read word, Active? ... | take note away | read word, still Active?
//   ending:  word = Draining | heavy_barrier() | is it noted anywhere?
//
// The barrier is membarrier() of Linux, half a microsecond. If the kernel lacks membarrier(), threads make their
// notes by sequentially consistent exchanges instead. A process that forbids itself system calls after its first
// object table was made must go on allowing membarrier().
//
// Notes are a stack: the last pin is let go first. All threads and all tables of the process share the records, which
// are made at a thread's first pin, used again after its end, and never freed.
#pragma once
#include <atomic>
#include <cstdint>

namespace callis::orb {

// A fence of this thread. ThreadSanitizer knows no fences, so there it is an operation on one atomic.
inline void full_fence() noexcept {
#ifdef __SANITIZE_THREAD__
  static constinit std::atomic<int> fence{0};
  fence.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

struct alignas(64) PinRecord {
  static constexpr std::uint32_t kDepth = 13;

  std::atomic<const void*> at[kDepth] = {};  // [0, depth) are notes; written by the owner
  std::uint32_t depth = 0;                   // the owner's
  std::uint32_t plain_pairs = kDepth - 1;    // the owner's: below that depth it takes_two(); 0 with
  bool exchanges = false;                    // the owner's: there is no heavy barrier
  PinRecord* next = nullptr;                 // constant once in the list
  std::atomic<bool> taken{false};

  void note(const void* slot) { put(depth, slot); }
  void keep() { ++depth; }
  // Takes away the note of note(), or the last of several notes after keep().
  void clear() { put(depth, nullptr); }
  // Whether there is room for two more notes, and plain stores suffice.
  bool takes_two() const { return depth < plain_pairs; }
  void note_at(std::uint32_t i, const void* slot) {
    depth = i + 1;
    store(i, slot);
  }
  void clear_at(std::uint32_t i) {
    depth = i;
    store(i, nullptr);
  }
  // Whether there can be a note at i, and plain stores suffice. i may have any value.
  bool is_plain(std::uint32_t i) const { return i < plain_pairs; }
  bool is_at(std::uint32_t i, const void* slot) const { return at[i].load(std::memory_order_relaxed) == slot; }
  bool is_top(const void* slot) const {
    return depth != 0 && at[depth - 1].load(std::memory_order_relaxed) == slot;
  }

 private:
  void put(std::uint32_t i, const void* slot) {
    if (exchanges) [[unlikely]] {
      at[i].exchange(slot, std::memory_order_seq_cst);
    } else {
      store(i, slot);
    }
  }
  void store(std::uint32_t i, const void* slot) {
    at[i].store(slot, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // heavy_barrier() is the other half
  }
};

// The record of the calling thread; nullptr before its first pin.
extern constinit thread_local PinRecord* pin_record __attribute__((tls_model("initial-exec")));
// Gets a record for the calling thread. Returns nullptr at the end of the thread, or without memory: then pins are
// counted in the slot.
PinRecord* make_pin_record() noexcept;

// Called before the first note of the process. Further calls have no effect.
void prepare_pins() noexcept;
// The barrier, for all threads of the process; nothing if the system has none.
void heavy_barrier() noexcept;
bool has_heavy_barrier() noexcept;

// Calls f(slot) for every note. heavy_barrier() must have been called before.
template <class F>
void for_each_note(F f);
extern constinit std::atomic<PinRecord*> all_pin_records;

template <class F>
void for_each_note(F f) {
  for (const PinRecord* r = all_pin_records.load(std::memory_order_acquire); r; r = r->next) {
    for (const auto& at : r->at) {
      const void* const slot = at.load(std::memory_order_seq_cst);
      if (!slot) break;
      f(slot);
    }
  }
}

}  // namespace callis::orb
