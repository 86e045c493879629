// SPDX-License-Identifier: Apache-2.0
// client demux --reference FILE [--calls N]: calls the first operation of one object, its last one, and the first and the
// last one of objects at random, N times each: in blocks of 100, in turn, every other time in the other order. One line a
// block and case, the block's number behind it, with the median call of the block:
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
    for (std::size_t i = 1; i < lines.size(); ++i) {
      object = orb->string_to_object(lines[i].c_str());
      objects_.push_back(Demux::_unchecked_narrow(object));
    }
    called_.resize(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) {  // each once, as in a client that is at work
      choose(i, kFirst);
      objects_[i]->op_000();
    }
  }

  // Of 1 object, 10, 100 ... and all.
  std::vector<Kind> kinds() {
    std::vector<Kind> all;
    for (std::size_t n = 1; n < objects_.size(); n *= 10) add(all, n);
    add(all, objects_.size());
    return all;
  }

  void check() {
    Counts::Numbers_var operations = counts_->of_operations(), objects = counts_->of_objects();
    bench::expect(operations->length() == kOperations && objects->length() == objects_.size(), "number of counts");
    for (CORBA::ULong i = 0; i < operations->length(); ++i)
      bench::expect(operations[i] == (i == kFirst ? first_ : i == kLast ? last_ : 0), "calls of an operation");
    for (CORBA::ULong i = 0; i < objects->length(); ++i) bench::expect(objects[i] == called_[i], "calls of an object");
  }

 private:
  static constexpr CORBA::ULong kFirst = 0, kLast = kOperations - 1;

  void add(std::vector<Kind>& all, std::size_t n) {
    const std::string objects = "objects" + std::to_string(n);
    all.push_back({objects + "/first", [this, n] { choose(draw(n), kFirst); }, [this] { chosen_->op_000(); }});
    all.push_back({objects + "/last", [this, n] { choose(draw(n), kLast); }, [this] { chosen_->op_099(); }});
  }
  void choose(std::size_t i, CORBA::ULong operation) {
    ++called_[i];
    ++(operation == kFirst ? first_ : last_);
    chosen_ = objects_[i].in();
  }
  std::size_t draw(std::size_t n) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return (random_ >> 32) % n;
  }

  Counts_var counts_;
  std::vector<Demux_var> objects_;
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
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Kind& kind = kinds[b % 2 ? kinds.size() - 1 - i : i];
      std::printf("{\"case\": \"%s#%zu\", \"metric\": \"p50_us\", \"value\": %.3f}\n", kind.name.c_str(), b,
                  block(kind));
    }
  }
  client.check();
  std::fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return run(argc, argv); });
}
