// SPDX-License-Identifier: Apache-2.0
#include <callis/base/feature.h>
#include <callis/orb/core/core.h>
#include <callis/poa/api/initial.h>

CALLIS_PROVIDE(default_adapter);

namespace callis::poa {

Adapter* root_of_default_orb() {
  const orb::Counted<orb::Core> core = orb::default_orb();
  if (!core.get()) return nullptr;
  try {
    CORBA::Object_var root = core->resolve_initial_references("RootPOA");
    auto* const adapter = dynamic_cast<Adapter*>(root.in());
    if (adapter) (void)root._retn();
    return adapter;
  } catch (const CORBA::BAD_INV_ORDER&) {  // it is being shut down
    return nullptr;
  } catch (const CORBA::OBJECT_NOT_EXIST&) {  // another thread has destroyed it
    return nullptr;
  }
}

}  // namespace callis::poa
