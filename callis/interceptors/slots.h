// SPDX-License-Identifier: Apache-2.0
// Slots: the values of PortableInterceptor::Current, for a thread or for a request (CORBA 3.0.3, 21.4). Each ORB has
// its own.
#pragma once
#include <callis/interceptors.h>
#include <memory>
#include <vector>

namespace callis::interceptors {

// The index is the SlotId. Slots beyond the end have not been set.
using Slots = std::vector<CORBA::Any>;

// Returns a copy by new; an empty Any for a slot that has not been set. Raises InvalidSlot from `count` on.
CORBA::Any* get_slot(const Slots& slots, std::uint32_t count, PortableInterceptor::SlotId id);
void set_slot(Slots& slots, std::uint32_t count, PortableInterceptor::SlotId id, const CORBA::Any& data);

// Stands for an ORB in the records of threads.
class SlotSpace final {
 public:
  static constexpr std::uint32_t kMostSlots = 1024;

  std::uint32_t count() const { return count_; }
  // Raises IMP_LIMIT beyond kMostSlots.
  PortableInterceptor::SlotId allocate();

  // Returns the slots of the calling thread, valid until the thread calls this for another ORB for the first time.
  // count() must not be 0.
  Slots& of_thread() const;

  // Gives the thread other slots for as long as the Exchange lives. Afterwards the thread has its earlier slots
  // again.
  class Exchange final {
   public:
    Exchange(const SlotSpace& space, Slots& others) : space_(space), others_(others) { swap(); }
    ~Exchange() { swap(); }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

   private:
    void swap() {
      if (space_.count() != 0) space_.of_thread().swap(others_);
    }
    const SlotSpace& space_;
    Slots& others_;
  };

 private:
  std::uint32_t count_ = 0;
  const std::shared_ptr<const char> alive_ = std::make_shared<const char>('\0');  // tells threads when to forget
};

// Lets ORBs know "PICurrent".
bool use_current();

}  // namespace callis::interceptors
