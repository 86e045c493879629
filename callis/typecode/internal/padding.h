// SPDX-License-Identifier: Apache-2.0
// The padding in a TypeCode on the wire: peers need not set it (CORBA 3.3 part 2, 9.3), and omniORB leaves there what
// was in its memory. So the same TypeCode comes in different bytes.
#pragma once
#include <callis/base/bytes.h>

namespace callis::typecode {

// Makes it zeros, in a TypeCode that is an encapsulation and begins with its TCKind. swaps: as Decoder::swaps(),
// around it. False when it is not written as TypeCodes are, or nested deeper than 64; a part may have been done then.
bool clear_padding(MutableBytes wire, bool swaps) noexcept;

}  // namespace callis::typecode
