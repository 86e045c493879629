// SPDX-License-Identifier: Apache-2.0
// Absence: a thread waits for somebody else inside the work that a crew, such as a pool, has it do. The crew hears of
// it, and need not count the thread among those that work.
#pragma once

namespace callis {

class Crew {
 public:
  // Makes the calling thread one of the crew's, for as long as it lives; nullptr: of none's.
  static void enlist(Crew* crew) noexcept { mine_ = crew; }

 protected:
  ~Crew() = default;

 private:
  friend class Absence;
  // By a thread of the crew's. Must not wait long; locks of others may be held.
  virtual void leaves() noexcept = 0;
  virtual void returns() noexcept = 0;

  static constinit thread_local Crew* mine_ __attribute__((tls_model("initial-exec")));
};

// Around the wait; within another one it does nothing. Costs a look at a variable of the thread where there is no crew.
class Absence final {
 public:
  Absence() noexcept : crew_(Crew::mine_) {
    if (crew_) [[unlikely]] begin();
  }
  ~Absence() {
    if (crew_) [[unlikely]] end();
  }
  Absence(const Absence&) = delete;
  Absence& operator=(const Absence&) = delete;

 private:
  void begin() noexcept;
  void end() noexcept;
  Crew* const crew_;
};

}  // namespace callis
