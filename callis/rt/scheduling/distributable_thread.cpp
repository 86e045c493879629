// SPDX-License-Identifier: Apache-2.0
// The table of distributable threads, and the way of a cancellation to the thread's head.
#include <callis/base/log.h>
#include <callis/idl/Cancellation.h>
#include <callis/rt/scheduling/distributable_thread.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/thread_part.h>
#include <algorithm>
#include <cerrno>
#include <sys/random.h>

namespace callis::rt::scheduling {
namespace {

constinit thread_local const ThreadId* cancelling = nullptr;

// Sends a one-way request to the process of the head. The client's interceptor adds the id.
void pass_on(const ThreadId& id, CORBA::Object_ptr target) {
  const ThreadId* const before = std::exchange(cancelling, &id);
  try {
    const CallisScheduling::Head_var head = CallisScheduling::Head::_unchecked_narrow(target);
    head->callis_cancel_distributable_thread();
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Info, {"a distributable thread was cancelled, and its head could not be told: ", e.what()});
  }
  cancelling = before;
}

}  // namespace

const ThreadId* cancellation_under_way() noexcept { return cancelling; }

ThreadId new_thread_id() {
  ThreadId id;
  std::size_t have = 0;
  while (have < id.size()) {
    const ssize_t n = ::getrandom(id.data() + have, id.size() - have, 0);
    if (n > 0) have += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      orb::raise<CORBA::NO_RESOURCES>(kNoThread, CORBA::COMPLETED_NO,
                                       "no random number for a distributable thread's id");
  }
  return id;
}

void DistributableThread::cancel() {
  if (!all_->cancel(*this))
    orb::raise<CORBA::OBJECT_NOT_EXIST>(kThreadOver, CORBA::COMPLETED_NO,
                                        "cancel() of a distributable thread that has ended");
}

DistributableThread_var DistributableThreads::hold(const ThreadId& id) {
  const std::lock_guard lock(mutex_);
  DistributableThread*& known = all_[id];
  DistributableThread_var result;
  if (known) {
    result = static_cast<DistributableThread*>(known);
    known->_add_ref();
  } else {
    result = known = new DistributableThread(shared_from_this(), id);
    const auto early = std::find(remembered_.begin(), remembered_.end(), id);
    if (early != remembered_.end()) {
      *early = {};
      known->cancelled_.store(true);
    }
  }
  ++known->holds_;
  return result;
}

void DistributableThreads::release(DistributableThread& t) {
  const std::lock_guard lock(mutex_);
  if (--t.holds_ == 0) all_.erase(t.id_);
}

DistributableThread_var DistributableThreads::find(const ThreadId& id) {
  const std::lock_guard lock(mutex_);
  const auto at = all_.find(id);
  if (at == all_.end()) return {};
  at->second->_add_ref();
  return DistributableThread_var(at->second);
}

std::size_t DistributableThreads::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

void DistributableThreads::begins(DistributableThread& t, ThreadPart& part) {
  const std::lock_guard lock(mutex_);
  t.parts_.push_back(&part);
}

void DistributableThreads::ends(DistributableThread& t, ThreadPart& part) {
  const std::lock_guard lock(mutex_);
  std::erase(t.parts_, &part);
}

bool DistributableThreads::call_begins(DistributableThread& t, std::vector<OutstandingCall>& calls,
                                       OutstandingCall call) {
  const std::lock_guard lock(mutex_);
  if (t.cancelled_.load()) return false;
  calls.push_back(std::move(call));
  return true;
}

std::optional<OutstandingCall> DistributableThreads::call_ends(std::vector<OutstandingCall>& calls,
                                                               const void* sender, CORBA::ULong request) {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(calls.begin(), calls.end(), [&](const OutstandingCall& c) {
    return c.sender == sender && c.request == request;
  });
  if (at == calls.end()) return std::nullopt;
  std::optional<OutstandingCall> over(std::move(*at));
  calls.erase(at);
  return over;
}

bool DistributableThreads::cancel(DistributableThread& t) {
  CORBA::Object_var head;
  {
    const std::lock_guard lock(mutex_);
    if (t.holds_ == 0) return false;
    if (t.cancelled_.exchange(true)) return true;
    for (ThreadPart* part : t.parts_) part->wake();
    if (!t.parts_.empty()) head = t.parts_.back()->waits_for();
  }
  if (head.in()) pass_on(t.id_, head.in());
  return true;
}

void DistributableThreads::cancel(const ThreadId& id) {
  DistributableThread_var known;
  {
    const std::lock_guard lock(mutex_);
    const auto at = all_.find(id);
    if (at == all_.end()) {
      remembered_[next_remembered_] = id;
      next_remembered_ = (next_remembered_ + 1) % kRemembered;
      return;
    }
    at->second->_add_ref();
    known = at->second;
  }
  (void)cancel(*known.in());
}

}  // namespace callis::rt::scheduling
