// SPDX-License-Identifier: Apache-2.0
// The table of requests by id: open addressing, ids in order.
#include <callis/giop/request_table.h>
#include <new>
#include <utility>

namespace callis::giop {

RequestTable::RequestTable(std::uint32_t first_id, std::size_t max_requests, Ids ids)
    : max_requests_(max_requests), shift_(ids == Ids::EveryOther ? 1 : 0), next_id_(first_id) {}

Result<std::uint32_t> RequestTable::open(void* call) {
  if (!call) return Fault::NullPointer;
  const std::size_t used = pending_ + retired_;
  if (used >= max_requests_) return Fault::LimitExceeded;
  if ((used + 1) * 2 > mask_ + 1 && !grow()) return Fault::OutOfMemory;
  const std::uint32_t id = next_free_id();
  slots()[locate(id)] = {call, id, true};
  ++pending_;
  return id;
}

std::uint32_t RequestTable::open_oneway() { return next_free_id(); }

RequestTable::Match RequestTable::match(std::uint32_t id, void*& call) {
  const std::size_t at = locate(id);
  const Slot s = slots()[at];
  if (!s.used) {
    ++unknown_replies_;
    return Match::Unknown;
  }
  erase(at);
  if (!s.call) {
    --retired_;
    ++late_replies_;
    return Match::Retired;
  }
  --pending_;
  call = s.call;
  return Match::Pending;
}

void* RequestTable::find(std::uint32_t id) const { return slots()[locate(id)].call; }

void* RequestTable::retire(std::uint32_t id) {
  Slot& s = slots()[locate(id)];
  if (!s.used || !s.call) return nullptr;
  --pending_;
  ++retired_;
  return std::exchange(s.call, nullptr);
}

void* RequestTable::forget(std::uint32_t id) {
  const std::size_t at = locate(id);
  const Slot s = slots()[at];
  if (!s.used || !s.call) return nullptr;
  erase(at);
  --pending_;
  return s.call;
}

void* RequestTable::take_any() {
  Slot* s = slots();
  while (pending_ != 0) {
    for (; take_at_ <= mask_; ++take_at_) {
      if (!s[take_at_].used || !s[take_at_].call) continue;
      --pending_;
      ++retired_;
      return std::exchange(s[take_at_].call, nullptr);
    }
    take_at_ = 0;
  }
  for (std::size_t i = 0; i <= mask_; ++i) s[i] = {};
  retired_ = take_at_ = 0;
  return nullptr;
}

std::size_t RequestTable::locate(std::uint32_t id) const {
  const Slot* s = slots();
  std::size_t at = home(id);
  // At most half of the slots are used, so there is a free one.
  while (s[at].used && s[at].id != id) at = (at + 1) & mask_;
  return at;
}

bool RequestTable::grow() {
  const std::size_t old_count = mask_ + 1;
  std::unique_ptr<Slot[]> bigger(new (std::nothrow) Slot[old_count * 2]);
  if (!bigger) return false;
  const std::unique_ptr<Slot[]> old_many = std::exchange(many_, std::move(bigger));
  const Slot* old = old_many ? old_many.get() : few_.data();
  mask_ = old_count * 2 - 1;
  take_at_ = 0;
  for (std::size_t i = 0; i < old_count; ++i) {
    if (old[i].used) slots()[locate(old[i].id)] = old[i];
  }
  return true;
}

// Deletion without markers: what stands behind the gap and belongs at or before it moves up.
void RequestTable::erase(std::size_t at) {
  Slot* s = slots();
  std::size_t gap = at;
  for (std::size_t i = (at + 1) & mask_; s[i].used; i = (i + 1) & mask_) {
    if (((i - home(s[i].id)) & mask_) < ((i - gap) & mask_)) continue;  // its home lies behind the gap
    s[gap] = s[i];
    gap = i;
  }
  s[gap] = {};
}

std::uint32_t RequestTable::next_free_id() {
  const std::uint32_t step = 1u << shift_;
  while (slots()[locate(next_id_)].used) next_id_ += step;
  const std::uint32_t id = next_id_;
  next_id_ += step;
  return id;
}

}  // namespace callis::giop
