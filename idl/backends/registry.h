// SPDX-License-Identifier: Apache-2.0
// The back ends this program was built with.
#pragma once
#include <idl/backends/backend.h>
#include <memory>
#include <string_view>
#include <vector>

namespace callis::idl::backends {

// Names for --mapping, the default first. May be empty.
std::vector<std::string_view> backend_names();

// Null where there is none of that name.
std::unique_ptr<Backend> make_backend(std::string_view name);

}  // namespace callis::idl::backends
