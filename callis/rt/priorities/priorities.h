// SPDX-License-Identifier: Apache-2.0
// Priorities of threads: the CORBA priority of the calling thread (RTCORBA::Current), and the one that the operating
// system gives it. All of the calling thread alone, without locks; a system call only where something changes.
#pragma once
#include <callis/idl/RTCORBA.h>
#include <callis/rt/base/replaceable.h>
#include <memory>
#include <optional>

#include <callis/rt/priorities/priority_mapping.h>

namespace callis::rt {

inline constexpr std::int32_t kNoPriority = -1;
extern constinit thread_local std::int32_t t_priority __attribute__((tls_model("initial-exec")));

// What RTCORBA::Current::the_priority() tells: none until it has been set.
inline std::optional<RTCORBA::Priority> thread_priority() {
  if (t_priority < 0) return std::nullopt;
  return static_cast<RTCORBA::Priority>(t_priority);
}
// The number alone; the operating system is told by set_native().
inline void set_thread_priority(std::optional<RTCORBA::Priority> priority) {
  t_priority = priority ? *priority : kNoPriority;
}

// Makes the calling thread one of SCHED_FIFO at that priority, unless it is known to be. 0, or an errno: EPERM where
// the process may not, EINVAL for a priority that the system has not got; nothing has changed then. The thread's
// priority is known from the last call alone: after other changes of its scheduling, forget_native().
[[nodiscard]] int set_native(int native) noexcept;
void forget_native() noexcept;

// Restores the thread's CORBA priority when it ends; the native one too, where it was known.
class PriorityScope final {
 public:
  PriorityScope();
  ~PriorityScope();
  PriorityScope(const PriorityScope&) = delete;
  PriorityScope& operator=(const PriorityScope&) = delete;

 private:
  const std::int32_t priority_, native_;
};

// The mapping of an ORB. Any thread; the mapping can be replaced while others use it.
class PriorityMapper final {
 public:
  explicit PriorityMapper(std::unique_ptr<RTCORBA::PriorityMapping> first) : mapping_(std::move(first)) {}

  // None where the mapping has none, or throws.
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
  // False: the transform said so, or threw, or made a priority that is none.
  bool inbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept;
  bool outbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept;

  RTCORBA::PriorityTransform* transform() const { return transform_.now(); }
  void set(std::unique_ptr<RTCORBA::PriorityTransform> transform) { transform_.set(std::move(transform)); }

 private:
  Replaceable<RTCORBA::PriorityTransform> transform_;
};

}  // namespace callis::rt
