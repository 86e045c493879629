// SPDX-License-Identifier: Apache-2.0
// The example of docs/design/backend.md, whole: a back end that writes x.txt, a line for each operation and attribute
// with its interface, and refuses one-way operations.
#pragma once
#include <idl/backends/backend.h>
#include <memory>

namespace callis::idl::backends {

std::unique_ptr<Backend> make_outline_backend();

}  // namespace callis::idl::backends
