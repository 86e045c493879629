// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/union.h>

namespace callis::classic {

void throw_other_member() { throw_bad_param("union discriminator of another member"); }

}  // namespace callis::classic
