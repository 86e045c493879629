// SPDX-License-Identifier: Apache-2.0
// BlockingScope: a thread waits for somebody else inside the work that a group, such as a pool, has it do. The group
// hears of it, and need not count the thread among those that work.
#pragma once

namespace callis {

class WorkerGroup {
 public:
  // What a thread waits for: its turn, which comes when another thread lets go of a lock; or anything else.
  enum class Wait : unsigned char { Usual, Turn };

  // Makes the calling thread one of the group's, for as long as it lives; nullptr: of none's.
  static void enlist(WorkerGroup* group) noexcept { mine_ = group; }
  // Whether the calling thread is one of this group's.
  bool has_this_thread() const noexcept { return mine_ == this; }

 protected:
  ~WorkerGroup() = default;

 private:
  friend class BlockingScope;
  // By a thread of the group's. Must not wait long; locks of others may be held.
  virtual void leaves(Wait what) noexcept = 0;
  virtual void returns() noexcept = 0;

  static constinit thread_local WorkerGroup* mine_ __attribute__((tls_model("initial-exec")));
};

// Around the wait; within another one it does nothing. Costs a look at a variable of the thread where there is no
// group.
class BlockingScope final {
 public:
  using Wait = WorkerGroup::Wait;

  explicit BlockingScope(Wait what = Wait::Usual) noexcept : group_(WorkerGroup::mine_) {
    if (group_) [[unlikely]] begin(what);
  }
  ~BlockingScope() {
    if (group_) [[unlikely]] end();
  }
  BlockingScope(const BlockingScope&) = delete;
  BlockingScope& operator=(const BlockingScope&) = delete;

 private:
  void begin(Wait what) noexcept;
  void end() noexcept;
  WorkerGroup* const group_;
};

}  // namespace callis
