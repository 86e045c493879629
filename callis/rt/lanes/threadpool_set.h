// SPDX-License-Identifier: Apache-2.0
// ThreadpoolSet: the thread pools of one ORB, and their addresses as the ORB knows them. RTCORBA::RTORB makes and
// destroys pools.
#pragma once
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/rt/lanes/threadpool.h>
#include <callis/rt/protocols/configured_transport.h>
#include <map>
#include <mutex>

namespace callis::rt {

class ThreadpoolSet final : public Threadpools {
 public:
  static constexpr std::size_t kMostPools = 256;

  // Threadpools::of(). BAD_INV_ORDER, OMG minor 4, after the ORB's shutdown.
  static ThreadpoolSet& of(orb::Core& core);

  explicit ThreadpoolSet(orb::Core& core);
  ~ThreadpoolSet() override;

  std::uint32_t create(const ThreadpoolTerms& terms) override;
  bool destroy(std::uint32_t id) override;
  const ThreadpoolTerms* terms(std::uint32_t id) override;

  // Returns the pool, for an adapter to keep; nullptr for none.
  std::shared_ptr<Threadpool> find(std::uint32_t id);
  // Called when a pool has another lane. The ORB learns that the addresses of the lane are its own.
  void lanes_changed();

  // --- Calls ---

  // Returns the connections of one group to an address. A group is a band of priorities, or one reference. All
  // references of the ORB with the same group and address share them.
  std::shared_ptr<orb::Endpoint> endpoint(const orb::EndpointIdentity& identity, std::uint64_t group);
  // Returns the transport that opens connections with these properties, and with the code point if there is one.
  // Equal arguments get the same transport. number: its number, from 1.
  const orb::Transport& configured(const orb::Transport& of, const ProtocolTerms& terms,
                                   std::optional<CodePoint> code_point, std::uint64_t& number);
  // A group that nobody else has.
  std::uint64_t new_group() { return next_group_.fetch_add(1, std::memory_order_relaxed); }

 private:
  class Part;

  void stop();
  void end();

  orb::Core& core_;
  std::mutex mutex_;  // guards what follows
  std::map<std::uint32_t, std::shared_ptr<Threadpool>> pools_;
  std::uint32_t next_id_ = 1;  // 0 is the default pool: the ORB's usual threads
  bool stopping_ = false;
  std::list<orb::EndpointAddress> own_;  // what the ORB has been told of its addresses
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<orb::Endpoint>> endpoints_;
  std::list<ConfiguredTransport> configured_;
  std::atomic<std::uint64_t> next_group_{1ull << 48};
};

// Lets RTORB make thread pools.
void use_threadpools();

}  // namespace callis::rt
