// SPDX-License-Identifier: Apache-2.0
// Module IOP and its codecs: "CodecFactory" of resolve_initial_references (CORBA 3.0.3, 13.8). Programs that include this
// link callis::interceptors.
//
// Codecs make encapsulations of GIOP 1.0 to 1.2, which differ in wide characters. InvalidTypeForEncoding: a value that has
// none, as wide characters in 1.0 and local objects. FormatMismatch: bytes that are no such value; what follows the
// value is ignored. Factory and codecs may be used by any thread.
#pragma once
#include <callis/corba.h>
#include <callis/orb/standard_names.h>

#include <IOP.h>

namespace callis::interceptors {

// Lets ORBs know the initial references above; done by including this file.
bool use();
[[maybe_unused]] static const bool used = use();

}  // namespace callis::interceptors
