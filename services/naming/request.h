// SPDX-License-Identifier: Apache-2.0
// What a default servant asks of the request that its thread executes.
#pragma once
#include <callis/base/bytes.h>

namespace callis::naming {

// The object id; bytes of the request, from the peer. BAD_INV_ORDER outside of requests.
ByteView request_id();

}  // namespace callis::naming
