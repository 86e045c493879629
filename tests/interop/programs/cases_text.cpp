// SPDX-License-Identifier: Apache-2.0
// Narrow strings beyond ASCII: ISO 8859-1, which is what both ORBs speak unless told otherwise.
#include "session.h"

namespace interop {

void check_eight_bit(Session& session) {
  const Interop::Text_var text = session.reference<Interop::Text>("text");
  std::string umlauts = "Gr\xfc\xdf Gott: ";
  for (int c = 0xa0; c <= 0xff; ++c) umlauts.push_back(char(c));
  CORBA::String_var b = umlauts.c_str(), c;
  const CORBA::String_var r = text->join(umlauts.c_str(), b.inout(), c.out());
  CHECK(umlauts + umlauts == r.in());
  CHECK(umlauts + umlauts == b.in());
  CHECK(umlauts == c.in());
}

}  // namespace interop
