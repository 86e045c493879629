// SPDX-License-Identifier: Apache-2.0
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

bool fits_in_slot(Word kind) noexcept {
  return (kind >= CORBA::tk_short && kind <= CORBA::tk_octet) || kind == CORBA::tk_enum ||
         kind == CORBA::tk_longlong || kind == CORBA::tk_ulonglong || kind == CORBA::tk_wchar;
}

namespace {

constexpr std::uint64_t bit(CORBA::TCKind kind) { return std::uint64_t{1} << kind; }
constexpr std::uint64_t kValues = bit(CORBA::tk_value) | bit(CORBA::tk_value_box) | bit(CORBA::tk_event) |
                                  bit(CORBA::tk_abstract_interface);
// An any within may hold any of them.
constexpr std::uint64_t kFluid = kValues | bit(CORBA::tk_any) | bit(CORBA::tk_wchar) | bit(CORBA::tk_wstring);
constexpr std::uint64_t kTied = kValues | bit(CORBA::tk_any) | bit(CORBA::tk_objref);

const void* link_of(void* writer, marshal::Kind, std::string_view id) {
  for (const Writer::Linked& l : static_cast<Writer*>(writer)->linked())
    if (id == l.id) return l.link;
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

std::shared_ptr<const marshal::Plan> make_plan(const Buffer& form, Writer& writer, Fault& fault) {
  cdr::Budget budget = cdr::Budget::of(Limits{}, form.size());
  cdr::Decoder d(form.view(), kNativeOrder, budget);
  const auto description = marshal::read_type_code(d, &link_of, &writer);
  fault = d.fault();
  if (!description) return nullptr;
  auto plan = marshal::make_plan(description->unit(), description->type());
  if (!plan) fault = Fault::OutOfMemory;
  return plan;
}

namespace {

std::unique_ptr<ValueType> make(const TypeCode& t, Fault& fault) {
  auto v = std::make_unique<ValueType>();
  cdr::Encoder e(v->form);
  v->described = std::make_unique<Described>();
  Writer writer(e, Writer::Detail::Form, v->described.get());
  writer.type(t);
  e.finish();
  fault = e.fault();
  // Without the ORB library there are no references.
  if (fault == Fault::None && (writer.kinds() & bit(CORBA::tk_objref)) != 0 && !marshal::reference_handlers().decode)
    fault = Fault::Unsupported;
  if (fault != Fault::None) return nullptr;
  const Word kind = View(t).kind();
  if (const marshal::Kind known = kind_without_entry(kind); known != marshal::Kind::Op) {
    v->plan = marshal::make_plan({&kind, "", nullptr, nullptr, &marshal::kExtension}, marshal::type_word(known));
  } else {
    v->plan = make_plan(v->form, writer, fault);
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
  if (!writer.linked().empty() && writer.linked().front().id == View(t).id()) v->link = v->links.front();
  if (v->described->bytes() == 0) v->described.reset();
  return v;
}

}  // namespace

const ValueType* value_type(const TypeCode& alias, cdr::Decoder& d) noexcept {
  const TypeCode& t = strip_aliases(alias);
  const Cache* const c = t.callis_cache().load(std::memory_order_acquire);
  if (const ValueType* known = c ? c->value_type.load(std::memory_order_acquire) : nullptr) return known;
  Fault fault;
  const ValueType* const made = value_type(t, fault);
  if (!made) d.set_fault(fault);
  return made && d.charge(made->bytes) ? made : nullptr;
}

const ValueType* value_type(const TypeCode& alias, Fault& fault) noexcept try {
  const TypeCode& t = strip_aliases(alias);
  fault = Fault::OutOfMemory;
  Cache* const c = cache_of(t);
  if (!c) return nullptr;
  if (const ValueType* known = c->value_type.load(std::memory_order_acquire)) return known;
  fault = Fault::Unsupported;
  const Word kind = View(t).kind();
  if (kind <= CORBA::tk_void || kind == kRecursive) return nullptr;
  auto made = make(t, fault);
  if (!made) return nullptr;
  ValueType* expected = nullptr;
  if (c->value_type.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return made.release();
  return expected;
} catch (const std::bad_alloc&) {
  fault = Fault::OutOfMemory;
  return nullptr;
}

bool same_layout(const ValueType& a, const ValueType& b) noexcept {
  return &a == &b || (std::ranges::equal(a.form.view(), b.form.view()) && a.links == b.links);
}

}  // namespace callis::typecode
