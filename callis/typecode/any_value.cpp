// SPDX-License-Identifier: Apache-2.0
// The value inside an Any from and to the wire: decoded, or as bytes that nobody has looked at.
#include <callis/base/limits.h>
#include <callis/marshal/handlers.h>
#include <callis/marshal/scope.h>
#include <callis/marshal/values.h>
#include <callis/typecode/described_any.h>
#include <callis/typecode/internal/any_value.h>
#include <callis/typecode/internal/described.h>
#include <callis/typecode/internal/received.h>
#include <algorithm>
#include <cstring>
#include <limits>

namespace callis::typecode {

using marshal::AnySlot;

namespace {

// Encodes what a Form holds.
void put_form(cdr::Encoder& e, const Form& f) {
  if (f.value->exception) e.put_string(View(*f.type).id());
  marshal::encode(*f.value->plan, f.memory, e);
}

// The id in front of an exception's members (CORBA 3.3 part 2, 9.3.4.2), which the TypeCode has said. omniORB leaves
// it out. False when it is not there.
[[gnu::noinline]] bool pass_exception_id(cdr::Decoder& d, const char* id) {
  const std::size_t n = std::strlen(id) + 1;
  cdr::Decoder ahead = d;
  if (ahead.get_ulong() != n || !ahead.ok() || n > ahead.remaining()) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (ahead.get_octet() != static_cast<Byte>(id[i])) return false;
  d = ahead;
  return true;
}

[[gnu::noinline]] bool has_exception_id(cdr::Decoder d, const char* id) { return pass_exception_id(d, id); }

// Anys nest, so the functions that are on the stack while a value is read are small: what they do before and after
// stands in functions that are not inlined.
//
// What follows is read into a new Form; nullptr after a fault.
[[gnu::noinline]] Form* get_form(cdr::Decoder& d, const TypeCode& type, const ValueType& v, CreateException create) {
  if (v.exception) pass_exception_id(d, View(type).id());
  Form* f;
  if (v.exception && create) {
    CORBA::UserException* e = nullptr;
    try {
      e = create();
    } catch (...) {
      d.set_fault(Fault::OutOfMemory);
      return nullptr;
    }
    f = new_form(type, v, static_cast<CORBA::Exception*>(e), Form::Owner::Exception);
    if (!f) delete e;
  } else {
    f = new_form(type, v);
  }
  if (!f) {
    d.set_fault(Fault::OutOfMemory);
    return nullptr;
  }
  Arena* const arena = d.arena();
  d.set_arena(nullptr);  // the value outlives the message
  const bool ok = marshal::decode(*v.plan, f->memory, d);
  d.set_arena(arena);
  if (ok) return f;
  free_form(f);
  return nullptr;
}

const void* find_described(const void* type, std::string_view id) {
  const Described* const types = static_cast<const ValueType*>(type)->described.get();
  if (const void* const known = types ? types->find(id) : nullptr) return known;
  const TypeCode* const other = type_finder ? type_finder(id) : nullptr;
  Fault fault;
  const ValueType* const v = other ? passed_on_type(*other, fault) : nullptr;
  return v ? v->link : nullptr;
}

// While an any's values are made of what its TypeCode says. A fault of the decoder when memory is exhausted.
class Describing final {
 public:
  [[gnu::noinline]] Describing(cdr::Decoder& d, const TypeCode& type, bool truncates, bool takes_apart)
      : scope_(d), d_(d) {
    const ValueType* const v = passed_on_type(type, d);
    if (!v || !d.ok()) return;
    types_ = {&find_described, v, truncates, takes_apart};
    TypeCode_ptr const kept = counted(type);
    const auto drop = [](void* t) noexcept { CORBA::release(static_cast<TypeCode_ptr>(t)); };
    const marshal::ValueScopes& scopes = marshal::value_scopes();
    began_ = scopes.begin_described && scopes.begin_described(d.values(), types_, kept, drop, before_);
    if (!scopes.begin_described) drop(kept);
    if (!began_) d.set_fault(Fault::OutOfMemory);
  }
  // What has been read is kept with the form; nullptr after a fault.
  [[gnu::noinline]] Form* end(Form* form) {
    const marshal::ValueScopes& scopes = marshal::value_scopes();
    if (began_) scopes.end_described(d_.values(), before_);
    if (!form || (form->described = scopes.keep_described(d_.values()))) return form;
    free_form(form);
    d_.set_fault(Fault::OutOfMemory);
    return nullptr;
  }
  const ValueType& type() const { return *static_cast<const ValueType*>(types_.types); }

 private:
  const marshal::DecoderScope scope_;
  cdr::Decoder& d_;
  marshal::Description types_{};
  const marshal::Description* before_ = nullptr;
  bool began_ = false;
};

// What follows is read without any class of the program's, so that it can be passed on: in each byte order, and
// wherever it stands. nullptr after a fault.
[[gnu::noinline]] Form* get_described(cdr::Decoder& d, const TypeCode& type, bool truncates,
                                      bool takes_apart = false) {
  Describing now(d, type, truncates, takes_apart);
  return now.end(d.ok() ? get_form(d, type, now.type(), nullptr) : nullptr);
}

// v: nullptr to have what is passed on, of which a part may be cut off where truncates says so.
Form* decode_bytes(cdr::Decoder& d, void* context, const TypeCode& as, const ValueType* v, CreateException create,
                   Fault& fault, bool truncates = true, bool takes_apart = false) {
  d.set_context(context);
  const marshal::DecoderScope scope(d);
  Form* const f = v ? get_form(d, as, *v, create) : get_described(d, as, truncates, takes_apart);
  // What is left over belongs to no value of the type.
  if (d.ok() && d.remaining() != 0) d.set_fault(Fault::BadValue);
  fault = d.fault();
  if (!f || d.ok()) return f;
  free_form(f);
  return nullptr;
}

}  // namespace

Form* read_described(cdr::Decoder& d, void* context, const TypeCode& as, bool truncates, Fault& fault) {
  return decode_bytes(d, context, as, nullptr, nullptr, fault, truncates, true);
}

Form* next_described(cdr::Decoder& d, const TypeCode& as, bool truncates) {
  return get_described(d, as, truncates, true);
}

namespace {

// From the bytes that were received.
[[gnu::noinline]] Form* form_of_bytes(Body& body, const TypeCode& as, const ValueType* v, CreateException create,
                                      Fault& fault) {
  cdr::Budget budget{std::size_t{body.max_kib} << 10, body.max_depth};
  cdr::Decoder d({body.bytes(), body.size}, body.order, budget, body.phase);
  return decode_bytes(d, body.context, as, v, create, fault);
}

// From another layout, by way of the wire. What is in memory was within the limits of its ORB when it came, or is the
// application's own: it has no others.
[[gnu::noinline]] Form* form_of_another(Body& body, const TypeCode& as, const ValueType& v, CreateException create,
                                        Fault& fault) {
  const Form* const from = body.forms.load(std::memory_order_acquire);
  Buffer buffer;
  cdr::Encoder e(buffer);
  put_form(e, *from);
  e.finish();
  if ((fault = e.fault()) != Fault::None) return nullptr;
  cdr::Budget budget{std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::uint32_t>::max()};
  cdr::Decoder d(buffer.view(), kNativeOrder, budget);
  return decode_bytes(d, body.context, as, &v, create, fault);
}

}  // namespace

const void* memory_of(const AnySlot& slot, const TypeCode& as, const ValueType& v, CreateException create,
                      Fault& fault) noexcept {
  fault = Fault::None;
  if (v.in_slot) {
    const View to(strip_aliases(as));
    // The sender may have more enumerators than the program.
    std::uint32_t number;
    std::memcpy(&number, &slot.value, sizeof number);
    if (to.kind() != CORBA::tk_enum || number < to.count()) return &slot.value;
    fault = Fault::BadEnum;
    return nullptr;
  }
  auto& body = *static_cast<Body*>(slot.value);
  if (const Form* known = find(body, v, create != nullptr)) return known->memory;
  // Types that are equivalent by their repository ids can still differ.
  if ((fault = differs(type_of(slot), as)) != Fault::None) return nullptr;
  Form* const made =
      body.size != 0 ? form_of_bytes(body, as, &v, create, fault) : form_of_another(body, as, v, create, fault);
  if (!made) return nullptr;
  publish(body, made);
  return made->memory;
}

// Of an exception. bare: it came without its id and goes out as it came, for whoever leaves it out. Members that the
// receiver would take for the id are refused.
[[gnu::noinline]] static void put_members(cdr::Encoder& e, const TypeCode& type, const ValueType& v,
                                          const void* memory, bool bare) {
  const std::size_t start = e.position(), phase = e.phase();
  marshal::encode(*v.plan, memory, e);
  if (!bare || e.fault() != Fault::None) return;
  const std::size_t n = e.position() - start;
  cdr::Budget budget{n, 1};  // only a string is looked at
  if (has_exception_id({{e.cursor() - n, n}, e.order(), budget, phase}, View(type).id()))
    e.set_fault(Fault::BadValue);
}

namespace {

// While the value of an any is written: the values in it, at any depth, go with their type ids. 9.3.4.1 leaves that
// to the sender; JacORB 3.9 cannot read values in anys without them.
class NamedTypes final {
 public:
  NamedTypes(cdr::Encoder& e, const ValueType& v) : e_(e), scopes_(marshal::value_scopes()) {
    if (!v.sharing || !scopes_.name_types) return;
    if (!e.values()) e.set_values(own_ = scopes_.open_encoder());
    if (!e.values()) {
      e.set_fault(Fault::OutOfMemory);
      return;
    }
    before_ = scopes_.name_types(e.values(), true);
    names_ = true;
  }
  ~NamedTypes() {
    if (names_) (void)scopes_.name_types(e_.values(), before_);
    if (!own_) return;
    e_.set_values(nullptr);
    scopes_.close_encoder(own_);
  }
  NamedTypes(const NamedTypes&) = delete;
  NamedTypes& operator=(const NamedTypes&) = delete;

 private:
  cdr::Encoder& e_;
  const marshal::ValueScopes& scopes_;
  void* own_ = nullptr;
  bool names_ = false, before_ = false;
};

// What goes beyond a bound is refused, and not tried otherwise: whoever gets it would have to refuse it, and in other
// forms it may be larger or deeper.
bool is_bound(Fault f) {
  return f == Fault::TooDeep || f == Fault::BudgetExceeded || f == Fault::LimitExceeded || f == Fault::OutOfMemory;
}

}  // namespace

void put_any(cdr::Encoder& e, const AnySlot& slot) noexcept {
  put_type_code(e, static_cast<const TypeCode*>(slot.type));
  put_any_value(e, slot);
}

namespace {

template <class T>
bool put_bits(cdr::Encoder& e, const AnySlot& slot) {
  T number{};
  std::memcpy(&number, &slot.value, std::min(sizeof number, sizeof slot.value));
  e.put(number);
  return true;
}

template <class T>
bool get_bits(cdr::Decoder& d, AnySlot& slot) {
  const T number = d.get<T>();
  std::memcpy(&slot.value, &number, std::min(sizeof number, sizeof slot.value));
  if (!d.ok()) destroy_any(slot);
  return true;
}

// Numbers of n bytes, if they are more than moved. Not inlined, so that the functions below need no stack.
[[gnu::noinline]] bool put_number_slowly(cdr::Encoder& e, const AnySlot& slot, std::size_t n) {
  if (e.fault() != Fault::None) return false;
  switch (n) {
    case 1: return put_bits<std::uint8_t>(e, slot);
    case 2: return put_bits<std::uint16_t>(e, slot);
    case 4: return put_bits<std::uint32_t>(e, slot);
    default: return put_bits<std::uint64_t>(e, slot);
  }
}

[[gnu::noinline]] bool get_number_slowly(cdr::Decoder& d, AnySlot& slot, std::size_t n) {
  switch (n) {
    case 1: return get_bits<std::uint8_t>(d, slot);
    case 2: return get_bits<std::uint16_t>(d, slot);
    case 4: return get_bits<std::uint32_t>(d, slot);
    default: return get_bits<std::uint64_t>(d, slot);
  }
}

}  // namespace

bool put_number(cdr::Encoder& e, const AnySlot& slot) noexcept {
  constexpr std::size_t kMost = 16;  // padding and number
  const std::size_t n = number_bytes(slot);
  if (n == 0) return false;
  if (!e.plain() || static_cast<std::size_t>(e.limit() - e.cursor()) < kMost) [[unlikely]]
    return put_number_slowly(e, slot, n);
  constexpr std::uint64_t kPadding = 0;
  const std::size_t pad = (0 - e.phase()) & (n - 1);
  std::memcpy(e.cursor(), &kPadding, 8);
  std::memcpy(e.cursor() + pad, &slot.value, sizeof slot.value);
  e.advance(pad + n);
  return true;
}

bool get_number(cdr::Decoder& d, AnySlot& slot) noexcept {
  const std::size_t n = number_bytes(slot);
  if (n == 0) return false;
  const std::size_t pad = (0 - d.phase()) & (n - 1);
  if (d.swaps() || pad + n > d.contiguous()) [[unlikely]] return get_number_slowly(d, slot, n);
  const Byte* const from = d.cursor() + pad;
  if (n == 4) std::memcpy(&slot.value, from, 4);
  else if (n == 2) std::memcpy(&slot.value, from, 2);
  else if (n == 8) std::memcpy(&slot.value, from, sizeof slot.value);
  else std::memcpy(&slot.value, from, 1);
  d.set_cursor(from + n);
  return true;
}

namespace {

void put_memory(cdr::Encoder& e, const TypeCode& type, const Body& body, const ValueType& v, const void* memory) {
  const NamedTypes named(e, v);
  if (e.fault() != Fault::None) return;
  if (!v.exception) {
    marshal::encode(*v.plan, memory, e);
    return;
  }
  if (!body.bare) e.put_string(View(type).id());
  put_members(e, type, v, memory, body.bare);
}

// Bytes that were kept, of which no class of the program's can be made. why: the fault of that.
[[gnu::noinline]] void put_described(cdr::Encoder& e, const TypeCode& type, Body& body, const ValueType& v,
                                     Fault why) {
  if (!v.sharing || body.size == 0 || is_bound(why)) return e.set_fault(why);
  Fault fault;
  Form* const made = form_of_bytes(body, type, nullptr, nullptr, fault);
  if (!made) return e.set_fault(is_bound(fault) ? fault : why);
  publish(body, made);
  put_memory(e, type, body, *made->value, made->memory);
}

}  // namespace

void put_any_value(cdr::Encoder& e, const AnySlot& slot) noexcept {
  const TypeCode& type = type_of(slot);
  if (is_empty_kind(View(type).kind()) || e.fault() != Fault::None) return;
  Fault fault;
  const ValueType* const v = value_type(type, fault);
  if (!v) return e.set_fault(fault);
  if (v->in_slot) {
    marshal::encode(*v->plan, &slot.value, e);
    return;
  }
  auto& body = *static_cast<Body*>(slot.value);
  const bool in_chunks = v->sharing && e.values() && marshal::value_scopes().writes_chunks &&
                         marshal::value_scopes().writes_chunks(e.values());
  if (body.size != 0 && body.order == e.order() && body.phase == e.phase() && !in_chunks && !e.converts())
    return e.put_bytes({body.bytes(), body.size});
  const Form* const passed_on = v->sharing ? find_passed_on(body) : nullptr;
  const void* const memory = passed_on ? passed_on->memory : memory_of(slot, type, *v, nullptr, fault);
  if (memory) return put_memory(e, type, body, passed_on ? *passed_on->value : *v, memory);
  put_described(e, type, body, *v, fault);
}

namespace {

// Passes over a value whose bytes are to be kept: nothing in them may lead to what is not kept. It may nest no deeper
// than when it is read.
bool skip_alone(cdr::Decoder& d, const ValueType& v) {
  const void* const around = d.values();
  d.set_values(nullptr);
  const marshal::DecoderScope scope(d, around);
  return marshal::skip(*v.plan, d);
}

// Keeps the bytes of the value that follows. False, and the decoder where it was, when that cannot be.
[[gnu::noinline]] bool keep_bytes(cdr::Decoder& d, AnySlot& slot, const ValueType& v) {
  cdr::Decoder ahead = d;
  const std::size_t left = d.budget().all_left();
  const bool bare = v.exception && !pass_exception_id(ahead, View(type_of(slot)).id());
  if (!skip_alone(ahead, v)) {
    d.set_fault(ahead.fault());
    return false;
  }
  const std::size_t n = d.remaining() - ahead.remaining();
  if (n == 0 || n > d.contiguous()) return false;  // over fragments of GIOP 1.1 alignment is not one
  if (!d.charge(sizeof(Body) + n + v.size)) return false;  // the bytes, and the value that they may become
  Body* const body = new_body(n);
  if (!body) {
    d.set_fault(Fault::OutOfMemory);
    return false;
  }
  std::memcpy(body->bytes(), d.cursor(), n);
  body->size = n;
  body->order = d.order();
  body->phase = static_cast<std::uint8_t>(d.phase());
  body->bare = bare;
  const std::size_t kib = (std::max(left, Limits{}.decode_budget(n)) >> 10) + 1;
  body->max_kib = static_cast<std::uint32_t>(std::min<std::size_t>(kib, std::numeric_limits<std::uint32_t>::max()));
  body->max_depth = static_cast<std::uint16_t>(std::max(d.budget().depth_left, Limits{}.max_depth));
  keep_context(*body, d, v);
  slot.value = body;
  ahead.set_values(d.values());
  d = ahead;
  return true;
}

// Reads a TypeCode, unless one of the same bytes is known, and works out its value type, which is nullptr where no
// values are. nullptr after a fault.
[[gnu::noinline]] TypeCode_ptr get_value_type(cdr::Decoder& d, const ValueType*& v) {
  v = nullptr;
  Received received(d);
  TypeCode_ptr t = received.find(d);
  const bool known = t != nullptr;
  const std::size_t before = d.budget().all_left();
  std::uint32_t depth = 0;
  if (!t && !(t = read_type_code(d, depth))) return nullptr;
  const std::size_t cost = before - d.budget().all_left();
  const TypeCode& type = strip_aliases(*t);
  if (is_empty_kind(View(type).kind())) return t;
  v = value_type(type, d);
  if (!v) {
    CORBA::release(t);
    return nullptr;
  }
  if (known) return t;
  // What values lie in depends on the factories that there are.
  if (v->sharing || v->bytes > kMaxReceivedPlanBytes || !received.keep(t, cost, depth))
    received.keep_in_message(t, depth, d);
  if (d.ok()) return t;
  CORBA::release(t);
  return nullptr;
}

// A value of which not all is known here can still be passed on: as its TypeCode describes it, else as bytes, else as
// much of it as is described. `d` has the fault that reading it from `start` has had. nullptr and no fault: it was
// kept as bytes.
[[gnu::noinline]] Form* get_unknown(cdr::Decoder& d, const cdr::Decoder& start, std::uint32_t depth,
                                    marshal::ScopeMark mark, AnySlot& slot, const ValueType& v, bool described) {
  const TypeCode& type = type_of(slot);
  const Fault first = d.fault();
  if (is_bound(first)) return nullptr;
  const marshal::ValueScopes& scopes = marshal::value_scopes();
  const auto go_back = [&] {
    if (d.values() && scopes.abandon) scopes.abandon(d.values(), mark);
    d = start;
    d.budget().depth_left = depth;
  };
  go_back();
  if (described) {
    if (Form* const form = get_described(d, type, false)) return form;
    if (is_bound(d.fault())) return nullptr;
    go_back();
  }
  // In chunks it is not one piece; other forms of characters mean nothing elsewhere.
  if (!d.in_chunks() && d.text() == cdr::TextForm{} && keep_bytes(d, slot, v)) return nullptr;
  if (is_bound(d.fault())) return nullptr;
  if (described) {
    go_back();
    if (Form* const form = get_described(d, type, true)) return form;
    if (is_bound(d.fault())) return nullptr;
  }
  go_back();
  d.set_fault(first);
  return nullptr;
}

// Whether the any is within one that is read by get_described().
enum class Within { None, Whole, Truncated };
[[gnu::noinline]] Within within_described(const cdr::Decoder& d) {
  const marshal::ValueScopes& scopes = marshal::value_scopes();
  bool truncates = false;
  if (!d.values() || !scopes.reads_described || !scopes.reads_described(d.values(), truncates)) return Within::None;
  return truncates ? Within::Truncated : Within::Whole;
}

void get_value(cdr::Decoder& d, AnySlot& slot, const TypeCode& type, const ValueType* v) {
  if (v->in_slot) {
    marshal::decode(*v->plan, &slot.value, d);
    return;
  }
  if (!v->fluid && !d.converts()) {
    if (keep_bytes(d, slot, *v) || !d.ok()) return;
  }
  if (!d.charge(sizeof(Body) + sizeof(Form) + v->size)) return;
  const cdr::Decoder start = d;
  const std::uint32_t depth = d.budget().depth_left;
  const marshal::ValueScopes& scopes = marshal::value_scopes();
  const marshal::ScopeMark mark = d.values() && scopes.mark ? scopes.mark(d.values()) : marshal::ScopeMark{};
  const bool bare = v->exception && !has_exception_id(d, View(type).id());
  // Within an any that is read to be passed on there is one attempt, so that nesting costs no more than its bytes.
  const Within within = v->sharing ? within_described(d) : Within::None;
  Form* form = within == Within::None ? get_form(d, type, *v, nullptr)
                                      : get_described(d, type, within == Within::Truncated);
  if (!form) {
    form = get_unknown(d, start, depth, mark, slot, *v, v->sharing && within == Within::None);
    if (!form) return;
  }
  if (Body* const body = new_body(0)) {
    keep_context(*body, d, *v);
    body->bare = bare;
    body->forms.store(form, std::memory_order_release);
    slot.value = body;
  } else {
    free_form(form);
    d.set_fault(Fault::OutOfMemory);
  }
}

}  // namespace

// Takes over t. v: its value type, if it has values.
static void get_of_type(cdr::Decoder& d, AnySlot& slot, TypeCode_ptr t, const ValueType* v) noexcept {
  AnySlot made{t, nullptr};
  if (v) get_value(d, made, type_of(made), v);
  if (d.ok()) {
    slot = made;
    d.leave();
  } else {
    made.value = nullptr;  // nothing is kept after a fault
    CORBA::release(t);
  }
}

void get_any(cdr::Decoder& d, AnySlot& slot) noexcept {
  destroy_any(slot);
  if (!d.enter()) return;
  const ValueType* v;
  const TypeCode_ptr t = get_value_type(d, v);
  if (t) get_of_type(d, slot, t, v);
}

void get_any_value(cdr::Decoder& d, TypeCode_ptr type, AnySlot& slot) noexcept {
  destroy_any(slot);
  if (!d.enter()) return;
  const TypeCode& real = strip_aliases(*type);
  const bool empty = is_empty_kind(View(real).kind());
  const ValueType* const v = empty ? nullptr : value_type(real, d);
  if (v || empty) get_of_type(d, slot, TypeCode::_duplicate(type), v);
}

void get_any_value(cdr::Decoder& d, AnySlot& slot) noexcept {
  TypeCode_ptr const type =
      counted(slot.type ? *static_cast<const TypeCode*>(slot.type) : *basic_type(CORBA::tk_null));
  get_any_value(d, type, slot);
  CORBA::release(type);
}

void skip_any(cdr::Decoder& d) noexcept {
  if (!d.enter()) return;
  const ValueType* v;
  const TypeCode_ptr t = get_value_type(d, v);
  if (!t) return;
  if (v) {
    if (v->exception) pass_exception_id(d, View(strip_aliases(*t)).id());
    marshal::skip(*v->plan, d);
  }
  CORBA::release(t);
  if (d.ok()) d.leave();
}

}  // namespace callis::typecode
