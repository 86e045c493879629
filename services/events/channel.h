// SPDX-License-Identifier: Apache-2.0
// Channel: an event channel of the OMG (Event Service 1.2, 2.3): its hub, and the proxies that suppliers and
// consumers have. Any thread.
//
//   supplier ──push()──→ ProxyPushConsumer ─┐                 ┌→ Lane ──push()──→ consumer      ProxyPushSupplier
//   supplier ←─try_pull()── Poll ───────────┴→ accept() → Hub ┴→ Mailbox ←─pull()── consumer    ProxyPullSupplier
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/memory_bound.h>
#include <services/events/hub.h>
#include <services/events/journal.h>
#include <services/events/lane.h>
#include <services/events/poll.h>
#include <services/events/proxy_list.h>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
#include "CallisEvents.h"

namespace callis::events {

struct ChannelOptions {
  LaneOptions lane;  // its bounds are those of consumers that pull, too
  PollOptions poll;
  std::chrono::milliseconds deadline{2'000};         // of each call to a consumer or supplier
  std::chrono::milliseconds longest_pull{600'000};   // then pull() is TRANSIENT
  std::size_t event_bytes = 1u << 20;                // larger ones are IMP_LIMIT
  std::size_t proxies = 4'096;                       // of a channel
  std::size_t pulls = 256;                           // that wait at once, in a channel; more are NO_RESOURCES
  std::chrono::milliseconds proxy_rest{3'600'000};   // without a call, before one may go where another is wanted
  std::chrono::milliseconds connect_within{600'000};  // of a proxy that was obtained; then it is gone
  std::map<std::string, std::uint8_t> priorities;     // of events, by repository ids of types; others have 0
  std::string type;  // a repository id; events of other types are passed over; empty: all are taken
};

// The parts that channels work with; they outlive the channels.
struct ChannelParts {
  CORBA::ORB_ptr orb;
  PortableServer::POA_ptr proxies;  // TRANSIENT, SYSTEM_ID, UNIQUE_ID, RETAIN
  Pool& pool;
  Replies& replies;
  Tally& tally;
  Pool::TaskPtr reaper;  // to be woken when a proxy has been obtained
  Journal* journal = nullptr;  // where events are kept; nullptr: they are not
  services::MemoryBound* memory = nullptr;  // what clients have is taken from it; nullptr: is not counted

  // For the client whose request the thread serves. Empty without a bound. NO_RESOURCES.
  services::MemoryBound::Hold hold(std::size_t bytes) const {
    return memory ? memory->take(bytes) : services::MemoryBound::Hold();
  }
};

enum class ProxyKind : std::uint8_t { PushConsumer, PullConsumer, PushSupplier, PullSupplier };
inline constexpr std::size_t kProxyKinds = 4;

class Proxy;

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(std::string name, const ChannelParts& parts, const ChannelOptions& options)
      : name_(std::move(name)), parts_(parts), options_(options), proxies_(parts.proxies, name_, options.proxies) {}

  // Begins to take events from the journal, if there is one. Once, before all others. Throws JournalFailed.
  void begin();
  // Gives the event to the hub, unless the event has another type than the channel's. If there is a journal the event
  // goes through the journal, and is kept when accept() returns. Throws IMP_LIMIT if the event is too large; the
  // journal may throw TRANSIENT and NO_RESOURCES.
  void accept(const CORBA::Any& event);
  // Reads an event that the journal has kept. Returns nothing if the bytes are no event.
  std::optional<Event> read(ByteView kept) const;
  // A new proxy's reference. OBJECT_NOT_EXIST: the channel has been destroyed; IMP_LIMIT: it has as many proxies as
  // it may, and all are in use.
  CORBA::Object_var add(ProxyKind kind);
  // The same for one that is made as ProxyList::add() says.
  CORBA::Object_var add(const std::function<PortableServer::ServantBase*(Proxy*&)>& make);
  // The same for a named consumer, whose name is made. NotDurable, BadName; TRANSIENT, NO_RESOURCES: by the journal.
  CORBA::Object_var add_named(ProxyKind kind, const std::string& name);
  CORBA::Object_var add_named(const std::string& name,
                              const std::function<PortableServer::ServantBase*(Proxy*&)>& make);
  // Follows the journal's events for a name. Throws TRANSIENT, NO_RESOURCES.
  Journal::FollowingPtr follow_name(const std::string& name, std::function<void(Journal::DeliveryPtr)> event) const;
  CallisEvents::Names names() const;
  void forget_name(const std::string& name);
  // The proxy has ended: it does not exist any more.
  void forget(Proxy& proxy);
  // Ends the proxies that nobody has connected in time. When it has to be called again; nothing: when one has been
  // obtained.
  std::optional<std::chrono::steady_clock::time_point> reap(std::chrono::steady_clock::time_point now);
  // Ends all proxies, and tells those who are connected, by calls that nobody waits for.
  void destroy();

  const std::string& name() const { return name_; }
  const ChannelParts& parts() const { return parts_; }
  const ChannelOptions& options() const { return options_; }
  Hub& hub() { return hub_; }
  CallisEvents::ChannelState state() const;
  std::size_t proxies() const;
  std::size_t pulls() const { return pulls_; }  // that wait

  // A pull() that waits, as long as it lives. NO_RESOURCES: too many do.
  class Pulling {
   public:
    explicit Pulling(Channel& channel);
    ~Pulling() { --channel_.pulls_; }
    Pulling(const Pulling&) = delete;
    Pulling& operator=(const Pulling&) = delete;

   private:
    Channel& channel_;
  };

 private:
  Journal& journal() const;
  std::uint8_t priority_of(const CORBA::Any& event) const;

  const std::string name_;
  const ChannelParts parts_;
  const ChannelOptions options_;
  Hub hub_;
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::size_t> pulls_{0};
  ProxyList<Proxy> proxies_;
  std::mutex mutex_;  // guards what follows
  Journal::FollowingPtr following_;
};

}  // namespace callis::events
