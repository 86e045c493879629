// SPDX-License-Identifier: Apache-2.0
// GroupCommit: many threads commit. One thread at a time writes the transactions of all.
//
//   thread A ─┐                    A leads: writes {A}            done
//   thread B ─┼─→ queue ─→         B, C, D wait meanwhile, then B leads: writes {B, C, D} with one fsync
//   thread C ─┤
//   thread D ─┘
//
// There is no thread for this alone, and a lone committer waits for nobody.
#pragma once
#include <services/common/store.h>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace callis::services {

class GroupCommit final {
 public:
  // These bound one group.
  static constexpr std::size_t kMostTransactions = 1000, kMostBytes = 8u << 20;

  class Signal;
  struct Request {
    const Transaction* transaction;
    std::size_t bytes;
    Outcome outcome;
    std::exception_ptr failed;  // instead of an outcome

    std::shared_ptr<Signal> signal;
    bool done = false;  // when its thread is woken: written, or failed; false: that thread leads
  };
  // Fills outcome or failed of each request. There is one call at a time, in the order of the requests. If the
  // function throws, all requests of the group fail with this exception.
  using Write = std::function<void(std::span<Request* const>)>;

  explicit GroupCommit(Write write) : write_(std::move(write)) {}
  // Returns when the transaction has been written; throws the failure that write has set.
  Outcome commit(const Transaction& transaction);

 private:
  void lead(const Request& own);
  std::vector<Request*> next_group();
  void hand_over(bool without_first);

  const Write write_;
  std::mutex mutex_;
  std::deque<Request*> queue_;
  bool writing_ = false;
};

}  // namespace callis::services
