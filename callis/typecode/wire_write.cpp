// SPDX-License-Identifier: Apache-2.0
// TypeCodes to the wire, with indirections.
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/internal/described.h>
#include <callis/typecode/internal/indirection.h>
#include <callis/typecode/internal/writer.h>
#include <callis/typecode/wire.h>
#include <callis/value/link.h>
#include <cstring>
#include <new>

namespace callis::typecode {

namespace {

// What a use of a type takes here: its words in the form, twice for its room to grow, with a member's name; and what
// is remembered of a type that stands there for the first time.
constexpr std::size_t kOccurrenceBytes = 64, kFirstBytes = 96;

}  // namespace

void Writer::type(const TypeCode& type) {
  const TypeCode& t = all_ ? type : strip_aliases(type);
  const View v(t);
  Word kind = v.kind();
  if (kind == kRecursive) return e_.set_fault(Fault::Unsupported);
  // In memory a local interface of the program is a reference like others.
  if (kind == CORBA::tk_local_interface && !all_ && v.link()) kind = CORBA::tk_objref;
  kinds_ |= std::uint64_t{1} << kind;
  take(kOccurrenceBytes);
  if (!e_.align(4)) return;
  const bool plain =
      is_simple(kind) || kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_fixed;
  const std::size_t at = e_.position();
  if (!plain) {
    const auto known = written_.find(&t);
    if (known != written_.end()) {
      e_.put_ulong(kIndirection);
      return e_.put_ulong(static_cast<std::uint32_t>(known->second - e_.position()));
    }
    take(kFirstBytes);
    written_.emplace(&t, at);
  }
  e_.put_ulong(kind);
  if (is_simple(kind)) return;
  if (kind == CORBA::tk_fixed) {
    e_.put_ushort(static_cast<std::uint16_t>(v.digits()));
    return e_.put_ushort(static_cast<std::uint16_t>(v.scale()));
  }
  if (plain) return e_.put_ulong(v.length());
  const auto inside = e_.begin_encapsulation();
  parameters(v, t);
  e_.end_encapsulation(inside);
}

void Writer::names(const View& v, const TypeCode& t) {
  const bool of_value = is_value_kind(v.kind()) || v.kind() == CORBA::tk_value_box;
  const bool all_described = described_ && described_->all();
  const bool described = all_described && (of_value || v.kind() == CORBA::tk_abstract_interface);
  const void* link = described ? nullptr : v.link();
  // A type from the wire: the program's own, if it has one.
  if (!link && !all_ && of_value && value::link_finder && *v.id()) {
    link = described ? nullptr : value::link_finder(v.id());
    // But CORBA::ValueBase, which says nothing.
    if (!link && described_ && &t != basic_type(CORBA::tk_value) &&
        std::strcmp(v.id(), View(*basic_type(CORBA::tk_value)).id()) != 0)
      link = described_->link(t);
  }
  e_.put_string(all_ || link ? v.id() : "");
  text(v.name());
  if (!link || all_) return;
  take(3 * sizeof(Linked));
  linked_.push_back({v.id(), link});
}

void Writer::label(Word kind, std::uint64_t value) {
  switch (kind) {
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet: return e_.put_octet(static_cast<std::uint8_t>(value));
    case CORBA::tk_short:
    case CORBA::tk_ushort: return e_.put_ushort(static_cast<std::uint16_t>(value));
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong: return e_.put_ulonglong(value);
    case CORBA::tk_wchar:  // as in GIOP 1.2: UTF-16, big-endian
      e_.put_octet(2);
      e_.put_octet(static_cast<std::uint8_t>(value >> 8));
      return e_.put_octet(static_cast<std::uint8_t>(value));
    default: return e_.put_ulong(static_cast<std::uint32_t>(value));
  }
}

void Writer::state(const View& v) {
  e_.put_ulong(CORBA::tk_struct);
  const auto inside = e_.begin_encapsulation();
  e_.put_string("");
  e_.put_string("");
  const bool box = v.kind() == CORBA::tk_value_box;
  const Word n = box ? 1 : v.count();
  e_.put_ulong(n);
  for (Word i = 0; i < n && e_.fault() == Fault::None; ++i) {
    e_.put_string("");
    type(box ? v.content() : v.member_type(i));
  }
  e_.end_encapsulation(inside);
}

void Writer::parameters(const View& v, const TypeCode& t) {
  const Word kind = v.kind();
  if (kind == CORBA::tk_sequence || kind == CORBA::tk_array) {
    type(v.content());
    return e_.put_ulong(v.length());
  }
  names(v, t);
  if (has_content(kind)) return type(v.content());
  if (!has_members(kind)) return;
  const Word n = v.count();
  Word discriminator = 0;
  if (kind == CORBA::tk_union) {
    type(v.discriminator());
    discriminator = View(strip_aliases(v.discriminator())).kind();
    e_.put_ulong(v.default_index());
  } else if (is_value_kind(kind)) {
    e_.put_ushort(static_cast<std::uint16_t>(v.modifier()));
    if (v.base()) type(*v.base());
    else e_.put_ulong(CORBA::tk_null);
  }
  e_.put_ulong(n);
  if (kind == CORBA::tk_enum) {
    take(std::size_t{16} * n);
    const char* name = n ? v.member_name(0) : "";
    for (Word i = 0; i < n; ++i, name += std::strlen(name) + 1) text(name);
    return;
  }
  for (Word i = 0; i < n && e_.fault() == Fault::None; ++i) {
    if (kind == CORBA::tk_union) label(discriminator, v.label(i));
    text(v.member_name(i));
    type(v.member_type(i));
    if (is_value_kind(kind)) e_.put_ushort(static_cast<std::uint16_t>(v.visibility(i)));
  }
}

namespace {

// nullptr when it cannot be written; `fault` says why.
const Buffer* wire_of(const TypeCode& t, Fault& fault) {
  fault = Fault::OutOfMemory;
  Cache* const c = cache_of(t);
  if (!c) return nullptr;
  if (const Buffer* known = c->wire.load(std::memory_order_acquire)) return known;
  auto made = std::make_unique<Buffer>();
  {
    // Gone before others see the buffer, which it ends with a write.
    cdr::Encoder e(*made);
    Writer(e, Writer::Detail::All).type(t);
    e.finish();
    fault = e.fault();
  }
  if (fault != Fault::None) return nullptr;
  Buffer* expected = nullptr;
  if (c->wire.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return made.release();
  return expected;
}

}  // namespace

void put_type_code(cdr::Encoder& e, const TypeCode* t) noexcept try {
  const Word kind = t ? View(*t).kind() : Word{CORBA::tk_null};
  if (is_simple(kind)) return e.put_ulong(kind);
  if (e.swaps()) return Writer(e, Writer::Detail::All).type(*t);
  Fault fault;
  const Buffer* const wire = wire_of(*t, fault);
  if (!wire) return e.set_fault(fault);
  // Within its encapsulations alignment starts afresh, and indirections are relative.
  if (e.align(4)) e.put_bytes(wire->view());
} catch (const std::bad_alloc&) {
  e.set_fault(Fault::OutOfMemory);
}

}  // namespace callis::typecode
