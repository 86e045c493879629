// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/peer.h>
#include <callis/transport/tls/registry.h>
#include <array>
#include <mutex>
#include <unordered_map>

namespace callis::transport {

namespace tls {
namespace {

struct Shard {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<const Certificate>> peers;
};

Shard& shard_of(std::uint64_t stream) {
  static auto* const shards = new std::array<Shard, 16>;  // never destroyed: threads may serve until the very end
  return (*shards)[stream % shards->size()];
}

}  // namespace

void enter_peer(std::uint64_t stream, std::shared_ptr<const Certificate> certificate) {
  Shard& s = shard_of(stream);
  const std::lock_guard lock(s.mutex);
  s.peers[stream] = std::move(certificate);
}

void forget_peer(std::uint64_t stream) noexcept {
  Shard& s = shard_of(stream);
  const std::lock_guard lock(s.mutex);
  s.peers.erase(stream);
}

}  // namespace tls

std::shared_ptr<const Certificate> certificate_of(const Peer& peer) {
  tls::Shard& s = tls::shard_of(peer.stream);
  const std::lock_guard lock(s.mutex);
  const auto found = s.peers.find(peer.stream);
  return found == s.peers.end() ? nullptr : found->second;
}

bool is_encrypted(const Peer& peer) {
  tls::Shard& s = tls::shard_of(peer.stream);
  const std::lock_guard lock(s.mutex);
  return s.peers.count(peer.stream) != 0;
}

}  // namespace callis::transport
