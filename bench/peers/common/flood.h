// SPDX-License-Identifier: Apache-2.0
// ttcp: floods of buffers in one direction, and what the receiver says about them.
#pragma once
#include <algorithm>
#include "elements.h"
#include "program.h"

namespace bench {

// What the receiver says at a barrier, about the time since the last one.
struct Receipt {
  std::uint64_t intact = 0;   // bytes of native elements in buffers that were as sent
  std::uint64_t arrived = 0;  // bytes of native elements at all
  std::uint64_t ns = 0;       // from the arrival of the first buffer to that of the last
};

// The receiver's counter. Not thread safe.
class Tally {
 public:
  void add(std::uint64_t bytes, bool intact) {
    last_ = now_ns();
    if (receipt_.arrived == 0) first_ = last_;
    receipt_.arrived += bytes;
    if (intact) receipt_.intact += bytes;
  }
  Receipt take() {
    Receipt r = receipt_;
    r.ns = last_ - first_;
    receipt_ = {};
    return r;
  }

 private:
  Receipt receipt_;
  std::uint64_t first_ = 0, last_ = 0;
};

inline std::string size_name(std::uint64_t bytes) {
  return bytes >> 20 ? std::to_string(bytes >> 20) + "M" : std::to_string(bytes >> 10) + "K";
}

// Sends buffers of `size` bytes until the point's total is reached, then has barrier() wait until `expected` bytes
// have arrived. Client's time: from before the first send until the barrier has confirmed the count. Receiver's time:
// from the arrival of the first buffer to that of the last, which is the time of all buffers but one.
template <class Send, class Barrier>
void flood(const Options& o, const std::string& type, std::uint64_t size, Send&& send, Barrier&& barrier) {
  const std::string name = type + "/" + size_name(size);
  const std::uint64_t total = o.megabytes << 20;
  const auto run = [&](std::uint64_t buffers) {
    for (std::uint64_t i = 0; i < buffers; ++i) send();
    const Receipt r = barrier(buffers * size);
    expect(r.arrived == buffers * size, name + ": bytes that arrived");
    expect(r.intact == buffers * size, name + ": an element is not as sent");
    return r;
  };
  run(std::max<std::uint64_t>(4, std::min<std::uint64_t>(4u << 20, total / 4) / size));
  const std::uint64_t buffers = std::max<std::uint64_t>(4, total / size);
  const std::uint64_t start = now_ns();
  const Receipt r = run(buffers);
  const std::uint64_t ns = now_ns() - start;
  result(name, "gbit_s", static_cast<double>(buffers * size) * 8 / static_cast<double>(ns));
  result(name, "receiver_gbit_s",
         static_cast<double>((buffers - 1) * size) * 8 / static_cast<double>(std::max<std::uint64_t>(r.ns, 1)));
}

// Calls body(size) for every size of a type that is asked for.
template <class Body>
void each_size(const Options& o, const std::string& type, Body&& body) {
  if (!wanted(o.types, type)) return;
  for (const std::uint64_t size : o.sizes) body(size);
}

// Asks until the receiver has counted all: for peers that serve one-ways beside the call that asks.
template <class Ask>
Receipt ask_until(std::uint64_t expected, Ask&& ask) {
  const std::uint64_t limit = now_ns() + 60'000'000'000u;
  Receipt all;
  for (;;) {
    const Receipt r = ask();
    all = {all.intact + r.intact, all.arrived + r.arrived, all.ns + r.ns};
    if (all.arrived >= expected || now_ns() > limit) return all;
  }
}

}  // namespace bench
