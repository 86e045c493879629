// SPDX-License-Identifier: Apache-2.0
// The thread that sends lines. It makes its ORB when there is something to send, so that a program that logs nothing
// has no connection.
#include <callis/base/default_log.h>
#include <callis/base/thread.h>
#include <callis/corba.h>
#include <services/logging/sink/log_sink.h>
#include <services/logging/sink/queue.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include "CallisLogSink.h"

namespace callis::log_sink {

namespace {

constexpr std::size_t kBatch = 500;
constexpr std::uint64_t kUnixEpoch = 0x01B21DD213814000;
thread_local bool sends = false;  // the calling thread is the one that sends

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

class Sending::Work final {
 public:
  Work(const char* where, std::string program, LogSink also, void* context)
      : where_(where),
        program_(std::move(program)),
        also_(also),
        context_(context),
        queue_(kMostLines, kMostBytes) {
    if (const int error = thread_.start({"callis-sink"}, [this] { send_all(); })) {
      log_failed("no thread sends log lines to a sink", error);
      return;
    }
    set_log_sink(&Work::take, this);
  }
  ~Work() {
    if (!thread_.joinable()) return;
    set_log_sink(also_, context_);
    end_at_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDeadlineMs);
    queue_.end();
    thread_.join();
  }

 private:
  static void take(LogLevel level, std::string_view text, void* context) {
    Work& work = *static_cast<Work*>(context);
    (work.also_ ? work.also_ : default_log_sink())(level, text, work.context_);
    if (!sends) work.queue_.put(level, text);
  }

  // Fewer words each time: what fails once may fail for long.
  void failed(const std::string& why) {
    if (why == last_failure_) return;
    last_failure_ = why;
    log(LogLevel::Warning, {"log lines are not sent to ", where_, ": ", why, "; trying again"});
  }

  bool connect() {
    if (!CORBA::is_nil(sink_.in())) return true;
    if (CORBA::is_nil(orb_.in())) {
      const std::string deadline = std::to_string(kDeadlineMs);
      const char* words[] = {"sink", "-ORBIdleWatch", "none", "-ORBCallTimeout", deadline.c_str(), nullptr};
      int count = 5;
      orb_ = CORBA::ORB_init(count, const_cast<char**>(words), "callis-log-sink");
    }
    const CORBA::Object_var object = orb_->string_to_object(where_.c_str());
    sink_ = CallisLogging::Sink::_unchecked_narrow(object.in());
    return !CORBA::is_nil(sink_.in());
  }

  void send(const std::vector<Line>& lines, std::uint64_t dropped) {
    CallisLogging::Lines all;
    all.length(static_cast<CORBA::ULong>(lines.size()));
    for (CORBA::ULong i = 0; i < all.length(); ++i) {
      all[i].time = kUnixEpoch + lines[i].unix_ns / 100;
      all[i].level = static_cast<CallisLogging::LineLevel>(lines[i].level);
      all[i].text = lines[i].text.c_str();
    }
    CallisLogging::Program from;
    from.host = host_.c_str();
    from.name = program_.c_str();
    from.process = static_cast<CORBA::ULong>(::getpid());
    sink_->write_and_wait(from, all, dropped);
  }

  void send_all() {
    sends = true;
    std::vector<Line> lines;
    std::uint64_t dropped = 0;
    std::chrono::milliseconds rest{100};
    while (queue_.take(lines, dropped, kBatch)) {
      for (bool sent = false; !sent;) {
        try {
          if (connect()) send(lines, dropped);
          sent = true;
          last_failure_.clear();
          rest = std::chrono::milliseconds(100);
        } catch (const CORBA::Exception& e) {
          failed(e._name());
        } catch (const std::exception& e) {
          failed(e.what());
        }
        if (sent) break;
        if (queue_.ended() && std::chrono::steady_clock::now() >= end_at_.load()) {
          finish();
          return;
        }
        if (queue_.ended())
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
        else
          queue_.rest(rest);
        rest = std::min(rest * 2, std::chrono::milliseconds(5'000));
      }
    }
    finish();
  }

  void finish() noexcept {
    try {
      sink_ = CallisLogging::Sink::_nil();
      if (!CORBA::is_nil(orb_.in())) orb_->destroy();
    } catch (const CORBA::Exception&) {}  // it ends all the same
  }

  const std::string where_, program_, host_ = host_name();
  const LogSink also_;
  void* const context_;
  Queue queue_;
  std::string last_failure_;
  std::atomic<std::chrono::steady_clock::time_point> end_at_{};
  CORBA::ORB_var orb_;
  CallisLogging::Sink_var sink_;
  Thread thread_;
};

Sending::Sending(std::string program, LogSink also, void* context) {
  const char* const where = std::getenv(kVariable);
  if (where && *where) work_ = std::make_unique<Work>(where, std::move(program), also, context);
}
Sending::~Sending() = default;

}  // namespace callis::log_sink
