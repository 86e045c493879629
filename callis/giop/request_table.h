// SPDX-License-Identifier: Apache-2.0
// RequestTable: a client's requests on one connection, by id (CORBA 3.3 part 2, 9.5.1: ids are unique among
// the requests and locate requests of a connection that may still be answered).
//
// An id that was given up (timeout, cancel) is retired: it is not used again until its late reply has
// come or the connection is gone, so a late reply can never be taken for another request's. Open
// addressing by id; ids are handed out in order, so the home slot is nearly always free. Up to
// kInlineSlots / 2 requests need no allocation. One thread at a time.
#pragma once
#include <callis/base/result.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace callis::giop {

class RequestTable final {
 public:
  static constexpr std::size_t kInlineSlots = 8;
  static constexpr std::size_t kDefaultMaxRequests = 64 * 1024;

  // Which ids there are: all, or every other one, where the peer has the others for requests of its own (9.8).
  enum class Ids : std::uint8_t { All, EveryOther };
  // first_id: the first id handed out. max_requests: pending and retired together.
  explicit RequestTable(std::uint32_t first_id = 1, std::size_t max_requests = kDefaultMaxRequests,
                        Ids ids = Ids::All);
  RequestTable(const RequestTable&) = delete;
  RequestTable& operator=(const RequestTable&) = delete;

  // A new id for a request that expects a reply; call is given back with it and must not be null.
  // Faults: LimitExceeded, OutOfMemory, NullPointer.
  Result<std::uint32_t> open(void* call);
  // A new id for a request without a reply. It is not kept.
  std::uint32_t open_oneway();

  // Goes on with this id, one of those that there are, or the next one after it that is free: for tests of the
  // wrap-around.
  void skip_to(std::uint32_t next_id) { next_id_ = next_id; }

  enum class Match : std::uint8_t {
    Pending,  // call is set; the id is free again
    Retired,  // a late reply to a request given up: drop it
    Unknown,  // a reply to nothing: drop it
  };
  // A reply or locate reply came.
  Match match(std::uint32_t id, void*& call);
  // Looks without changing anything; nullptr unless pending.
  void* find(std::uint32_t id) const;
  // Gives a pending request up: its id stays out of use until match(). The call, or nullptr when the id
  // is not pending.
  void* retire(std::uint32_t id);
  // Removes a request whose bytes were never sent: its id may be used again.
  void* forget(std::uint32_t id);
  // The connection is gone: yields one pending call after another and forgets all ids. nullptr at the end.
  void* take_any();

  std::size_t pending() const { return pending_; }
  std::size_t retired() const { return retired_; }
  std::uint64_t late_replies() const { return late_replies_; }
  std::uint64_t unknown_replies() const { return unknown_replies_; }

 private:
  struct Slot {
    void* call = nullptr;  // nullptr: retired
    std::uint32_t id = 0;
    bool used = false;
  };

  std::size_t home(std::uint32_t id) const { return (id >> shift_) & mask_; }
  Slot* slots() { return many_ ? many_.get() : few_.data(); }
  const Slot* slots() const { return many_ ? many_.get() : few_.data(); }
  // The slot of an id, or the free one where it would go.
  std::size_t locate(std::uint32_t id) const;
  bool grow();
  void erase(std::size_t at);
  std::uint32_t next_free_id();

  std::array<Slot, kInlineSlots> few_{};
  std::unique_ptr<Slot[]> many_;
  std::size_t mask_ = kInlineSlots - 1;
  std::size_t max_requests_;
  const std::uint32_t shift_;  // ids are 1 << shift_ apart
  std::size_t take_at_ = 0;  // where take_any() goes on
  std::size_t pending_ = 0;
  std::size_t retired_ = 0;
  std::uint32_t next_id_;
  std::uint64_t late_replies_ = 0;
  std::uint64_t unknown_replies_ = 0;
};

}  // namespace callis::giop
