// SPDX-License-Identifier: Apache-2.0
// How an offer's values are laid out, and made Anys again.
#include <services/trading/offer.h>
#include <cstring>
#include <new>

namespace callis::trading {

using constraints::Kind;
using constraints::Value;

bool Offer::is_plain(CORBA::TypeCode_ptr type) {
  switch (type->kind()) {
    case CORBA::tk_short:
    case CORBA::tk_long:
    case CORBA::tk_ushort:
    case CORBA::tk_ulong:
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong:
    case CORBA::tk_float:
    case CORBA::tk_double:
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet: return true;
    case CORBA::tk_string: return type->length() == 0;
    default: return false;
  }
}

void Offer::put(Cell& cell, const CORBA::Any& any) {
  const CosTradingDynamic::DynamicProp* dynamic = nullptr;
  auto complex = std::make_unique<Complex>(any);
  if (complex->any >>= dynamic) complex->dynamic = dynamic;
  cell.kind = dynamic ? Kind::Missing : Kind::Other;
  cell.form = dynamic ? kDynamic : kComplex;
  cell.as.complex = complex.release();
}

void Offer::put(Cell& cell, std::uint8_t form, const Value& v, char*& texts) {
  cell.kind = v.kind();
  cell.form = form;
  switch (v.kind()) {
    case Kind::Boolean: cell.as.bits = v.boolean() ? 1 : 0; break;
    case Kind::Integer: cell.as.whole = v.integer(); break;
    case Kind::Unsigned: cell.as.bits = v.bits(); break;
    case Kind::Real: cell.as.real = v.real(); break;
    default:
      cell.size = static_cast<std::uint32_t>(v.text().size());
      cell.as.text = texts;
      std::memcpy(texts, v.text().data(), cell.size);
      texts[cell.size] = '\0';
      texts += cell.size + 1;
  }
}

OfferPtr Offer::make(OfferNumber number, std::shared_ptr<const TypeOffers> of_type, std::string_view reference,
                     const std::vector<Part>& parts, std::unique_ptr<const Proxy> proxy,
                     services::MemoryBound::Hold held) {
  struct Plain {
    constraints::Decoded decoded;
    std::uint8_t form = kComplex;
  };
  std::size_t slots = 0, texts = 0;
  std::vector<Plain> plain(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    slots = std::max<std::size_t>(slots, parts[i].slot + std::size_t{1});
    const CORBA::TypeCode_var type = parts[i].value->type();
    if (!is_plain(type.in())) continue;
    plain[i] = {constraints::Decoded(*parts[i].value), static_cast<std::uint8_t>(type->kind())};
    const Value v = plain[i].decoded.value();
    if (v.kind() == Kind::Text) texts += v.text().size() + 1;
  }
  // Cells of names that the offer does not have: as many as its type has.
  if (held.bytes() != 0 && slots > parts.size()) held.adopt(held.bytes() + (slots - parts.size()) * kCellBytes);
  void* const memory = ::operator new(sizeof(Offer) + slots * sizeof(Cell) + sizeof(Hold) + reference.size() + texts);
  auto* const offer = new (memory) Offer(number, std::move(of_type), std::move(proxy));
  offer->slots_ = static_cast<Slot>(slots);
  offer->reference_size_ = static_cast<std::uint32_t>(reference.size());
  auto* const cells = reinterpret_cast<Cell*>(offer + 1);
  for (std::size_t i = 0; i < slots; ++i) new (&cells[i]) Cell{{.bits = 0}, 0, Kind::Missing, kNone};
  char* at = reinterpret_cast<char*>(new (cells + slots) Hold(std::move(held)) + 1);
  OfferPtr out(offer);  // lets go of all, should one of the values not do
  std::memcpy(at, reference.data(), reference.size());
  at += reference.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Cell& cell = cells[parts[i].slot];
    if (plain[i].form != kComplex) {
      put(cell, plain[i].form, plain[i].decoded.value(), at);
    } else {
      put(cell, *parts[i].value);
    }
    if (cell.form == kDynamic) offer->has_dynamic_ = true;
  }
  return out;
}

void Offer::release(const Offer* offer) {
  for (Slot i = 0; i < offer->slots_; ++i) {
    const Cell& c = offer->cells()[i];
    if (c.form == kComplex || c.form == kDynamic) delete c.as.complex;
  }
  offer->held()->~Hold();
  offer->~Offer();
  ::operator delete(const_cast<Offer*>(offer));
}

std::optional<CORBA::Any> Offer::any(Slot slot) const {
  if (!has(slot)) return std::nullopt;
  const Cell& c = cells()[slot];
  CORBA::Any out;
  switch (c.form) {
    case CORBA::tk_short: out <<= static_cast<CORBA::Short>(c.as.whole); break;
    case CORBA::tk_long: out <<= static_cast<CORBA::Long>(c.as.whole); break;
    case CORBA::tk_ushort: out <<= static_cast<CORBA::UShort>(c.as.whole); break;
    case CORBA::tk_ulong: out <<= static_cast<CORBA::ULong>(c.as.whole); break;
    case CORBA::tk_longlong: out <<= static_cast<CORBA::LongLong>(c.as.whole); break;
    case CORBA::tk_ulonglong: out <<= static_cast<CORBA::ULongLong>(c.as.bits); break;
    case CORBA::tk_float: out <<= static_cast<CORBA::Float>(c.as.real); break;
    case CORBA::tk_double: out <<= c.as.real; break;
    case CORBA::tk_boolean: out <<= CORBA::Any::from_boolean(c.as.bits != 0); break;
    case CORBA::tk_char: out <<= CORBA::Any::from_char(c.as.text[0]); break;
    case CORBA::tk_octet: out <<= CORBA::Any::from_octet(static_cast<CORBA::Octet>(c.as.whole)); break;
    case CORBA::tk_string: out <<= c.as.text; break;
    default: return c.as.complex->any;
  }
  return out;
}

const CosTradingDynamic::DynamicProp* Offer::dynamic(Slot slot) const {
  return is_dynamic(slot) ? cells()[slot].as.complex->dynamic : nullptr;
}

}  // namespace callis::trading
