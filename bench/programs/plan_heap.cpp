// SPDX-License-Identifier: Apache-2.0
// Counts the heap that plans take, for the command `plans` of caller.cpp. The linker puts this function in the place
// of build_operation_plans() (--wrap), which builds an operation's plans when it is called for the first time. If
// plans are not built at run time, nobody calls it, and they take nothing.
#include "plan_heap.h"
#include <callis/marshal/plan.h>
#include <malloc.h>
#include <algorithm>
#include <array>
#include <mutex>

namespace {

struct Built {
  const char* operation = nullptr;
  std::size_t bytes = 0;
};

std::mutex mutex;
std::array<Built, 64> all;  // no memory that would be counted
std::size_t count = 0;

}  // namespace

extern "C" {

using callis::marshal::OperationPlans;
using callis::marshal::Unit;
using callis::marshal::Word;
// Weak, as the function itself is: a program whose plans are all in read-only data may not have it.
[[gnu::weak]] const OperationPlans* __real__ZN6callis7marshal21build_operation_plansERKNS0_4UnitEj(const Unit&, Word);

const OperationPlans* __wrap__ZN6callis7marshal21build_operation_plansERKNS0_4UnitEj(const Unit& unit, Word op) {
  const std::lock_guard lock(mutex);
  const std::size_t before = mallinfo2().uordblks;
  const OperationPlans* plans = __real__ZN6callis7marshal21build_operation_plansERKNS0_4UnitEj(unit, op);
  const std::size_t after = mallinfo2().uordblks;
  if (plans != nullptr && count < all.size()) all[count++] = {plans->name, after - std::min(before, after)};
  return plans;
}

}  // extern "C"

namespace bench {

std::string plan_heap() {
  const std::lock_guard lock(mutex);
  std::string text = "plans";
  for (std::size_t i = 0; i < count; ++i)
    text += ' ' + std::string(all[i].operation) + '=' + std::to_string(all[i].bytes);
  return text;
}

}  // namespace bench
