// SPDX-License-Identifier: Apache-2.0
// Service: event channels in an ORB (OMG Event Service 1.2), and their factory. Channels are made by name; each is an
// object of that key, corbaloc::HOST:PORT/NAME, as long as the service runs, and again after a restart. Proxies do
// not outlive the service: who calls one of an earlier life gets OBJECT_NOT_EXIST, and connects again. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/events/channel.h>
#include <services/events/channel_objects.h>
#include <map>
#include <memory>
#include <string>

namespace callis::events {

struct ServiceOptions {
  ChannelOptions channel;        // of channels that are made without criteria of their own
  Pool::Options pool;
  std::size_t channels = 1'000;  // more are refused
  Journal* journal = nullptr;    // keeps the events of all channels; outlives the service
  services::MemoryBound* memory = nullptr;  // as of ChannelParts; outlives the service
};

// Thrown by Service::make().
struct CannotMake {
  enum class Why : std::uint8_t { Exists, TooMany, BadName, HasEnded, NotKept } why;  // NotKept: by the journal
  std::string text;
};

class Service {
 public:
  // Makes adapter "Events" below the root, persistent, and in it "proxies", transient; they serve when root_poa's
  // manager is active. All that is passed outlives this. Throws system exceptions.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Counters& counters,
          const ServiceOptions& options = {});
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // A new channel, reached by its name as a key. Throws CannotMake.
  CosEventChannelAdmin::EventChannel_var make(const std::string& name, const ChannelOptions& options);
  CosEventChannelAdmin::EventChannel_var make(const std::string& name) { return make(name, options_.channel); }
  // Makes a channel with an invented name, which is no key.
  CosEventChannelAdmin::EventChannel_var make_unnamed(const ChannelOptions& options);
  // nil: there is none of that name.
  CosEventChannelAdmin::EventChannel_var find(const std::string& name) const;
  // nullptr: as find().
  std::shared_ptr<Channel> channel(const std::string& name) const;
  // False: there was none. Suppliers and consumers are told.
  bool destroy(const std::string& name);
  CallisEvents::ChannelStates list() const;

  CallisEvents::EventChannelFactory_var reference() const { return factory_; }
  const ServiceOptions& options() const { return options_; }
  std::size_t threads() const { return pool_.threads(); }
  // No peer is called any more; suppliers and consumers are not told. Calls that run are waited for, up to their
  // deadline.
  void stop();

  static constexpr const char* kInitialReference = "EventService";
  static constexpr const char* kFactoryOfOmniEvents = "omniEvents";  // the key of the factory, too

 private:
  class Reaper;
  struct Made {
    std::shared_ptr<Channel> channel;
    CosEventChannelAdmin::EventChannel_var reference;
    bool has_key = false;
    services::MemoryBound::Hold held{};
  };
  std::vector<std::shared_ptr<Channel>> all() const;
  // Under mutex_, as what follows.
  CosEventChannelAdmin::EventChannel_var add(const std::string& name, const ChannelOptions& options);

  const CORBA::ORB_var orb_;
  const ServiceOptions options_;
  Tally tally_;
  Pool pool_;
  Replies replies_;
  const Pool::TaskPtr reaper_;
  ChannelObjects objects_;
  CallisEvents::EventChannelFactory_var factory_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Made> channels_;
  std::uint64_t next_name_ = 1;
  bool ended_ = false;
  services::Counters::Source gauges_;  // ends before what it asks
};

}  // namespace callis::events
