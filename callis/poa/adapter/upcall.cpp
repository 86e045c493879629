// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/adapter/upcall.h>

namespace callis::poa {

ByteView Upcall::key() const { return request ? request->object_key() : other_key; }

constinit thread_local Upcall* current_upcall __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace callis::poa
