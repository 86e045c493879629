// SPDX-License-Identifier: Apache-2.0
// A program's own log lines (callis/base/log.h), sent to a sink of `callis logging` where the environment asks for
// it.
//
//   int main(int argc, char** argv) {
//     callis::log_sink::Sending sending("boiler");   // CALLIS_LOG_SINK=corbaloc::loghost:2814/LogSink
//     ...
//
// Without the variable this does nothing. With it lines also go into a bounded queue, and one thread, with an ORB of
// its own, sends them. Nobody who logs ever waits for it: lines that find no room are dropped, counted, and the sink
// is told how many. What that thread logs itself is only written where lines were written before, so that sending
// never brings more to send.
#pragma once
#include <callis/base/log.h>
#include <cstddef>
#include <memory>
#include <string>

namespace callis::log_sink {

inline constexpr const char* kVariable = "CALLIS_LOG_SINK";
inline constexpr std::size_t kMostLines = 8'192;     // that wait
inline constexpr std::size_t kMostBytes = 4u << 20;  // of these
inline constexpr int kDeadlineMs = 2'000;  // of a call to the sink; and for how long the end waits for lines

class Sending final {
 public:
  // program: its name in the sink's log. Reads the variable; replaces log()'s sink (set_log_sink()) by one that
  // writes lines to `also` and into the queue. also: nullptr: the standard error, as without this.
  // Before other threads start.
  explicit Sending(std::string program, LogSink also = nullptr, void* context = nullptr);
  // Lines that wait are sent, for at most kDeadlineMs; log()'s sink is `also` again.
  ~Sending();
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  bool active() const { return work_ != nullptr; }

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace callis::log_sink
