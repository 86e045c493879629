// SPDX-License-Identifier: Apache-2.0
// Attributes, oneways, user exceptions; and what goes wrong: system exceptions, unknown operations, dead
// objects.
#include "swap_values.h"

namespace interop {

namespace {

constexpr CORBA::ULong kOmg = 0x4f4d0000;  // standard minor codes

void attributes(Session& session, Interop::Calls_ptr calls) {
  for (Size i = 0; i < edge_count<CORBA::Long>(); ++i) {
    calls->level(pick<CORBA::Long>(i));
    CHECK(calls->level() == pick<CORBA::Long>(i));
  }
  for (const Size n : {0u, 1u, 300u}) {
    calls->motto(text(n, kIn).c_str());
    const CORBA::String_var motto = calls->motto();
    CHECK(text(n, kIn) == motto.in());

    Interop::Longs list;
    make(list, n, kIn);
    calls->list(list);
    const Interop::Longs_var back = calls->list();
    CHECK(same(back.in(), n, kIn));

    Interop::Point point;
    make(point, n % 100, kIn);
    calls->position(point);
    CHECK(same(calls->position(), n % 100, kIn));
  }
  CHECK(calls->hue() == Interop::blue);
}

void oneways(Session& session, Interop::Calls_ptr calls) {
  CORBA::Long sum = 0;
  for (CORBA::Long n = 0; n < 100; ++n) {
    calls->note(n, text(Size(n), kIn).c_str());
    sum += n;
  }
  CHECK(calls->notes(100) == sum);
  calls->note(20000, text(20000, kIn).c_str());
  CHECK(calls->notes(1) == 20000);
}

void normal_decision(Session& session, Interop::Calls_ptr calls) {
  CORBA::String_var s = text(4, kInout).c_str();
  Interop::Longs_var details;
  CHECK(calls->decide(0, 4, s.inout(), details.out()) == 5);
  CHECK(text(4, kBack) == s.in());
  CHECK(same(details.in(), 4, kOut));
}

void empty_exception(Session& session, Interop::Calls_ptr calls) {
  CORBA::String_var s = text(3, kInout).c_str();
  Interop::Longs_var details;
  bool caught = false;
  try {
    calls->decide(1, 3, s.inout(), details.out());
  } catch (const Interop::Empty&) {
    caught = true;
  }
  CHECK(caught);
  CHECK(text(3, kInout) == s.in());  // an exception leaves inout arguments alone
}

void exception_with_members(Session& session, Interop::Calls_ptr calls) {
  for (const Size n : {0u, 1u, 40u, 3000u}) {
    session.about("Refused of size " + std::to_string(n));
    CORBA::String_var s = text(n, kInout).c_str();
    Interop::Longs_var details;
    bool caught = false;
    try {
      calls->decide(2, CORBA::Long(n), s.inout(), details.out());
    } catch (const Interop::Refused& e) {
      caught = true;
      CHECK(text(n, kOut) == chars(e.reason));
      CHECK(e.code == CORBA::Long(n) - 5);
      CHECK(e.hue == pick<Interop::Colour>(n));
      CHECK(same(e.details, n, kOut));
      Check three;
      names(three, const_cast<Interop::Names_slice*>(&e.three[0]), n % 50, kOut);
      CHECK(three.same);
    }
    CHECK(caught);
    session.about("");
  }
  // As its base, and copied.
  CORBA::String_var s = text(1, kInout).c_str();
  Interop::Longs_var details;
  bool caught = false;
  try {
    calls->decide(2, 1, s.inout(), details.out());
  } catch (const CORBA::UserException& e) {
    const Interop::Refused* refused = Interop::Refused::_downcast(&e);
    caught = refused != nullptr;
    if (caught) {
      const Interop::Refused copy(*refused);
      CHECK(text(1, kOut) == chars(copy.reason));
      CHECK(same(copy.details, 1, kOut));
    }
    CHECK(std::string("IDL:interop.test/Interop/Refused:1.0") == e._rep_id());
  }
  CHECK(caught);
}

template <class Exception>
void system_exception(Session& session, Interop::Calls_ptr calls, CORBA::Long how, CORBA::ULong minor,
                      CORBA::CompletionStatus completed) {
  session.about("fail " + std::to_string(how));
  bool caught = false;
  try {
    calls->fail(how);
  } catch (const Exception& e) {
    caught = true;
    CHECK(e.minor() == minor);
    CHECK(e.completed() == completed);
  }
  CHECK(caught);
  session.about("");
}

void undeclared_exception(Session& session, Interop::Calls_ptr calls) {
  bool caught = false;
  try {
    calls->fail(3);
  } catch (const CORBA::UNKNOWN& e) {
    caught = true;
    CHECK(e.minor() == (kOmg | 1));
  }
  CHECK(caught);
  calls->nothing();  // all is well afterwards
}

void unknown_operation(Session& session) {
  const CORBA::Object_var o = session.object("calls");
  const Interop::Stranger_var stranger = Interop::Stranger::_unchecked_narrow(o.in());
  bool caught = false;
  try {
    stranger->unheard_of(1);
  } catch (const CORBA::BAD_OPERATION& e) {
    caught = true;
    CHECK(e.completed() == CORBA::COMPLETED_NO);
    if (session.server_is_callis()) CHECK(e.minor() == (kOmg | 2));
  }
  CHECK(caught);
  caught = false;
  try {
    stranger->unheard_of_oneway();
  } catch (const CORBA::BAD_OPERATION& e) {
    caught = true;
    CHECK(e.completed() == CORBA::COMPLETED_NO);
  }
  // omniORB answers SYNC_WITH_SERVER when it is done, too. Otherwise nobody is told.
  const std::string& scope = session.get("scope");
  CHECK(caught == (scope == "target" || (scope == "server" && !session.server_is_callis())));
  CHECK(!o->_non_existent());
}

void dead_object(Session& session) {
  const CORBA::Object_var o = session.object("dead");
  const Interop::Calls_var dead = Interop::Calls::_unchecked_narrow(o.in());
  bool caught = false;
  try {
    dead->nothing();
  } catch (const CORBA::OBJECT_NOT_EXIST& e) {
    caught = true;
    CHECK(e.completed() == CORBA::COMPLETED_NO);
  }
  CHECK(caught);
  CHECK(dead->_non_existent());
}

}  // namespace

void check_calls(Session& session) {
  const Interop::Calls_var calls = session.reference<Interop::Calls>("calls");
  calls->nothing();
  attributes(session, calls.in());
  oneways(session, calls.in());
  normal_decision(session, calls.in());
  empty_exception(session, calls.in());
  exception_with_members(session, calls.in());
}

void check_errors(Session& session) {
  const Interop::Calls_var calls = session.reference<Interop::Calls>("calls");
  system_exception<CORBA::BAD_PARAM>(session, calls.in(), 0, 17, CORBA::COMPLETED_NO);
  system_exception<CORBA::NO_IMPLEMENT>(session, calls.in(), 1, 3, CORBA::COMPLETED_YES);
  undeclared_exception(session, calls.in());
  unknown_operation(session);
  dead_object(session);
  // Last: a client may try again elsewhere after TRANSIENT, and here there is no elsewhere.
  system_exception<CORBA::TRANSIENT>(session, calls.in(), 2, 5, CORBA::COMPLETED_MAYBE);
}

}  // namespace interop
