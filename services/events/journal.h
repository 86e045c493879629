// SPDX-License-Identifier: Apache-2.0
// Journal: the place where the events of durable channels are kept. An accepted event is appended, and acknowledged
// to its supplier once kept. The event comes back to followers, of this process and others, and to named consumers.
//
//   append() ──→ kept ──→ followers: every event from when they began, once, in order
//                  └────→ named consumers: each event from when the name was made, until it is acknowledged; one at
//                         a time, so in order. Where several follow one name, each event comes to one of them.
//
// Any thread. Callbacks come on threads of the journal's: they must not wait, nor call the journal.
#pragma once
#include <callis/base/bytes.h>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace callis::events {

// Thrown by a journal.
struct JournalFailed {
  enum class Why : std::uint8_t {
    Unreachable,   // nobody has answered; what was appended may be kept all the same where `perhaps` says so
    Refused,       // by the journal: there is no room, say
  } why = Why::Unreachable;
  bool perhaps = false;
  std::string text;
};

class Journal {
 public:
  // An event that a named consumer is to get. Exactly one of acknowledge() and give_back() is called, or it comes
  // again after a while.
  class Delivery {
   public:
    virtual ~Delivery() = default;
    virtual ByteView bytes() const = 0;
    // It has arrived.
    virtual void acknowledge() noexcept = 0;
    // It comes again, after the pause, to this or to another that follows the name.
    virtual void give_back(std::chrono::milliseconds pause) noexcept = 0;
    // It does not come again yet: it is still being delivered.
    virtual void keep() noexcept = 0;
  };
  using DeliveryPtr = std::shared_ptr<Delivery>;
  // Ends the following when it is destroyed, without waiting for a running callback.
  class Following {
   public:
    virtual ~Following() = default;
  };
  using FollowingPtr = std::unique_ptr<Following>;

  virtual ~Journal() = default;

  // The channel's events are kept from now on, if they were not. As the following throw JournalFailed.
  virtual void open(const std::string& channel) = 0;
  // Returns when the event is kept.
  virtual void append(const std::string& channel, ByteView event) = 0;
  virtual FollowingPtr follow(const std::string& channel, std::function<void(ByteView)> event) = 0;
  // Makes the name, if it does not exist.
  virtual void make_name(const std::string& channel, const std::string& name) = 0;
  // Follows a name that exists.
  virtual FollowingPtr follow_name(const std::string& channel, const std::string& name,
                                   std::function<void(DeliveryPtr)> event) = 0;
  virtual std::vector<std::string> names(const std::string& channel) = 0;
  // False: there was none.
  virtual bool forget(const std::string& channel, const std::string& name) = 0;
  // Whether whoever keeps the events can be reached now.
  virtual bool connected() const = 0;
  // How long an event may stay with who delivers it; keep() begins anew.
  virtual std::chrono::milliseconds patience() const = 0;

  static constexpr std::size_t kMostNameBytes = 64;
  static constexpr std::size_t kMostNames = 1'000;  // of a channel
};

}  // namespace callis::events
