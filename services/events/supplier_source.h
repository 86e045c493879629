// SPDX-License-Identifier: Apache-2.0
// SupplierSource: what the sources of all suppliers that are pulled have in common. How the supplier is asked is
// theirs. Threads as Source says.
#pragma once
#include <callis/base/log.h>
#include <services/events/poll.h>
#include <services/events/proxy.h>

namespace callis::events {

class SupplierSource : public Source {
 public:
  void dropped(const std::string& why) noexcept override { proxy_.dropped(why); }

 protected:
  // servant: the proxy; the source counts it for as long as it lives. channel: the proxy's.
  SupplierSource(Proxy& proxy, PortableServer::ServantBase& servant, Channel& channel)
      : proxy_(proxy), servant_((servant._add_ref(), &servant)), channel_(channel) {}

  // An event that is too large is no failure of the call's.
  void pass_on(const CORBA::Any& event) {
    try {
      channel_.accept(event);
    } catch (const CORBA::IMP_LIMIT& e) {
      log(LogLevel::Warning, {"events: a supplier's event is passed over: ", e.what()});
    }
  }

 private:
  Proxy& proxy_;
  const PortableServer::Servant_var<PortableServer::ServantBase> servant_;
  Channel& channel_;
};

}  // namespace callis::events
