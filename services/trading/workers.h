// SPDX-License-Identifier: Apache-2.0
// Workers: threads that make calls to others for queries: to objects of dynamic properties, and to linked traders.
// They are started when they are needed. A query's wait ends at its deadline; a call that hangs keeps its thread
// until the call's own deadline.
//
// So that one who hangs stops himself alone, calls are counted by the server that they go to and by the client whose
// query makes them. Beyond its count a server's calls wait, and those of others go before them:
//
//   server that             calls at once, to it   and to all such servers
//   answered last time      half of the threads    all threads
//   is new                  2                      half, with those that hung
//   hung last time          1                      a quarter
//
// A server that hung last time is left alone for kRest: a query's calls to it are not made, and the query does not
// wait. Then one call is tried again.
//
// A client's queries have three quarters of the threads at most. Among the calls that may run, servers take turns,
// and the queries that call one server do. Any thread.
#pragma once
#include <callis/corba.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace callis::trading {

class Workers final {
 public:
  // How a call has ended: the server answered, whatever; it let the call wait to its deadline; nobody was there, or
  // it was not asked.
  enum class End : std::uint8_t { Answered, Hung, Not };
  struct Task {
    std::string server;  // equal for calls that go to the same one; "" for this process
    std::function<End()> call;
  };

  // rest: kRest, but in tests.
  explicit Workers(std::size_t most, std::chrono::nanoseconds rest = kRest) : most_(most), rest_(rest) {}
  // Waits for calls that run.
  ~Workers() { stop(); }
  // Tasks that wait are dropped; run() returns.
  void stop();

  // Makes the calls, several at once, and returns when they are done or `limit` is over. Calls that have not begun by
  // then are dropped; running calls go on, so they must own everything that they use. They throw nothing. client is
  // the client that has asked for this, as MemoryBound counts clients.
  void run(std::vector<Task>&& tasks, const std::string& client, std::chrono::nanoseconds limit);
  std::size_t threads() const;

  static constexpr std::size_t kMostServers = 10'000;  // that are remembered
  static constexpr std::chrono::seconds kRest{10};

 private:
  enum class Class : std::uint8_t { Good, New, Hangs };
  struct Batch {
    std::size_t left = 0;
    bool over = false;
    std::string client;
  };
  // The calls of one query that wait for one server.
  struct Waiting {
    std::shared_ptr<Batch> batch;
    std::deque<std::function<End()>> calls;
  };
  struct Server {
    Class is = Class::New;
    std::chrono::steady_clock::time_point rests_until{};
    std::size_t running = 0;
    std::list<Waiting> queue;  // who is next, first
    bool is_waiting = false;   // in waiting_
  };
  using Servers = std::unordered_map<std::string, Server>;
  struct Next {
    Servers::value_type* server = nullptr;  // nullptr: no call may run
    std::shared_ptr<Batch> batch;
    std::function<End()> call;
  };

  void work();
  // The following under the lock.
  Next next();
  bool may_run(const Server& server) const;
  bool may_run(const Batch& batch) const;
  Server& server(const std::string& name);
  void end(const Next& done, End how);
  std::size_t part(std::size_t quarters) const { return std::max<std::size_t>(1, most_ * quarters / 4); }

  const std::size_t most_;
  const std::chrono::nanoseconds rest_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable some_, done_;
  Servers servers_;
  std::list<Servers::value_type*> waiting_;  // servers that calls wait for; whose turn is next, first
  std::size_t calls_waiting_ = 0;
  std::size_t running_[3] = {0, 0, 0};  // by Class, as it was when the call began
  std::unordered_map<std::string, std::size_t> running_for_;  // clients
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stop_ = false;
};

// The server that calls on the object go to first, as Task::server has it.
std::string server_of(CORBA::Object_ptr object);

}  // namespace callis::trading
