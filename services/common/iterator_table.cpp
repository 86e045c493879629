// SPDX-License-Identifier: Apache-2.0
// The table of iterators, in the order of their last use: the front has rested longest.
#include <services/common/iterator_table.h>
#include <services/common/numbered_objects.h>
#include <algorithm>

namespace callis::services {

template <class Of>
IteratorTable::Entries::iterator IteratorTable::first_to_go(Of&& of) {
  std::unordered_map<const void*, std::size_t> each;
  const void* most = entries_.front().hold.client();
  for (const Entry& e : entries_) {
    const std::size_t sum = each[e.hold.client()] += of(e);
    if (sum > each[most]) most = e.hold.client();
  }
  return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.hold.client() == most; });
}

std::uint64_t IteratorTable::add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes,
                                 MemoryBound::Hold hold) {
  const std::uint64_t number = new_number();
  const Time now = std::chrono::steady_clock::now();
  const bool counted = hold.counts();
  Gone gone;
  const std::lock_guard lock(mutex_);
  forget_idle(now, gone);
  while (entries_.size() >= limits_.iterators && !entries_.empty())
    forget(first_to_go([](const Entry&) { return std::size_t{1}; }), gone);
  while (elements_ + elements > limits_.elements && !entries_.empty())
    forget(first_to_go([](const Entry& e) { return e.elements; }), gone);
  while (bytes_ + bytes > limits_.bytes && !entries_.empty())
    forget(first_to_go([](const Entry& e) { return e.bytes; }), gone);
  for (const std::size_t all = hold.bytes() + bytes + 2 * MemoryBound::kOverhead; counted && hold.bytes() != all;) {
    try {
      hold.resize(all);
    } catch (const CORBA::NO_RESOURCES&) {
      const auto own = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.hold.client() == hold.client(); });
      if (own == entries_.end()) throw;
      own->hold.give_back();
      forget(own, gone);
    }
  }
  if (entries_.empty() && tell_) tell_();
  entries_.push_back({number, now, elements, bytes, std::move(cursor), std::move(hold)});
  by_number_[number] = std::prev(entries_.end());
  elements_ += elements;
  bytes_ += bytes;
  return number;
}

void IteratorTable::gone(const char* again) {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                std::string("the iterator has been destroyed, or it rested for too long: ") + again);
}

std::shared_ptr<IteratorTable::Cursor> IteratorTable::find_here() {
  const auto number = number_of(request_id());
  const std::lock_guard lock(mutex_);
  const auto found = number ? by_number_.find(*number) : by_number_.end();
  if (found == by_number_.end()) return nullptr;
  found->second->used = std::chrono::steady_clock::now();
  entries_.splice(entries_.end(), entries_, found->second);
  return found->second->cursor;
}

void IteratorTable::end_here(const char* again) {
  const auto number = number_of(request_id());
  Gone let_go;
  const std::lock_guard lock(mutex_);
  const auto found = number ? by_number_.find(*number) : by_number_.end();
  if (found == by_number_.end()) gone(again);
  forget(found->second, let_go);
}

void IteratorTable::reap(Time now) {
  Gone gone;
  const std::lock_guard lock(mutex_);
  forget_idle(now, gone);
}

IteratorTable::Time IteratorTable::first_due() const {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return Time::max();
  return entries_.front().used + std::chrono::duration_cast<Time::duration>(limits_.idle);
}

std::size_t IteratorTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void IteratorTable::forget(Entries::iterator entry, Gone& gone) {
  elements_ -= entry->elements;
  bytes_ -= entry->bytes;
  by_number_.erase(entry->number);
  gone.splice(gone.end(), entries_, entry);
}

void IteratorTable::forget_idle(Time now, Gone& gone) {
  while (!entries_.empty() && entries_.front().used + limits_.idle <= now) forget(entries_.begin(), gone);
}

}  // namespace callis::services
