// SPDX-License-Identifier: Apache-2.0
// Object keys in words: as text and digits, and those of callis's adapters taken apart (callis/poa/object/key.h).
#pragma once
#include <callis/base/endian.h>
#include <tools/ior/tree.h>

namespace callis::tools {

// order: that of the machine that made the key, which the profile around it has told. Numbers in keys of transient
// objects have it.
Tree describe_key(ByteView key, ByteOrder order);

// Whether it is laid out as the keys of callis are.
bool is_callis_key(ByteView key);

}  // namespace callis::tools
