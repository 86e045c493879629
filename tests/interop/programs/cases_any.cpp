// SPDX-License-Identifier: Apache-2.0
// Anys and TypeCodes of every kind, made and read on both sides and passed on unread.
#include "any_values.h"
#include "session.h"

namespace interop {

namespace {

// omniORB leaves out the repository id in front of an exception's members, and does not understand it. callis
// understands both, and passes on what it got.
void check_exception(Session& session, AnyTest::Peer_ptr peer, const AnyValue& value) {
  if (session.client_is_callis()) {
    const CORBA::Any_var unread = peer->make(value.name), theirs = peer->make(value.name);
    CHECK(peer->is(value.name, unread.in()));
    CHECK(value.good(theirs.in()));
    CHECK(peer->is(value.name, theirs.in()));
  } else {
    CORBA::Any mine;
    value.make(mine, peer);
    CHECK(peer->is(value.name, mine));
    const CORBA::Any_var back = peer->same(mine);
    CHECK(value.good(back.in()));
  }
}

void check_value(Session& session, AnyTest::Peer_ptr peer, const AnyValue& value) {
  session.about(value.name);
  const bool alike = session.client_is_callis() == session.server_is_callis();
  if (!alike && std::strcmp(value.name, "exception") == 0) return check_exception(session, peer, value);
  CORBA::Any mine;
  value.make(mine, peer);
  CHECK(value.good(mine));
  CHECK(peer->is(value.name, mine));
  const CORBA::Any_var back = peer->same(mine);
  CHECK(value.good(back.in()));
  const CORBA::Any_var theirs = peer->make(value.name);
  CHECK(value.good(theirs.in()));
  // As it came, before and after it was read.
  CHECK(peer->is(value.name, theirs.in()));
  const CORBA::Any_var unread = peer->make(value.name);
  CHECK(peer->is(value.name, unread.in()));
  CORBA::Any second(unread.in());
  CORBA::Any_var third;
  const AnyTest::Anys_var all = peer->swap(mine, second, third.out());
  CHECK(value.good(second));
  CHECK(value.good(third.in()));
  CHECK(all->length() == 2 && value.good(all.in()[0]) && value.good(all.in()[1]));
}

void check_type(Session& session, AnyTest::Peer_ptr peer, const NamedType& type) {
  session.about(type.name);
  const CORBA::TypeCode_ptr mine = *type.type;
  // omniidl says public of private state members, and private of public ones.
  const bool exact = mine->kind() != CORBA::tk_value || session.client_is_callis() == session.server_is_callis();
  const auto same = [&](CORBA::TypeCode_ptr t) { return exact ? t->equal(mine) : t->equivalent(mine); };
  const CORBA::TypeCode_var theirs = peer->type_of(type.name);
  CHECK(same(theirs.in()));
  CHECK(theirs->equivalent(mine));
  const CORBA::TypeCode_var back = peer->same_type(mine);
  CHECK(back->equal(mine));
  const CORBA::TypeCode_var again = peer->same_type(theirs.in());
  CHECK(same(again.in()));
  const CORBA::TypeCode_var compact = mine->get_compact_typecode();
  const CORBA::TypeCode_var returned = peer->same_type(compact.in());
  CHECK(returned->equivalent(mine));
}

}  // namespace

void check_any(Session& session) {
  const AnyTest::Peer_var peer = session.reference<AnyTest::Peer>("any");
  for (std::size_t i = 0; i < kAnyValueCount; ++i)
    if (!kAnyValues[i].wide || session.get("version") == "1.2") check_value(session, peer.in(), kAnyValues[i]);
  for (std::size_t i = 0; i < kNamedTypeCount; ++i) check_type(session, peer.in(), kNamedTypes[i]);
  session.about("exceptions");
  try {
    peer->fail();
    CHECK(false);
  } catch (const AnyTest::Trouble& t) {
    CHECK(std::strcmp(t.why, "asked for") == 0 && t.how == AnyTest::blue);
    CORBA::Any a;
    a <<= t;
    const AnyTest::Trouble* in = nullptr;
    CHECK((a >>= in) && std::strcmp(in->why, "asked for") == 0);
  }
}

}  // namespace interop
