// SPDX-License-Identifier: Apache-2.0
// Trials of what the operating system allows, and the words for what it does not.
#include <callis/base/text.h>
#include <callis/rt/priorities/mappings.h>
#include <callis/rt/priorities/permissions.h>
#include <alloca.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace callis::rt {
namespace {

constexpr std::size_t kTouchedOfMain = 256u << 10;

bool has_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  return (sets[capability / 32].effective >> capability % 32 & 1) != 0;
}

rlim_t limit(int resource) {
  rlimit l{};
  return ::getrlimit(static_cast<__rlimit_resource>(resource), &l) == 0 ? l.rlim_cur : 0;
}

std::string bytes_of_limit(rlim_t l) {
  return l == RLIM_INFINITY ? "without a limit" : concat({Decimal(l), " bytes"});
}

}  // namespace

FifoPermission FifoPermission::look() noexcept {
  FifoPermission p;
  p.capable = has_capability(CAP_SYS_NICE);
  p.most = static_cast<int>(std::min<rlim_t>(limit(RLIMIT_RTPRIO), 99));
  int policy = 0;
  sched_param before{};
  p.error = pthread_getschedparam(pthread_self(), &policy, &before);
  policy &= ~SCHED_RESET_ON_FORK;
  if (p.error != 0 || policy == SCHED_FIFO || policy == SCHED_RR) return p;
  const sched_param least{.sched_priority = NativeRange::of_fifo().least};
  p.error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &least);
  if (p.error == 0) p.error = pthread_setschedparam(pthread_self(), policy, &before);
  return p;
}

std::string FifoPermission::words() const {
  if (granted()) return {};
  const std::string why = concat({"threads get no priorities of SCHED_FIFO: ", std::strerror(error), ". "});
  if (capable)
    return why + "The process has CAP_SYS_NICE, so the container or the control group refuses it: give it time for "
                 "real-time threads (cpu.rt_runtime_us), or let its seccomp profile allow sched_setscheduler";
  return concat({why,
                 "Give the process CAP_SYS_NICE (setcap cap_sys_nice+ep PROGRAM; AmbientCapabilities=CAP_SYS_NICE in "
                 "a unit of systemd), or set RLIMIT_RTPRIO, which is ",
                 Decimal(static_cast<std::uint64_t>(most)),
                 ", to the greatest priority in use (ulimit -r 99; LimitRTPRIO=99 in a unit of systemd)"});
}

std::string lock_memory() {
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
    touch_stack(kTouchedOfMain);
    return {};
  }
  const int error = errno;
  return concat({"memory cannot be locked: ", std::strerror(error),
                 ". Give the process CAP_IPC_LOCK (setcap cap_ipc_lock+ep PROGRAM), or set RLIMIT_MEMLOCK, which is ",
                 bytes_of_limit(limit(RLIMIT_MEMLOCK)),
                 ", to unlimited (ulimit -l unlimited; LimitMEMLOCK=infinity in a unit of systemd)"});
}

namespace {

// Moves the stack pointer down page by page: below it nothing may be written.
[[gnu::noinline]] void touch_down_to(std::uintptr_t end, std::size_t page) {
  for (;;) {
    volatile char* const at = static_cast<volatile char*>(alloca(page));
    at[0] = 0;
    if (reinterpret_cast<std::uintptr_t>(at) <= end) return;
  }
}

}  // namespace

void touch_stack(std::size_t bytes) noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t kept = 8 * page;  // for this call's own frames, and a guard that counts in
  const auto here = reinterpret_cast<std::uintptr_t>(&attributes), least = reinterpret_cast<std::uintptr_t>(lowest);
  if (here <= least + kept) return;
  touch_down_to(here - std::min<std::uintptr_t>(bytes, here - least - kept), page);
}

}  // namespace callis::rt
