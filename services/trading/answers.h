// SPDX-License-Identifier: Apache-2.0
// Answers: the bytes that one query holds of the bound on memory. They are answers of other traders and exporters'
// objects, and the query's own memory for its search and its results. They are held until the query and its iterator
// are gone, and count for the client that made the query. Any thread may call.
#pragma once
#include <callis/poa/servant/caller.h>
#include <services/common/memory_bound.h>
#include <services/trading/keeper.h>
#include <cstddef>
#include <mutex>
#include "CosTrading.h"

namespace callis::trading {

class Answers final {
 public:
  // For the client whose request the calling thread serves. most: bytes of answers.
  Answers(services::MemoryBound& memory, std::size_t most)
      : memory_(memory), most_(most), client_(Caller::current().counted_as()) {}

  // Before an answer is kept. False, and it must not be kept: the query has as much as it may, or its client has.
  bool keep(std::size_t bytes) noexcept;
  // Counts other memory than answers: lists of found offers, and their ranks. Throws NO_RESOURCES if the memory may
  // not be used. The first kFree bytes do not count, nor do the first kFreeOfIterator bytes that are left to an
  // iterator. So small queries of a client whose share is used up are answered.
  void use(std::size_t bytes);
  void leave_to_iterator();  // NO_RESOURCES
  const std::string& client() const { return client_; }

  static constexpr std::size_t kFree = 256u << 10, kFreeOfIterator = 16u << 10;

 private:
  std::size_t counted() const { return answers_ + (used_ > free_ ? used_ - free_ : 0); }

  // Under the lock: holds what counts and so much more. NO_RESOURCES.
  void hold(std::size_t more);

  services::MemoryBound& memory_;
  const std::size_t most_;
  const std::string client_;
  std::mutex mutex_;                  // guards what follows
  services::MemoryBound::Hold held_;  // empty as long as nothing counts
  std::size_t answers_ = 0, used_ = 0, free_ = kFree;
};

// About how much memory what was received takes while it is kept, as it was sent and decoded. SIZE_MAX for what
// cannot be told: it is not to be kept.
std::size_t memory_of(const Keeper& keeper, const CORBA::Any& value) noexcept;
std::size_t memory_of(const Keeper& keeper, const CosTrading::Offer& offer) noexcept;

}  // namespace callis::trading
