// SPDX-License-Identifier: Apache-2.0
// Anys that come from the peer are taken apart by the client's own DynAnys and put together again, component by
// component; the peer must find in the outcome what it had sent. The same with values that the client has made.
#include "any_values.h"
#include "session.h"
#ifndef INTEROP_OMNIORB  // which has DynAnys in its one header
#include <callis/dynamic_any.h>
#endif

namespace interop {

namespace {

using namespace DynamicAny;

class Rebuilder {
 public:
  explicit Rebuilder(CORBA::ORB_ptr orb) {
    const CORBA::Object_var object = orb->resolve_initial_references("DynAnyFactory");
    factory_ = DynAnyFactory::_narrow(object.in());
  }

  DynAny_ptr taken_apart(const CORBA::Any& value) { return factory_->create_dyn_any(value); }

  // A value of the same type, made of nothing but components.
  DynAny_ptr again(DynAny_ptr from) {
    const CORBA::TypeCode_var type = from->type();
    DynAny_var to = factory_->create_dyn_any_from_type_code(type.in());
    rebuild(from, to.in());
    return to._retn();
  }

 private:
  static CORBA::TypeCode_ptr without_aliases(CORBA::TypeCode_ptr type) {
    CORBA::TypeCode_var t = CORBA::TypeCode::_duplicate(type);
    while (t->kind() == CORBA::tk_alias) t = t->content_type();
    return t._retn();
  }

  void rebuild(DynAny_ptr from, DynAny_ptr to) {
    const CORBA::TypeCode_var declared = from->type(), type = without_aliases(declared.in());
    switch (type->kind()) {
      case CORBA::tk_struct:
      case CORBA::tk_except: return rebuild_components(from, to);
      case CORBA::tk_sequence: {
        const DynSequence_var source = DynSequence::_narrow(from), target = DynSequence::_narrow(to);
        target->set_length(source->get_length());
        return rebuild_elements(from, to, type.in());
      }
      case CORBA::tk_array: return rebuild_elements(from, to, type.in());
      case CORBA::tk_union: return rebuild_union(from, to);
      case CORBA::tk_enum: {
        const DynEnum_var source = DynEnum::_narrow(from), target = DynEnum::_narrow(to);
        const CORBA::String_var name = source->get_as_string();
        return target->set_as_string(name.in());
      }
      case CORBA::tk_fixed: {
        const DynFixed_var source = DynFixed::_narrow(from), target = DynFixed::_narrow(to);
        const CORBA::String_var digits = source->get_value();
        target->set_value(digits.in());
        return;
      }
#ifndef INTEROP_OMNIORB  // which has no DynAnys of values
      case CORBA::tk_value_box: {
        const DynValueBox_var source = DynValueBox::_narrow(from), target = DynValueBox::_narrow(to);
        const CORBA::Any_var content = source->get_boxed_value();
        return target->set_boxed_value(content.in());
      }
#endif
      default: return copy_basic(from, to, type->kind());
    }
  }

  void rebuild_components(DynAny_ptr from, DynAny_ptr to) {
    const CORBA::Long count = static_cast<CORBA::Long>(from->component_count());
    for (CORBA::Long i = 0; i < count && from->seek(i) && to->seek(i); ++i) {
      const DynAny_var source = from->current_component(), target = to->current_component();
      rebuild(source.in(), target.in());
    }
  }

  // Those of longs in one piece, which omniORB does not do with arrays.
  void rebuild_elements(DynAny_ptr from, DynAny_ptr to, CORBA::TypeCode_ptr type) {
#ifndef INTEROP_OMNIORB
    const CORBA::TypeCode_var element = type->content_type();
    if (element->kind() == CORBA::tk_long) {
      const CORBA::LongSeq_var all = from->get_long_seq();
      return to->insert_long_seq(all.in());
    }
#else
    (void)type;
#endif
    rebuild_components(from, to);
  }

  void rebuild_union(DynAny_ptr from, DynAny_ptr to) {
    const DynUnion_var source = DynUnion::_narrow(from), target = DynUnion::_narrow(to);
    const DynAny_var discriminator = source->get_discriminator();
    target->set_discriminator(discriminator.in());
    if (source->has_no_active_member()) return;
    const DynAny_var member = source->member(), place = target->member();
    rebuild(member.in(), place.in());
  }

  // What omniORB's get_dyn_any() and insert_dyn_any() pass on is not the same value again.
  void rebuild_any(DynAny_ptr from, DynAny_ptr to) {
#ifdef INTEROP_OMNIORB
    const CORBA::Any_var value = from->get_any();
    const DynAny_var inner = taken_apart(value.in()), made = again(inner.in());
    const CORBA::Any_var out = made->to_any();
    to->insert_any(out.in());
#else
    const DynAny_var inner = from->get_dyn_any(), made = again(inner.in());
    to->insert_dyn_any(made.in());
#endif
  }

  void copy_basic(DynAny_ptr from, DynAny_ptr to, CORBA::TCKind kind) {
    switch (kind) {
      case CORBA::tk_null:
      case CORBA::tk_void: return;
      case CORBA::tk_short: return to->insert_short(from->get_short());
      case CORBA::tk_ushort: return to->insert_ushort(from->get_ushort());
      case CORBA::tk_long: return to->insert_long(from->get_long());
      case CORBA::tk_ulong: return to->insert_ulong(from->get_ulong());
      case CORBA::tk_longlong: return to->insert_longlong(from->get_longlong());
      case CORBA::tk_ulonglong: return to->insert_ulonglong(from->get_ulonglong());
      case CORBA::tk_float: return to->insert_float(from->get_float());
      case CORBA::tk_double: return to->insert_double(from->get_double());
      case CORBA::tk_boolean: return to->insert_boolean(from->get_boolean());
      case CORBA::tk_char: return to->insert_char(from->get_char());
      case CORBA::tk_octet: return to->insert_octet(from->get_octet());
      case CORBA::tk_wchar: return to->insert_wchar(from->get_wchar());
      case CORBA::tk_string: {
        const CORBA::String_var text = from->get_string();
        return to->insert_string(text.in());
      }
      case CORBA::tk_wstring: {
        const CORBA::WString_var text = from->get_wstring();
        return to->insert_wstring(text.in());
      }
      case CORBA::tk_TypeCode: {
        const CORBA::TypeCode_var type = from->get_typecode();
        return to->insert_typecode(type.in());
      }
      case CORBA::tk_objref: {
        const CORBA::Object_var object = from->get_reference();
        return to->insert_reference(object.in());
      }
      case CORBA::tk_any: return rebuild_any(from, to);
      default: throw CORBA::BAD_TYPECODE();
    }
  }

  DynAnyFactory_var factory_;
};

bool has_dyn_any(const Session& session, const char* name) {
  // What omniORB writes and reads of an exception in an any differs from what the others do: README.md.
  if (std::strcmp(name, "exception") == 0) return session.client_is_callis() == session.server_is_callis();
  return std::strcmp(name, "box") != 0 || session.client_is_callis();
}

// The any that comes of taking the value apart.
CORBA::Any_var check_rebuilding(Session& session, Rebuilder& rebuilder, const CORBA::Any& value) {
  const DynAny_var from = rebuilder.taken_apart(value), to = rebuilder.again(from.in());
  const CORBA::TypeCode_var type = value.type();
  // omniORB's says now and then that wide strings differ.
  if (session.client_is_callis() || type->kind() != CORBA::tk_wstring) {
    CHECK(from->equal(to.in()));
    CHECK(to->equal(from.in()));
  }
  CORBA::Any_var out = to->to_any();
  from->destroy();
  to->destroy();
  return out;
}

void check_rebuilt(Session& session, Rebuilder& rebuilder, AnyTest::Peer_ptr peer, const AnyValue& value) {
  session.about(value.name);
  const CORBA::Any_var theirs = peer->make(value.name);
  const CORBA::Any_var again = check_rebuilding(session, rebuilder, theirs.in());
  CHECK(value.good(again.in()));
  CHECK(peer->is(value.name, again.in()));
  CORBA::Any made;
  value.make(made, peer);
  const CORBA::Any_var mine = check_rebuilding(session, rebuilder, made);
  CHECK(peer->is(value.name, mine.in()));
}

// A component of a component of what the peer has sent is changed: the whole has it, also when it has been sent.
void check_change(Session& session, Rebuilder& rebuilder, AnyTest::Peer_ptr peer) {
  session.about("changed in place");
  const CORBA::Any_var theirs = peer->make("mixed");
  const DynAny_var whole = rebuilder.taken_apart(theirs.in());
  CHECK(whole->seek(1));
  const DynAny_var dots = whole->current_component();
  CHECK(dots->seek(2));
  const DynAny_var dot = dots->current_component();
  CHECK(dot->seek(1));
  dot->insert_double(-8.5);
  const CORBA::Any_var changed = whole->to_any();
  const CORBA::Any_var back = peer->same(changed.in());
  const AnyTest::Mixed* mixed = nullptr;
  CHECK((back.in() >>= mixed) && mixed->dots.length() == 3 && mixed->dots[2].x == -8.5 && mixed->dots[2].tag == 2);
  whole->destroy();
}

}  // namespace

void check_dyn_any(Session& session) {
  const AnyTest::Peer_var peer = session.reference<AnyTest::Peer>("any");
  Rebuilder rebuilder(session.orb());
  for (std::size_t i = 0; i < kAnyValueCount; ++i) {
    const AnyValue& value = kAnyValues[i];
    if ((value.wide && session.get("version") != "1.2") || !has_dyn_any(session, value.name)) continue;
    try {
      check_rebuilt(session, rebuilder, peer.in(), value);
    } catch (const CORBA::UserException& e) {
      session.add_failure(std::string(value.name) + ": " + e._name());
    }
  }
  check_change(session, rebuilder, peer.in());
}

}  // namespace interop
