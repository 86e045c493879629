// SPDX-License-Identifier: Apache-2.0
// DeferredRequests: the deferred requests of one ORB whose replies have not been fetched, for the functions of the
// ORB that know them all (CORBA 3.3 part 1, 11.3). An ORB has one while there are such requests.
//
//   send_deferred() ── add ──→ [first ... last] ── next ──→ poll_next_response(), get_next_response()
//                                  ↑       ↑
//                     reply is here┘       └ looked at in vain
//
// They stand in the order in which they are looked at: at first that of sending. A request that is looked at goes to
// the end, and to the front when its reply is here. So requests whose replies take long are not looked at again for
// each one that has come, and each function below takes the same time however many there are.
//
// Any thread.
#pragma once
#include <callis/dynamic.h>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

namespace callis::orb {
class OrbContext;
}  // namespace callis::orb

namespace callis::dynamic {

class DeferredRequests final {
  struct Listed {
    CORBA::Request* request;
    CORBA::Request_var counted;  // of send_multiple_requests_deferred()
  };

 public:
  // A call's place among them.
  class Place {
    friend class DeferredRequests;
    std::shared_ptr<DeferredRequests> among_;  // once it has been added
    bool listed_ = false;                      // guarded by the mutex of among_, as is at_
    std::list<Listed>::iterator at_;
  };

  explicit DeferredRequests(const orb::OrbContext& orb) : orb_(orb) {}
  ~DeferredRequests();
  DeferredRequests(const DeferredRequests&) = delete;
  DeferredRequests& operator=(const DeferredRequests&) = delete;

  // Those of that ORB; nullptr when there are none.
  static std::shared_ptr<DeferredRequests> find(const orb::OrbContext& orb);

  // The request is the last one from now on, until remove(). Once.
  static void add(const orb::OrbContext& orb, CORBA::Request& request, Place& place);
  // Keeps a count of the request as long as it is listed.
  static void keep(Place& place);
  // Without effect where it is not listed.
  static void remove(Place& place) noexcept;

  std::size_t size() const;
  // The first, which goes to the end. Nil: none, or all are being released.
  CORBA::Request_var next();
  // It is the next one.
  static void put_first(Place& place) noexcept;

  // How many requests next() has looked at. For tests.
  std::uint64_t looks() const;

 private:
  const orb::OrbContext& orb_;  // which is there as long as it has requests
  mutable std::mutex mutex_;    // guards what follows
  std::list<Listed> all_;
  std::uint64_t looks_ = 0;
};

}  // namespace callis::dynamic
