// SPDX-License-Identifier: Apache-2.0
// If a process has not got the rights, the ORB's start says so, and says what to set.
#include <callis/base/log.h>
#include <callis/rt/testing/fixture.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>

namespace callis::rt {
namespace {

using namespace testing;

// Collects warnings and errors as long as it lives.
struct Warnings {
  Warnings() {
    set_log_sink(
        [](LogLevel level, std::string_view text, void* self) {
          if (level >= LogLevel::Warning) static_cast<Warnings*>(self)->all.emplace_back(text);
        },
        this);
  }
  ~Warnings() { set_log_sink(nullptr, nullptr); }
  std::vector<std::string> all;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

constexpr FifoPermission kRefused0{EPERM, false, 0};

TEST(RtPermissions, a_process_without_them_is_told_what_to_set) {
  const std::string words = kRefused0.words();
  for (const char* part : {"CAP_SYS_NICE", "RLIMIT_RTPRIO, which is 0", "ulimit -r", "LimitRTPRIO"})
    EXPECT_TRUE(has(words, part)) << words;
}

TEST(RtPermissions, one_that_a_container_refuses_is_told_that) {
  const std::string words = FifoPermission{EPERM, true, 0}.words();
  EXPECT_TRUE(has(words, "cpu.rt_runtime_us")) << words;
  EXPECT_FALSE(has(words, "ulimit"));
}

TEST(RtPermissions, the_trial_leaves_the_thread_as_it_was) {
  int before = 0, after = 0;
  sched_param p{};
  pthread_getschedparam(pthread_self(), &before, &p);
  (void)FifoPermission::look();
  pthread_getschedparam(pthread_self(), &after, &p);
  EXPECT_EQ(after, before);
}

TEST(RtPermissions, preferred_warns_once_and_goes_on) {
  Warnings warnings;
  Told told;
  prepare({}, kRefused0, told);
  prepare({}, kRefused0, told);
  ASSERT_EQ(warnings.all.size(), 1u);
  EXPECT_TRUE(has(warnings.all[0], "real time: threads get no priorities")) << warnings.all[0];
}

TEST(RtPermissions, required_raises_initialize) {
  Told told;
  RealTimeOptions o;
  o.mode = RealTimeMode::Required;
  Warnings log;
  const Thrown e = thrown_by<CORBA::INITIALIZE>([&] { prepare(o, kRefused0, told); });
  EXPECT_EQ(e.minor, kNoRealTime);
  EXPECT_TRUE(has(e.words, "RLIMIT_RTPRIO") && has(e.words, "-ORBRealTime is required")) << e.words;
  ASSERT_EQ(log.all.size(), 1u);
  EXPECT_TRUE(has(log.all[0], "-ORBRealTime is required")) << log.all[0];
  prepare(o, FifoPermission{0, true, 0}, told);
}

TEST(RtPermissions, off_says_nothing) {
  Warnings warnings;
  Told told;
  RealTimeOptions o;
  o.mode = RealTimeMode::Off;
  prepare(o, kRefused0, told);
  EXPECT_TRUE(warnings.all.empty());
}

// Runs f in a child of this process that may not have priorities, nor lock memory. Returns the result of f.
template <class F>
std::string in_a_child_without(F&& f) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_RTPRIO, &none);
    ::setrlimit(RLIMIT_MEMLOCK, &none);
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(1);  // and with it all capabilities
    const std::string said = f();
    (void)!::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said;
  char some[4096];
  for (ssize_t n; (n = ::read(ends[0], some, sizeof some)) > 0;) said.append(some, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return said;
}

TEST(RtPermissions, the_system_is_asked) {
  const std::string words = in_a_child_without([] { return FifoPermission::look().words(); });
  EXPECT_TRUE(has(words, "Operation not permitted") && has(words, "RLIMIT_RTPRIO, which is 0")) << words;
}

TEST(RtPermissions, memory_that_cannot_be_locked_is_told) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer stands in for mlockall(), which does nothing then";
#endif
  const std::string words = in_a_child_without([] { return lock_memory(); });
  EXPECT_TRUE(has(words, "memory cannot be locked") && has(words, "RLIMIT_MEMLOCK, which is 0 bytes")) << words;
}

TEST(RtPermissions, memory_is_locked_where_the_process_may) {
  if (::mlockall(MCL_CURRENT) != 0) GTEST_SKIP() << "this process may not lock its memory: " << std::strerror(errno);
  EXPECT_EQ(lock_memory(), "");
  ::munlockall();
}

TEST(RtPermissions, a_stack_is_touched_as_far_as_it_goes) {
  on_a_thread([] {
    touch_stack(0);
    touch_stack(64u << 10);
    touch_stack(~std::size_t(0));
  });
}

}  // namespace
}  // namespace callis::rt
