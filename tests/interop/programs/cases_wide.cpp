// SPDX-License-Identifier: Apache-2.0
// Wide characters and strings (CORBA 3.3 part 2, 9.3.1.6), and narrow characters beyond ASCII.
#include "swap_values.h"
#include "wide_values.h"

namespace interop {

namespace {

void wide_characters(Session& session, Interop::Wide_ptr w) {
  for (Size i = 0; i < kWideEdgeCount; ++i) {
    session.about("t_wchar " + std::to_string(i));
    CORBA::WChar b = wide(i + kInout), c = 0;
    CHECK(w->t_wchar(wide(i), b, c) == wide(i + kResult));
    CHECK(b == wide(i + kBack) && c == wide(i + kOut));
  }
  session.about("");
}

void wide_strings(Session& session, Interop::Wide_ptr w) {
  for (const Size n : {0u, 1u, 2u, 37u, 20000u}) {
    session.about("t_wstring length " + std::to_string(n));
    CORBA::WString_var b = CORBA::wstring_dup(wide_text(n, kInout).c_str());
    CORBA::WString_var c;
    const CORBA::WString_var r = w->t_wstring(wide_text(n, kIn).c_str(), b.inout(), c.out());
    CHECK(wide_text(n, kBack) == b.in());
    CHECK(wide_text(n, kOut) == c.in());
    CHECK(wide_text(n, kResult) == r.in());
  }
  session.about("");
}

// GIOP 1.0 has no wide characters: the client's own ORB must refuse to send them. omniORB has none in 1.1
// either, and does not name a code set for them in its references of that version.
void refused(Session& session, Interop::Wide_ptr w) {
  bool caught = false;
  try {
    CORBA::WChar b = wide(1), c = 0;
    w->t_wchar(wide(0), b, c);
  } catch (const CORBA::MARSHAL& e) {
    caught = true;
    CHECK(e.minor() == 0x4f4d0005);
    CHECK(e.completed() == CORBA::COMPLETED_NO);
  } catch (const CORBA::SystemException&) {
    caught = !session.client_is_callis() || session.get("version") != "1.0";
  }
  CHECK(caught);
}

}  // namespace

void check_wide(Session& session) {
  const Interop::Wide_var w = session.reference<Interop::Wide>("wide");
  wide_characters(session, w.in());
  wide_strings(session, w.in());
}

void check_no_wide(Session& session) {
  const Interop::Wide_var w = session.reference<Interop::Wide>("wide");
  refused(session, w.in());
  CORBA::String_var b = "b", c;
  const CORBA::String_var r = w->t_string("a", b.inout(), c.out());  // narrow ones pass as before
  CHECK(std::string("ab") == r.in());
}

void check_eight_bit(Session& session) {
  const Interop::Wide_var w = session.reference<Interop::Wide>("wide");
  std::string umlauts = "Gr\xc3\xbc\xc3\x9f Gott, \xe2\x82\xac 5";  // UTF-8, as both sides are told to speak
  CORBA::String_var b = umlauts.c_str(), c;
  const CORBA::String_var r = w->t_string(umlauts.c_str(), b.inout(), c.out());
  CHECK(umlauts + umlauts == r.in());
  CHECK(umlauts + umlauts == b.in());
  CHECK(umlauts == c.in());
}

}  // namespace interop
