// SPDX-License-Identifier: Apache-2.0
// Texts about ids that stand for no initial reference. Part of the feature explanations.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/orb.h>
#include <string>

CALLIS_FEATURE(initial_texts);

namespace callis::orb {

// Names the id, and the option that would help.
CALLIS_OPTIONAL std::string text_of_unknown_id(std::string_view id);
// Throws InvalidName with that text.
CALLIS_OPTIONAL [[noreturn]] void raise_unknown_id(std::string_view id);

}  // namespace callis::orb
