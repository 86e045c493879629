// SPDX-License-Identifier: Apache-2.0
// Service: real-time event channels in an ORB, their lanes, and their factory. Channels are made by name; each is an
// object of that key, corbaloc::HOST:PORT/NAME, as long as the service runs, and again after a restart. Proxies do
// not outlive the service: who calls one of an earlier life gets OBJECT_NOT_EXIST, and connects again. Any thread.
//
// Lanes' threads have their priorities if the ORB has real time (callis/rt.h, or real_time.h), and their calls carry
// the priorities. If the process may not have priorities of SCHED_FIFO, the system schedules the threads of all lanes
// alike. Ready jobs of one lane still run by priority.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/events/channel_objects.h>
#include <services/events/rtchannel/channel.h>
#include <services/events/rtchannel/gateway.h>
#include <services/events/rtchannel/timekeeper.h>
#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace callis::rtevents {

struct LaneSpec {
  std::int16_t priority = 0;  // a CORBA priority
  unsigned threads = 2;
};

struct ServiceOptions {
  ChannelOptions channel;
  std::vector<LaneSpec> lanes{{}};  // one at least, in any order, no priority twice
  unsigned most_threads = 16;       // of a lane
  std::size_t channels = 1'000;     // more are refused
  std::optional<scheduling::Configuration> schedule;  // for names of operations
  CORBA::Object_var scheduler;                        // a CallisScheduling::Scheduler, for RT_Infos; nil: none
  GatewayOptions gateway;
  services::MemoryBound* memory = nullptr;  // as of ChannelParts; outlives the service
};

class Service {
 public:
  // Makes adapter "RealTimeEvents" below the root, persistent, and in it "proxies", transient; they serve when
  // root_poa's manager is active. All that is passed outlives this. Throws system exceptions, and std::system_error
  // where there are no threads; CallisRealTimeEvents::Refused for bad lanes.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Counters& counters,
          const ServiceOptions& options = {});
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // A new channel, reached by its name as a key. Throws CallisRealTimeEvents::Refused.
  CallisRealTimeEvents::EventChannel_var make(const std::string& name);
  // nil: there is none of that name.
  CallisRealTimeEvents::EventChannel_var find(const std::string& name) const;
  // False: there was none. Suppliers and consumers are told.
  bool destroy(const std::string& name);
  CallisRealTimeEvents::ChannelStates list() const;
  // From now on that channel gets what its consumers want from the other one, too (gateway.h), which need not be
  // there yet. `other`: a reference as text. Throws Refused: there is no such channel here, or the text is no
  // reference.
  void take_from(const std::string& name, const std::string& other);

  CallisRealTimeEvents::EventChannelFactory_var reference() const { return factory_; }
  const ServiceOptions& options() const { return options_; }
  // No peer is called any more; suppliers and consumers are not told. Calls that run are waited for, up to their
  // deadline.
  void stop();

  static constexpr const char* kInitialReference = "RealTimeEventService";

 private:
  struct Made {
    std::shared_ptr<Channel> channel;
    CallisRealTimeEvents::EventChannel_var reference;
    std::vector<std::shared_ptr<Gateway>> gateways;
    services::MemoryBound::Hold held{};
  };
  std::vector<std::shared_ptr<Channel>> all() const;
  std::shared_ptr<Channel> channel_of(const std::string& name) const;
  TimePoint expire();
  TimePoint reap();
  void begin_thread(std::int16_t priority);
  void make_lanes();

  const CORBA::ORB_var orb_;
  const ServiceOptions options_;
  const Priorities priorities_;
  Tally tally_;
  std::mutex telling_;
  bool told_ = false;  // that threads do not get their priorities
  Lanes lanes_;        // from the highest priority
  events::ChannelObjects objects_;
  CallisRealTimeEvents::EventChannelFactory_var factory_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, Made> channels_;
  bool ended_ = false;
  std::atomic<bool> proxies_changed_{false};
  TimePoint reap_at_ = TimePoint::max();  // of the timekeeper's thread
  std::unique_ptr<Timekeeper> timekeeper_;
  services::Counters::Source gauges_;  // ends before what it asks
};

}  // namespace callis::rtevents
