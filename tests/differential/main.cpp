// SPDX-License-Identifier: Apache-2.0
// differential: random values and spoiled messages through all coders, which must agree on accept, reject and value:
//
//   reference    callis/marshal/testing/reference_*.h, slow, written from the specification
//   engine       marshal::encode() and decode() by a plan
//   compiled     the skeletons that callis-idl --stubs=compiled makes: `in` arguments may stay in the message,
//                `inout` ones are owned
//   interpreted  the skeletons of --stubs=interpreted, likewise
//   validate()   and skip(), which yield no value; and copy(), equal() and hash() of what was accepted
//
// over the types of corpus.idl, and once more over random types, which only the first two know.
// A failure prints the seed that repeats it: differential --seed S --values 1 (or --corruptions 1).
#include "agreement.h"
#include "small_orb.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

namespace {

using namespace callis;
using namespace differential;
using marshal::testing::random_value;

struct Options {
  std::uint64_t values = 20000, corruptions = 20000, seed = 1;
  std::string type;
};

// A type under test.
struct Subject {
  const marshal::Unit& unit;
  marshal::Word type;
  const marshal::Plan& plan;
  const Operation* operation;
  std::string name;
};

void print(const Subject& s, const Message& m, std::uint64_t seed, bool spoiled, const std::string& what) {
  std::printf("%s, --seed %llu --%s 1 --type %s\n%s  %s-endian at phase %zu, budget %zu and %u levels%s%s\n  bytes",
              spoiled ? "spoiled message" : "value", static_cast<unsigned long long>(seed),
              spoiled ? "corruptions" : "values", s.name.c_str(), what.c_str(),
              m.order == ByteOrder::Big ? "big" : "little", m.phase, m.budget.bytes_left, m.budget.depth_left,
              m.spoiled.empty() ? "" : ", spoiled by", m.spoiled.c_str());
  std::size_t next = 0;
  for (std::size_t i = 0; i < m.bytes.size() && i < 400; ++i) {
    if (next < m.breaks.size() && m.breaks[next] == i) std::printf(" |"), ++next;
    std::printf(" %02x", m.bytes[i]);
  }
  std::printf("%s\n", m.bytes.size() > 400 ? " ..." : "");
}

// One value, or one spoiled message, all of it from the seed. False when the coders disagree.
bool run(const Subject& s, std::uint64_t seed, bool spoiled, Tally& tally) {
  Random random(seed);
  Value value(marshal::native_size(s.plan));
  random_value(s.unit, s.type, value.data(), random, &references());
  Message m = write_message(s.unit, s.type, value.data(), random);
  marshal::destroy(s.plan, value.data());
  if (spoiled) spoil(m, random);
  const std::string what = disagreement(s.unit, s.type, s.plan, s.operation, m, tally);
  if (what.empty()) return true;
  print(s, m, seed, spoiled, what);
  return false;
}

constexpr int kMostFailures = 10;

class Report {
 public:
  ~Report() = default;
  int failures = 0;
  void line(const char* what, std::uint64_t n, const Tally& t) {
    const auto now = std::chrono::steady_clock::now();
    std::printf("%-28s %9llu  accepted %9llu  rejected %9llu  another fault named %7llu  %.1f s\n", what,
                static_cast<unsigned long long>(n), static_cast<unsigned long long>(t.accepted),
                static_cast<unsigned long long>(t.rejected), static_cast<unsigned long long>(t.other_fault),
                std::chrono::duration<double>(now - since_).count());
    if (t.rejected != 0) {
      std::printf("  rejected for");
      for (const auto& [fault, times] : t.faults)
        if (fault != Fault::None) std::printf(" %s %llu", fault_name(fault), static_cast<unsigned long long>(times));
      std::printf("\n");
    }
    std::fflush(stdout);
    since_ = now;
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

void corpus(const Options& o, bool spoiled, Report& report) {
  struct Entry {
    Operation operation;
    std::shared_ptr<const marshal::Plan> plan;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < Operation::count(); ++i) {
    const Operation op(i);
    if (!o.type.empty() && o.type != op.name()) continue;
    entries.push_back({op, marshal::make_plan(op.unit(), op.type())});
  }
  if (entries.empty()) return;
  Tally tally;
  const std::uint64_t n = spoiled ? o.corruptions : o.values;
  for (std::uint64_t i = 0; i < n && report.failures < kMostFailures; ++i) {
    const Entry& e = entries[(o.seed + i) % entries.size()];
    const Subject s{e.operation.unit(), e.operation.type(), *e.plan, &e.operation, e.operation.name()};
    report.failures += !run(s, o.seed + i, spoiled, tally);
  }
  report.line(spoiled ? "corpus, spoiled messages" : "corpus, values", n, tally);
}

void random_types(const Options& o, bool spoiled, Report& report) {
  if (!o.type.empty() && o.type != "random") return;
  Tally tally;
  const std::uint64_t n = spoiled ? o.corruptions : o.values;
  constexpr std::uint64_t kValuesOfAType = 32;
  std::shared_ptr<const marshal::Plan> plan;
  marshal::testing::Types types;
  marshal::Word type = 0;
  marshal::Unit unit{};
  for (std::uint64_t i = 0; i < n && report.failures < kMostFailures; ++i) {
    const std::uint64_t seed = o.seed + i;
    if (!plan || seed % kValuesOfAType == 0) {
      Random random(seed / kValuesOfAType);
      types = {};
      type = random_type(types, random);
      unit = types.unit();
      plan = marshal::make_plan(unit, type);
    }
    report.failures += !run({unit, type, *plan, nullptr, "random"}, seed, spoiled, tally);
  }
  report.line(spoiled ? "random types, spoiled" : "random types, values", n, tally);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("Random values and spoiled messages through all coders of callis, which must agree");
  app.add_option("--values", o.values, "random values to encode and decode")->capture_default_str();
  app.add_option("--corruptions", o.corruptions, "spoiled messages to decode")->capture_default_str();
  app.add_option("--seed", o.seed, "the first seed; each value and message has the next")->capture_default_str();
  app.add_option("--type", o.type, "only this operation of corpus.idl, or random");
  CLI11_PARSE(app, argc, argv);

  std::printf("seeds from %llu on\n", static_cast<unsigned long long>(o.seed));
  Report report;
  for (const bool spoiled : {false, true}) {
    corpus(o, spoiled, report);
    random_types(o, spoiled, report);
  }
  std::printf(report.failures ? "the coders DISAGREE\n" : "the coders agree\n");
  return report.failures ? 1 : 0;
}
