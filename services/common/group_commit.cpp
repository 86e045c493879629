// SPDX-License-Identifier: Apache-2.0
#include <services/common/group_commit.h>
#include <services/common/transaction.h>

namespace callis::services {

Outcome GroupCommit::commit(const Transaction& transaction) {
  Request own{&transaction, size_of(transaction), {}, nullptr};
  std::unique_lock lock(mutex_);
  queue_.push_back(&own);
  if (writing_)
    own.wake.wait(lock, [&] { return own.leads || own.done; });
  else
    writing_ = true;
  if (!own.done) {  // leads, and is the queue's first: its request is in the group
    std::vector<Request*> group;
    std::size_t bytes = 0;
    while (!queue_.empty() && group.size() < kMostTransactions &&
           (group.empty() || bytes + queue_.front()->bytes <= kMostBytes)) {
      bytes += queue_.front()->bytes;
      group.push_back(queue_.front());
      queue_.pop_front();
    }
    lock.unlock();
    try {
      write_(group);
    } catch (...) {  // no memory: nobody must wait for ever
      for (Request* const each : group) each->failed = std::current_exception();
    }
    lock.lock();
    for (Request* const each : group) {
      each->done = true;
      if (each != &own) each->wake.notify_one();  // with the lock held: a request ends with its thread's wait
    }
    if (queue_.empty()) {
      writing_ = false;
    } else {
      queue_.front()->leads = true;
      queue_.front()->wake.notify_one();
    }
  }
  lock.unlock();
  if (own.failed) std::rethrow_exception(own.failed);
  return own.outcome;
}

}  // namespace callis::services
