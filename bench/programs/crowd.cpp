// SPDX-License-Identifier: Apache-2.0
// What many idle connections cost a server, and a client among them.
//
//   crowd core --reference FILE --alone FILE --server PID --clients N [--calls N]
//
// Two servers: opens N connections to the first, whose process is PID, sends a LocateRequest on each, waits for all
// answers and leaves them idle. Then calls test_short of both servers in turn, some hundred calls each, so that both
// have seen the same machine. Prints the latencies (among, alone), how many connections a second were opened and
// answered, and what the first server's resident memory grew by for each (VmRSS). kernel: what the kernel's tables
// of sockets and files grew by for one end of each, if this process may read them. cpu_us of among: the processor
// time of the server for a call.
#include <callis/giop/giop.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include "../common/local_server.h"
#include "../peers/common/latency.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <filesystem>
#include <set>

namespace {

using namespace callis;

constexpr int kSlice = 500;  // calls

class Idle final {
 public:
  Idle(sockaddr_in to, int count) {
    fds_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      bench::expect(fd >= 0, "socket (ulimit -n?)");
      fds_.push_back(fd);
      bench::expect(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0, "connect");
      const auto sent = ::send(fd, request_.data(), request_.size(), MSG_NOSIGNAL);
      bench::expect(sent == static_cast<ssize_t>(request_.size()), "send");
    }
    for (int fd : fds_) {
      Byte reply[64];
      bench::expect(::recv(fd, reply, sizeof reply, 0) > static_cast<ssize_t>(giop::kHeaderBytes),
                    "a reply to LocateRequest");
      bench::expect(reply[7] == static_cast<Byte>(giop::MessageType::LocateReply), "LocateReply");
    }
  }
  // By resets: nothing is left that would keep the addresses in use for a minute.
  ~Idle() {
    const linger at_once{1, 0};
    for (int fd : fds_) {
      (void)::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      ::close(fd);
    }
  }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;

 private:
  static std::vector<Byte> locate() {
    Buffer b;
    cdr::Encoder e(b);
    const Byte key[] = {'n', 'o', 'b', 'o', 'd', 'y'};
    const auto s = giop::begin_locate_request(e, giop::kGiop12, 1, giop::Target::key(key));
    bench::expect(giop::finish_message(e, s) == Fault::None, "LocateRequest");
    return {b.data(), b.data() + b.size()};
  }

  const std::vector<Byte> request_ = locate();
  std::vector<int> fds_;
};

double resident_bytes(int pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/statm");
  double all = 0, resident = 0;
  bench::expect(static_cast<bool>(in >> all >> resident), "the server's memory");
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Of what the kernel keeps for sockets and open files; 0 if this process may not know.
double kernel_bytes() {
  static const std::set<std::string> kTables = {"TCP", "TCPv6", "sock_inode_cache", "filp", "eventpoll_epi"};
  std::ifstream in("/proc/slabinfo");
  double all = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    double active = 0, objects = 0, bytes = 0;
    if (words >> name >> active >> objects >> bytes && kTables.contains(name)) all += active * bytes;
  }
  return all;
}

// Nanoseconds that all threads of a process have run.
double processor_ns(int pid) {
  double all = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream in(thread.path() / "schedstat");
    double ns = 0;
    if (in >> ns) all += ns;
  }
  return all;
}

sockaddr_in address_of(const std::string& reference) {
  const auto parsed = ior::parse_reference(reference, Limits{});
  const auto* found = std::get_if<ior::Ior>(&parsed);
  bench::expect(found && !found->profiles.empty(), "the reference");
  const auto profile = ior::parse_iiop(found->profiles[0].data);
  bench::expect(profile.ok(), "the reference's profile");
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(profile.value().address.port);
  bench::expect(::inet_pton(AF_INET, profile.value().address.host.c_str(), &to.sin_addr) == 1,
                "the server's address");
  return to;
}

// An object that is called, and how long that took.
class Called final {
 public:
  Called(std::string name, CORBA::ORB_ptr orb, const std::string& reference, int calls) : name_(std::move(name)) {
    CORBA::Object_var object = orb->string_to_object(reference.c_str());
    param_ = Param_Test::_narrow(object);
    ns_.reserve(static_cast<std::size_t>(calls));
  }
  void warm(int calls) {
    for (int i = 0; i < calls; ++i) (void)timed_call();
  }
  void call(int calls) {
    for (int i = 0; i < calls; ++i) {
      const std::uint64_t took = timed_call();
      ns_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(took, UINT32_MAX)));
      total_ += took;
    }
  }
  void report() { bench::report_latencies(name_, ns_, total_); }

 private:
  std::uint64_t timed_call() {
    CORBA::Short n2 = 0, n3 = 0;
    ++n_;
    const std::uint64_t start = bench::now_ns();
    const CORBA::Short n4 = param_->test_short(n_, n2, n3);
    const std::uint64_t took = bench::now_ns() - start;
    bench::expect(n2 == n_ && n3 == n_ && n4 == n_, name_);
    return took;
  }

  const std::string name_;
  Param_Test_var param_;
  CORBA::Short n_ = 0;
  std::vector<std::uint32_t> ns_;
  std::uint64_t total_ = 0;
};

int run(int argc, char** argv) {
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &descriptors);
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options o = bench::parse(argc, argv);
  bench::Options other = o;
  other.reference = o.alone;
  const std::string crowded = bench::find_server(o).param;
  Called among("among", orb, crowded, o.calls), alone("alone", orb, bench::find_server(other).param, o.calls);
  among.warm(bench::warm_calls(o));
  alone.warm(bench::warm_calls(o));
  const double before = resident_bytes(o.server), kernel_before = kernel_bytes();
  const std::uint64_t start = bench::now_ns();
  const Idle idle(address_of(crowded), o.clients);
  bench::result("idle", "connections_per_s", o.clients * 1e9 / static_cast<double>(bench::now_ns() - start));
  bench::result("idle", "bytes", std::max(resident_bytes(o.server) - before, 0.0) / o.clients);
  if (kernel_before > 0)
    bench::result("kernel", "bytes", std::max(kernel_bytes() - kernel_before, 0.0) / 2 / o.clients);
  const double ran = processor_ns(o.server);
  for (int left = o.calls; left > 0; left -= kSlice) {
    among.call(std::min(left, kSlice));
    alone.call(std::min(left, kSlice));
  }
  bench::result("among", "cpu_us", (processor_ns(o.server) - ran) / 1e3 / o.calls);
  among.report();
  alone.report();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
