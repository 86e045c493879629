// SPDX-License-Identifier: Apache-2.0
// The commands that a caller obeys. Each line of standard input is a command, each gets one line back:
//
//   OPERATION N         N calls one after the other; the nanoseconds that all took
//   cold OPERATION N    N calls, each after code that fills branch predictor and instruction cache; the median
//                       nanoseconds of a call
//   foreign N           only such code, N times
//   heap OPERATION N    N calls; by how many bytes the heap in use has grown
//   operations          the names of the operations
//   plans               bytes of heap that plans take, by operation (programs/plan_heap.cpp)
//
// Results are checked after each command, outside the time taken.
#pragma once
#include "cold.h"
#include "orb.h"
#include "../peers/common/program.h"
#include "../programs/plan_heap.h"
#include <malloc.h>
#include <algorithm>
#include <functional>
#include <sstream>

namespace bench {

struct Operation {
  std::string name;
  std::function<void(long)> calls;      // so many
  std::function<bool(long)> right;  // after so many
};
using Operations = std::vector<Operation>;

template <class Call, class Right>
Operation operation(const char* name, Call call, Right right) {
  return {name, [call](long n) { for (long i = 0; i < n; ++i) call(); }, [right](long n) { return right(n); }};
}

inline double cold_median(const Operation& op, long n) {
  std::vector<std::uint64_t> ns, clock;
  for (long i = 0; i < n; ++i) {
    make_cold();
    const std::uint64_t start = now_ns();
    op.calls(1);
    const std::uint64_t end = now_ns();
    ns.push_back(end - start);
    clock.push_back(now_ns() - end);
  }
  const auto middle = [](std::vector<std::uint64_t>& v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return static_cast<double>(v[v.size() / 2]);
  };
  return middle(ns) - middle(clock);
}

inline double heap_growth(const Operation& op, long n) {
  const std::size_t before = mallinfo2().uordblks;
  op.calls(n);
  return static_cast<double>(mallinfo2().uordblks) - static_cast<double>(before);
}

inline std::string obey(const Operations& operations, const std::string& line) {
  std::istringstream words(line);
  std::string word, all;
  words >> word;
  if (word == "operations") {
    for (const auto& op : operations) all += op.name + ' ';
    return all;
  }
  if (word == "plans" && plan_heap != nullptr) return plan_heap();
  if (word == "foreign") {
    long n = 0;
    words >> n;
    for (long i = 0; i < n; ++i) make_cold();
    return "0";
  }
  const bool cold = word == "cold", heap = word == "heap";
  if (cold || heap) words >> word;
  long n = 0;
  words >> n;
  for (const auto& op : operations) {
    if (op.name != word || n <= 0) continue;
    double result;
    if (cold) {
      result = cold_median(op, n);
    } else if (heap) {
      result = heap_growth(op, n);
    } else {
      const std::uint64_t start = now_ns();
      op.calls(n);
      result = static_cast<double>(now_ns() - start);
    }
    expect(op.right(n), op.name.c_str());
    char digits[64];  // short enough for a std::string not to allocate, which would be counted
    std::snprintf(digits, sizeof digits, "%.0f", result);
    return digits;
  }
  return "error: no such command: " + line;
}

inline void obey_commands(const Operations& operations) {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << obey(operations, line) << std::endl;
}

}  // namespace bench
