// SPDX-License-Identifier: Apache-2.0
// StreamHolder: a connection as a holder of memory for its peer (base/peer_memory.h). give_up() shuts the stream
// down: a thread that waits for the stream wakes, and finds the connection lost.
#pragma once
#include <callis/base/peer_memory.h>
#include <callis/transport/transport.h>

namespace callis::orb {

class StreamHolder final : public MemoryHolder {
 public:
  // The stream outlives the holder, or its leave().
  explicit StreamHolder(transport::Stream& stream) : stream_(stream) {}
  ~StreamHolder() { leave(); }
  using MemoryHolder::leave;

 private:
  void give_up() noexcept override { stream_.shutdown(); }
  const std::string& peer() const noexcept override { return stream_.peer(); }
  std::string host() const noexcept override { return transport::counted_with(stream_.peer_identity()); }

  transport::Stream& stream_;
};

}  // namespace callis::orb
