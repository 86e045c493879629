// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/priorities/priorities.h>
#include <pthread.h>

namespace callis::rt {

constinit thread_local std::int32_t t_priority __attribute__((tls_model("initial-exec"))) = kNoPriority;

namespace {

constexpr std::int32_t kUnknown = -1;
// The priority of SCHED_FIFO that set_native() has given the thread.
constinit thread_local std::int32_t t_native __attribute__((tls_model("initial-exec"))) = kUnknown;

bool is_priority(RTCORBA::Priority p) { return p >= RTCORBA::minPriority; }

}  // namespace

int set_native(int native) noexcept {
  if (t_native == native) return 0;
  const sched_param parameters{.sched_priority = native};
  const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
  if (error == 0) t_native = native;
  return error;
}

void forget_native() noexcept { t_native = kUnknown; }

PriorityScope::PriorityScope() : priority_(t_priority), native_(t_native) {}

PriorityScope::~PriorityScope() {
  t_priority = priority_;
  if (native_ != kUnknown) static_cast<void>(set_native(native_));  // it has been allowed before
}

// --- The mapping of an ORB ---

std::optional<int> PriorityMapper::to_native(RTCORBA::Priority priority) const noexcept {
  RTCORBA::NativePriority native = 0;
  try {
    if (is_priority(priority) && mapping_.use()->to_native(priority, native)) return native;
  } catch (...) {  // counts as false
  }
  return std::nullopt;
}

std::optional<RTCORBA::Priority> PriorityMapper::to_corba(int native) const noexcept {
  RTCORBA::Priority priority = 0;
  const auto narrow = static_cast<RTCORBA::NativePriority>(native);
  try {
    if (narrow == native && mapping_.use()->to_CORBA(narrow, priority) && is_priority(priority)) return priority;
  } catch (...) {  // counts as false
  }
  return std::nullopt;
}

// --- The transform of an ORB ---

bool PriorityTransformer::inbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept {
  const auto t = transform_.use();
  if (!t) return true;
  try {
    return t->inbound(priority, id) && is_priority(priority);
  } catch (...) {
    return false;
  }
}

bool PriorityTransformer::outbound(RTCORBA::Priority& priority, const PortableServer::ObjectId& id) const noexcept {
  const auto t = transform_.use();
  if (!t) return true;
  try {
    return t->outbound(priority, id) && is_priority(priority);
  } catch (...) {
    return false;
  }
}

}  // namespace callis::rt
