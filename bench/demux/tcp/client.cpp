// SPDX-License-Identifier: Apache-2.0
// client demux --reference FILE [--blocks N] [--calls N]: calls one object, all objects at random, and the first and
// the last operation of the hundred, in turn: N blocks of so many calls of each, every other block in the other order.
// One line a block and case, with the median call of the block:
//
//   {"case": "objects10000/random", "metric": "p50_us", "value": 13.2, "round": 0}
//
// All calls are checked at the end: the servant counts which of its objects and operations were called.
#include <algorithm>
#include <functional>
#include "../../common/measure.h"
#include "references.h"

namespace {

using namespace bench::demux;

// next() chooses what is called; call() calls it, and is what is timed.
struct Kind {
  std::string name;
  std::function<void()> next, call;
  std::vector<std::uint64_t> ns = {};
};

class Client {
 public:
  Client(CORBA::ORB_ptr orb, const std::vector<std::string>& lines) {
    counts_ = Counts::_narrow(object(orb, lines[0]));
    demux_ = Demux::_narrow(object(orb, lines[1]));
    for (std::size_t i = 2; i < lines.size(); ++i) objects_.push_back(Obj::_unchecked_narrow(object(orb, lines[i])));
    called_.resize(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) {  // each once, as in a client that is at work
      choose(i);
      chosen_->ping();
    }
  }

  std::vector<Kind> kinds() {
    const auto ping = [this] { chosen_->ping(); };
    return {{"objects1/random", [this] { choose(0); }, ping},
            {"objects" + std::to_string(objects_.size()) + "/random", [this] { choose(draw()); }, ping},
            {"operations100/first", [this] { ++first_; }, [this] { demux_->op_000(); }},
            {"operations100/last", [this] { ++last_; }, [this] { demux_->op_099(); }}};
  }

  void check() {
    Counts::Numbers_var operations = counts_->of_operations(), objects = counts_->of_objects();
    bench::expect(operations->length() == kOperations && objects->length() == objects_.size(), "number of counts");
    for (CORBA::ULong i = 0; i < operations->length(); ++i)
      bench::expect(operations[i] == (i == 0 ? first_ : i == kOperations - 1 ? last_ : 0), "calls of an operation");
    for (CORBA::ULong i = 0; i < objects->length(); ++i) bench::expect(objects[i] == called_[i], "calls of an object");
  }

 private:
  static CORBA::Object_var object(CORBA::ORB_ptr orb, const std::string& text) { return orb->string_to_object(text.c_str()); }
  void choose(std::size_t i) {
    ++called_[i];
    chosen_ = objects_[i].in();
  }
  std::size_t draw() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return (random_ >> 32) % objects_.size();
  }

  Counts_var counts_;
  Demux_var demux_;
  std::vector<Obj_var> objects_;
  Obj_ptr chosen_ = nullptr;
  std::vector<std::uint64_t> called_;
  std::uint64_t first_ = 0, last_ = 0, random_ = 0x9e3779b97f4a7c15u;
};

// The median of so many calls, each timed alone.
double block(Kind& kind, std::size_t calls) {
  kind.ns.clear();
  for (std::size_t i = 0; i < calls; ++i) {
    kind.next();
    const std::uint64_t start = bench::now_ns();
    kind.call();
    kind.ns.push_back(bench::now_ns() - start);
  }
  const auto middle = kind.ns.begin() + static_cast<std::ptrdiff_t>(calls / 2);
  std::nth_element(kind.ns.begin(), middle, kind.ns.end());
  return static_cast<double>(*middle) / 1000;
}

int run(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  Client client(orb, read_lines(bench::option(argc, argv, "reference", "server.ior")));
  const std::size_t calls = bench::number(bench::option(argc, argv, "calls", "200"));
  const std::size_t blocks = bench::number(bench::option(argc, argv, "blocks", "100"));
  std::vector<Kind> kinds = client.kinds();
  for (Kind& kind : kinds) block(kind, calls);  // warm
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Kind& kind = kinds[b % 2 ? kinds.size() - 1 - i : i];
      std::printf("{\"case\": \"%s\", \"metric\": \"p50_us\", \"value\": %.3f, \"round\": %zu}\n", kind.name.c_str(),
                  block(kind, calls), b);
    }
  }
  client.check();
  std::fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::guarded([&] { return run(argc, argv); });
}
