// SPDX-License-Identifier: Apache-2.0
// Everything read comes from the peer. This file is compiled with exceptions for its containers; bad_alloc does not
// leave it.
#include <callis/cdr/fixed.h>
#include <callis/marshal/internal/type_reader.h>
#include <new>

namespace callis::marshal {

namespace {

// The kinds without parameters; Op for the others.
Kind simple_kind(std::uint32_t kind) {
  switch (kind) {
    case tc::Void: return Kind::Void;
    case tc::Short: return Kind::Short;
    case tc::Long: return Kind::Long;
    case tc::UShort: return Kind::UShort;
    case tc::ULong: return Kind::ULong;
    case tc::Float: return Kind::Float;
    case tc::Double: return Kind::Double;
    case tc::Boolean: return Kind::Boolean;
    case tc::Char: return Kind::Char;
    case tc::Octet: return Kind::Octet;
    case tc::LongLong: return Kind::LongLong;
    case tc::ULongLong: return Kind::ULongLong;
    case tc::LongDouble: return Kind::LongDouble;
    case tc::WChar: return Kind::WChar;
    case tc::Any: return Kind::Any;
    case tc::TypeCode: return Kind::TypeCode;
    default: return Kind::Op;
  }
}

// Whether the kind's parameters are an encapsulation, and values can have the kind.
bool has_parameters(std::uint32_t kind) {
  switch (kind) {
    case tc::ObjRef:
    case tc::Struct:
    case tc::Union:
    case tc::Enum:
    case tc::Sequence:
    case tc::Array:
    case tc::Alias:
    case tc::Except: case tc::Value: case tc::ValueBox: case tc::AbstractInterface:
      return true;
    default: return false;
  }
}

}  // namespace

Word TypeReader::link(Kind kind, std::string_view id) {
  // The roots have none.
  const std::string_view root = kind == Kind::Value      ? "IDL:omg.org/CORBA/ValueBase:1.0"
                                : kind == Kind::Abstract ? "IDL:omg.org/CORBA/AbstractBase:1.0"
                                                         : "IDL:omg.org/CORBA/Object:1.0";
  const void* const l = link_of_ && id != root ? link_of_(context_, kind, id) : nullptr;
  if (!l) return kNoLink;
  const Word key = static_cast<Word>(reinterpret_cast<std::uintptr_t>(l) >> 4);
  for (Word at = links_.first(key); at != WordMap::kNone; at = links_.next(at))
    if (t_.links_[links_.value(at)] == l) return links_.value(at);
  const auto index = static_cast<Word>(t_.links_.size());
  work_.take(3 * sizeof l);  // with room to grow
  t_.links_.push_back(l);
  links_.put(key, index);
  return index;
}

void TypeReader::set_known(Word at, Word type) {
  const Word place = known_.first(at);
  if (place == WordMap::kNone) known_.put(at, type);
  else known_.set(place, type);
}

bool TypeReader::type(cdr::Decoder& d, Word& out) {
  if (!d.align(4)) return false;
  work_.step(2);
  const auto at = static_cast<Word>(d.cursor() - first_);  // of at most kMaxTypeCodeBytes
  const std::uint32_t kind = d.get_ulong();
  if (!d.ok()) return false;
  if (kind == tc::Indirection) return indirection(d, out);
  if (kind > tc::Last) return fail(d, Fault::BadValue);
  if (simple_kind(kind) != Kind::Op) {
    out = type_word(simple_kind(kind));
  } else if (kind == tc::String || kind == tc::WString) {
    if (!string(d, kind == tc::String ? Kind::String : Kind::WString, out)) return false;
  } else if (kind == tc::Fixed) {
    if (!fixed(d, out)) return false;
  } else {
    if (!has_parameters(kind)) return fail(d, Fault::Unsupported);
    if (!d.enter()) return false;
    cdr::Decoder inside = d.get_encapsulation(kMaxTypeCodeBytes);
    if (!parameters(inside, kind, at, out)) {
      d.set_fault(inside.fault());
      return false;
    }
    d.leave();
  }
  set_known(at, out);
  return true;
}

// A type that stands earlier in the same TypeCode, or one around this one.
bool TypeReader::indirection(cdr::Decoder& d, Word& out) {
  const auto at = d.cursor() - first_;
  const auto offset = static_cast<std::int32_t>(d.get_ulong());
  if (!d.ok()) return false;
  const auto target = at + offset;
  out = target >= 0 ? known_.find(static_cast<Word>(target)) : WordMap::kNone;
  if (out == WordMap::kNone) return fail(d, Fault::BadValue);
  if (kind_of(out) == Kind::Ref) lead_back(payload_of(out));
  return true;
}

// From an encapsulation; at: of the TCKind.
bool TypeReader::parameters(cdr::Decoder& d, std::uint32_t kind, Word at, Word& out) {
  switch (kind) {
    case tc::ObjRef: return linked(d, Kind::ObjRef, out);
    case tc::AbstractInterface: return linked(d, Kind::Abstract, out);
    case tc::Value: return value(d, at, false, out);
    case tc::ValueBox: return value(d, at, true, out);
    case tc::Union: return one_of(d, at, out);
    case tc::Struct: return structure(d, at, false, out);
    case tc::Except: return (at == 0 && structure(d, at, true, out)) || fail(d, Fault::BadValue);
    case tc::Enum: return enumeration(d, out);
    case tc::Sequence: return sequence(d, at, out);
    case tc::Array: return array(d, out);
    default:  // Alias: id, name, type
      d.get_string();
      d.get_string();
      return element(d, out);
  }
}

// Begins with a repository id and a name.
bool TypeReader::linked(cdr::Decoder& d, Kind kind, Word& out) {
  const std::string_view id = d.get_string();
  d.get_string();
  if (!d.ok()) return false;
  out = type_word(kind, link(kind, id));
  return true;
}

bool TypeReader::enumeration(cdr::Decoder& d, Word& out) {
  d.get_string();
  d.get_string();
  const std::uint32_t n = d.count(5, 0);
  work_.step(n);
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) d.get_string();
  if (d.ok() && n == 0) d.set_fault(Fault::BadValue);
  out = type_word(Kind::Enum, n);
  return d.ok();
}

bool TypeReader::fixed(cdr::Decoder& d, Word& out) {
  const Word digits = d.get_ushort(), scale = d.get_ushort();
  if (!d.ok()) return false;
  if (digits == 0 || digits > cdr::kMaxFixedDigits || scale > digits) return fail(d, Fault::BadValue);
  out = type_word(Kind::Fixed, digits | scale << 8);
  return true;
}

bool TypeReader::string(cdr::Decoder& d, Kind kind, Word& out) {
  const std::uint32_t bound = d.get_ulong();
  if (!d.ok()) return false;
  out = bound < kBigBound ? type_word(kind, bound) : entry({type_word(kind, kBigBound), bound});
  return true;
}

std::size_t TypeDescription::memory_bytes() const {
  return sizeof *this + words_.capacity() * sizeof(Word) + 3 * sizeof(void*) * links_.size();
}

std::shared_ptr<const TypeDescription> read_type_code(cdr::Decoder& d, LinkOf link_of, void* context) {
  if (!d.align(4)) return nullptr;
  Work work(d.budget());
  try {
    work.take(sizeof(TypeDescription) + sizeof(Word));
    auto t = std::make_shared<TypeDescription>();
    TypeReader reader(*t, d.cursor(), link_of, context, work);
    cdr::Decoder ahead = d;
    if (reader.read(ahead)) {
      d = ahead;
      return t;
    }
    d.set_fault(ahead.fault());
  } catch (const std::bad_alloc&) {
    d.set_fault(work.fault());
  }
  return nullptr;
}

}  // namespace callis::marshal
