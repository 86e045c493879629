// SPDX-License-Identifier: Apache-2.0
// Files that come with the compiler: an #include that is found nowhere else is looked for here. No
// code is generated for them and generated code does not include any: the runtime has what they
// declare.
#pragma once
#include <optional>
#include <string_view>

namespace callis::idl::source {

// The same text as orb.idl. A file of that name that comes with another ORB is read first and then this, so that
// module CORBA has all its names whichever file is found.
inline constexpr std::string_view kNamesOfCorba = "callis_names_of_corba.idl";

// `name` as in the #include: "orb.idl". Lives for ever.
std::optional<std::string_view> built_in_file(std::string_view name);

}  // namespace callis::idl::source
