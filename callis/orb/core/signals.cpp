// SPDX-License-Identifier: Apache-2.0
// shutdown_on_signals(): a handler that writes to a descriptor, and a thread that waits there and shuts the ORBs
// down. Nothing else refers to this file, so that programs without it do not have it.
#include <callis/base/descriptors.h>
#include <callis/base/thread.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/core/core.h>
#include <callis/signals.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace callis::orb {
namespace {

constexpr CORBA::ULong kNoWatch = kVmcid | 0x9b;  // NO_RESOURCES
constexpr std::array kSignals{SIGINT, SIGTERM};

// The handler uses these. The descriptor is never closed: a handler may be about to write to it.
constinit std::atomic<int> wake_up{-1};
constinit std::atomic<pid_t> process{0};
constinit std::atomic<bool> came{false};
constinit std::atomic<bool> asked{false};  // since the handler was installed: the first of two signals has come
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void write_wake_up() noexcept {
  const std::uint64_t one = 1;
  (void)!::write(wake_up.load(), &one, sizeof one);
}

void reset_to_default() noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int s : kSignals) {
    struct sigaction now {};
    if (::sigaction(s, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) (void)::sigaction(s, &action, nullptr);
  }
}

// This calls only functions that a signal handler may call.
extern "C" void callis_on_signal(int signal) {
  const int saved = errno;
  reset_to_default();
  if (process.load() == ::getpid() && !asked.exchange(true)) {
    came.store(true);
    write_wake_up();
  } else {
    // In a child of fork(), or the second signal, which another thread handles while one handles the first. Pending
    // until this returns.
    (void)::raise(signal);
  }
  errno = saved;
}

class SignalWatch final {
 public:
  // Never destroyed: its thread may run until the process ends.
  static SignalWatch& instance() {
    static SignalWatch& watch = *new SignalWatch;
    return watch;
  }
  // False: the ORB is there already.
  bool add(Core& core);
  void remove(Core& core) noexcept;

 private:
  void start();
  void install() noexcept;
  void restore() noexcept;
  void run() noexcept;

  std::mutex mutex_;  // guards all of this
  std::vector<Core*> orbs_;
  std::array<std::optional<struct sigaction>, kSignals.size()> before_;  // of the signals that are handled here
  bool running_ = false;                                                 // the thread
};

bool SignalWatch::add(Core& core) {
  const std::lock_guard lock(mutex_);
  if (process.load() != ::getpid()) {  // the first time, and in a child of fork()
    orbs_.clear();
    running_ = false;
    const int fd = above_standard(::eventfd(0, EFD_CLOEXEC));
    if (fd < 0)
      raise<CORBA::NO_RESOURCES>(kNoWatch, CORBA::COMPLETED_NO, "shutdown_on_signals: there is no descriptor");
    wake_up = fd;
    came = false;
    process = ::getpid();
  }
  if (std::find(orbs_.begin(), orbs_.end(), &core) != orbs_.end()) return false;
  if (orbs_.empty()) came = false;  // of a signal that found no ORB any more
  orbs_.reserve(orbs_.size() + 1);
  start();
  orbs_.push_back(&core);
  install();
  return true;
}

void SignalWatch::start() {
  if (running_) return;
  Thread thread;
  if (thread.start({"callis-signals", true}, [this] { run(); }) != 0)
    raise<CORBA::NO_RESOURCES>(kNoWatch, CORBA::COMPLETED_NO, "shutdown_on_signals: there is no thread");
  running_ = true;
}

void SignalWatch::install() noexcept {
  asked = false;
  struct sigaction ours {};
  ours.sa_handler = &callis_on_signal;
  ours.sa_flags = SA_RESTART;
  for (const int s : kSignals) ::sigaddset(&ours.sa_mask, s);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now {};
    if (::sigaction(kSignals[i], nullptr, &now) != 0 || now.sa_handler == SIG_IGN ||
        now.sa_handler == &callis_on_signal)
      continue;
    if (::sigaction(kSignals[i], &ours, nullptr) == 0 && !before_[i]) before_[i] = now;
  }
}

// If the application has set a handler of its own since, its handler stays.
void SignalWatch::restore() noexcept {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now {};
    if (before_[i] && ::sigaction(kSignals[i], nullptr, &now) == 0 &&
        (now.sa_handler == &callis_on_signal || now.sa_handler == SIG_DFL))
      (void)::sigaction(kSignals[i], &*before_[i], nullptr);
    before_[i].reset();
  }
}

void SignalWatch::remove(Core& core) noexcept {
  const std::lock_guard lock(mutex_);
  const auto at = std::find(orbs_.begin(), orbs_.end(), &core);
  if (at == orbs_.end()) return;
  orbs_.erase(at);
  if (!orbs_.empty()) return;
  restore();
  write_wake_up();  // the thread ends
}

void SignalWatch::run() noexcept {
  sigset_t all;  // signals are for the threads of the application
  sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (;;) {
    std::uint64_t n;
    (void)!::read(wake_up.load(), &n, sizeof n);
    std::vector<Counted<Core>> orbs;
    {
      const std::lock_guard lock(mutex_);
      if (orbs_.empty()) {
        running_ = false;
        return;
      }
      if (!came.exchange(false)) continue;
      try {
        for (Core* core : orbs_) orbs.emplace_back(core);
      } catch (const std::bad_alloc&) {  // as many as there was room for; the next signal ends the process
      }
    }
    for (const Counted<Core>& core : orbs) {
      try {
        core->shutdown(false);
      } catch (const CORBA::Exception&) {  // it has been shut down meanwhile
      }
    }
  }
}

// Tells the watch when the ORB has been shut down.
class Watched final : public OrbPart {
 public:
  explicit Watched(Core& core) : core_(core) {}
  ~Watched() override { end(); }
  void begin() { added_ = SignalWatch::instance().add(core_); }
  bool added() const { return added_; }
  void stop() override {}
  void end() override {
    if (std::exchange(added_, false)) SignalWatch::instance().remove(core_);
  }

 private:
  Core& core_;
  bool added_ = false;
};

}  // namespace
}  // namespace callis::orb

namespace callis {

void shutdown_on_signals(CORBA::ORB_ptr orb) {
  using namespace callis::orb;
  if (CORBA::is_nil(orb)) classic::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, "shutdown_on_signals: a nil ORB");
  Core& core = *static_cast<Core*>(orb);
  const CORBA::String_var exists = orb->id();  // raises OBJECT_NOT_EXIST
  core.check_running();
  auto part = std::make_unique<Watched>(core);
  part->begin();
  if (part->added()) core.add(std::move(part));
}

}  // namespace callis
