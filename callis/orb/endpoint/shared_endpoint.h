// SPDX-License-Identifier: Apache-2.0
// SharedEndpoint: the part of an Endpoint whose connections are shared by calls. Part of the feature sharing.
#pragma once
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>

namespace callis::orb {

class SharedEndpoint final {
 public:
  CALLIS_OPTIONAL static std::unique_ptr<SharedEndpoint> make(Endpoint& of);
  // `of` owns this object.
  explicit SharedEndpoint(Endpoint& of);
  CALLIS_OPTIONAL ~SharedEndpoint();
  SharedEndpoint(const SharedEndpoint&) = delete;
  SharedEndpoint& operator=(const SharedEndpoint&) = delete;

  // Work like Endpoint::find() and connect().
  CALLIS_OPTIONAL std::unique_ptr<ClientConnection> find(const Endpoint::Wish& wish, TimePoint now);
  CALLIS_OPTIONAL Result<std::unique_ptr<ClientConnection>> connect(const Endpoint::Wish& wish, TimePoint now,
                                                                    Deadline deadline);
  SharedPool& pool() { return pool_; }

 private:
  const Sharing& sharing() const { return endpoint_.sharing_; }
  Result<std::shared_ptr<SharedConnection>> open(Deadline deadline);
  std::shared_ptr<void> count_in();

  Endpoint& endpoint_;
  SharedPool pool_;
  // The number of open connections that are not shared, if it is limited. Connections that outlive this object still
  // count here.
  const std::shared_ptr<std::atomic<std::uint32_t>> exclusive_ = std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace callis::orb
