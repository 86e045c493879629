// SPDX-License-Identifier: Apache-2.0
// The deferred requests of each ORB whose replies have not been fetched, and the functions of the ORB for many
// requests (CORBA 3.3 part 1, 11.2 and 11.3).
#include <callis/base/clock.h>
#include <callis/dynamic/call.h>
#include <callis/dynamic/deferred.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <exception>
#include <thread>
#include <unordered_map>

namespace callis::dynamic {
namespace {

// How long one of several connections is waited at before the others are looked at.
constexpr std::chrono::milliseconds kTurn{2};

// Of all ORBs that have deferred requests, or have just lost their last one.
struct Directory {
  std::mutex mutex;  // guards the rest; nothing is called that takes another lock
  std::unordered_map<const orb::OrbContext*, std::weak_ptr<DeferredRequests>> all;
};
Directory& directory() {
  static auto* const d = new Directory;  // requests may be destroyed while the process ends
  return *d;
}

}  // namespace

// Another thread may have put others of the same ORB there meanwhile.
DeferredRequests::~DeferredRequests() {
  Directory& d = directory();
  const std::lock_guard lock(d.mutex);
  const auto at = d.all.find(&orb_);
  if (at != d.all.end() && at->second.expired()) d.all.erase(at);
}

std::shared_ptr<DeferredRequests> DeferredRequests::find(const orb::OrbContext& orb) {
  Directory& d = directory();
  const std::lock_guard lock(d.mutex);
  const auto at = d.all.find(&orb);
  return at == d.all.end() ? nullptr : at->second.lock();
}

void DeferredRequests::add(const orb::OrbContext& orb, CORBA::Request& request, Place& place) {
  {
    Directory& d = directory();
    const std::lock_guard lock(d.mutex);
    std::weak_ptr<DeferredRequests>& known = d.all[&orb];
    place.among_ = known.lock();
    if (!place.among_) known = place.among_ = std::make_shared<DeferredRequests>(orb);
  }
  DeferredRequests& among = *place.among_;
  const std::lock_guard lock(among.mutex_);
  place.at_ = among.all_.insert(among.all_.end(), {&request, {}});
  place.listed_ = true;
}

void DeferredRequests::keep(Place& place) {
  const std::lock_guard lock(place.among_->mutex_);
  if (place.listed_) place.at_->counted = CORBA::Request::_duplicate(place.at_->request);
}

void DeferredRequests::remove(Place& place) noexcept {
  if (!place.among_) return;
  CORBA::Request_var last;  // released without the lock
  const std::lock_guard lock(place.among_->mutex_);
  if (!std::exchange(place.listed_, false)) return;
  last = std::move(place.at_->counted);
  place.among_->all_.erase(place.at_);
}

std::size_t DeferredRequests::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

CORBA::Request_var DeferredRequests::next() {
  const std::lock_guard lock(mutex_);
  for (std::size_t n = all_.size(); n != 0; --n) {
    ++looks_;
    CORBA::Request* const request = all_.front().request;
    all_.splice(all_.end(), all_, all_.begin());
    if (request->_try_add_ref()) return request;  // else another thread has given the last count back, and waits
  }
  return {};
}

void DeferredRequests::put_first(Place& place) noexcept {
  DeferredRequests& among = *place.among_;
  const std::lock_guard lock(among.mutex_);
  if (place.listed_) among.all_.splice(among.all_.begin(), among.all_, place.at_);
}

std::uint64_t DeferredRequests::looks() const {
  const std::lock_guard lock(mutex_);
  return looks_;
}

}  // namespace callis::dynamic

namespace CORBA::inline callis_orb {

using callis::Deadline;
using callis::dynamic::DeferredRequests;

namespace {

const callis::orb::OrbContext& context_of(const ORB& orb) { return static_cast<const callis::orb::Core&>(orb); }

// All are tried.
template <class Send>
void send_each(const RequestSeq& requests, Send send) {
  std::exception_ptr first;
  for (ULong i = 0; i < requests.length(); ++i) {
    try {
      if (!requests[i]) callis::orb::raise<BAD_PARAM>(0, COMPLETED_NO, "a nil request");
      send(*requests[i]);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

[[noreturn]] void none_sent() {
  callis::orb::raise<BAD_INV_ORDER>(callis::orb::omg(11), COMPLETED_NO, "no deferred request waits for its response");
}

}  // namespace

void ORB::send_multiple_requests_oneway(const RequestSeq& requests) {
  check_usable();
  send_each(requests, [](Request& r) { r.send_oneway(); });
}

void ORB::send_multiple_requests_deferred(const RequestSeq& requests) {
  check_usable();
  send_each(requests, [](Request& r) {
    r.send_deferred();
    DeferredRequests::keep(r.call_->place);
  });
}

Boolean ORB::poll_next_response() {
  check_usable();
  const auto all = DeferredRequests::find(context_of(*this));
  const std::size_t sent = all ? all->size() : 0;
  if (sent == 0) none_sent();
  for (std::size_t n = sent; n != 0; --n) {
    const Request_var r = all->next();
    if (!r.in()) return false;
    callis::dynamic::DeferredCall& call = *r->call_;
    const std::unique_lock lock(call.mutex, std::try_to_lock);
    if (!lock || call.fetched() || !call.go_on(Deadline::at({}))) continue;
    DeferredRequests::put_first(call.place);
    return true;
  }
  return false;
}

void ORB::get_next_response(Request_out request) {
  check_usable();
  for (;;) {
    const auto all = DeferredRequests::find(context_of(*this));
    const std::size_t sent = all ? all->size() : 0;
    if (sent == 0) none_sent();
    // First what has come; when nothing has, the next one has its turn of waiting.
    for (std::size_t n = 0; n <= sent; ++n) {
      const bool waits = n == sent;
      const Request_var r = all->next();
      if (!r.in()) break;
      callis::dynamic::DeferredCall& call = *r->call_;
      const std::unique_lock lock(call.mutex, std::try_to_lock);
      if (!lock && waits) std::this_thread::sleep_for(callis::dynamic::kTurn);  // another thread waits for that one
      if (!lock || call.fetched()) continue;
      const Deadline limit = !waits      ? Deadline::at({})
                             : sent == 1 ? Deadline()
                                         : Deadline::in(callis::dynamic::kTurn);
      if (!call.go_on(limit)) continue;
      call.set_fetched();
      DeferredRequests::remove(call.place);
      request = Request::_duplicate(r.in());
      return;
    }
  }
}

}  // namespace CORBA::inline callis_orb
