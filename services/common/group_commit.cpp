// SPDX-License-Identifier: Apache-2.0
#include <services/common/group_commit.h>
#include <services/common/transaction.h>
#include <semaphore>

namespace callis::services {

// A thread waits on its signal for its turn, or for the end. The waking thread shares the signal, for the woken
// thread may end at once.
class GroupCommit::Signal final {
 public:
  void wait() { semaphore_.acquire(); }
  void give() { semaphore_.release(); }

 private:
  std::binary_semaphore semaphore_{0};
};

Outcome GroupCommit::commit(const Transaction& transaction) {
  thread_local const std::shared_ptr<Signal> signal = std::make_shared<Signal>();
  Request own{&transaction, size_of(transaction), {}, nullptr, signal};
  bool leads = false;
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(&own);
    leads = !std::exchange(writing_, true);
  }
  if (!leads) signal->wait();
  if (!own.done) lead(own);
  if (own.failed) std::rethrow_exception(own.failed);
  return own.outcome;
}

// The request is the queue's first, so it is in the group.
void GroupCommit::lead(const Request& own) {
  std::vector<Request*> group;
  try {
    group = next_group();
    write_(group);
  } catch (...) {  // no memory: nobody must wait for ever
    if (group.empty()) {
      hand_over(true);
      throw;
    }
    for (Request* const each : group) each->failed = std::current_exception();
  }
  hand_over(false);
  for (Request* const each : group) {
    if (each == &own) continue;
    const std::shared_ptr<Signal> signal = each->signal;
    each->done = true;
    signal->give();  // from here on the request is gone
  }
}

std::vector<GroupCommit::Request*> GroupCommit::next_group() {
  const std::lock_guard lock(mutex_);
  std::vector<Request*> group;
  group.reserve(std::min(queue_.size(), kMostTransactions));
  std::size_t bytes = 0;
  while (!queue_.empty() && group.size() < kMostTransactions &&
         (group.empty() || bytes + queue_.front()->bytes <= kMostBytes)) {
    bytes += queue_.front()->bytes;
    group.push_back(queue_.front());
    queue_.pop_front();
  }
  return group;
}

// Wakes the next leader before the threads whose changes are written: the disk is idle until then.
void GroupCommit::hand_over(bool without_first) {
  std::shared_ptr<Signal> next;
  {
    const std::lock_guard lock(mutex_);
    if (without_first) queue_.pop_front();
    if (queue_.empty())
      writing_ = false;
    else
      next = queue_.front()->signal;
  }
  if (next) next->give();
}

}  // namespace callis::services
