// SPDX-License-Identifier: Apache-2.0
#include <callis/interceptors/minor_codes.h>
#include <callis/interceptors/slots.h>
#include <algorithm>

namespace callis::interceptors {
namespace {

// The slots of one thread with one ORB.
struct OfThread {
  const char* space;
  std::weak_ptr<const char> alive;
  std::unique_ptr<Slots> slots;
};
thread_local std::vector<OfThread> t_slots;

}  // namespace

PortableInterceptor::SlotId SlotSpace::allocate() {
  if (count_ == kMostSlots) orb::raise<CORBA::IMP_LIMIT>(kTooManySlots, CORBA::COMPLETED_NO, "no slot is left");
  return count_++;
}

Slots& SlotSpace::of_thread() const {
  for (const OfThread& t : t_slots)
    if (t.space == alive_.get()) return *t.slots;
  std::erase_if(t_slots, [](const OfThread& t) { return t.alive.expired(); });
  t_slots.push_back({alive_.get(), alive_, std::make_unique<Slots>()});
  return *t_slots.back().slots;
}

CORBA::Any* get_slot(const Slots& slots, std::uint32_t count, PortableInterceptor::SlotId id) {
  if (id >= count) throw PortableInterceptor::InvalidSlot();
  return id < slots.size() ? new CORBA::Any(slots[id]) : new CORBA::Any;
}

void set_slot(Slots& slots, std::uint32_t count, PortableInterceptor::SlotId id, const CORBA::Any& data) {
  if (id >= count) throw PortableInterceptor::InvalidSlot();
  if (id >= slots.size()) slots.resize(id + 1);
  slots[id] = data;
}

}  // namespace callis::interceptors
