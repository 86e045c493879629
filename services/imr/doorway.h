// SPDX-License-Identifier: Apache-2.0
// Doorway: stands before the repository's own object adapters. Requests and LocateRequests for objects of registered
// servers are answered here, by LOCATION_FORWARD (CORBA 3.0.3, 15.4.3 and 15.4.6), or by TRANSIENT with words;
// all others go on.
#pragma once
#include <callis/orb/context/server_request.h>
#include <callis/transport/peer.h>
#include <services/imr/repository.h>

namespace callis::imr {

class Doorway final : public orb::RequestHandler {
 public:
  // Both outlive the ORB's last request.
  Doorway(orb::RequestHandler& adapters, Repository& repository) : adapters_(adapters), repository_(repository) {}

  void handle(orb::ServerRequest& request) noexcept override;
  orb::Locate locate(ByteView key, ior::Ior& forward) noexcept override;
  orb::Locate ask(ByteView key, bool comes_back, ior::Ior& forward,
                  giop::SystemExceptionBody& failure) noexcept override;
  orb::Collocation collocation(ByteView key) noexcept override { return adapters_.collocation(key); }
  bool call_directly(const orb::DirectCall& call) override { return adapters_.call_directly(call); }

 private:
  orb::RequestHandler& adapters_;
  Repository& repository_;
};

}  // namespace callis::imr
