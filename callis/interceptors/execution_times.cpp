// SPDX-License-Identifier: Apache-2.0
// An interceptor measures upcalls, and writes their times to a file.
#include <callis/base/log.h>
#include <callis/base/percent_coded.h>
#include <callis/base/text.h>
#include <callis/execution_times.h>
#include <callis/interceptors.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace callis {

namespace {

namespace PI = PortableInterceptor;

// There are four buckets for each power of two, from a microsecond on. The last is for all longer times, from 12 days
// on.
constexpr unsigned kFirstPower = 10, kLastPower = 50;
constexpr std::size_t kBuckets = 4 * (kLastPower - kFirstPower) + 2;

// Returns the greatest time that falls into the bucket.
constexpr std::uint64_t up_to(std::size_t bucket) {
  return std::uint64_t{4 + (bucket - 1) % 4 + 1} << ((bucket - 1) / 4 + kFirstPower - 2);
}
constexpr std::size_t bucket_of(std::uint64_t nanoseconds) {
  if (nanoseconds <= 1u << kFirstPower) return 0;
  const std::uint64_t n = nanoseconds - 1;
  const auto power = static_cast<unsigned>(std::bit_width(n)) - 1;
  if (power >= kLastPower) return kBuckets - 1;
  return 1 + (power - kFirstPower) * 4 + (n >> (power - 2) & 3);
}
static_assert(bucket_of(1024) == 0 && bucket_of(1025) == 1 && up_to(1) == 1280);
static_assert(bucket_of(1280) == 1 && bucket_of(1281) == 2 && bucket_of(2048) == 4 && bucket_of(2049) == 5);
static_assert(up_to(4) == 2048 && bucket_of(up_to(77)) == 77 && bucket_of(up_to(77) + 1) == 78);

// Further operations are not measured: servants may make up names.
constexpr std::size_t kMostOperations = 10'000;

struct Times {
  std::uint64_t calls = 0, greatest = 0, total = 0;
  std::uint64_t buckets[kBuckets] = {};
};

// The measurements are never destroyed: the last calls may come from threads that outlive main().
struct Measurements {
  std::mutex mutex;
  std::string path;                                                 // empty: nothing is measured
  std::map<std::pair<std::string, std::string>, Times> operations;  // by repository id and name
};
Measurements& measurements() {
  static Measurements& m = *new Measurements;
  return m;
}

std::uint64_t processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// An upcall of this thread.
struct Upcall {
  bool runs = false;
  std::string id, name;
  std::uint64_t began = 0;
  std::uint64_t inside = 0;  // of upcalls that it led to on this thread
};
thread_local std::vector<Upcall> upcalls;

void count(const Upcall& upcall, std::uint64_t took) {
  Measurements& m = measurements();
  const std::lock_guard lock(m.mutex);
  auto found = m.operations.find({upcall.id, upcall.name});
  if (found == m.operations.end()) {
    if (m.operations.size() >= kMostOperations) return;
    found = m.operations.emplace(std::pair(upcall.id, upcall.name), Times{}).first;
  }
  Times& times = found->second;
  ++times.calls;
  times.greatest = std::max(times.greatest, took);
  times.total += took;
  ++times.buckets[bucket_of(took)];
}

std::string text_of(const Measurements& m) {
  std::string out = "callis-times 1\n";
  for (const auto& [key, times] : m.operations) {
    out += concat({"op ", Decimal(times.calls), " ", Decimal(times.greatest), " ", Decimal(times.total), " ",
                   percent_coded(key.second), " ", percent_coded(key.first), "\n"});
    for (std::size_t b = 0; b < kBuckets; ++b) {
      if (times.buckets[b] == 0) continue;
      const std::uint64_t end = b == 0 ? 1u << kFirstPower : b + 1 == kBuckets ? times.greatest : up_to(b);
      out += concat({"le ", Decimal(end), " ", Decimal(times.buckets[b]), "\n"});
    }
  }
  return out;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Writes the file whole or not at all. The caller holds the lock.
void write_times(const Measurements& m) {
  const std::string fresh = m.path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = file >= 0 && write_all(file, text_of(m));
  if (file >= 0) good = ::close(file) == 0 && good;
  good = good && std::rename(fresh.c_str(), m.path.c_str()) == 0;
  if (!good)
    log(LogLevel::Error, concat({"cannot write the execution times '", m.path, "': ", std::strerror(errno)}));
}
void write_times() noexcept {
  try {
    Measurements& m = measurements();
    const std::lock_guard lock(m.mutex);
    write_times(m);
  } catch (const std::bad_alloc&) {  // nothing is written
  }
}

class Measuring final : public PI::ServerRequestInterceptor {
 public:
  char* name() override { return CORBA::string_dup("callis.execution_times"); }
  void destroy() override { write_times(); }
  // Each of these has one of the endings below, on the same thread.
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr) override { upcalls.emplace_back(); }
  void receive_request(PI::ServerRequestInfo_ptr ri) override {
    if (upcalls.empty()) return;
    Upcall& upcall = upcalls.back();
    upcall.name = CORBA::String_var(ri->operation()).in();
    upcall.id = CORBA::String_var(ri->target_most_derived_interface()).in();
    upcall.runs = true;
    upcall.began = processor_time();
  }
  void send_reply(PI::ServerRequestInfo_ptr) override { end(); }
  void send_exception(PI::ServerRequestInfo_ptr) override { end(); }
  void send_other(PI::ServerRequestInfo_ptr) override { end(); }

 private:
  static void end() {
    if (upcalls.empty()) return;
    const Upcall upcall = std::move(upcalls.back());
    upcalls.pop_back();
    if (!upcall.runs) return;
    const std::uint64_t took = processor_time() - upcall.began;
    if (!upcalls.empty()) upcalls.back().inside += took;
    try {
      count(upcall, took - std::min(took, upcall.inside));
    } catch (const std::bad_alloc&) {  // this call is not counted
    }
  }
};

class Initializer final : public PI::ORBInitializer {
 public:
  void pre_init(PI::ORBInitInfo_ptr info) override {
    const PI::ServerRequestInterceptor_var measuring = new Measuring;
    info->add_server_request_interceptor(measuring.in());
  }
  void post_init(PI::ORBInitInfo_ptr) override {}
};

}  // namespace

bool measure_execution_times() {
  const char* const file = std::getenv("CALLIS_PROFILE");
  if (file == nullptr || *file == '\0') return false;
  Measurements& m = measurements();
  const std::lock_guard lock(m.mutex);
  if (!m.path.empty()) return true;
  std::string path = std::string(file) + ".times";
  if (const std::size_t at = path.find("%p"); at != std::string::npos)
    path.replace(at, 2, std::to_string(::getpid()));
  m.path = path;
  PI::register_orb_initializer(PI::ORBInitializer_var(new Initializer).in());
  (void)std::atexit([] { write_times(); });
  return true;
}

std::string execution_times() {
  Measurements& m = measurements();
  const std::lock_guard lock(m.mutex);
  return text_of(m);
}

}  // namespace callis
