// SPDX-License-Identifier: Apache-2.0
// Narrow strings beyond ASCII: both sides are told, or take for granted, that they are UTF-8.
#include "session.h"

namespace interop {

void check_eight_bit(Session& session) {
  const Interop::Text_var text = session.reference<Interop::Text>("text");
  const std::string umlauts = "Gr\xc3\xbc\xc3\x9f Gott, \xe2\x82\xac 5";
  CORBA::String_var b = umlauts.c_str(), c;
  const CORBA::String_var r = text->join(umlauts.c_str(), b.inout(), c.out());
  CHECK(umlauts + umlauts == r.in());
  CHECK(umlauts + umlauts == b.in());
  CHECK(umlauts == c.in());
}

}  // namespace interop
