// SPDX-License-Identifier: Apache-2.0
// A link between two network namespaces that is slow, long or lossy, for kernels without netem. Each namespace gets a
// TUN device. Packets that one sends come out of the other later, at no more than a rate, and some not at all.
//
//   link --one PID --other PID [--name NAME] [--delay-us N] [--kbit N] [--lost N] [--queue-bytes N] [--seed N]
//
// PID: a process in the namespace. --kbit: of IP packets a second (0: as fast as it goes). --lost: of a million
// packets. --queue-bytes: of packets that wait for their turn; more are dropped, as a switch does. Prints "ready"
// when both devices are there. The caller gives them addresses and takes them up. Runs until SIGTERM, then prints how
// many packets of both directions went through, were lost, and were dropped.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr std::size_t kGreatest = 1 << 16;  // bytes of an IP packet

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

struct Options {
  std::map<std::string, std::string> words{{"name", "far0"}, {"delay-us", "0"}, {"kbit", "0"}, {"lost", "0"},
                                           {"queue-bytes", "1000000"}, {"seed", "1"}};
  Options(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) words[std::string(argv[i]).substr(2)] = argv[i + 1];
    if (argc % 2 == 0) throw std::runtime_error("an option without its value");
  }
  std::int64_t number(const std::string& name) const { return std::stoll(words.at(name)); }
};

// A TUN device in the namespace of a process. The calling thread goes there.
int device(const std::string& pid, const std::string& name) {
  const int space = ::open(("/proc/" + pid + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC);
  if (space < 0 || ::setns(space, CLONE_NEWNET) != 0) fail("the namespace of " + pid);
  ::close(space);
  const int fd = ::open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail("/dev/net/tun");
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  if (::ioctl(fd, TUNSETIFF, &request) != 0) fail("TUNSETIFF");
  return fd;
}

struct Packet {
  Clock::time_point due;
  std::size_t bytes;
  std::unique_ptr<char[]> data;
};

// Of packets that went one way. Read when the direction has ended.
struct Counts {
  std::uint64_t sent = 0, lost = 0, dropped = 0;
};

// One direction. A packet leaves the queue when the packets before it have been sent at the rate, and arrives the
// delay later; so packets keep their order.
class Direction {
 public:
  Direction(const Options& o, int from, int to, int end, unsigned number)
      : from_(from), to_(to), end_(end), delay_(1000 * o.number("delay-us")),
        ns_per_byte_(o.number("kbit") ? 8e6 / static_cast<double>(o.number("kbit")) : 0.0),
        queue_(static_cast<double>(o.number("queue-bytes")) * ns_per_byte_),
        lost_(static_cast<double>(o.number("lost")) / 1e6),
        random_(static_cast<unsigned>(o.number("seed")) + number) {}

  Counts run() {
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // a delay of 100 us is not to become one of 150
    std::array<pollfd, 2> watched{{{from_, POLLIN, 0}, {end_, POLLIN, 0}}};
    for (;;) {
      deliver();
      const auto wait = under_way_.empty() ? kNoPacket : std::max(nanoseconds(0), until(under_way_.front().due));
      const timespec limit{static_cast<time_t>(wait.count() / 1'000'000'000), wait.count() % 1'000'000'000};
      if (::ppoll(watched.data(), watched.size(), &limit, nullptr) < 0 && errno != EINTR) fail("ppoll");
      if (watched[1].revents) return counts_;
      if (watched[0].revents) take();
    }
  }

 private:
  static constexpr nanoseconds kNoPacket{1'000'000'000};

  static nanoseconds until(Clock::time_point when) { return when - Clock::now(); }
  // At most 64 packets at once, so that packets under way do not wait.
  void take() {
    for (int i = 0; i < 64; ++i) {
      const ssize_t n = ::read(from_, buffer_.data(), buffer_.size());
      if (n <= 0) return;  // nothing more, or a device that is down
      accept(static_cast<std::size_t>(n));
    }
  }
  void accept(std::size_t bytes) {
    const auto now = Clock::now();
    const auto start = std::max(now, free_);
    if (chance_(random_) < lost_) {
      ++counts_.lost;
      return;
    }
    if (ns_per_byte_ > 0 && static_cast<double>((start - now).count()) > queue_) {
      ++counts_.dropped;
      return;
    }
    free_ = start + nanoseconds(static_cast<std::int64_t>(ns_per_byte_ * static_cast<double>(bytes)));
    Packet p{free_ + delay_, bytes, std::make_unique_for_overwrite<char[]>(bytes)};
    std::memcpy(p.data.get(), buffer_.data(), bytes);
    under_way_.push_back(std::move(p));
  }
  void deliver() {
    for (const auto now = Clock::now(); !under_way_.empty() && under_way_.front().due <= now; under_way_.pop_front())
      if (::write(to_, under_way_.front().data.get(), under_way_.front().bytes) > 0) ++counts_.sent;
      else ++counts_.dropped;
  }

  const int from_, to_, end_;
  const nanoseconds delay_;
  const double ns_per_byte_, queue_, lost_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> chance_{0.0, 1.0};
  Clock::time_point free_ = Clock::now();  // when the last packet accepted has left
  std::deque<Packet> under_way_;
  std::array<char, kGreatest> buffer_{};
  Counts counts_;
};

void run(const Options& o) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  if (::pthread_sigmask(SIG_BLOCK, &ends, nullptr) != 0) fail("pthread_sigmask");
  const int end = ::signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  const std::string& name = o.words.at("name");
  const int one = device(o.words.at("one"), name), other = device(o.words.at("other"), name);
  std::puts("ready");
  std::fflush(stdout);
  Counts there, back;
  std::thread way_there([&] { there = std::make_unique<Direction>(o, one, other, end, 0)->run(); });
  back = std::make_unique<Direction>(o, other, one, end, 1)->run();
  way_there.join();
  std::printf("packets %llu lost %llu dropped %llu\n", static_cast<unsigned long long>(there.sent + back.sent),
              static_cast<unsigned long long>(there.lost + back.lost),
              static_cast<unsigned long long>(there.dropped + back.dropped));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(Options(argc, argv));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "link: %s\n", e.what());
  }
  return 1;
}
