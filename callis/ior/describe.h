// SPDX-License-Identifier: Apache-2.0
// A reference for people to read: several lines, each ending in a newline. Every part that came from
// outside is escaped and shortened, so the text is safe to print and its length is bounded.
#pragma once
#include <callis/ior/reference.h>

namespace callis::ior {

std::string describe(const Ior& ior);

}  // namespace callis::ior
