// SPDX-License-Identifier: Apache-2.0
// OwnTransport: connections from an ORB to itself, as an entry beside the list of transports. The ORB's own endpoints
// have it in place of the transport by which others reach these endpoints.
#pragma once
#include <callis/orb/options/transport.h>

namespace callis::orb {

class OrbContext;

class OwnTransport final : public Transport {
 public:
  // orb outlives the transport.
  explicit OwnTransport(OrbContext& orb) : orb_(orb) {}

  std::string text(const EndpointAddress&) const override { return kText; }
  transport::Reach reach(const EndpointAddress&) const override { return transport::Reach::Process; }
  bool is_inside() const override { return true; }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress&, Deadline) const override;

 private:
  static constexpr const char kText[] = "this ORB";
  OrbContext& orb_;
};

}  // namespace callis::orb
