// SPDX-License-Identifier: Apache-2.0
// "file:" references, as TAO has them: orb->string_to_object("file:///run/bank.ior") reads the file and takes what
// stands there. The same holds for -ORBInitRef and whatever else takes a reference as text.
//
// Off unless the program asks for it, since a text from elsewhere could make the process read a file. The file is a
// regular one of at most 1 MiB; a path is absolute or, behind "file://" with a first letter other than '/', relative.
// Failures are BAD_PARAM, OMG minor 9, with a text that has the path. The text in a file may be a URL, or
// another "file:" up to a depth of eight.
#pragma once
#include <callis/base/cxx20.h>

namespace callis {

// For all ORBs of the process; any thread, any time.
void allow_file_references(bool allowed = true);

}  // namespace callis
