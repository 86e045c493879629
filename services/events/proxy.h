// SPDX-License-Identifier: Apache-2.0
// Proxies: the objects of a channel that suppliers and consumers connect to (Event Service 1.2, 2.3.4 to 2.3.7).
// connection.h has what they go through. Any thread.
#pragma once
#include <services/events/channel.h>
#include <services/events/connection.h>
#include <services/events/mailbox.h>
#include "CosEventChannelAdmin_skel.h"

namespace callis::events {

class Proxy : public Connection<Channel, CosEventChannelAdmin::AlreadyConnected> {
 public:
  using Connection::Connection;

  virtual ProxyKind kind() const = 0;
  // Given up, with a line in the log.
  void dropped(const std::string& why) noexcept;

 protected:
  // Disconnected, unless it is connected.
  void must_be_connected();
  bool can_rest() const override { return true; }

 private:
  void leave() noexcept override { channel_->forget(*this); }
};

// A servant of the kind; the caller owns it. proxy: the same object.
PortableServer::ServantBase* new_proxy(ProxyKind kind, const std::shared_ptr<Channel>& channel, Proxy*& proxy);

}  // namespace callis::events
