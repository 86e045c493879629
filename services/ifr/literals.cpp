// SPDX-License-Identifier: Apache-2.0
// Names and values as IDL spells them.
#include <callis/classic/fixed.h>
#include <services/ifr/reading.h>
#include <algorithm>
#include <cstdio>

namespace callis::ifr {

namespace {

// Without regard to case. Sorted.
constexpr std::string_view kKeywords[] = {
    "abstract", "alias",      "any",         "attribute",  "bitfield",  "bitmask",   "bitset",     "boolean",
    "case",     "char",       "component",   "connector",  "const",     "consumes",  "context",    "custom",
    "default",  "double",     "emits",       "enum",       "eventtype", "exception", "factory",    "false",
    "finder",   "fixed",      "float",       "getraises",  "home",      "import",    "in",         "inout",
    "int16",    "int32",      "int64",       "int8",       "interface", "local",     "long",       "manages",
    "map",      "mirrorport", "module",      "multiple",   "native",    "object",    "octet",      "oneway",
    "out",      "port",       "porttype",    "primarykey", "private",   "provides",  "public",     "publishes",
    "raises",   "readonly",   "sequence",    "setraises",  "short",     "string",    "struct",     "supports",
    "switch",   "true",       "truncatable", "typedef",    "typeid",    "typename",  "typeprefix", "uint16",
    "uint32",   "uint64",     "uint8",       "union",      "unsigned",  "uses",      "valuebase",  "valuetype",
    "void",     "wchar",      "wstring"};
static_assert(std::ranges::is_sorted(kKeywords));

std::string escaped(std::uint32_t c, char quote, bool wide) {
  char text[16];
  if (c == static_cast<unsigned char>(quote) || c == '\\') return std::string("\\") + static_cast<char>(c);
  if (c >= ' ' && c < 127) return std::string(1, static_cast<char>(c));
  if (wide && c > 0xffff) throw Unreadable{"a wide character is beyond what IDL can write"};
  std::snprintf(text, sizeof text, wide ? "\\u%04x" : "\\%03o", c);
  return text;
}

template<class T>
T extracted(const CORBA::Any& any) {
  T out{};
  if (!(any >>= out)) throw Unreadable{"a value is not of its type"};
  return out;
}

std::string floating(long double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*Lg", digits, value);
  std::string out = text;
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  if (out.find_first_of("in") != std::string::npos) throw Unreadable{"a constant is no number"};
  return out;
}

}  // namespace

std::string identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool good = !name.empty() && name.size() <= 255 && letter(name[0]) && std::ranges::all_of(name, [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
  if (!good) throw Unreadable{"the repository has a name that is none of IDL"};
  std::string lower = name;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::ranges::binary_search(kKeywords, lower) ? "_" + name : name;
}

std::string quoted_id(const std::string& id) {
  const bool good = id.size() <= 4096 &&
                    std::ranges::all_of(id, [](char c) { return c > ' ' && c < 127 && c != '"' && c != '\\'; });
  if (!good || id.find(':') == std::string::npos) throw Unreadable{"the repository has a repository id that is none"};
  return id;
}

std::string literal_text(const CORBA::Any& value, CORBA::TypeCode_ptr type) {
  switch (type->kind()) {
    case CORBA::tk_short: return std::to_string(extracted<CORBA::Short>(value));
    case CORBA::tk_long: return std::to_string(extracted<CORBA::Long>(value));
    case CORBA::tk_ushort: return std::to_string(extracted<CORBA::UShort>(value));
    case CORBA::tk_ulong: return std::to_string(extracted<CORBA::ULong>(value));
    case CORBA::tk_longlong: return std::to_string(extracted<CORBA::LongLong>(value));
    case CORBA::tk_ulonglong: return std::to_string(extracted<CORBA::ULongLong>(value));
    case CORBA::tk_float: return floating(extracted<CORBA::Float>(value), 9);
    case CORBA::tk_double: return floating(extracted<CORBA::Double>(value), 17);
    case CORBA::tk_longdouble: return floating(extracted<CORBA::LongDouble>(value), 21);
    case CORBA::tk_boolean: {
      CORBA::Boolean b = false;
      if (!(value >>= CORBA::Any::to_boolean(b))) break;
      return b ? "TRUE" : "FALSE";
    }
    case CORBA::tk_octet: {
      CORBA::Octet o = 0;
      if (!(value >>= CORBA::Any::to_octet(o))) break;
      return std::to_string(o);
    }
    case CORBA::tk_char: {
      CORBA::Char c = 0;
      if (!(value >>= CORBA::Any::to_char(c))) break;
      return "'" + escaped(static_cast<unsigned char>(c), '\'', false) + "'";
    }
    case CORBA::tk_wchar: {
      CORBA::WChar c = 0;
      if (!(value >>= CORBA::Any::to_wchar(c))) break;
      return "L'" + escaped(static_cast<std::uint32_t>(c), '\'', true) + "'";
    }
    case CORBA::tk_string: {
      const char* s = nullptr;
      if (!(value >>= CORBA::Any::to_string(s, type->length()))) break;
      std::string out = "\"";
      for (; *s; ++s) out += escaped(static_cast<unsigned char>(*s), '"', false);
      return out + "\"";
    }
    case CORBA::tk_wstring: {
      const CORBA::WChar* s = nullptr;
      if (!(value >>= CORBA::Any::to_wstring(s, type->length()))) break;
      std::string out = "L\"";
      for (; *s; ++s) out += escaped(static_cast<std::uint32_t>(*s), '"', true);
      return out + "\"";
    }
    case CORBA::tk_fixed: {
      CORBA::Fixed f;
      if (!(value >>= CORBA::Any::to_fixed(f, type->fixed_digits(), static_cast<CORBA::UShort>(type->fixed_scale()))))
        break;
      std::string text = f.to_string();
      if (text.empty() || (text.back() != 'd' && text.back() != 'D')) text += 'd';
      return text;
    }
    case CORBA::tk_enum: {
      const CORBA::TypeCode_var own = value.type();
      const void* const at = value.value();
      if (!at || !own->equivalent(type)) break;
      const CORBA::ULong n = *static_cast<const CORBA::ULong*>(at);
      if (n >= type->member_count()) break;
      return type->member_name(n);
    }
    default: break;
  }
  throw Unreadable{"a constant or label has no value of its type"};
}

}  // namespace callis::ifr
