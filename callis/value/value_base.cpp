// SPDX-License-Identifier: Apache-2.0
#include <callis/base/bounded_deletion.h>
#include <callis/marshal/handlers.h>
#include <callis/value/internal/handlers.h>
#include <callis/value/value_base.h>
#include <cstddef>
#include <cstdint>

namespace {

// No value is without this file.
CALLIS_INSTALLER void install() { callis::value::install_handlers(); }

// Threads count in cells of their own, as far as there are enough, so that they do not wait for each other's.
struct alignas(64) Cell {
  std::atomic<std::ptrdiff_t> living{0};
};
constinit Cell cells[8];
constinit thread_local char here = 0;

std::atomic<std::ptrdiff_t>& living_here() noexcept {
  // Of a thread's memory the pages differ.
  return cells[reinterpret_cast<std::uintptr_t>(&here) >> 12 & 7].living;
}

}  // namespace

namespace CORBA::inline callis_orb {

ValueBase::~ValueBase() { callis_count(-1); }
void ValueBase::callis_count(int more) noexcept { living_here().fetch_add(more, std::memory_order_relaxed); }
const callis::value::ValueLink* ValueBase::_callis_link() const noexcept { return nullptr; }
void* ValueBase::_callis_state(const callis::value::ValueLink&) noexcept { return nullptr; }

DefaultValueRefCountBase::~DefaultValueRefCountBase() = default;

void DefaultValueRefCountBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void DefaultValueRefCountBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) end(this);
}

void DefaultValueRefCountBase::end(DefaultValueRefCountBase* v) {
  callis::BoundedDeletion::end(v, [](void* p) { delete static_cast<DefaultValueRefCountBase*>(p); });
}

ULong DefaultValueRefCountBase::_refcount_value() { return count_.load(std::memory_order_relaxed); }

}  // namespace CORBA::inline callis_orb

std::size_t callis::value::living_values() noexcept {
  std::ptrdiff_t n = 0;
  for (const Cell& c : cells) n += c.living.load(std::memory_order_relaxed);
  return static_cast<std::size_t>(n < 0 ? 0 : n);
}
