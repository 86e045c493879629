// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/scheduling/disciplines/supplied.h>

namespace callis::rt::scheduling {

void check_times(bool good) {
  if (!good)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO,
                                 "a scheduling parameter with a value outside its range");
}

}  // namespace callis::rt::scheduling
