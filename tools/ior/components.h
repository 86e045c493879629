// SPDX-License-Identifier: Apache-2.0
// Components of profiles in words.
#pragma once
#include <callis/ior/reference.h>
#include <tools/ior/tree.h>

namespace callis::tools {

// The component's tag, name and bytes, and what they mean where this program knows. Malformed ones say so.
Tree describe_component(const ior::TaggedComponent& component);

// "omniORB"; nullptr for types that are not known here. Of the value of TAG_ORB_TYPE.
const char* orb_type_name(std::uint32_t type);

}  // namespace callis::tools
