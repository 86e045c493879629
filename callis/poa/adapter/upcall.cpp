// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/adapter/upcall.h>

namespace callis::poa {

constinit thread_local Upcall* current_upcall __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace callis::poa
