// SPDX-License-Identifier: Apache-2.0
// Files that come with the compiler: an #include that is found nowhere else is looked for here. No
// code is generated for them and generated code does not include any: the runtime has what they
// declare.
#pragma once
#include <optional>
#include <string_view>

namespace callis::idl::source {

// `name` as in the #include: "orb.idl". Lives for ever.
std::optional<std::string_view> built_in_file(std::string_view name);

}  // namespace callis::idl::source
