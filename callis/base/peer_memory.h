// SPDX-License-Identifier: Apache-2.0
// PeerMemory: the account of what this process holds for its peers, with one bound over all connections of all ORBs:
// bytes that have come and are not used up, messages in pieces, decoded values, replies that have not been taken in.
//
// Each limit of a connection is harmless for one, and not for thousands. So whatever grows with what peers do takes
// its memory here: buffers (Buffer::kForPeer), and the budgets of messages beyond their first part. When the account
// is used up the holder of most gives up - its connection is closed - unless who asks would hold still more: then it
// is refused.
//
// Fair: connections are counted together by their hosts, as the holders name them. The host that holds most loses its
// connection that holds most. So many connections of one host do not push others out. (Hosts share 256 groups by
// hashes of their names, seeded in each process: two in one group are told apart by their connections alone.)
//
// Any thread; nothing throws. Below the limit taking and giving are one atomic addition each, and only where a buffer
// grows or goes: calls that find their buffers large enough do neither.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <atomic>
#include <cstdint>
#include <string>

namespace callis {

class MemoryHolder;

class PeerMemory final {
 public:
  // So many bytes more are held from now on, until give(). whole: of these and those that they are added to, like a
  // buffer's. False: used up, nothing has been taken, and whoever could give up holds less than the asker.
  [[nodiscard]] static bool take(std::size_t bytes, std::size_t whole) noexcept {
    return take_within(limit_.load(std::memory_order_relaxed), bytes) || make_room(bytes, whole);
  }
  static void give(std::size_t bytes) noexcept { held_.fetch_sub(bytes, std::memory_order_relaxed); }

  static std::size_t held() noexcept { return held_.load(std::memory_order_relaxed); }
  // More than half of what there is: buffers should not be kept for a message that may come.
  static bool is_short() noexcept { return held() > kUnknown && held() > limit() / 2; }

  // In bytes; 0: the default, kMost, or a quarter of what the machine or its control group has where that is less.
  // The process's: the last one set counts. Those who hold more already keep it until somebody asks.
  static void set_limit(std::size_t bytes) noexcept;
  static std::size_t limit() noexcept;
  static constexpr std::size_t kMost = 128u << 20;

  // To be called now and then while wants_look(), kLookEvery apart: when much less is held than was, and has been
  // since the look before, what malloc keeps of it goes back to the system.
  static void look(TimePoint now = Clock::steady().now()) noexcept;
  static bool wants_look() noexcept;
  // Around fork(), by the thread that calls it, in the parent and in the child: holders neither come nor go between.
  static void lock_for_fork() noexcept;
  static void unlock_after_fork() noexcept;
  static constexpr Duration kLookEvery{250};

 private:
  friend class MemoryHolder;
  // What is refused is never counted, not even for a moment: others would be refused for it.
  static bool take_within(std::size_t limit, std::size_t bytes) noexcept {
    std::size_t before = held_.load(std::memory_order_relaxed);
    do {
      if (before > limit || bytes > limit - before) return false;
    } while (!held_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
    if (before + bytes > highest_.load(std::memory_order_relaxed))
      highest_.store(before + bytes, std::memory_order_relaxed);
    return true;
  }
  static bool make_room(std::size_t bytes, std::size_t whole) noexcept;

  // Stands for the default until somebody needs to know that; below it nobody does. No limit that is set is odd.
  static constexpr std::size_t kUnknown = (2u << 20) + 1;

  static std::atomic<std::size_t> held_, limit_;
  static std::atomic<std::size_t> highest_;  // that was held since the last look
};

// Who holds memory for a peer and can be made to give it up: a connection. Its owner says how much that would return.
class MemoryHolder {
 public:
  MemoryHolder(const MemoryHolder&) = delete;
  MemoryHolder& operator=(const MemoryHolder&) = delete;

  // What would come back, as of now; 0 while it would not, as inside an upcall. By one thread at a time each.
  void holds_input(std::size_t bytes) noexcept { holds(input_, bytes); }
  void holds_output(std::size_t bytes) noexcept { holds(output_, bytes); }

  // What the calling thread takes, it takes for this holder from now on. Returns the one before.
  static MemoryHolder* ask_for(MemoryHolder* holder) noexcept {
    MemoryHolder* const before = asker_;
    asker_ = holder;
    return before;
  }

 protected:
  MemoryHolder() = default;
  ~MemoryHolder() { leave(); }
  // No give_up() comes after this. Before what that needs goes.
  void leave() noexcept {
    if (entered_.load(std::memory_order_relaxed)) leave_slowly();
  }

 private:
  friend class PeerMemory;

  // Is to return soon what it holds. Once; from any thread; the account is locked: must not wait, nor call it.
  virtual void give_up() noexcept = 0;
  // For people, and what holders are counted together by. Constant.
  virtual const std::string& peer() const noexcept = 0;
  virtual std::string host() const noexcept = 0;

  void holds(std::atomic<std::size_t>& part, std::size_t bytes) noexcept {
    part.store(bytes, std::memory_order_relaxed);
    if (bytes != 0 && !entered_.load(std::memory_order_relaxed)) enter();
  }
  std::size_t bytes() const {
    return input_.load(std::memory_order_relaxed) + output_.load(std::memory_order_relaxed);
  }
  void enter() noexcept;
  void link() noexcept;
  void leave_slowly() noexcept;

  static constinit thread_local MemoryHolder* asker_ __attribute__((tls_model("initial-exec")));

  MemoryHolder *next_ = nullptr, *previous_ = nullptr;
  std::atomic<std::size_t> input_{0}, output_{0};
  std::atomic<bool> entered_{false};
  bool gives_up_ = false;
  std::uint8_t group_ = 0;
};

}  // namespace callis
