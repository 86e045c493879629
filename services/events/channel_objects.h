// SPDX-License-Identifier: Apache-2.0
// The objects of a service of channels that are there as long as it runs: its factory, and for each channel itself
// and its two admin objects. Their ids in the service's adapter are their kind and the channel's name, so that
// references to them work again after a restart. Plain and real-time channels have it. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <string>

namespace callis::events {

class ChannelObjects {
 public:
  static constexpr const char *kFactory = "f", *kChannel = "e ", *kConsumers = "c ", *kSuppliers = "s ";
  static constexpr std::size_t kMostNameBytes = 255;

  // Makes adapter `name` below the root, persistent, with ids that are given, and in it "proxies", transient. Throws
  // system exceptions.
  ChannelObjects(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, const char* name);
  ~ChannelObjects() { destroy(); }
  ChannelObjects(const ChannelObjects&) = delete;
  ChannelObjects& operator=(const ChannelObjects&) = delete;

  PortableServer::POA_ptr proxies() const { return proxies_.in(); }
  // Takes the servant over.
  CORBA::Object_var activate(const char* kind, const std::string& channel,
                             PortableServer::ServantBase* servant) const;
  // The three objects of a channel, where they are there.
  void deactivate(const std::string& channel) const noexcept;
  // The object is the one of that key from now on, corbaloc::HOST:PORT/NAME. Empty; or why not.
  std::string be_reached_by_key(const std::string& name, CORBA::Object_ptr object) const;
  void forget_key(const std::string& name) const;
  // Destroys the adapters; what runs is waited for.
  void destroy() noexcept;

  // Empty; or why it cannot be a channel's name: printable ASCII without what a corbaloc URL has other uses for.
  static std::string why_no_name(const std::string& name);

 private:
  const CORBA::ORB_var orb_;
  PortableServer::POA_var adapter_, proxies_;
};

}  // namespace callis::events
