// SPDX-License-Identifier: Apache-2.0
// The one thread of a process of the micro profile, and what the thread waits for.
//
//   run(), perform_work() ──→ Loop::turn() ──poll()──→ Source::ready()   listeners, connections of clients
//   call ── waits for a reply ──→ Loop::wait() ─┘                        (server.cpp)
//
// While a call waits for its reply, the thread serves requests, so that a servant may call its caller back, and a
// program may call itself. Such requests nest at most kMostNested deep. Deeper calls wait for their replies alone.
//
// One thread. Nothing here throws.
#pragma once
#include <callis/base/clock.h>
#include <cstddef>
#include <cstdint>

namespace callis::micro {

// A descriptor that the loop waits for. Belongs to its maker, who takes it out of the loop before closing it.
class Source {
 public:
  // Some of the wanted events have come, or an error. May take sources out of the loop, this one too.
  virtual void ready() noexcept = 0;
  // The time due has passed.
  virtual void late() noexcept = 0;

 protected:
  Source() = default;
  ~Source() = default;

 public:
  int fd = -1;
  short wanted = 0;    // poll()'s events; 0: the source waits for nothing but its time
  bool pending = false;  // there is work already: ready() is called without events, too
  TimePoint due = TimePoint::max();

 private:
  friend class Loop;
  Source* next_ = nullptr;
  std::uint32_t serial_ = 0;  // never the same again; 0: not in the loop
};

class Loop {
 public:
  static constexpr std::size_t kMostSources = 128;
  static constexpr std::uint32_t kMostNested = 16;

  // The process has one.
  static Loop& instance() { return instance_; }

  // Returns false if there are kMostSources already.
  bool add(Source& source);
  void remove(Source& source);
  std::size_t size() const { return size_; }

  // Waits for the sources until that time at most, and serves each ready one once. Returns false if none was ready.
  bool turn(TimePoint until) { return go(-1, 0, until) != kNothing; }
  // Waits for the descriptor and serves the sources meanwhile. Returns false if the time has passed.
  bool wait(int fd, short events, TimePoint until);
  // Whether turn() would find something to do until that time; waits for it.
  bool has_work(TimePoint until = {}) const;

  // Requests that are being executed, one within the other.
  std::uint32_t nested() const { return nested_; }
  struct Nested {
    Nested() { ++instance_.nested_; }
    ~Nested() { --instance_.nested_; }
  };

 private:
  enum Outcome { kNothing, kServed, kReady };

  constexpr Loop() = default;
  Outcome go(int fd, short events, TimePoint until);
  Source* find(std::uint32_t serial) const;

  static constinit Loop instance_;

  Source* first_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t last_serial_ = 0;
  std::uint32_t nested_ = 0;
};

}  // namespace callis::micro
