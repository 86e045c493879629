// SPDX-License-Identifier: Apache-2.0
// The deferred requests of all ORBs whose replies have not been fetched, and the functions of the ORB for many
// requests (CORBA 3.3 part 1, 11.2 and 11.3).
#include <callis/base/clock.h>
#include <callis/dynamic/call.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <algorithm>
#include <exception>
#include <vector>

namespace callis::dynamic {
namespace {

// How long one of several connections is waited at before the others are looked at.
constexpr std::chrono::milliseconds kTurn{2};

struct Waiting {
  CORBA::Request* request;
  Call* call;
  CORBA::Request_var counted;  // of send_multiple_requests_deferred()
};
std::mutex mutex;
std::vector<Waiting>& waiting() {
  static auto* const all = new std::vector<Waiting>;  // requests may be destroyed while the process ends
  return *all;
}

// With counts, in the order of sending.
std::vector<CORBA::Request_var> requests_of(const orb::OrbContext& orb) {
  std::vector<CORBA::Request_var> found;
  const std::lock_guard lock(mutex);
  for (const Waiting& w : waiting())
    if (&w.call->orb() == &orb) found.emplace_back(CORBA::Request::_duplicate(w.request));
  return found;
}

}  // namespace

void add_deferred(CORBA::Request& request, Call& call, bool counted) {
  const std::lock_guard lock(mutex);
  const auto known = std::ranges::find(waiting(), &call, &Waiting::call);
  if (known == waiting().end()) waiting().push_back({&request, &call, {}});
  Waiting& w = known == waiting().end() ? waiting().back() : *known;
  if (counted) w.counted = CORBA::Request::_duplicate(&request);
}

void remove_deferred(Call& call) noexcept {
  CORBA::Request_var last;  // released without the lock
  const std::lock_guard lock(mutex);
  const auto at = std::ranges::find(waiting(), &call, &Waiting::call);
  if (at == waiting().end()) return;
  last = std::move(at->counted);
  waiting().erase(at);
}

}  // namespace callis::dynamic

namespace CORBA {

using callis::Clock;
using callis::Deadline;

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
  check_exists();
  send_each(requests, [](Request& r) { r.send_oneway(); });
}

void ORB::send_multiple_requests_deferred(const RequestSeq& requests) {
  check_exists();
  send_each(requests, [](Request& r) {
    r.send_deferred();
    callis::dynamic::add_deferred(r, *r.call_, true);
  });
}

Boolean ORB::poll_next_response() {
  check_exists();
  const auto all = callis::dynamic::requests_of(context_of(*this));
  if (all.empty()) none_sent();
  for (const Request_var& r : all) {
    callis::dynamic::Call& call = *r->call_;
    const std::unique_lock lock(call.mutex, std::try_to_lock);
    if (lock && !call.fetched() && call.go_on(Deadline::at({}))) return true;
  }
  return false;
}

void ORB::get_next_response(Request_out request) {
  check_exists();
  for (;;) {
    const auto all = callis::dynamic::requests_of(context_of(*this));
    if (all.empty()) none_sent();
    // First what has come; then each has its turn of waiting.
    for (const bool waits : {false, true}) {
      for (const Request_var& r : all) {
        callis::dynamic::Call& call = *r->call_;
        const std::unique_lock lock(call.mutex, waits ? callis::dynamic::kTurn : callis::dynamic::kTurn * 0);
        if (!lock || call.fetched()) continue;
        const Deadline limit = !waits            ? Deadline::at({})
                               : all.size() == 1 ? Deadline()
                                                 : Deadline::in(callis::dynamic::kTurn);
        if (!call.go_on(limit)) continue;
        call.set_fetched();
        callis::dynamic::remove_deferred(call);
        request = Request::_duplicate(r.in());
        return;
      }
    }
  }
}

}  // namespace CORBA
