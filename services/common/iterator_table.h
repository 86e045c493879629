// SPDX-License-Identifier: Apache-2.0
// IteratorTable: the iterators that a service's clients have (BindingIterator, PropertiesIterator, OfferIterator).
// Clients leave them behind; so they are bounded. Where there are too many, or they hold too much, one goes of the
// client that has most: the one that rested longest. So a client that leaves many behind ends none of the others'.
// And who rests for long is gone. A call to one that is gone is OBJECT_NOT_EXIST.
//
//   servant of all iterators ──here<Cursor>()──→ IteratorTable: number of the object ──→ Cursor
//
// An iterator is an object without a servant of its own: its id is its number in the table (numbered_objects.h). Any
// thread. The table outlives the requests of its iterators.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace callis::services {

class IteratorTable final {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::chrono::minutes kIdle{10};
  using Time = std::chrono::steady_clock::time_point;

  // Of all iterators together; one alone may hold more.
  struct Limits {
    std::size_t elements;
    std::size_t bytes = SIZE_MAX;
    std::size_t iterators = kMost;
    std::chrono::nanoseconds idle = kIdle;
  };
  // What an iterator has still to tell; each kind derives from it. Its mutex is held by who reads or changes it.
  struct Cursor {
    virtual ~Cursor() = default;
    std::mutex mutex;
  };

  explicit IteratorTable(const Limits& limits) : limits_(limits) {}

  // The number of a new one, which holds so much. Makes room for it, and lets those go that rested too long. hold: of
  // the client, with whatever was taken; `bytes` and those of the iterator itself are added to it. Where the client's
  // share of memory is used up its own iterators go first; then NO_RESOURCES. An empty one: nobody counts, and all
  // iterators are one client's.
  std::uint64_t add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes = 0,
                    MemoryBound::Hold hold = {});
  // That of the object which the calling thread serves; it has been used now. Throws OBJECT_NOT_EXIST where it is
  // gone, or is of another kind: its words say `again`, where the client gets another ("list() makes another").
  template<class Kind>
  std::shared_ptr<Kind> here(const char* again) {
    auto out = std::dynamic_pointer_cast<Kind>(find_here());
    if (!out) gone(again);
    return out;
  }
  // The same object goes.
  void end_here(const char* again);
  // Lets those go that nobody has used since now - idle.
  void reap(Time now);
  std::size_t size() const;

 private:
  struct Entry {
    std::uint64_t number;
    Time used;
    std::size_t elements, bytes;
    std::shared_ptr<Cursor> cursor;
    MemoryBound::Hold hold;
  };
  using Entries = std::list<Entry>;
  using Gone = std::list<Entry>;  // let go without the lock

  [[noreturn]] static void gone(const char* again);
  std::shared_ptr<Cursor> find_here();
  void forget(Entries::iterator entry, Gone& gone);
  // The one that goes first, of the client that has most of what of() tells. Not of an empty table.
  template <class Of>
  Entries::iterator first_to_go(Of&& of);
  void forget_idle(Time now, Gone& gone);

  const Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // longest rested first
  std::unordered_map<std::uint64_t, Entries::iterator> by_number_;
  std::size_t elements_ = 0, bytes_ = 0;
};

// Where an answer ends that begins with element `next`: after `most` elements, or before kMostAnswerBytes are passed,
// but it has one element at least, however long. bytes_of(element) tells how long.
inline constexpr std::size_t kMostAnswerBytes = 1u << 20;  // omniORB takes messages of 2 MiB
template<class Elements, class BytesOf>
std::size_t end_of_answer(const Elements& from, std::size_t next, std::size_t most, BytesOf&& bytes_of) {
  std::size_t end = next, bytes = 0;
  for (; end < from.size() && end - next < most; ++end) {
    bytes += bytes_of(from[end]);
    if (end != next && bytes > kMostAnswerBytes) break;
  }
  return end;
}

}  // namespace callis::services
