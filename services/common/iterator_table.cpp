// SPDX-License-Identifier: Apache-2.0
#include <services/common/iterator_table.h>
#include <services/common/numbered_objects.h>

namespace callis::services {

std::uint64_t IteratorTable::add(std::shared_ptr<Cursor> cursor, std::size_t elements, std::size_t bytes) {
  const std::uint64_t number = new_number();
  const Time now = std::chrono::steady_clock::now();
  Gone gone;
  const std::lock_guard lock(mutex_);
  forget_idle(now, gone);
  while (!entries_.empty() && (entries_.size() >= limits_.iterators || elements_ + elements > limits_.elements ||
                               bytes_ + bytes > limits_.bytes))
    forget(entries_.begin(), gone);
  entries_.push_back({number, now, elements, bytes, std::move(cursor)});
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

std::size_t IteratorTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void IteratorTable::forget(Entries::iterator entry, Gone& gone) {
  gone.push_back(std::move(entry->cursor));
  elements_ -= entry->elements;
  bytes_ -= entry->bytes;
  by_number_.erase(entry->number);
  entries_.erase(entry);
}

void IteratorTable::forget_idle(Time now, Gone& gone) {
  while (!entries_.empty() && entries_.front().used + limits_.idle <= now) forget(entries_.begin(), gone);
}

}  // namespace callis::services
