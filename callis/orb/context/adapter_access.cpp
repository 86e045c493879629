// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/adapter_access.h>

namespace callis::orb {

[[gnu::cold]] bool AdapterAccess::Visit::count() {
  if (!pin_record && make_pin_record()) return note();
  adapter_access_.counted_.fetch_add(1, std::memory_order_seq_cst);
  return false;
}

bool AdapterAccess::is_empty() {
  if (counted_.load(std::memory_order_seq_cst) != 0) return false;
  heavy_barrier();
  bool empty = true;
  for_each_note([&](const void* at) { empty = empty && at != this; });
  return empty;
}

[[gnu::cold]] void AdapterAccess::left() {
  const std::lock_guard lock(mutex_);
  left_.notify_all();
}

void AdapterAccess::shut() {
  set_handler(nullptr);
  std::unique_lock lock(mutex_);
  left_.wait(lock, [this] { return is_empty(); });
}

}  // namespace callis::orb
