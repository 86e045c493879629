// SPDX-License-Identifier: Apache-2.0
// SharedPool: the shared connections to one address. Any thread.
//
// A thread has its place among them, so that what it sends arrives in the order sent. Calls that must not wait behind
// others are given a connection without any, beyond the usual number if need be: a servant's calls, which whoever
// called it may wait for, where servers serve the requests of a connection one after the other.
#pragma once
#include <callis/orb/endpoint/shared_connection.h>
#include <condition_variable>
#include <functional>

namespace callis::orb {

class SharedPool final {
 public:
  using Opener = std::function<Result<std::shared_ptr<SharedConnection>>(Deadline)>;

  // most: connections, 1 or more.
  SharedPool(std::size_t most, Opener opener);

  CALLIS_OPTIONAL ~SharedPool();
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  // For one call, on a connection that there is; nullptr when there is none for it. alone: not behind other calls.
  std::unique_ptr<ClientConnection> find(bool alone, TimePoint now);
  // The same, on a connection that is opened for it; or that another thread opens meanwhile.
  Result<std::unique_ptr<ClientConnection>> open(bool alone, TimePoint now, Deadline deadline);

  // Closes connections that have not been used since then. How many.
  CALLIS_OPTIONAL std::size_t close_unused(TimePoint since);
  // Closes those that the server has closed, or has said CloseConnection on.
  CALLIS_OPTIONAL void close_ended();
  // Closes all as soon as the calls under way are over; those opened from now on too when for_good.
  CALLIS_OPTIONAL void close_all(bool for_good);
  // EndpointDirectory's of the same names.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  CALLIS_OPTIONAL void go_on_in_child();
  // Those that calls can begin on.
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
