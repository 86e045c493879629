// SPDX-License-Identifier: Apache-2.0
// Events as a journal keeps them: an encapsulation of one Any (CORBA 3.3 part 2, 9.3.3), so that services on any host
// read them. Any thread.
#pragma once
#include <callis/base/buffer.h>
#include <callis/corba.h>

namespace callis::orb {
class OrbContext;
}

namespace callis::events {

// MARSHAL: its value is bad.
Buffer journal_form(const CORBA::Any& event);
// False: these bytes are no event.
bool read_journal_form(orb::OrbContext& orb, ByteView bytes, CORBA::Any& event);

}  // namespace callis::events
