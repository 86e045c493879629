// SPDX-License-Identifier: Apache-2.0
// A rung in memory: a message that holds one sequence, encoded again and again into the same buffer, and decoded and
// freed again and again. Both are checked before anything is timed.
//
//   ladder_memory_RUNG [--types short,BinStruct] [--bytes 65536] [--slice-us 2000]
//     prints one JSON line a case TYPE/encode, TYPE/decode (with freeing) and TYPE/both: ns_per_element and gbit_s,
//     of the quickest of five slices
//   ladder_memory_RUNG --count N --only encode|decode|both [...]
//     runs N times, for whoever counts instructions
#include <algorithm>
#include "../common/measure.h"
#include "subjects.h"

namespace {

using namespace ladder;
using callis::marshal::SequenceHeader;

std::string option(int argc, char** argv, const std::string& name, const char* otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == "--" + name) return argv[i + 1];
  return otherwise;
}

struct Run {
  const Type type;
  const Value value;
  callis::Buffer message;

  Run(const Subject& s, std::size_t bytes) : type(subjects::kUnit, s.sequence), value(s, bytes) {
    encode();
    SequenceHeader back{};
    bench::expect(ladder::decode(*type, &back, message.view(), 0, callis::kNativeOrder) && value.equals(back),
                  "decoded");
    ladder::free(*type, &back);
    bench::expect(back.buffer == nullptr, "freed");
  }
  void encode() {
    message.clear();
    if (!ladder::encode(*type, &value.header, message)) bench::expect(false, "encode");
  }
  void decode() const {
    SequenceHeader back{};
    if (!ladder::decode(*type, &back, message.view(), 0, callis::kNativeOrder) || back.length != value.header.length)
      bench::expect(false, "decode");
    ladder::free(*type, &back);
  }
  void go(const std::string& what, long times) {
    for (long i = 0; i < times; ++i) {
      if (what != "decode") encode();
      if (what != "encode") decode();
    }
  }
};

// Of the CPU, so that what other processes take does not count.
double cpu_ns() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double nanoseconds(Run& run, const std::string& what, long times) {
  const double start = cpu_ns();
  run.go(what, times);
  return cpu_ns() - start;
}

// Of one run, the quickest of five slices: what disturbs only ever adds.
double quickest(Run& run, const std::string& what, double slice_ns) {
  long times = 1;
  for (double t; (t = nanoseconds(run, what, times)) < slice_ns / 2;) times *= 2;
  double best = 1e300;
  for (int i = 0; i < 5; ++i) best = std::min(best, nanoseconds(run, what, times) / static_cast<double>(times));
  return best;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto bytes = static_cast<std::size_t>(std::stoul(option(argc, argv, "bytes", "65536")));
  const double slice_ns = 1e3 * std::stod(option(argc, argv, "slice-us", "2000"));
  const long count = std::stol(option(argc, argv, "count", "0"));
  for_subjects(option(argc, argv, "types", ""), [&](const Subject& s) {
    Run run(s, bytes);
    if (count > 0) return run.go(option(argc, argv, "only", "both"), count);
    for (const char* what : {"encode", "decode", "both"}) {
      const double ns = quickest(run, what, slice_ns);
      const std::string name = std::string(s.name) + "/" + what;
      bench::result(name, "ns_per_element", ns / run.value.header.length);
      bench::result(name, "gbit_s", 8 * static_cast<double>(bytes) / ns);
    }
  });
} catch (const std::exception& e) {
  std::fprintf(stderr, "ladder: %s\n", e.what());
  return 1;
}
