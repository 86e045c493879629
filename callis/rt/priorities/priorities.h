// SPDX-License-Identifier: Apache-2.0
// Priorities of threads: the CORBA priority of the calling thread (RTCORBA::Current), and its priority in the
// operating system. Everything is about the calling thread alone, without locks. There is a system call only if
// something changes.
#pragma once
#include <callis/idl/RTCORBA.h>
#include <callis/rt/base/replaceable.h>
#include <memory>
#include <optional>

#include <callis/rt/priorities/priority_mapping.h>

namespace callis::rt {

inline constexpr std::int32_t kNoPriority = -1;
extern constinit thread_local std::int32_t t_priority __attribute__((tls_model("initial-exec")));

// The priority that RTCORBA::Current::the_priority() returns; none until the thread has set it.
inline std::optional<RTCORBA::Priority> thread_priority() {
  if (t_priority < 0) return std::nullopt;
  return static_cast<RTCORBA::Priority>(t_priority);
}
// Sets the number alone; set_native() tells the operating system.
inline void set_thread_priority(std::optional<RTCORBA::Priority> priority) {
  t_priority = priority ? *priority : kNoPriority;
}

// Makes the calling thread a SCHED_FIFO thread of that priority, unless it is known to be so already. Returns 0, or
// an errno, after which nothing has changed: EPERM if the process has not the right, EINVAL if the system has no such
// priority. Only the last call of this function is known: after other changes of the thread's scheduling call
// forget_native().
[[nodiscard]] int set_native(int native) noexcept;
void forget_native() noexcept;

// Its end restores the thread's CORBA priority, and also the native priority if it was known.
class PriorityScope final {
 public:
  PriorityScope();
  ~PriorityScope();
  PriorityScope(const PriorityScope&) = delete;
  PriorityScope& operator=(const PriorityScope&) = delete;

 private:
  const std::int32_t priority_, native_;
};

// The mapping of an ORB. Any thread may call. The mapping can be replaced while threads use it.
class PriorityMapper final {
 public:
  explicit PriorityMapper(std::unique_ptr<RTCORBA::PriorityMapping> first) : mapping_(std::move(first)) {}

  // Both return none if the mapping has none, or throws.
  std::optional<int> to_native(RTCORBA::Priority priority) const noexcept;
  std::optional<RTCORBA::Priority> to_corba(int native) const noexcept;

  RTCORBA::PriorityMapping* mapping() const { return mapping_.now(); }
  void set(std::unique_ptr<RTCORBA::PriorityMapping> mapping) { mapping_.set(std::move(mapping)); }

 private:
  Replaceable<RTCORBA::PriorityMapping> mapping_;
};

// The transform of an ORB, in the same way; at first there is none.
class PriorityTransformer final {
 public:
  bool any() const { return transform() != nullptr; }
  // Both return false if the transform did, or threw, or made an invalid priority.
  bool inbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept;
  bool outbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept;

  RTCORBA::PriorityTransform* transform() const { return transform_.now(); }
  void set(std::unique_ptr<RTCORBA::PriorityTransform> transform) { transform_.set(std::move(transform)); }

 private:
  Replaceable<RTCORBA::PriorityTransform> transform_;
};

}  // namespace callis::rt
