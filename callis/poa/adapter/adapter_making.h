// SPDX-License-Identifier: Apache-2.0
// AdapterMaking: while an AdapterActivator runs, the adapters that its thread makes hold their requests, until it has
// returned (CORBA 3.3 part 1, 15.3.4.2).
#pragma once
#include <callis/poa/adapter/adapter.h>

namespace callis::poa {

class AdapterMaking final {
 public:
  explicit AdapterMaking(Registry& registry);
  // Without the registry's lock.
  ~AdapterMaking();
  AdapterMaking(const AdapterMaking&) = delete;
  AdapterMaking& operator=(const AdapterMaking&) = delete;

  // A new adapter, not yet to be found; under the lock.
  static void note(Adapter& adapter);

 private:
  Registry& registry_;
  AdapterMaking* const outer_;
  std::vector<classic::ReferenceVar<Adapter>> made_;
};

}  // namespace callis::poa
