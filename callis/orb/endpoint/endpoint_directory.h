// SPDX-License-Identifier: Apache-2.0
// EndpointDirectory: the addresses that an ORB calls, each with its connections. All references share it. Any thread
// may call.
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
  // options outlives the directory.
  explicit EndpointDirectory(const Options& options);
  ~EndpointDirectory();
  EndpointDirectory(const EndpointDirectory&) = delete;
  EndpointDirectory& operator=(const EndpointDirectory&) = delete;

  // The endpoint of that identity, made if need be; the ORB's own endpoint if the ORB listens there.
  std::shared_ptr<Endpoint> find(const EndpointIdentity& wanted);

  // Tells the directory where the ORB itself listens. From now on find() leads from these addresses to the ORB
  // itself, by the transport to_itself. Both arguments live as long as the directory.
  void set_own(const std::list<EndpointAddress>& addresses, const Transport& to_itself);
  // Adds addresses at which the ORB listens from now on. The other set_own() must have been called.
  void set_own(const std::list<EndpointAddress>& addresses);

  // The time for which threads look for a message again and again (-ORBSpin), on connections that are opened from now
  // on.
  std::chrono::microseconds spin() const { return spin_.load(std::memory_order_relaxed); }
  void stop_spinning() { spin_.store({}, std::memory_order_relaxed); }

  // Called before a connection is opened. Closes connections that have been idle for long, at every endpoint. Does
  // nothing if it was called a short while ago.
  void close_old(TimePoint now);
  // Called if descriptors are short. Closes the idle connections that servers have closed, or all idle connections if
  // there are no such. Returns false if nothing was closed.
  bool close_unneeded(TimePoint now);
  // Closes the idle connections to these endpoints that their servers have closed, or have sent CloseConnection on.
  // Skips endpoints that are gone.
  void close_ended(std::span<const Endpoint* const> which);
  // Closes all idle connections, and also connections that are checked in later.
  void close_for_good();

  // Called around fork(): the first locks everything that calls lock, the second unlocks it in the parent. Part of
  // the feature forks.
  CALLIS_OPTIONAL void lock_for_fork();
  CALLIS_OPTIONAL void unlock_after_fork();
  // Called in the child instead of unlocking: lets the connections go, which are the parent's, and forgets the
  // threads.
  CALLIS_OPTIONAL void go_on_in_child();

  // nullptr if the program cannot hold one-ways.
  OnewayFlusher* flusher() { return flusher_.get(); }
  // nullptr if nothing watches idle connections.
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
