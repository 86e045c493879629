// SPDX-License-Identifier: Apache-2.0
// OwnTransport: connections from an ORB to itself, as an entry beside those of the list of transports. Endpoints at
// which the ORB listens have it in place of the transport that others reach them by.
#pragma once
#include <callis/orb/transports/transport.h>

namespace callis::orb {

class OrbContext;

class OwnTransport final : public Transport {
 public:
  // orb: outlives it.
  explicit OwnTransport(OrbContext& orb) : orb_(orb) {}

  Parsed parse(std::string_view, EndpointAddress&) const override { return Parsed::Other; }
  std::string text(const EndpointAddress&) const override { return kText; }
  Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption&, const ListenTerms&,
                                                      std::list<EndpointAddress>&) const override {
    return Fault::Unsupported;
  }
  void offer(ReferenceParts&) const override {}
  void find(std::uint32_t, const ior::IiopProfile&, bool, std::list<EndpointAddress>&) const override {}
  transport::Reach reach(const EndpointAddress&) const override { return transport::Reach::Process; }
  bool is_inside() const override { return true; }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress&, Deadline) const override;

 private:
  static constexpr const char kText[] = "this ORB";
  OrbContext& orb_;
};

}  // namespace callis::orb
