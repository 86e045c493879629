// SPDX-License-Identifier: Apache-2.0
// EndpointDirectory: the addresses that an ORB calls, each with its connections, for all references to share. Any thread.
#pragma once
#include <callis/base/string_map.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/options/options.h>
#include <list>
#include <span>
#include <string>

namespace callis::orb {

class OrbContext;

class EndpointDirectory final {
 public:
  // options: outlives the directory.
  explicit EndpointDirectory(const Options& options);
  ~EndpointDirectory();
  EndpointDirectory(const EndpointDirectory&) = delete;
  EndpointDirectory& operator=(const EndpointDirectory&) = delete;

  // The endpoint of an address, made if need be; the ORB's own where it listens there. suffix: connections with another one
  // are not shared.
  std::shared_ptr<Endpoint> tcp(const ior::Address& address, std::string_view suffix = {});
  std::shared_ptr<Endpoint> memory(const std::string& name, std::string_view suffix = {});
  std::shared_ptr<Endpoint> unix_socket(const std::string& path, std::string_view suffix = {});

  // Where the ORB itself listens. What these refer to lives as long as the directory.
  struct Own {
    std::span<const ior::Address> addresses;
    const std::list<std::string>* memory_names = nullptr;
    const std::list<std::string>* socket_paths = nullptr;
  };
  // From now on what is asked for there leads to the ORB itself.
  void set_own(const Own& own);
  // How connections to it are made; before set_own(). orb: given to connect.
  using ConnectOwn = std::unique_ptr<transport::Stream> (*)(OrbContext& orb);
  void set_own_connector(ConnectOwn connect, OrbContext& orb) {
    connect_own_ = connect;
    orb_ = &orb;
  }

  // Before a connection is opened: closes those that have been idle for long, at every endpoint. Does nothing when it was
  // called a short while ago.
  void close_old(TimePoint now);
  // Where descriptors are short: closes the idle connections that servers have closed; all that are idle where there are
  // none of those. False when nothing was closed.
  bool close_unneeded(TimePoint now);
  // Closes all idle connections, and those checked in later, too.
  void close_for_good();

  // nullptr in a program that cannot hold one-ways.
  OnewayFlusher* flusher() { return flusher_.get(); }

 private:
  enum class Place : std::uint8_t { Tcp, Unix, Memory, Own };
  struct Opener;
  std::shared_ptr<Endpoint> find(Opener open, std::string_view suffix);
  bool is_own(const Opener& to) const;
  std::vector<std::shared_ptr<Endpoint>> all();

  const Options& options_;
  const std::unique_ptr<OnewayFlusher> flusher_;  // outlives the connections
  ConnectOwn connect_own_ = nullptr;
  OrbContext* orb_ = nullptr;
  std::atomic<TimePoint> closed_old_{};
  std::mutex mutex_;  // guards what follows
  StringMap<std::shared_ptr<Endpoint>> endpoints_;
  Own own_;
};

}  // namespace callis::orb
