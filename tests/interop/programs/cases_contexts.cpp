// SPDX-License-Identifier: Apache-2.0
// Contexts: which properties of a chain of contexts reach the servant.
#include "context_text.h"
#include "session.h"
#include <cstring>

namespace interop {

namespace {

void set(CORBA::Context_ptr context, const char* name, const std::string& value) {
  CORBA::Any any;
  any <<= value.c_str();
  context->set_one_value(name, any);
}

bool is(const char* a, const std::string& b) { return b == a; }

void check_chain(Session& session, ContextTest::Peer_ptr peer, CORBA::Context_ptr child) {
  CORBA::LongLong count = 10;
  const CORBA::String_var all = peer->find("*", count, child);
  CHECK(is(all.in(), "a1=child;a2=parent;env.home=/root;env.lang=de;user=me;"));
  CHECK(count == 15);
  const CORBA::String_var some = peer->find("env.*", count, child);
  CHECK(is(some.in(), "env.home=/root;env.lang=de;"));
  const CORBA::String_var one = peer->find("a2", count, child);
  CHECK(is(one.in(), "a2=parent;"));
  CHECK(count == 18);
  try {
    const CORBA::String_var none = peer->find("secret", count, child);
    CHECK(false && "a property that the clause does not name");
  } catch (const ContextTest::Absent& e) {
    CHECK(std::strcmp(e.pattern, "secret") == 0);
  }
}

void check_alone(Session& session, ContextTest::Peer_ptr peer, CORBA::Context_ptr parent, CORBA::Context_ptr child) {
  peer->check(77, "me", child);
  peer->check(77, "nobody", parent);
  parent->delete_values("user");
  peer->check(77, "", parent);
  peer->check(77, "me", child);
  peer->tell(1, child);
  const CORBA::String_var told = peer->told();
  CHECK(is(told.in(), "env.home=/root;env.lang=de;"));
}

// Many, and long ones.
void check_size(Session& session, ContextTest::Peer_ptr peer, CORBA::Context_ptr context) {
  std::string expected;
  for (int i = 1000; i < 2000; ++i) {
    const std::string name = "a" + std::to_string(i), value(static_cast<std::size_t>(i - 1000), 'v');
    set(context, name.c_str(), value);
    expected += name + '=' + value + ';';
  }
  CORBA::LongLong count = 0;
  const CORBA::String_var all = peer->find("a1*", count, context);
  CHECK(is(all.in(), "a1=child;" + expected));
  CHECK(count == 1001);
}

}  // namespace

void check_contexts(Session& session) {
  const ContextTest::Peer_var peer = session.reference<ContextTest::Peer>("contexts");
  CORBA::Context_var parent, child, standard;
  session.orb()->get_default_context(standard.out());
  standard->create_child("parent", parent.out());
  set(parent.in(), "user", "nobody");
  set(parent.in(), "a1", "parent");
  set(parent.in(), "a2", "parent");
  set(parent.in(), "env.home", "/root");
  set(parent.in(), "secret", "x");
  parent->create_child("child", child.out());
  set(child.in(), "user", "me");
  set(child.in(), "a1", "child");
  set(child.in(), "env.lang", "de");
  check_chain(session, peer.in(), child.in());
  check_alone(session, peer.in(), parent.in(), child.in());
  check_size(session, peer.in(), child.in());
}

}  // namespace interop
