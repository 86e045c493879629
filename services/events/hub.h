// SPDX-License-Identifier: Apache-2.0
// Hub: hands events to all receivers that it has. Any thread; events of one thread reach each receiver in order.
#pragma once
#include <services/common/fair_shared_mutex.h>
#include <services/events/receiver.h>
#include <memory>
#include <vector>

namespace callis::events {

class Hub {
 public:
  void add(std::shared_ptr<Receiver> receiver);
  void remove(const Receiver* receiver);
  void publish(const Event& event) const;
  std::size_t waiting() const;
  // By the queues of all that it has had.
  std::uint64_t discarded() const;

 private:
  mutable services::FairSharedMutex mutex_;
  std::vector<std::shared_ptr<Receiver>> receivers_;
  std::uint64_t discarded_before_ = 0;  // by those that were removed
};

}  // namespace callis::events
