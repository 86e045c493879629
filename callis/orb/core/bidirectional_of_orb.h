// SPDX-License-Identifier: Apache-2.0
// The implementation of BidirectionalGiop: the links of one ORB (CORBA 3.3 part 2, 9.8).
//
//   accepted: by the addresses that their clients say to listen at     ──→ calls to those addresses
//   opened:   by the endpoints that calls with the policy BOTH went to  ──→ further calls to these
//
// Options::listen_points says how far a client's listen points are believed. An address belongs to one host's link as
// long as the link lasts. Of two links of one host the newer link is used.
#pragma once
#include <callis/base/string_map.h>
#include <callis/ior/listen_points.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/core/bidirectional_link.h>
#include <callis/orb/endpoint/shared_pool.h>

namespace callis::orb {

class BidirectionalOfOrb final : public BidirectionalGiop, public BidirectionalLink::Keeper {
 public:
  explicit BidirectionalOfOrb(OrbContext& orb);
  ~BidirectionalOfOrb() override;

  void add_adapter() override;
  std::unique_ptr<ClientConnection> find(const Endpoint& to, TimePoint now) override;
  bool offers(const Endpoint& to) override;
  Result<std::unique_ptr<ClientConnection>> connect(const std::shared_ptr<Endpoint>& to, TimePoint now,
                                                    Deadline deadline) override;
  void offered(ServerConnection& connection, ByteView listen_points) noexcept override;
  void stop() override;

 private:
  using Links = std::vector<std::shared_ptr<BidirectionalLink>>;

  void ended(BidirectionalLink& link) noexcept override;
  bool serve_until(const std::atomic<bool>& called, Deadline deadline) noexcept override;
  void wake() noexcept override;
  Result<std::shared_ptr<SharedConnection>> open(Endpoint& to, Deadline deadline);
  std::shared_ptr<BidirectionalLink> link_of(ServerConnection& connection);
  bool believes(const ior::Address& point, const transport::Peer& peer) const;
  void reach(const std::shared_ptr<BidirectionalLink>& link, const ior::Address& point);
  std::shared_ptr<SharedPool> pool_of(const std::shared_ptr<Endpoint>& to);
  std::vector<std::uint8_t> own_points(bool tls) const;

  OrbContext& orb_;
  std::atomic<bool> has_adapter_{false};
  std::mutex mutex_;  // guards what follows
  Links all_;
  StringMap<Links> by_point_;  // the newest last
  StringMap<std::shared_ptr<SharedPool>> opened_;
  std::atomic<bool> stopped_{false};  // set under mutex_
};

// Makes the object; for BidirectionalGiop::set_maker().
std::unique_ptr<BidirectionalGiop> new_bidirectional(OrbContext& orb);

}  // namespace callis::orb
