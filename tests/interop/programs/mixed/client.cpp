// SPDX-License-Identifier: Apache-2.0
// mixed_client IOR GROUP server=latin1|utf8 wide=yes|no high=yes|no marks=yes|no throws=any|unknown [-ORB options].
// Prints the failures, then `checks N`; exit status 0 when there were none.
#include "interceptors.h"
#include <functional>

namespace {

using namespace interop;

int checks, failures, last_line;  // the line of the last check

void check(bool good, const char* what, int line) {
  ++checks;
  last_line = line;
  if (good) return;
  ++failures;
  std::printf("client.cpp:%d: FAILED: %s\n", line, what);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

struct Facts {
  bool utf8, server_has_all;  // Unicode in chars: of this program, and of the server
  bool wide, marks;           // GIOP has wstring; the server puts a mark before a text that begins with one
  bool throws_any;            // the server may raise any system exception, not only UNKNOWN
  bool texts;                 // the server sends the texts of system exceptions
  bool high;                  // its wide strings have characters above U+FFFF
  CORBA::ORB_ptr orb;
};

const Points kLatin{'G', 'r', 0xFC, 0xDF, 'e', ' ', 0xA0, 0xFF, 0x80};
const Points kEuro{'a', 0x20AC, 'b'};
const Points kHigh{0x7FF, 0x800, 0xFFFD, 0x10000, 0x1F600, 0x10FFFF};

std::string echoed(Mixed::Peer_ptr peer, const std::string& s) {
  return CORBA::String_var(peer->echo_string(s.c_str())).in();
}

void text_passes(Mixed::Peer_ptr peer, const Facts& f, const Points& points) {
  const Mixed::CodePoints_var seen = peer->points_of(narrow(points, f.utf8).c_str());
  CHECK(points_of(seen.in()) == points);
  const CORBA::String_var text = peer->text_of(sequence_of(points));
  CHECK(points_of(text.in(), f.utf8) == points);
}

// Which minor code is the ORB's matter; callis and omniORB both say DATA_CONVERSION, JacORB may put a question mark.
void text_is_refused(const std::function<void()>& call) {
  try {
    call();
    CHECK(false && "a character that the other side does not have");
  } catch (const CORBA::DATA_CONVERSION&) {
    CHECK(true);
  }
}

void code_sets(Mixed::Peer_ptr peer, const Facts& f) {
  for (int i = 0; i < 3; ++i) text_passes(peer, f, kLatin);
  text_passes(peer, f, {});
  if (f.utf8 && f.server_has_all) {
    text_passes(peer, f, kEuro);
    text_passes(peer, f, kHigh);
  } else if (f.utf8) {
    text_is_refused([&] { peer->echo_string(narrow(kEuro, true).c_str()); });
  } else if (f.server_has_all) {
    text_is_refused([&] { CORBA::String_var(peer->text_of(sequence_of(kEuro))); });
  }
  CHECK(peer->echo_char('~') == '~');
  CORBA::Any any;
  const std::string latin = narrow(kLatin, f.utf8);
  any <<= latin.c_str();
  const CORBA::Any_var back = peer->echo_any(any);
  const char* s = nullptr;
  CHECK((back.in() >>= s) && latin == s);
  if (!f.wide) return;
  for (const Points& p : {kLatin, kEuro, kHigh, Points{0xFEFF, 'x'}, Points{}}) {
    if (p == kHigh && !f.high) continue;
    const Mixed::CodePoints_var seen = peer->wide_points_of(wide(p).c_str());
    CHECK(points_of(seen.in()) == p);
    const CORBA::WString_var text = peer->wide_text_of(sequence_of(p));
    CHECK(points_of(text.in()) == p || (!f.marks && p.size() == 2));
  }
  for (const CORBA::ULong c : {0x41u, 0x20ACu, 0xFFFDu}) CHECK(peer->echo_wchar(CORBA::WChar(c)) == CORBA::WChar(c));
}

Mixed::Item item(const char* name, CORBA::Long n) {
  Mixed::Item i;
  i.name = CORBA::string_dup(name);
  i.title = CORBA::wstring_dup(wide(kEuro).c_str());
  i.at.x = CORBA::Short(-n);
  i.at.y = n * 100000;
  i.at.z = n / 3.0;
  i.tint = n % 2 ? Mixed::blue : Mixed::green;
  i.letter = 'q';
  i.flag = n % 2 == 0;
  i.raw = CORBA::Octet(200 + n);
  i.big = CORBA::LongLong(-n) << 40;
  i.ratio = CORBA::Float(n) / 8;
  i.bytes.length(CORBA::ULong(n));
  for (CORBA::Long k = 0; k < n; ++k) i.bytes[CORBA::ULong(k)] = CORBA::Octet(255 - k);
  return i;
}
bool equal(const Mixed::Item& a, const Mixed::Item& b) {
  bool same = std::strcmp(a.name, b.name) == 0 && points_of(a.title.in()) == points_of(b.title.in()) &&
              a.at.x == b.at.x && a.at.y == b.at.y && a.at.z == b.at.z && a.tint == b.tint && a.letter == b.letter &&
              a.flag == b.flag && a.raw == b.raw && a.big == b.big && a.ratio == b.ratio &&
              a.bytes.length() == b.bytes.length();
  for (CORBA::ULong i = 0; same && i < a.bytes.length(); ++i) same = a.bytes[i] == b.bytes[i];
  return same;
}

void types(Mixed::Peer_ptr peer, const Facts&) {
  for (CORBA::ULong n = 0; n < 4; ++n) {
    Mixed::Items more;
    more.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) more[i] = item("more", CORBA::Long(i));
    const Mixed::Item one = item("one", 5);
    Mixed::Strings_var names;
    const Mixed::Item_var back = peer->echo_item(one, more, names.out());
    CHECK(equal(back.in(), one));
    CHECK(more.length() == n + 1 && equal(more[n], one));
    for (CORBA::ULong i = 0; i < n; ++i) CHECK(equal(more[i], item("more", CORBA::Long(i))));
    const Mixed::Strings& all = names.in();
    CHECK(all.length() == n + 1 && std::strcmp(all[0], "one") == 0 && (n == 0 || std::strcmp(all[n], "more") == 0));
  }
  Mixed::Choices some;
  some.length(3);
  some[0].number(-7);
  some[1].text("union");
  some[2].place(item("", 3).at);
  some[2]._d(Mixed::blue);
  const Mixed::Choices_var chosen = peer->echo_choices(some);
  const Mixed::Choices& c = chosen.in();
  CHECK(c.length() == 3 && c[0]._d() == Mixed::red && c[0].number() == -7);
  CHECK(c[1]._d() == Mixed::green && std::strcmp(c[1].text(), "union") == 0);
  CHECK(c[2]._d() == Mixed::blue && c[2].place().y == 300000);

  CORBA::Any any;
  any <<= item("in an any", 2);
  const CORBA::Any_var as_item = peer->echo_any(any);
  const Mixed::Item* in_any = nullptr;
  CHECK((as_item.in() >>= in_any) && equal(*in_any, item("in an any", 2)));
  any <<= CORBA::LongLong(1) << 60;
  const CORBA::Any_var as_number = peer->echo_any(any);
  CORBA::LongLong number = 0;
  CHECK((as_number.in() >>= number) && number == CORBA::LongLong(1) << 60);
  any <<= some;
  const CORBA::Any_var as_choices = peer->echo_any(any);
  const Mixed::Choices* choices = nullptr;
  CHECK((as_choices.in() >>= choices) && choices->length() == 3 && (*choices)[1]._d() == Mixed::green);
}

class ListenerServant final : public POA_Mixed::Listener {
 public:
  void heard(const char* text, CORBA::Long number) override {
    right = right && std::strcmp(text, "back") == 0 && number == calls;
    ++calls;
  }
  CORBA::Long calls = 0;
  bool right = true;
};

void calls(Mixed::Peer_ptr peer, const Facts& f) {
  try {
    peer->refuse("because", -3);
    CHECK(false && "an exception");
  } catch (const Mixed::Refused& e) {
    CHECK(std::strcmp(e.why, "because") == 0 && e.code == -3);
  }
  try {
    peer->fail();
    CHECK(false && "an exception");
  } catch (const CORBA::NO_PERMISSION& e) {
    CHECK(e.minor() == 4711 && e.completed() == CORBA::COMPLETED_YES);
#ifndef INTEROP_OMNIORB
    CHECK(!f.texts || e.detail().find("caf\xc3\xa9 is closed") != std::string_view::npos);
#endif
  } catch (const CORBA::UNKNOWN& e) {
    CHECK(!f.throws_any && e.completed() == CORBA::COMPLETED_MAYBE);
  }
#if !defined(INTEROP_OMNIORB) && !defined(INTEROP_MICRO)
  try {
    CHECK(!f.texts || CORBA::is_nil(CORBA::Object_var(peer->_get_component()).in()));
  } catch (const CORBA::BAD_OPERATION&) {  // JacORB's servers do not know components
    CHECK(true);
  }
#endif
  for (const char* text : {"one", "two", "three"}) peer->note(text);
  // One-way requests may still be on their way to other threads of the server's.
  CORBA::ULong n = 0;
  for (int tries = 0; tries < 2000 && n < 3; ++tries) n = Mixed::Strings_var(peer->notes())->length();
  CHECK(n == 3);
  const Mixed::Peer_var itself = peer->itself();
  CHECK(peer->is_you(itself.in()) && itself->is_you(peer));
  CHECK(!peer->is_you(Mixed::Peer::_nil()));
  CHECK(itself->_is_a("IDL:Mixed/Peer:1.0") && !itself->_is_a("IDL:Mixed/Listener:1.0") && !itself->_non_existent());

  const PortableServer::POA_var poa = root_poa(f.orb);
  auto* const servant = new ListenerServant;
  const CORBA::Object_var object(activate(poa.in(), servant));
  const Mixed::Listener_var listener = Mixed::Listener::_narrow(object.in());
  peer->call_back(listener.in(), "back", 20);
  CHECK(servant->calls == 20 && servant->right);
}

void values(Mixed::Peer_ptr peer, const Facts&) {
  Mixed::Node_var list;
  for (CORBA::Long i = 0; i < 5; ++i) {
    Mixed::Node_var front(new OBV_Mixed::Node);
    front->number(i);
    front->name("node");
    front->next(list.in());
    list = front;
  }
  const Mixed::Node_var ring = peer->grow(list.in());
  Mixed::Node* n = ring.in();
  CHECK(n->number() == 5 && std::strcmp(n->name(), "front") == 0);
  for (CORBA::Long i = 4; i >= 0; --i) {
    n = n->next();
    CHECK(n->number() == i && std::strcmp(n->name(), "node") == 0);
  }
  CHECK(n->next() == ring.in());
  CORBA::Any any;
  any <<= list.in();
  CHECK(peer->number_of(any) == 4);
  CHECK(peer->same(list.in(), list.in()) && !peer->same(list.in(), list->next()) && peer->same(nullptr, nullptr));
  n->next(nullptr);
}

// 2 MB there and back: in fragments where either side makes them.
void large(Mixed::Peer_ptr peer, const Facts&) {
  std::string s;
  for (unsigned i = 0; s.size() < (2u << 20); ++i) s += char('a' + i * i % 26);
  CHECK(echoed(peer, s) == s);
  CHECK(echoed(peer, "short") == "short");
  Mixed::Octets bytes;
  bytes.length(2u << 20);
  for (CORBA::ULong i = 0; i < bytes.length(); ++i) bytes[i] = CORBA::Octet(i * 7 + i / 251);
  const Mixed::Octets_var back = peer->echo_octets(bytes);
  const Mixed::Octets& b = back.in();
  CHECK(b.length() == bytes.length() &&
        std::memcmp(b.get_buffer(), static_cast<const Mixed::Octets&>(bytes).get_buffer(), b.length()) == 0);
}

// Service contexts that interceptors add to requests, replies and exceptions; interceptors that refuse.
void contexts(Mixed::Peer_ptr peer, const Facts&) {
  for (CORBA::ULong n = 1; n < 6; ++n) {
    asks = n;
    CHECK(echoed(peer, "context") == "context" && answered == n + 1);
  }
  asks = 7;
  try {
    peer->refuse("because", -3);
    CHECK(false && "an exception");
  } catch (const Mixed::Refused& e) {
    CHECK(e.code == -3 && answered == 8);
  }
  asks = kRefused;
  try {
    echoed(peer, "context");
    CHECK(false && "an exception");
  } catch (const CORBA::NO_PERMISSION& e) {
    CHECK(e.minor() == kRefusedMinor && e.completed() == CORBA::COMPLETED_NO);
  }
  asks = 0;
  CHECK(echoed(peer, "none") == "none" && answered == 0);
  Mixed::Choices some;
  some.length(3);
  some[0u].number(-5);
  some[1u].text("text");
  some[2u].place(Mixed::Point{1, -2, 0.5});
  some[2u]._d(Mixed::blue);
  Mixed::Choices_var back = peer->echo_choices(some);
  CHECK(back->length() == 3 && back[2u].place().y == -2);
}

// End times as the server reads them; a request that comes too late; start times that are waited for.
void deadlines(Mixed::Peer_ptr peer, const Facts& f) {
#if !defined(INTEROP_OMNIORB) && !defined(INTEROP_MICRO)
  const TimeBase::TimeT now = callis::orb::utc_now(), hour = 36'000'000'000;
  const auto limited = [&](CORBA::PolicyType type, TimeBase::TimeT at, Mixed::Peer_ptr of) {
    CORBA::Any value;
    value <<= TimeBase::UtcT{at, 0, 0, 0};
    CORBA::PolicyList list(1);
    list.length(1);
    list[0] = f.orb->create_policy(type, value);
    const CORBA::Object_var made = of->_set_policy_overrides(list, CORBA::ADD_OVERRIDE);
    return Mixed::Peer::_unchecked_narrow(made.in());
  };
  const Mixed::Peer_var request = limited(Messaging::REQUEST_END_TIME_POLICY_TYPE, now + hour, peer);
  const Mixed::Peer_var both = limited(Messaging::REPLY_END_TIME_POLICY_TYPE, now + 2 * hour + 1, request.in());
  for (int i = 0; i < 3; ++i) {
    CHECK(echoed(request.in(), "in time") == "in time" && answered == static_cast<CORBA::ULong>(now + hour));
    CHECK(echoed(both.in(), "in time") == "in time" && answered == static_cast<CORBA::ULong>(2 * now + 3 * hour + 1));
    CHECK(echoed(peer, "whenever") == "whenever" && answered == 0);
    late = true;
    try {
      echoed(peer, "too late");
      CHECK(false && "an exception");
    } catch (const CORBA::TIMEOUT& e) {
      CHECK(e.completed() == CORBA::COMPLETED_NO);
    }
    late = false;
  }
  for (const CORBA::PolicyType type :
       {Messaging::REQUEST_START_TIME_POLICY_TYPE, Messaging::REPLY_START_TIME_POLICY_TYPE}) {
    const TimeBase::TimeT start = callis::orb::utc_now() + 500'000;
    const Mixed::Peer_var held = limited(type, start, peer);
    CHECK(echoed(held.in(), "held") == "held" && callis::orb::utc_now() >= start);
  }
#else
  (void)peer, (void)f;
#endif
}

int run(int argc, char** argv) {
  Facts f{is_utf8(argc, argv), false, false, false, true, false, true, nullptr};
  const bool intercepted = intercepts(argc, argv);
  if (intercepted) intercept();
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (intercepted) intercept_made();
  f.orb = orb.in();
  std::string group;
  for (int i = 2; i < argc; ++i) {
    const std::string s = argv[i];
    if (s.find('=') == s.npos) group = s;
    if (s == "server=utf8") f.server_has_all = true;
    if (s == "marks=yes") f.marks = true;
    if (s == "wide=yes") f.wide = true;
    if (s == "throws=unknown") f.throws_any = false;
    if (s == "texts=yes") f.texts = true;
    if (s == "high=no") f.high = false;
  }
  add_factory(orb.in());
  {
    const CORBA::Object_var object = orb->string_to_object(argv[1]);
    const Mixed::Peer_var peer = Mixed::Peer::_narrow(object.in());
    const struct { const char* name; void (*run)(Mixed::Peer_ptr, const Facts&); } groups[] = {
        {"code_sets", code_sets}, {"types", types}, {"calls", calls}, {"values", values}, {"large", large},
        {"interceptors", contexts}, {"deadlines", deadlines}};
    for (const auto& g : groups)
      if (group == g.name) g.run(peer.in(), f);
  }
  orb->destroy();
  std::printf("checks %d\n", checks);
  return failures == 0 && checks != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CORBA::SystemException& e) {
    std::printf("client.cpp, behind line %d: FAILED: CORBA::%s minor 0x%lx completed %d\n", last_line, e._name(),
                static_cast<unsigned long>(e.minor()), int(e.completed()));
  } catch (const CORBA::Exception& e) {
    std::printf("client.cpp, behind line %d: FAILED: %s\n", last_line, e._name());
  }
  return 1;
}
