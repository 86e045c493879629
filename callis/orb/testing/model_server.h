// SPDX-License-Identifier: Apache-2.0
// Echo servers by the model of who serves, and a gate for their upcalls.
#pragma once
#include <callis/orb/server/server.h>
#include <callis/orb/testing/echo.h>
#include <future>
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
    }
  }

  std::thread running_[2];
};

// Stops requests for the operation "wait" until told.
class Gate {
 public:
  void operator()(ServerRequest& r) {
    if (r.operation() != "wait") return;
    entered_.set_value();
    go_.wait();
  }
  void wait_until_entered() { entered_.get_future().wait(); }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> entered_, opened_;
  std::shared_future<void> go_ = opened_.get_future().share();
};

// Lets requests for "wait" through once so many are inside.
class Meeting {
 public:
  explicit Meeting(int n) : wanted_(n) {}
  void operator()(ServerRequest& r) {
    if (r.operation() != "wait") return;
    if (++inside_ == wanted_) all_.set_value();
    together_.wait();
  }

 private:
  const int wanted_;
  std::atomic<int> inside_{0};
  std::promise<void> all_;
  std::shared_future<void> together_ = all_.get_future().share();
};

}  // namespace callis::orb::testing
