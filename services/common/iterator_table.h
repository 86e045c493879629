// SPDX-License-Identifier: Apache-2.0
// IteratorTable: the iterators of a service's clients (BindingIterator, PropertiesIterator, OfferIterator). Clients
// leave iterators behind, so the table is bounded. If there are too many, or they hold too much, the client with most
// loses an iterator: the least recently used one. So a client with many iterators does not end the iterators of
// others. An iterator that rests for long is destroyed, too. A call to a destroyed iterator is OBJECT_NOT_EXIST.
//
//   servant of all iterators ──here<Cursor>()──→ IteratorTable: number of the object ──→ Cursor
//
// An iterator is an object without a servant of its own: its id is its number in the table (numbered_objects.h). Any
// thread may call. The table outlives the requests of its iterators.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <chrono>
#include <functional>
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

  // These bound all iterators together; an iterator alone may hold more.
  struct Limits {
    std::size_t elements;
    std::size_t bytes = SIZE_MAX;
    std::size_t iterators = kMost;
    std::chrono::nanoseconds idle = kIdle;
  };
  // The rest of an iterator's answer. Each kind of iterator derives from Cursor. A thread that reads or changes a
  // cursor holds the mutex.
  struct Cursor {
    virtual ~Cursor() = default;
    std::mutex mutex;
  };

  explicit IteratorTable(const Limits& limits) : limits_(limits) {}

  // Adds an iterator with so many elements and bytes; returns its number. Makes room first, and destroys iterators
  // that have rested too long. hold: the client's, with the bytes that it has already; `bytes` and the iterator's own
  // are added. If the client's share of memory is used up, the client's other iterators go first; then NO_RESOURCES
  // is raised. With an empty hold no memory is counted, and all such iterators are one client's.
  std::uint64_t add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes = 0,
                    MemoryBound::Hold hold = {});
  // Returns the cursor of the object whose request the calling thread serves, and marks the iterator as used now.
  // Throws OBJECT_NOT_EXIST if there is no such iterator, or its kind is another. The text ends with `again`, which
  // says how the client gets another iterator ("list() makes another").
  template<class Kind>
  std::shared_ptr<Kind> here(const char* again) {
    auto out = std::dynamic_pointer_cast<Kind>(find_here());
    if (!out) gone(again);
    return out;
  }
  // Destroys the iterator of the object whose request the calling thread serves.
  void end_here(const char* again);
  // Destroys iterators that nobody has used since now - idle.
  void reap(Time now);
  // When reap() will find something, as things are; Time::max() if there are no iterators.
  Time first_due() const;
  // Called by add() when there were no iterators: somebody sleeps until first_due(). Set before requests come.
  void when_first(std::function<void()> tell) { tell_ = std::move(tell); }
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
  // Returns the iterator to destroy first, of the client with the greatest sum of of(). The table must not be empty.
  template <class Of>
  Entries::iterator first_to_go(Of&& of);
  void forget_idle(Time now, Gone& gone);

  const Limits limits_;
  std::function<void()> tell_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // longest rested first
  std::unordered_map<std::uint64_t, Entries::iterator> by_number_;
  std::size_t elements_ = 0, bytes_ = 0;
};

// Returns the end of an answer that begins with element `next`. It has at most `most` elements and kMostAnswerBytes,
// but always at least one element, however long. bytes_of(element) tells the length.
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
