// SPDX-License-Identifier: Apache-2.0
// SharedPool: the shared connections to one address. Any thread may call.
//
// A thread has its place among them, so that its requests arrive in the order sent. Calls that must not wait behind
// others are given a connection without other calls, beyond the usual number if need be. Such are a servant's calls:
// the servant's caller may wait for them, and servers may serve the requests of a connection one after the other.
#pragma once
#include <callis/orb/endpoint/shared_connection.h>
#include <condition_variable>
#include <functional>

namespace callis::orb {

class SharedPool final {
 public:
  using Opener = std::function<Result<std::shared_ptr<SharedConnection>>(Deadline)>;

  // most: the number of connections, 1 or more.
  SharedPool(std::size_t most, Opener opener);

  CALLIS_OPTIONAL ~SharedPool();
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  // Returns a lane of an existing connection for one call; nullptr if there is none. alone: not behind other calls.
  std::unique_ptr<ClientConnection> find(bool alone, TimePoint now);
  // The same, on a connection that is opened now, or that another thread opens meanwhile.
  Result<std::unique_ptr<ClientConnection>> open(bool alone, TimePoint now, Deadline deadline);

  // Closes connections that have not been used since then. Returns their number.
  CALLIS_OPTIONAL std::size_t close_unused(TimePoint since);
  // Closes connections that the server has closed, or has sent CloseConnection on.
  CALLIS_OPTIONAL void close_ended();
  // Closes all as soon as the calls under way are over. for_good: also connections that are opened from now on.
  CALLIS_OPTIONAL void close_all(bool for_good);
  // See EndpointDirectory's functions of the same names.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();
  // The connections on which calls can begin.
  CALLIS_OPTIONAL std::vector<std::shared_ptr<SharedConnection>> connections() const;

 private:
  using Connection = std::unique_ptr<ClientConnection>;
  using Shared = std::shared_ptr<SharedConnection>;
  struct Place {
    Shared connection;
    bool opening = false;
    std::uint64_t failures = 0;  // to connect
    Error failure;               // the last one
  };

  Place& place();
  Shared at(const Place& p) const;
  void forget(Place& p, const Shared& connection);
  Result<Connection> open_alone(TimePoint now, Deadline deadline);
  bool failed_for_all(const Place& p, Deadline deadline) const;

  const Opener opener_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable opened_;
  std::vector<Place> places_;
  std::vector<Shared> beyond_;  // opened for calls that had to be alone
  bool closed_ = false;
};

}  // namespace callis::orb
