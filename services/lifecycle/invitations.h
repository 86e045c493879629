// SPDX-License-Identifier: Apache-2.0
// Invitations: the ids of transfers to a home. The home itself gives them out, each is good for one transfer, for
// kGoodFor, and for this process. So who has recorded a move cannot have it made again.
//
//   id = seconds since the home began (4 bytes), a number (4 bytes), the first 8 bytes of an HMAC-SHA256 over both
//
// The key is drawn when the home begins, and kept nowhere. Peers that ask for ids use no memory up. Only ids that
// came with a transfer whose proof holds are remembered, until they are too old anyway. Any thread may call.
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

namespace callis::life_cycle {

class Invitations final {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kGoodFor{60};

  explicit Invitations(Time now);
  // 32 hexadecimal digits.
  std::string invite(Time now);
  // Whether invite() has given the id within kGoodFor, and it has not been used.
  bool good(const std::string& id, Time now) const;
  // The same, and uses it: true once for each id.
  bool use(const std::string& id, Time now);
  std::size_t remembered() const;

 private:
  // Judges by the id alone.
  bool is_given(const std::string& id, std::uint32_t now) const;
  std::string id_of(std::uint32_t seconds, std::uint32_t number) const;
  std::uint32_t seconds_at(Time now) const;

  const Time began_;
  const std::string key_;
  mutable std::mutex mutex_;  // guards what follows
  std::uint32_t number_ = 0;
  std::unordered_set<std::string> used_;
  std::deque<std::pair<std::uint32_t, std::string>> in_order_;  // the second of its use, the id
};

}  // namespace callis::life_cycle
