// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/adapter/adapter_making.h>

namespace callis::poa {

namespace {
constinit thread_local AdapterMaking* making = nullptr;
}

AdapterMaking::AdapterMaking(Registry& registry) : registry_(registry), outer_(making) { making = this; }

AdapterMaking::~AdapterMaking() {
  making = outer_;
  Registry::Guard guard(registry_);
  for (const auto& adapter : made_) adapter.in()->set_being_made(false);
  registry_.notify();
}

void AdapterMaking::note(Adapter& adapter) {
  if (!making || &making->registry_ != &adapter.registry()) return;
  making->made_.emplace_back(duplicate_local(&adapter));
  adapter.set_being_made(true);
}

}  // namespace callis::poa
