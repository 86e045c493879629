// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/fixed.h>
#include <services/ifr/constant_value.h>
#include <services/ifr/refuse.h>

namespace callis::ifr {

namespace ast = idl::ast;

namespace {

CORBA::TypeCode_var without_aliases(const CORBA::TypeCode& type) {
  CORBA::TypeCode_var at = CORBA::TypeCode::_duplicate(const_cast<CORBA::TypeCode_ptr>(&type));
  while (at->kind() == CORBA::tk_alias) at = at->content_type();
  return at;
}

CORBA::Any floating(long double value, CORBA::TCKind kind) {
  CORBA::Any out;
  if (kind == CORBA::tk_float)
    out <<= static_cast<CORBA::Float>(value);
  else if (kind == CORBA::tk_double)
    out <<= static_cast<CORBA::Double>(value);
  else
    out <<= static_cast<CORBA::LongDouble>(value);
  return out;
}

std::uint64_t bits_of(const ast::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<std::uint64_t>(*i);
  if (const auto* n = std::get_if<std::uint64_t>(&value)) return *n;
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  if (const auto* c = std::get_if<char>(&value)) return static_cast<unsigned char>(*c);
  if (const auto* w = std::get_if<char32_t>(&value)) return *w;
  if (const auto* e = std::get_if<const ast::Enumerator*>(&value)) return (*e)->ordinal;
  return 0;
}

}  // namespace

CORBA::Any constant_any(const ast::Value& value, const CORBA::TypeCode& type) {
  const CORBA::TypeCode_var plain = without_aliases(type);
  CORBA::Any out;
  if (const auto* f = std::get_if<long double>(&value)) {
    out = floating(*f, plain->kind());
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    out <<= CORBA::Any::from_string(s->c_str(), plain->length());
  } else if (const auto* w = std::get_if<std::u32string>(&value)) {
    const std::basic_string<CORBA::WChar> wide(w->begin(), w->end());
    out <<= CORBA::Any::from_wstring(wide.c_str(), plain->length());
  } else if (const auto* d = std::get_if<ast::FixedValue>(&value)) {
    std::string text = d->digits;
    if (text.size() < d->scale) text.insert(0, d->scale - text.size(), '0');
    if (d->scale > 0) text.insert(text.size() - d->scale, ".");
    const CORBA::Fixed fixed(((d->negative ? "-" : "") + text + "d").c_str());
    out <<= CORBA::Any::from_fixed(fixed, static_cast<CORBA::UShort>(plain->fixed_digits()),
                                   static_cast<CORBA::UShort>(plain->fixed_scale()));
  } else {
    const CORBA::Any_var scalar = typecode::new_scalar_any(type, bits_of(value));
    return scalar.in();
  }
  out.type(const_cast<CORBA::TypeCode_ptr>(&type));
  return out;
}

}  // namespace callis::ifr
