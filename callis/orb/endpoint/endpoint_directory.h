// SPDX-License-Identifier: Apache-2.0
// EndpointDirectory: the addresses that an ORB calls, each with its connections, for all references to share. Any
// thread.
#pragma once
#include <callis/base/string_map.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/orb/options/options.h>
#include <list>
#include <span>

namespace callis::orb {

class EndpointDirectory final {
 public:
  // options: outlives the directory.
  explicit EndpointDirectory(const Options& options);
  ~EndpointDirectory();
  EndpointDirectory(const EndpointDirectory&) = delete;
  EndpointDirectory& operator=(const EndpointDirectory&) = delete;

  // The endpoint of that identity, made if need be; the ORB's own where it listens there.
  std::shared_ptr<Endpoint> find(const EndpointIdentity& wanted);

  // Tells the directory where the ORB itself listens. From now on find() leads from these addresses to the ORB
  // itself, by the transport to_itself. Both arguments live as long as the directory.
  void set_own(const std::list<EndpointAddress>& addresses, const Transport& to_itself);
  // From now on the ORB listens at these addresses. After the other.
  void set_own(const std::list<EndpointAddress>& addresses);

  // How long threads look for a message again and again (-ORBSpin), on connections that are opened from now on.
  std::chrono::microseconds spin() const { return spin_.load(std::memory_order_relaxed); }
  void stop_spinning() { spin_.store({}, std::memory_order_relaxed); }

  // Before a connection is opened: closes those that have been idle for long, at every endpoint. Does nothing when it
  // was called a short while ago.
  void close_old(TimePoint now);
  // Where descriptors are short: closes the idle connections that servers have closed; all that are idle where there
  // are none of those. False when nothing was closed.
  bool close_unneeded(TimePoint now);
  // Closes idle connections to these endpoints, those that their servers have closed or have said CloseConnection on.
  // Endpoints that are gone are passed over.
  void close_ended(std::span<const Endpoint* const> which);
  // Closes all idle connections, and those checked in later, too.
  void close_for_good();

  // Around fork(): what calls lock is locked before it, and unlocked in the parent behind it. Feature forks.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  // In the child, in place of the latter: lets the connections go, which are its parent's, and forgets the threads.
  CALLIS_OPTIONAL void go_on_in_child();

  // nullptr in a program that cannot hold one-ways.
  OnewayFlusher* flusher() { return flusher_.get(); }
  // nullptr where nothing watches idle connections.
  IdleWatch* watch() { return watch_.get(); }

 private:
  std::vector<std::shared_ptr<Endpoint>> all();

  const Options& options_;
  std::atomic<std::chrono::microseconds> spin_;
  const std::unique_ptr<OnewayFlusher> flusher_;  // outlives the connections
  std::atomic<TimePoint> closed_old_{};
  std::mutex mutex_;  // guards what follows
  StringMap<std::shared_ptr<Endpoint>> endpoints_;
  const std::list<EndpointAddress>* own_ = nullptr;
  const Transport* to_itself_ = nullptr;
  const std::unique_ptr<IdleWatch> watch_;  // goes first; nullptr in a program that has none
};

}  // namespace callis::orb
