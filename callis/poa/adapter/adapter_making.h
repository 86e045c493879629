// SPDX-License-Identifier: Apache-2.0
// AdapterMaking: the adapters that a thread makes inside an AdapterActivator hold their requests until the activator
// has returned (CORBA 3.3 part 1, 15.3.4.2).
#pragma once
#include <callis/poa/adapter/adapter.h>

namespace callis::poa {

class AdapterMaking final {
 public:
  explicit AdapterMaking(Registry& registry);
  // Called without the registry's lock.
  ~AdapterMaking();
  AdapterMaking(const AdapterMaking&) = delete;
  AdapterMaking& operator=(const AdapterMaking&) = delete;

  // Notes a new adapter, which no other thread can find yet. Called under the lock.
  static void note(Adapter& adapter);

 private:
  Registry& registry_;
  AdapterMaking* const outer_;
  std::vector<classic::ReferenceVar<Adapter>> made_;
};

}  // namespace callis::poa
