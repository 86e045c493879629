// SPDX-License-Identifier: Apache-2.0
// What an Any needs to handle values of a TypeCode: its plan, made once.
#include <callis/base/fixed_limits.h>
#include <callis/base/limits.h>
#include <callis/marshal/type_description.h>
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/internal/described.h>
#include <callis/typecode/internal/writer.h>
#include <algorithm>
#include <new>

namespace callis::typecode {

ValueType::~ValueType() = default;

Cache::~Cache() {
  delete value_type.load(std::memory_order_relaxed);
  delete passed_on.load(std::memory_order_relaxed);
  delete wire.load(std::memory_order_relaxed);
}

Cache* cache_of(const TypeCode& t) noexcept {
  auto& cell = t.callis_cache();
  if (Cache* known = cell.load(std::memory_order_acquire)) return known;
  auto* const made = new (std::nothrow) Cache;
  Cache* expected = nullptr;
  if (!made || cell.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;
  delete made;
  return expected;
}

namespace {

constexpr std::uint64_t bit(CORBA::TCKind kind) { return std::uint64_t{1} << kind; }
constexpr std::uint64_t kValues = bit(CORBA::tk_value) | bit(CORBA::tk_value_box) | bit(CORBA::tk_event) |
                                  bit(CORBA::tk_abstract_interface);
// An any within may hold any of them.
constexpr std::uint64_t kFluid = kValues | bit(CORBA::tk_any) | bit(CORBA::tk_wchar) | bit(CORBA::tk_wstring);
constexpr std::uint64_t kTied = kValues | bit(CORBA::tk_any) | bit(CORBA::tk_objref);

// The links of a form, which are asked for in the order in which they were written.
struct Links {
  const std::vector<Writer::Linked>& all;
  std::size_t next = 0;
};

const void* link_of(void* context, marshal::Kind, std::string_view id) {
  auto& links = *static_cast<Links*>(context);
  if (id.empty()) return nullptr;
  for (std::size_t i = links.next; i < links.all.size(); ++i) {
    if (links.all[i].id != id) continue;
    links.next = i + 1;
    return links.all[i].link;
  }
  return nullptr;
}

// The kinds that need no entry; Kind::Op for the others.
marshal::Kind kind_without_entry(Word kind) {
  using marshal::Kind;
  switch (kind) {
    case CORBA::tk_short: return Kind::Short;
    case CORBA::tk_long: return Kind::Long;
    case CORBA::tk_ushort: return Kind::UShort;
    case CORBA::tk_ulong: return Kind::ULong;
    case CORBA::tk_float: return Kind::Float;
    case CORBA::tk_double: return Kind::Double;
    case CORBA::tk_boolean: return Kind::Boolean;
    case CORBA::tk_char: return Kind::Char;
    case CORBA::tk_octet: return Kind::Octet;
    case CORBA::tk_any: return Kind::Any;
    case CORBA::tk_TypeCode: return Kind::TypeCode;
    case CORBA::tk_longlong: return Kind::LongLong;
    case CORBA::tk_ulonglong: return Kind::ULongLong;
    case CORBA::tk_longdouble: return Kind::LongDouble;
    case CORBA::tk_wchar: return Kind::WChar;
    default: return Kind::Op;
  }
}

}  // namespace

std::shared_ptr<const marshal::Plan> make_plan(const Buffer& form, Writer& writer, marshal::Work& work,
                                               Fault& fault) {
  // Nesting starts afresh: how deep the form goes was bounded when the TypeCode was read or made.
  cdr::Budget budget = work.budget();
  budget.depth_left = FixedLimits::max_type_code_depth;
  cdr::Decoder d(form.view(), kNativeOrder, budget);
  Links links{writer.linked()};
  const auto description = marshal::read_type_code(d, &link_of, &links);
  fault = d.fault();
  std::shared_ptr<const marshal::Plan> plan;
  if (description) {
    marshal::Work of_plan(budget);
    plan = marshal::make_plan(description->unit(), description->type(), &of_plan);
    if (!plan) fault = of_plan.fault();
    of_plan.give(description->memory_bytes());
  }
  budget.depth_left = work.budget().depth_left;
  work.budget() = budget;
  return plan;
}

namespace {

std::unique_ptr<ValueType> make(const TypeCode& t, marshal::Work& work, bool passed_on, Fault& fault) {
  work.take(sizeof(ValueType) + sizeof(Described));
  auto v = std::make_unique<ValueType>();
  cdr::Encoder e(v->form);
  v->described = std::make_unique<Described>(work, passed_on);
  v->passed_on = passed_on;
  Writer writer(e, Writer::Detail::Form, v->described.get(), &work);
  writer.type(t);
  e.finish();
  fault = e.fault();
  // Without the ORB library there are no references.
  if (fault == Fault::None && (writer.kinds() & bit(CORBA::tk_objref)) != 0 && !marshal::reference_handlers().decode)
    fault = Fault::Unsupported;
  if (fault != Fault::None) return nullptr;
  const Word kind = View(t).kind();
  // Such values begin with the id, or without it (pass_exception_id()): without a text nobody can tell.
  if (kind == CORBA::tk_except && !*View(t).id()) {
    fault = Fault::BadValue;
    return nullptr;
  }
  if (const marshal::Kind known = kind_without_entry(kind); known != marshal::Kind::Op) {
    v->plan = marshal::make_plan({&kind, "", nullptr, nullptr, &marshal::kExtension}, marshal::type_word(known));
  } else {
    v->plan = make_plan(v->form, writer, work, fault);
    if (v->plan) fault = v->described->finish();
    if (fault != Fault::None) return nullptr;
  }
  if (!v->plan) {
    fault = Fault::OutOfMemory;
    return nullptr;
  }
  v->size = marshal::native_size(*v->plan);
  v->alignment = marshal::native_alignment(*v->plan);
  v->in_slot = fits_in_slot(kind);
  v->exception = kind == CORBA::tk_except;
  v->tied = (writer.kinds() & kTied) != 0;
  v->sharing = (writer.kinds() & kValues) != 0;
  v->bytes = sizeof(ValueType) + v->form.size() + marshal::memory_bytes(*v->plan) + v->described->bytes();
  v->fluid = (writer.kinds() & kFluid) != 0 && !v->in_slot;
  for (const Writer::Linked& l : writer.linked()) v->links.push_back(l.link);
  work.take(2 * v->form.size() + 2 * sizeof(void*) * v->links.size());
  if (!writer.linked().empty() && writer.linked().front().id == View(t).id()) v->link = v->links.front();
  if (v->described->bytes() == 0) v->described.reset();
  return v;
}

// What has to be made is charged to the budget.
const ValueType* work_out(const TypeCode& t, cdr::Budget& budget, Fault& fault, bool passed_on = false) noexcept;
const ValueType* work_out(const TypeCode& t, marshal::Work& work, Fault& fault, bool passed_on);

}  // namespace

const ValueType* value_type(const TypeCode& alias, cdr::Decoder& d) noexcept {
  const TypeCode& t = strip_aliases(alias);
  if (const ValueType* const known = known_value_type(t)) return known;
  Fault fault;
  const ValueType* const made = work_out(t, d.budget(), fault);
  if (!made) d.set_fault(fault);
  return made;
}

const ValueType* passed_on_type(const TypeCode& alias, cdr::Decoder& d) noexcept {
  const TypeCode& t = strip_aliases(alias);
  const Cache* const c = t.callis_cache().load(std::memory_order_acquire);
  if (const ValueType* known = c ? c->passed_on.load(std::memory_order_acquire) : nullptr) return known;
  Fault fault;
  const ValueType* const made = work_out(t, d.budget(), fault, true);
  if (!made) d.set_fault(fault);
  return made;
}

static const ValueType* without_message(const TypeCode& alias, bool passed_on, Fault& fault) noexcept {
  const TypeCode& t = strip_aliases(alias);
  const Cache* const c = t.callis_cache().load(std::memory_order_acquire);
  const ValueType* const known =
      c ? (passed_on ? c->passed_on : c->value_type).load(std::memory_order_acquire) : nullptr;
  if (known) {
    fault = Fault::None;
    return known;
  }
  // Not while a message is read; still it may have come from a peer.
  const Limits limits;
  cdr::Budget budget{limits.decode_budget_max_bytes, limits.max_depth};
  return work_out(t, budget, fault, passed_on);
}

const ValueType* value_type(const TypeCode& t, Fault& fault) noexcept { return without_message(t, false, fault); }
const ValueType* passed_on_type(const TypeCode& t, Fault& fault) noexcept { return without_message(t, true, fault); }

namespace {

const ValueType* work_out(const TypeCode& t, cdr::Budget& budget, Fault& fault, bool passed_on) noexcept {
  marshal::Work work(budget);
  try {
    return work_out(t, work, fault, passed_on);
  } catch (const std::bad_alloc&) {
    fault = work.fault();
    return nullptr;
  }
}

const ValueType* work_out(const TypeCode& t, marshal::Work& work, Fault& fault, bool passed_on) {
  fault = Fault::OutOfMemory;
  Cache* const c = cache_of(t);
  if (!c) return nullptr;
  std::atomic<ValueType*>& cell = passed_on ? c->passed_on : c->value_type;
  if (const ValueType* known = cell.load(std::memory_order_acquire)) return known;
  fault = Fault::Unsupported;
  const Word kind = View(t).kind();
  if (kind <= CORBA::tk_void || kind == kRecursive) return nullptr;
  auto made = make(t, work, passed_on, fault);
  if (!made) return nullptr;
  ValueType* expected = nullptr;
  if (cell.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return made.release();
  return expected;
}

}  // namespace

bool same_layout(const ValueType& a, const ValueType& b) noexcept {
  return &a == &b ||
         (a.passed_on == b.passed_on && std::ranges::equal(a.form.view(), b.form.view()) && a.links == b.links);
}

}  // namespace callis::typecode
