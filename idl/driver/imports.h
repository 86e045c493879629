// SPDX-License-Identifier: Apache-2.0
// import (IDL 4.2, 7.4.6.4.1) of what comes with the compiler: modules CORBA and PortableServer, or what they hold.
#pragma once
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <idl/source/files.h>

namespace callis::idl::driver {

// Where the tree imports such a thing, puts what orb.idl or PortableServer.idl declares in front, as if the file had
// included it there. The files are added to `files`.
void bring_imports(parse::Body& tree, source::Files& files, source::Diagnostics& diagnostics);

}  // namespace callis::idl::driver
