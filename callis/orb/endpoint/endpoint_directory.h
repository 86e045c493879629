// SPDX-License-Identifier: Apache-2.0
// EndpointDirectory: the addresses that an ORB calls, each with its connections, for all references to share. Any thread.
#pragma once
#include <callis/base/string_map.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/options/options.h>
#include <list>
#include <string>

namespace callis::orb {

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
  std::shared_ptr<Endpoint> memory(std::string_view name, std::string_view suffix = {});
  std::shared_ptr<Endpoint> unix_socket(std::string_view path, std::string_view suffix = {});

  // How connections to the ORB itself are made; before set_own().
  void set_own_connector(Endpoint::Connector connect) { connect_own_ = std::move(connect); }
  // The ORB listens there from now on: what is asked for by one of these names leads to itself.
  void set_own(std::list<std::string> names);
  static std::string tcp_name(const ior::Address& address);
  static std::string memory_name(std::string_view name);
  static std::string unix_name(std::string_view path);

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
  enum class Place : std::uint8_t { Tcp, Unix, Memory };
  struct Opener;
  std::shared_ptr<Endpoint> find(std::string name, std::string_view suffix, Opener open);
  bool is_own(std::string_view name) const;
  std::vector<std::shared_ptr<Endpoint>> all();

  const Options& options_;
  const std::unique_ptr<OnewayFlusher> flusher_;  // outlives the connections
  Endpoint::Connector connect_own_;
  std::atomic<TimePoint> closed_old_{};
  std::mutex mutex_;  // guards what follows
  StringMap<std::shared_ptr<Endpoint>> endpoints_;
  std::list<std::string> own_;
};

}  // namespace callis::orb
