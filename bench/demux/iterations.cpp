// SPDX-License-Identifier: Apache-2.0
// The papers' measurement of demultiplexing in whole calls. A server finds object and operation by one strategy for
// all steps. A client sends 100 requests an iteration for the last of 100 operations, two-way and one-way.
//
//   iterations demux --reference FILE --objects N --strategy demux-linear
//       the server; prints "ready"
//   iterations demux --reference FILE --calls N
//       the client: 1, 100, 500 and 1000 iterations, as far as N
//
// The client calls at most 100 objects, spread evenly over all. It prints the nanoseconds of a request, a line for
// each case:
//
//   {"case": "iterations/100/one-way", "metric": "ns", "value": 5012.4}
//
// One-way requests are timed until all have been served. The server counts the requests that reached their object and
// operation.
#include <callis/corba.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <algorithm>
#include <array>
#include <atomic>
#include "../peers/common/program.h"
#include "strategies/demultiplexer.h"

namespace {

using namespace bench::demux;
namespace orb = callis::orb;

constexpr std::size_t kOperations = 100, kCalled = 100, kRequests = 100;
constexpr std::uint64_t kPatience = 60'000'000'000;  // nanoseconds
constexpr std::array<int, 4> kIterations = {1, 100, 500, 1000};
constexpr std::string_view kServed = "served";  // an operation of the server itself: how many requests it has served

orb::Counted<orb::Core> make_core(bool serves) {
  orb::Options options;
  if (serves) options.endpoints.push_back({{orb::tcp_transport(), "127.0.0.1", 0}, {}});
  return orb::Core::create(std::move(options));
}

// An object adapter that does nothing but one strategy's demultiplexing.
template <class S>
class Handler final : public orb::RequestHandler {
 public:
  explicit Handler(const Shape& shape) : demux(shape) {}
  void handle(orb::ServerRequest& request) noexcept override {
    if (request.operation() == kServed) {
      request.reply().put(served_.load(std::memory_order_relaxed));
      return;
    }
    const Found found = demux.find(request.object_key(), request.operation());
    if (found.method != &demux.population().methods.back())
      return request.system_exception(CORBA::BAD_OPERATION(orb::omg(2), CORBA::COMPLETED_NO));
    served_.fetch_add(1, std::memory_order_relaxed);  // requests of one connection may be served by several threads
    if (request.response_expected()) request.reply();
  }
  orb::Locate locate(callis::ByteView, callis::ior::Ior&) noexcept override { return orb::Locate::Here; }

  Demultiplexer<S> demux;

 private:
  std::atomic<std::uint64_t> served_{0};
};

template <class S>
void serve_by(const bench::Options& o) {
  const auto objects = static_cast<std::size_t>(o.objects);
  const orb::Counted<orb::Core> core = make_core(true);
  Handler<S> handler({kOperations, objects, {}});
  core->set_handler(&handler);
  std::vector<std::string> lines;
  const std::size_t count = std::min(kCalled, objects);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t object = count > 1 ? i * (objects - 1) / (count - 1) : 0;  // the last is one of them
    const Request r = handler.demux.request(object, kOperations - 1);
    if (lines.empty()) lines.push_back(r.operation);
    lines.push_back(callis::ior::to_text(core->make_reference("IDL:Demux:1.0", bytes_of(r.key))->ior()));
  }
  bench::publish(o, lines);
  core->run();
}

// No arguments; a number as the result of kServed, else none.
class Body final : public orb::CallBody {
 public:
  explicit Body(bool number) : number_(number) {}
  void encode(callis::cdr::Encoder&) override {}
  void decode(callis::cdr::Decoder& from) override {
    if (number_) value = from.get<std::uint64_t>();
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, callis::cdr::Decoder&) override {
    return nullptr;
  }
  std::uint64_t value = 0;

 private:
  const bool number_;
};

class Client {
 public:
  explicit Client(const std::vector<std::string>& lines) : core_(make_core(false)), operation_(lines.at(0)) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
      objects_.emplace_back(core_->string_to_object(lines[i].c_str()));
      targets_.push_back(&orb::reference_of(objects_.back()));
    }
    for (std::uint64_t& n : order_) n = draw() % targets_.size();
  }
  ~Client() { core_->destroy(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Nanoseconds of a request, until all are served.
  double iterations(int count, bool one_way) {
    const std::uint64_t before = served();
    const std::uint64_t requests = kRequests * static_cast<std::uint64_t>(count);
    Body none(false);
    const std::uint64_t start = bench::now_ns();
    for (int i = 0; i < count; ++i)
      for (const std::uint64_t n : order_)
        orb::call(*targets_[n], {operation_, one_way, &identities_[one_way]}, none);
    std::uint64_t now = served();
    while (one_way && now < before + requests && bench::now_ns() - start < kPatience) now = served();
    const std::uint64_t ns = bench::now_ns() - start;
    bench::expect(now == before + requests, std::to_string(now - before) + " of " + std::to_string(requests) +
                                                (one_way ? " one-way" : " two-way") + " requests were served");
    return static_cast<double>(ns) / static_cast<double>(requests);
  }

 private:
  std::uint64_t served() {
    Body number(true);
    orb::call(*targets_[0], {kServed, false, &kServed}, number);
    return number.value;
  }
  std::uint64_t draw() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ >> 32;
  }

  const orb::Counted<orb::Core> core_;
  const std::string operation_;
  const std::array<char, 2> identities_{};  // two-way and one-way, whose requests have different headers
  std::vector<CORBA::Object_var> objects_;
  std::vector<orb::Reference*> targets_;
  std::array<std::uint64_t, kRequests> order_{};
  std::uint64_t random_ = 0x9e3779b97f4a7c15u;
};

void call(const bench::Options& o) {
  Client client(bench::read_reference(o));
  for (const bool one_way : {false, true}) {
    client.iterations(2, one_way);  // warm
    for (const int count : kIterations)
      if (count <= o.calls)
        bench::result("iterations/" + std::to_string(count) + (one_way ? "/one-way" : "/two-way"), "ns",
                      client.iterations(count, one_way));
  }
}

// Takes the option away that bench::parse() does not know. Empty for the client.
std::string take_strategy(std::vector<char*>& words) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (std::string_view(words[i]) != "--strategy") continue;
    std::string name = words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    return name;
  }
  return {};
}

void run(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  const std::string strategy = take_strategy(words);
  const bench::Options o = bench::parse(static_cast<int>(words.size()), words.data());
  if (strategy.empty()) return call(o);
  bool known = false;
  for_each_strategy([&]<class S>() {
    if (strategy != S::kName) return;
    known = true;
    serve_by<S>(o);
  });
  if (!known) throw std::invalid_argument("no such strategy: " + strategy);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
  }
  return 1;
}
