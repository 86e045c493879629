// SPDX-License-Identifier: Apache-2.0
// For servers that an Implementation Repository starts (callis imr; docs/guide/imr.md). Programs that include this
// link callis::imr_client, and take two options more:
//
//   -ORBIMR REF          the repository. References to objects of PERSISTENT adapters lead through it
//   -ORBServerId NAME    the name by which it knows the server
//
// With both in force the ORB tells the repository that the server is ready when the POAManager of a persistent
// adapter becomes ACTIVE, or when such an adapter is made under an ACTIVE one, or, where an AdapterActivator of the
// root is to make them, when the first manager becomes ACTIVE; and that it ends, when its shutdown begins. So
// activate managers last, when adapters and objects are there. A repository that starts a server gives it both
// options by the environment (CALLIS_IMR, CALLIS_SERVER_ID).
//
// ORB_init raises INITIALIZE where -ORBIMR has no -ORBServerId beside it, or is no reference. A repository that does
// not answer, or does not know the server, is an error in the log; the server serves.
//
// Transient adapters are as ever. CORBA 3.0.3, 11.3.2.2 (persistent objects), 15.3.1 (LOCATION_FORWARD).
#pragma once
#include <callis/base/cxx20.h>
#include <callis/imr/initialization.h>
#include <callis/interceptors.h>

namespace callis::imr {

[[maybe_unused]] static const bool used = use();

}  // namespace callis::imr
