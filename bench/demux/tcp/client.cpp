// SPDX-License-Identifier: Apache-2.0
// client demux --reference FILE [--calls N] [--operations CASE,...]
//
// Calls the first operation of one object, its last one, the first and the last one of objects at random, and one
// object by many references, N times each. Blocks of 100 calls take turns, every other time in the other order. Also
// the last operation of objects at random, one way. --operations: not all of these cases. A line a block and case,
// with the block's number behind the case, has the median call of the block. Of one-way calls it is the mean, until
// all have arrived:
//
//   {"case": "objects10000/first#0", "metric": "p50_us", "value": 13.2}
//
// All calls are checked at the end: the server counts which objects and operations were called.
#include <algorithm>
#include <functional>
#include "demux_orb.h"

namespace {

using namespace bench::demux;

constexpr std::size_t kBlock = 100;  // calls
constexpr const char* kOneWay = "oneway/last";

// next() chooses what is called; call() calls it, and is what is timed.
struct Kind {
  std::string name;
  std::function<void()> next, call;
  std::vector<std::uint64_t> ns = {};
};

class Client {
 public:
  Client(CORBA::ORB_ptr orb, const std::vector<std::string>& lines) {
    CORBA::Object_var object = orb->string_to_object(lines[0].c_str());
    counts_ = Counts::_narrow(object);
    const std::size_t one_ways = std::min(kOneWays, (lines.size() - 1) / 2), end = lines.size() - one_ways;
    for (std::size_t i = end; i < lines.size(); ++i) {
      object = orb->string_to_object(lines[i].c_str());
      one_ways_.push_back(OneWays::_unchecked_narrow(object));
    }
    for (std::size_t i = 1; i < end; ++i) {
      object = orb->string_to_object(lines[i].c_str());
      objects_.push_back(Demux::_unchecked_narrow(object));
      object = orb->string_to_object(lines[1].c_str());
      to_first_.push_back(Demux::_unchecked_narrow(object));
    }
    called_.resize(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) {  // each once, as in a client that is at work
      choose(objects_, i, i, kFirst);
      chosen_->op_000();
      choose(to_first_, i, 0, kFirst);
      chosen_->op_000();
    }
  }

  // Of 1 object, 10, 100 ... and all; and of 1 object by as many references as there are objects.
  std::vector<Kind> kinds() {
    std::vector<Kind> all;
    all.push_back({"objects1/references", [this] { choose(to_first_, draw(to_first_.size()), 0, kFirst); },
                   [this] { chosen_->op_000(); }});
    for (std::size_t n = 1; n < objects_.size(); n *= 10) add(all, n);
    add(all, objects_.size());
    return all;
  }

  // Microseconds of a one-way call, of a block of them.
  double one_way_block() {
    const CORBA::ULongLong before = one_ways_[0]->arrived();
    const std::uint64_t start = bench::now_ns();
    for (std::size_t i = 0; i < kBlock; ++i) one_ways_[draw(one_ways_.size())]->op_099();
    while (one_ways_[0]->arrived() < before + kBlock) {}
    return static_cast<double>(bench::now_ns() - start) / 1000 / kBlock;
  }

  void check() {
    Counts::Numbers_var operations = counts_->of_operations(), objects = counts_->of_objects();
    bench::expect(operations->length() == kOperations && objects->length() == objects_.size(), "number of counts");
    for (CORBA::ULong i = 0; i < operations->length(); ++i)
      bench::expect(operations[i] == (i == kFirst ? first_ : i == kLast ? last_ : 0), "calls of an operation");
    for (CORBA::ULong i = 0; i < objects->length(); ++i)
      bench::expect(objects[i] == called_[i], "calls of an object");
  }

 private:
  static constexpr CORBA::ULong kFirst = 0, kLast = kOperations - 1;

  void add(std::vector<Kind>& all, std::size_t n) {
    const std::string objects = "objects" + std::to_string(n);
    all.push_back({objects + "/first", [this, n] { choose(n, kFirst); }, [this] { chosen_->op_000(); }});
    all.push_back({objects + "/last", [this, n] { choose(n, kLast); }, [this] { chosen_->op_099(); }});
  }
  // One of the first n objects.
  void choose(std::size_t n, CORBA::ULong operation) {
    const std::size_t i = draw(n);
    choose(objects_, i, i, operation);
  }
  void choose(const std::vector<Demux_var>& references, std::size_t i, std::size_t object, CORBA::ULong operation) {
    ++called_[object];
    ++(operation == kFirst ? first_ : last_);
    chosen_ = references[i].in();
  }
  std::size_t draw(std::size_t n) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return (random_ >> 32) % n;
  }

  Counts_var counts_;
  std::vector<Demux_var> objects_;
  std::vector<OneWays_var> one_ways_;
  std::vector<Demux_var> to_first_;  // each a reference of its own to the first object
  Demux_ptr chosen_ = nullptr;
  std::vector<std::uint64_t> called_;  // each object, by us
  std::uint64_t first_ = 0, last_ = 0, random_ = 0x9e3779b97f4a7c15u;
};

// The median of a block's calls, each timed alone.
double block(Kind& kind) {
  kind.ns.clear();
  for (std::size_t i = 0; i < kBlock; ++i) {
    kind.next();
    const std::uint64_t start = bench::now_ns();
    kind.call();
    kind.ns.push_back(bench::now_ns() - start);
  }
  const auto middle = kind.ns.begin() + static_cast<std::ptrdiff_t>(kBlock / 2);
  std::nth_element(kind.ns.begin(), middle, kind.ns.end());
  return static_cast<double>(*middle) / 1000;
}

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options o = bench::parse(argc, argv);
  Client client(orb, bench::read_reference(o));
  const std::size_t blocks = std::max<std::size_t>(1, static_cast<std::size_t>(o.calls) / kBlock);
  std::vector<Kind> kinds = client.kinds();
  for (Kind& kind : kinds) block(kind);  // warm
  const auto asked = [&](const std::string& name) {
    return o.operations.empty() || std::find(o.operations.begin(), o.operations.end(), name) != o.operations.end();
  };
  std::erase_if(kinds, [&](const Kind& kind) { return !asked(kind.name); });
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Kind& kind = kinds[b % 2 ? kinds.size() - 1 - i : i];
      std::printf("{\"case\": \"%s#%zu\", \"metric\": \"p50_us\", \"value\": %.3f}\n", kind.name.c_str(), b,
                  block(kind));
    }
    if (asked(kOneWay))
      std::printf("{\"case\": \"%s#%zu\", \"metric\": \"p50_us\", \"value\": %.3f}\n", kOneWay, b,
                  client.one_way_block());
  }
  client.check();
  std::fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
