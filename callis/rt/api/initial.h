// SPDX-License-Identifier: Apache-2.0
// What makes the initial references of real time. Private to this library, but for use(), which callis/rt.h calls.
#pragma once
#include <callis/orb/core/initial.h>

namespace callis::rt {

bool use();
CORBA::Object_ptr make_rt_orb(orb::Core& core);
CORBA::Object_ptr make_rt_current(orb::Core& core);
CORBA::Object_ptr make_mapping_manager(orb::Core& core);
CORBA::Object_ptr make_transform_manager(orb::Core& core);
CORBA::Object_ptr make_network_mapping_manager(orb::Core& core);

}  // namespace callis::rt
