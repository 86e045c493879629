// SPDX-License-Identifier: Apache-2.0
// Makes the initial references of real time. Only use() is called from outside this library, by callis/rt.h.
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
