// SPDX-License-Identifier: Apache-2.0
// Echo servers by the model of who serves, and a gate for their upcalls.
#pragma once
#include <callis/orb/server/server.h>
#include <callis/orb/testing/echo.h>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace callis::orb::testing {

// Over TCP. model: what -ORBServerThreads is given, with ":N" for so many threads at most; for "single" two threads
// are in run().
class ModelServer : public EchoServer {
 public:
  explicit ModelServer(const std::string& model, const std::function<void(Options&)>& tune = {},
                       RequestHandler* other = nullptr)
      : EchoServer({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", model.substr(0, model.find(':'))},
                   [&](Options& o) {
                     const auto at = model.find(':');
                     if (at != model.npos) {
                       auto& most = o.server_threads == ServerThreads::Pool ? o.limits.max_pool_threads
                                                                            : o.limits.max_connection_threads;
                       most = static_cast<std::uint32_t>(std::stoul(model.substr(at + 1)));
                     }
                     if (tune) tune(o);
                   },
                   other) {
    if (model != "single") return;
    for (std::thread& t : running_) t = std::thread([this] { run(); });
  }
  ~ModelServer() {
    try {
      core->shutdown(false);
    } catch (const CORBA::Exception&) {  // a test has done it
    }
    for (std::thread& t : running_)
      if (t.joinable()) t.join();
  }

 private:
  void run() {
    try {
      core->run();
    } catch (const CORBA::BAD_INV_ORDER&) {  // the test was done before this thread came here
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
  }

  std::thread running_[2];
};

// Stops requests for the operation "wait" until told, or until it is destroyed, which waits until all have left.
class Gate {
 public:
  ~Gate() {
    std::unique_lock lock(mutex_);
    open_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return inside_ == 0; });
  }
  void operator()(ServerRequest& r) {
    if (r.operation() != "wait") return;
    std::unique_lock lock(mutex_);
    entered_ = true;
    ++inside_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --inside_;
    changed_.notify_all();
  }
  void wait_until_entered() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return entered_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool entered_ = false, open_ = false;
  int inside_ = 0;
};

// Lets requests for "wait" through once so many are inside.
class Meeting {
 public:
  explicit Meeting(int n) : wanted_(n) {}
  void operator()(ServerRequest& r) {
    if (r.operation() != "wait") return;
    std::unique_lock lock(mutex_);
    if (++inside_ == wanted_) together_.notify_all();
    together_.wait(lock, [this] { return inside_ >= wanted_; });
  }

 private:
  const int wanted_;
  std::mutex mutex_;
  std::condition_variable together_;
  int inside_ = 0;
};

}  // namespace callis::orb::testing
