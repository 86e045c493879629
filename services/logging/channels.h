// SPDX-License-Identifier: Apache-2.0
// Channels: the event channels of a log service: that of the logs' own events, and those of event logs. They are
// channels of services/events without its factory. Any thread.
//
//   supplier ──push──→ channel "in" ──→ EventLogReceiver ── Log::write()
//                                             └─ where the log forwards ──→ channel "out" ──push──→ consumers
#pragma once
#include <callis/portable_server.h>
#include <services/events/channel.h>
#include <services/logging/log.h>

namespace callis::logs {

class Channels final : public Notices {
 public:
  // Makes two adapters below parent, of the admin objects and of the proxies. All that is passed outlives this.
  Channels(CORBA::ORB_ptr orb, PortableServer::POA_ptr parent, services::Counters& counters,
           services::MemoryBound* memory = nullptr);
  ~Channels() override;
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  void tell(const CORBA::Any& event) noexcept override;
  // Of consumers of the logs' own events.
  CORBA::Object_var obtain_supplier(events::ProxyKind kind) { return own_->add(kind); }

  // An event log begins and ends.
  void begin(const std::shared_ptr<Log>& log);
  void end(LogId id);
  // Admin objects of an event log; OBJECT_NOT_EXIST: there is none of that id.
  CORBA::Object_var consumers(LogId id) const;
  CORBA::Object_var suppliers(LogId id) const;

  // No peer is called any more.
  void stop();

 private:
  class Reaper;
  class Receiver;
  struct Pair {
    std::shared_ptr<events::Channel> in, out;
    CORBA::Object_var consumers, suppliers;
  };
  std::shared_ptr<events::Channel> make(const std::string& name);
  std::vector<std::shared_ptr<events::Channel>> all() const;
  Pair pair(LogId id) const;
  void deactivate(LogId id);

  const CORBA::ORB_var orb_;
  events::Tally tally_;
  services::Counters::Counter& lost_;  // events that a log has not taken
  services::MemoryBound* const memory_;
  events::Pool pool_;
  events::Replies replies_;
  const events::Pool::TaskPtr reaper_;
  PortableServer::POA_var admins_, proxies_;
  std::shared_ptr<events::Channel> own_;
  mutable std::mutex mutex_;
  std::map<LogId, Pair> logs_;
};

}  // namespace callis::logs
