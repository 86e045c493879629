// SPDX-License-Identifier: Apache-2.0
// Anys whose valuetypes are described. What an Any has in another form than that goes over the wire within the
// process: a class of the program's need not have the layout that a peer's TypeCode says.
#include <callis/base/limits.h>
#include <callis/marshal/scope.h>
#include <callis/marshal/values.h>
#include <callis/typecode/described_any.h>
#include <callis/typecode/internal/any_value.h>
#include <callis/typecode/internal/described.h>
#include <exception>
#include <new>

namespace callis::typecode {

using marshal::AnySlot;

namespace {

const ValueType& must_have(const ValueType* v, Fault fault) {
  if (v) return *v;
  if (fault == Fault::OutOfMemory) classic::throw_no_memory();
  classic::raise<CORBA::BAD_TYPECODE>(0, CORBA::COMPLETED_NO, "a TypeCode that no value can have");
}

const ValueType& usual(const TypeCode& type) {
  Fault fault = Fault::None;
  const ValueType* const v = value_type(type, fault);
  return must_have(v, fault);
}

const ValueType& passed_on(const TypeCode& type) {
  Fault fault = Fault::None;
  const ValueType* const v = passed_on_type(type, fault);
  return must_have(v, fault);
}

const Form* known(const Body& body, const ValueType& v) {
  for (const Form* f = body.forms.load(std::memory_order_acquire); f; f = f->next)
    if (f->value == &v) return f;
  return nullptr;
}

// An Any around a form, which it takes over.
CORBA::Any around(Form* form, TypeCode_ptr type, void* context) {
  CORBA::Any made;
  Body* const body = new_body(0);
  if (!body) {
    free_form(form);
    throw std::bad_alloc();
  }
  body->forms.store(form, std::memory_order_release);
  if (context && marshal::reference_handlers().keep_context) {
    body->context = context;
    marshal::reference_handlers().keep_context(context);
  }
  made.callis_slot() = {TypeCode::_duplicate(type), body};
  return made;
}

}  // namespace

// The value of an Any that does not keep alive what it holds; nullptr: there is none.
static const Form* held_by_others(const AnySlot& slot) {
  if (!slot.value || fits_in_slot(View(type_of(slot)).kind())) return nullptr;
  const auto& body = *static_cast<const Body*>(slot.value);
  if (body.size != 0) return nullptr;
  for (const Form* f = body.forms.load(std::memory_order_acquire); f; f = f->next)
    if (f->described && value::ends_with_others(f->described)) return f;
  return nullptr;
}

static void begin_within(void* place, value::DescribedGraph& graph, std::unordered_map<const void*, void*>& made,
                         const marshal::Plan*& plan, const void*& from, void*& to) {
  plan = nullptr;
  AnySlot& slot = *static_cast<AnySlot*>(place);
  const Form* const held = held_by_others(slot);
  if (!held) return;
  void*& known = made[slot.value];
  if (!known) {
    Form* const form = new_form(*held->type, *held->value);
    if (!form) throw std::bad_alloc();
    void* const context = static_cast<Body*>(slot.value)->context;
    plan = held->value->plan.get();
    from = held->memory;
    to = form->memory;
    try {
      form->described = graph.keep(true);
    } catch (const std::bad_alloc&) {
      free_form(form);
      throw;
    }
    const CORBA::Any any = around(form, static_cast<TypeCode_ptr>(slot.type), context);
    known = any.callis_slot().value;
    AnySlot copy;
    copy_any(copy, any.callis_slot());
    destroy_any(slot);
    slot = copy;
    return;
  }
  const AnySlot again{slot.type, known};
  AnySlot copy;
  copy_any(copy, again);
  destroy_any(slot);
  slot = copy;
}

extern const value::AnysWithin anys_within;
const value::AnysWithin anys_within = {&begin_within};

void make_standalone(CORBA::Any& any) {
  const Form* const held = held_by_others(any.callis_slot());
  if (!held) return;
  const CORBA::Any source(any);
  value::DescribedGraph graph;
  value::DescribedCopy copy(graph, anys_within);
  struct Fill {
    value::DescribedCopy& copy;
    const Form& held;
  } fill{copy, *held};
  const auto make = [](void* context, void* memory) {
    const Fill& f = *static_cast<Fill*>(context);
    return f.copy.copy(*f.held.value->plan, f.held.memory, memory);
  };
  insert_described(any, static_cast<TypeCode_ptr>(source.callis_slot().type), make, &fill, graph.keep(),
                   static_cast<Body*>(source.callis_slot().value)->context);
}

void make_standalone(const TypeCode& type, void* memory) {
  // No exception may pass the engine.
  std::exception_ptr failure;
  const auto visit = [](void* context, void* slot, const marshal::SlotHandlers& of_slot, const void*) {
    auto& failed = *static_cast<std::exception_ptr*>(context);
    if (failed || &of_slot != marshal::slot_handlers(marshal::Kind::Any)) return;
    try {
      make_standalone(*static_cast<CORBA::Any*>(slot));
    } catch (...) {
      failed = std::current_exception();
    }
  };
  marshal::each_slot(plan_of(type), memory, visit, &failure);
  if (failure) std::rethrow_exception(failure);
}

bool holds_values(const TypeCode& type) { return usual(type).sharing; }

const marshal::Plan& described_plan_of(const TypeCode& type) {
  const ValueType& v = usual(type);
  return v.sharing ? *passed_on(type).plan : *v.plan;
}

const value::ValueLink* described_link(const TypeCode& type) {
  return static_cast<const value::ValueLink*>(passed_on(type).link);
}

const TypeCode& type_of(const value::ValueLink& link) { return Described::type_of(link); }

CORBA::Any describe(const CORBA::Any& any, TypeCode_ptr as, bool truncates, void* context, const void*& memory,
                    Fault& fault) {
  memory = nullptr;
  const AnySlot& slot = any.callis_slot();
  const ValueType* const v = passed_on_type(*as, fault);
  if (!v) return {};
  auto& body = *static_cast<Body*>(slot.value);
  if (const Form* const form = body.size == 0 ? known(body, *v) : nullptr) {
    memory = form->memory;
    return any;
  }
  if ((fault = differs(type_of(slot), *as)) != Fault::None) return {};
  if (body.context) context = body.context;
  Form* made;
  if (body.size != 0) {
    cdr::Budget budget{Limits{}.decode_budget(body.size), body.max_depth};
    cdr::Decoder d({body.bytes(), body.size}, body.order, budget, body.phase);
    made = read_described(d, context, *as, truncates, fault);
  } else {
    Buffer buffer;
    cdr::Encoder e(buffer);
    put_any_value(e, slot);
    e.finish();
    if ((fault = e.fault()) != Fault::None) return {};
    cdr::Budget budget = cdr::Budget::of(Limits{}, buffer.size());
    cdr::Decoder d(buffer.view(), kNativeOrder, budget);
    made = read_described(d, context, *as, truncates, fault);
  }
  if (!made) return {};
  memory = made->memory;
  return around(made, as, context);
}

Fault describe_all(std::vector<CORBA::Any>& anys, bool truncates, void* context) {
  std::vector<CORBA::Any*> together;
  for (CORBA::Any& any : anys) {
    const AnySlot& slot = any.callis_slot();
    const TypeCode& type = type_of(slot);
    if (is_empty_kind(View(type).kind())) continue;
    Fault fault = Fault::None;
    const ValueType* const v = value_type(type, fault);
    const ValueType* const own = v && v->sharing ? passed_on_type(type, fault) : v;
    if (!own) return fault;
    if (!v->sharing) continue;
    auto& body = *static_cast<Body*>(slot.value);
    if (body.size == 0) {
      if (!known(body, *own)) together.push_back(&any);
      continue;
    }
    const void* memory;
    CORBA::Any described =
        describe(any, static_cast<TypeCode_ptr>(slot.type), truncates, context, memory, fault);
    if (!memory) return fault;
    any = std::move(described);
  }
  if (together.empty()) return Fault::None;
  Buffer buffer;
  cdr::Encoder e(buffer);
  {
    const marshal::EncoderScope scope(e);
    for (const CORBA::Any* any : together) put_any_value(e, any->callis_slot());
  }
  e.finish();
  if (e.fault() != Fault::None) return e.fault();
  cdr::Budget budget = cdr::Budget::of(Limits{}, buffer.size());
  cdr::Decoder d(buffer.view(), kNativeOrder, budget);
  const marshal::DecoderScope scope(d);
  for (CORBA::Any* any : together) {
    void* const own = static_cast<Body*>(any->callis_slot().value)->context;
    d.set_context(own ? own : context);
    auto* const type = static_cast<TypeCode_ptr>(any->callis_slot().type);
    Form* const made = next_described(d, strip_aliases(*type), truncates);
    if (!made) return d.fault();
    *any = around(made, type, own ? own : context);
  }
  return Fault::None;
}

void belongs_to(CORBA::Any& any, void* orb) {
  const AnySlot& slot = any.callis_slot();
  const TypeCode& type = type_of(slot);
  Fault fault;
  const ValueType* const v = is_empty_kind(View(type).kind()) ? nullptr : value_type(type, fault);
  if (!orb || !v || v->in_slot || !v->tied || !marshal::reference_handlers().keep_context) return;
  auto& body = *static_cast<Body*>(slot.value);
  if (body.context) return;
  body.context = orb;
  marshal::reference_handlers().keep_context(orb);
}

void insert_described(CORBA::Any& any, TypeCode_ptr type, bool (*fill)(void* context, void* memory), void* context,
                      void* kept, void* orb) {
  const TypeCode& real = strip_aliases(*type);
  const ValueType& v = passed_on(real);
  Form* const form = new_form(real, v);
  if (!form) {
    if (kept) marshal::value_scopes().drop_described(kept);
    classic::throw_no_memory();
  }
  form->described = kept;
  if (!fill(context, form->memory)) {
    free_form(form);
    classic::throw_no_memory();
  }
  try {
    any = around(form, type, orb);
  } catch (const std::bad_alloc&) {
    classic::throw_no_memory();
  }
}

}  // namespace callis::typecode
