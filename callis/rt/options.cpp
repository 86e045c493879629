// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options/added_options.h>
#include <callis/rt/initial.h>
#include <callis/rt/option_list.h>

namespace callis::rt {

void use_options() { orb::AddedOptions::set(kOptionList); }

}  // namespace callis::rt
