// SPDX-License-Identifier: Apache-2.0
// FaultProxy: passes bytes between clients and a server on 127.0.0.1, and does to each connection, whenever a number
// of bytes has passed that is chosen by its seed, one of: a reset of both sides at a byte of either stream, an end of
// either stream, bytes one by one, a pause. A thread a connection.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace storm {

class FaultProxy final {
 public:
  // mean_bytes: of a connection's stream before a fault.
  FaultProxy(std::uint16_t server_port, std::uint64_t seed, std::uint32_t mean_bytes);
  ~FaultProxy();

  std::uint16_t port() const { return port_; }
  std::uint64_t connections() const { return connections_; }
  std::uint64_t faults() const { return faults_; }

 private:
  enum class Kind { ResetRequests, ResetReplies, EndRequests, EndReplies, Slices, Pause };
  struct Plan {
    Kind kind;
    std::uint64_t after;  // bytes of the stream that it concerns
    std::uint32_t pause_ms;
  };
  struct Pump;

  void accept();
  Plan plan(std::mt19937_64& random) const;
  void pass(int client, std::mt19937_64 random);

  const std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::mt19937_64 random_;
  const std::uint32_t mean_bytes_;
  std::atomic<std::uint64_t> connections_{0}, faults_{0};
  std::mutex mutex_;
  std::vector<std::thread> passing_;  // guarded by mutex_
  std::atomic<bool> stopping_{false};
  std::thread acceptor_;
};

}  // namespace storm
