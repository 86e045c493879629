// SPDX-License-Identifier: Apache-2.0
// Bytes read as an Any and taken apart by DynAny, values of types that nobody has a class for included: shared, in
// circles, derived, boxed, in Anys. Byte 0 is the byte order. What is accepted is walked, copied, put into an Any
// again, and equal to all that; parts of it are changed, and nothing of it stays.
#include "target.h"
#include <callis/base/buffer.h>
#include <callis/dynamic_any.h>
#include <callis/orb/core/core.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/create.h>
#include <callis/typecode/plan_of.h>
#include <callis/value/value.h>

namespace {

using namespace callis;
using namespace DynamicAny;

CORBA::ORB_var the_orb;
DynAnyFactory_var factory;

void require(bool ok, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: not as it must be\n", __FILE__, line);
  std::abort();
}

bool read(ByteView bytes, ByteOrder order, CORBA::Any& to) {
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d(bytes, order, budget);
  d.set_context(dynamic_cast<orb::Core*>(the_orb.in())->own_source());
  const value::DecodeScope scope(d);
  typecode::get_any(d, to);
  return d.ok();
}

CORBA::TypeCode_ptr counted(CORBA::TypeCode_ptr t) { return CORBA::TypeCode::_duplicate(t); }

void add(CORBA::ValueMemberSeq& members, const char* name, CORBA::TypeCode_ptr type) {
  const CORBA::ULong n = members.length();
  members.length(n + 1);
  members[n].name = name;
  members[n].type = counted(type);
}

// valuetype Node { long number; Node next; any held; };
// valuetype More : truncatable Node { string text; sequence<Node> nodes; Text boxed; };
// struct Pair { Node first; Node second; };
struct Types {
  CORBA::TypeCode_var node, more, pair;
  Types() {
    CORBA::ValueMemberSeq own, others;
    const CORBA::TypeCode_var self = typecode::create_recursive_tc("IDL:Node:1.0");
    add(own, "number", CORBA::_tc_long);
    add(own, "next", self.in());
    add(own, "held", CORBA::_tc_any);
    node = typecode::create_value_tc("IDL:Node:1.0", "Node", CORBA::VM_NONE, nullptr, own);
    const CORBA::TypeCode_var nodes = typecode::create_sequence_tc(0, node.in());
    const CORBA::TypeCode_var box = typecode::create_value_box_tc("IDL:Text:1.0", "Text", CORBA::_tc_string);
    add(others, "text", CORBA::_tc_string);
    add(others, "nodes", nodes.in());
    add(others, "boxed", box.in());
    more = typecode::create_value_tc("IDL:More:1.0", "More", CORBA::VM_TRUNCATABLE, node.in(), others);
    CORBA::StructMemberSeq two;
    two.length(2);
    two[0].name = "first";
    two[0].type = counted(node.in());
    two[1].name = "second";
    two[1].type = counted(more.in());
    pair = typecode::create_struct_tc("IDL:Pair:1.0", "Pair", two);
  }
};

DynAny_var member(DynAny_ptr of, CORBA::Long at) {
  (void)of->seek(at);
  return of->current_component();
}

std::vector<Byte> seed(std::size_t i) {
  static const Types types;
  const bool pair = i & 2, circle = i & 4, derived = i & 8, shared = i & 16;
  const DynAny_var top = factory->create_dyn_any_from_type_code(pair ? types.pair.in() : types.node.in());
  const DynAny_var first = pair ? member(top.in(), 0) : DynAny_var(DynAny::_duplicate(top.in()));
  if (pair || !derived) dynamic::set_to_value_of(first.in(), derived ? types.more.in() : types.node.in());
  else DynValue_var(DynValue::_narrow(first.in()))->set_to_value();
  member(first.in(), 0)->insert_long(7);
  if (circle) dynamic::share_value(member(first.in(), 1).in(), first.in());
  if (pair && derived) {
    member(first.in(), 3)->insert_string("text");
    if (shared) dynamic::share_value(member(top.in(), 1).in(), first.in());
  }
  if (i & 32) {
    const CORBA::Any_var whole = top->to_any();
    (void)first->seek(2);
    first->insert_any(whole.in());
  }
  const CORBA::Any_var any = top->to_any();
  Buffer b(64);
  cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
  typecode::put_any(e, any.in());
  e.finish();
  std::vector<Byte> bytes = {static_cast<Byte>(i & 1)};
  bytes.insert(bytes.end(), b.data(), b.data() + b.size());
  return bytes;
}

// Visits a number of components, and changes some.
class Walk {
 public:
  explicit Walk(bool changes) : changes_(changes) {}
  void at(DynAny_ptr d, int depth) {
    if (left_ == 0) return;
    --left_;
    const CORBA::ULong n = d->component_count();
    for (CORBA::ULong i = 0; depth != 0 && i < n && i < 8; ++i) {
      if (!d->seek(static_cast<CORBA::Long>(i))) break;  // a change has taken it away
      const DynAny_var c = d->current_component();
      require(!CORBA::is_nil(c.in()));
      at(c.in(), depth - 1);
    }
    const CORBA::TypeCode_var type = d->type();
    switch (typecode::type_behind(*type.in())->kind()) {
      case CORBA::tk_any:
        try {
          const DynAny_var inner = d->get_dyn_any();
          at(inner.in(), depth - 1);
          if (changes_) d->insert_dyn_any(inner.in());
        } catch (const DynAny::InvalidValue&) {
        }
        break;
      case CORBA::tk_sequence:
        if (changes_ && n < 100) DynSequence_var(DynSequence::_narrow(d))->set_length(left_ % 2 ? n + 1 : n / 2);
        break;
      case CORBA::tk_value:
      case CORBA::tk_value_box: {
        const DynValueCommon_var common = DynValueCommon::_narrow(d);
        if (!changes_) break;
        if (!common->is_null() && last_.in() && left_ % 3 == 0) {
          last_->assign(last_.in());
          common->set_to_null();
        } else if (common->is_null() && left_ % 2) {
          common->set_to_value();
        } else if (!common->is_null()) {
          last_ = DynAny::_duplicate(d);
        }
        break;
      }
      default: break;
    }
  }

 private:
  const bool changes_;
  unsigned left_ = 400;
  DynAny_var last_;
};

void walk(DynAny_ptr d, bool changes) {
  try {
    Walk(changes).at(d, 8);
  } catch (const CORBA::OBJECT_NOT_EXIST&) {  // a change has taken the place away
    require(changes);
  } catch (const DynAny::InvalidValue&) {
    require(changes);  // a bound
  } catch (const CORBA::NO_IMPLEMENT&) {
    require(changes);  // custom
  }
}

void try_any(ByteView bytes, ByteOrder order) {
  CORBA::Any any;
  if (!read(bytes, order, any)) return;
  try {
    const DynAny_var d = factory->create_dyn_any(any);
    walk(d.in(), false);
    const DynAny_var copy = d->copy();
    require(copy->equal(d.in()) && d->equal(copy.in()));
    const CORBA::Any_var back = d->to_any();
    const DynAny_var again = factory->create_dyn_any(back.in());
    require(again->equal(d.in()));
    walk(copy.in(), true);
    require(again->equal(d.in()));
    const CORBA::Any_var changed = copy->to_any();
    const DynAny_var of_changed = factory->create_dyn_any(changed.in());
    require(of_changed->equal(copy.in()));
    again->assign(copy.in());
    require(again->equal(copy.in()));
    d->destroy();
  } catch (const DynAnyFactory::InconsistentTypeCode&) {
  } catch (const CORBA::BAD_TYPECODE&) {  // a part needs more than is allowed
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  int n = 1;
  char name[] = "dyn_any";
  char* arguments[] = {name, nullptr};
  the_orb = CORBA::ORB_init(n, arguments);
  const CORBA::Object_var o = the_orb->resolve_initial_references("DynAnyFactory");
  factory = DynAnyFactory::_narrow(o.in());
  fuzz::write_seeds(*argc, *argv, 64, seed);
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  const std::size_t before = value::living_values();
  try_any({data + 1, size - 1}, static_cast<ByteOrder>(data[0] & 1));
  if (value::living_values() != before) {
    std::fprintf(stderr, "values stay\n");
    std::abort();
  }
}
