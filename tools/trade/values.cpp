// SPDX-License-Identifier: Apache-2.0
// Values of the types that constraints can use.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/constraints/any_properties.h>
#include <tools/trade/session.h>
#include <tools/trade/values.h>
#include <charconv>
#include <cstring>

namespace callis::trade {

namespace {

using constraints::Kind;
using constraints::Value;

struct Named {
  const char* name;
  CORBA::TypeCode_ptr type;
};

// Filled at the first call: the constants are made while the program starts.
const std::vector<Named>& named() {
  static const std::vector<Named> all = {{"short", CORBA::_tc_short},
                                         {"unsigned short", CORBA::_tc_ushort},
                                         {"long", CORBA::_tc_long},
                                         {"unsigned long", CORBA::_tc_ulong},
                                         {"long long", CORBA::_tc_longlong},
                                         {"unsigned long long", CORBA::_tc_ulonglong},
                                         {"float", CORBA::_tc_float},
                                         {"double", CORBA::_tc_double},
                                         {"boolean", CORBA::_tc_boolean},
                                         {"char", CORBA::_tc_char},
                                         {"octet", CORBA::_tc_octet},
                                         {"string", CORBA::_tc_string},
                                         {"any", CORBA::_tc_any},
                                         {"sequence<string>", CORBA::_tc_StringSeq},
                                         {"sequence<boolean>", CORBA::_tc_BooleanSeq},
                                         {"sequence<char>", CORBA::_tc_CharSeq},
                                         {"sequence<octet>", CORBA::_tc_OctetSeq},
                                         {"sequence<short>", CORBA::_tc_ShortSeq},
                                         {"sequence<unsigned short>", CORBA::_tc_UShortSeq},
                                         {"sequence<long>", CORBA::_tc_LongSeq},
                                         {"sequence<unsigned long>", CORBA::_tc_ULongSeq},
                                         {"sequence<long long>", CORBA::_tc_LongLongSeq},
                                         {"sequence<unsigned long long>", CORBA::_tc_ULongLongSeq},
                                         {"sequence<float>", CORBA::_tc_FloatSeq},
                                         {"sequence<double>", CORBA::_tc_DoubleSeq}};
  return all;
}

[[noreturn]] void wrong(CORBA::TypeCode_ptr type, const std::string& text) {
  throw Failure{kWrongUsage, "'" + shown(text) + "' is no value of type " + to_text(type)};
}

template<class T>
T number(CORBA::TypeCode_ptr type, const std::string& text) {
  T out{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) wrong(type, text);
  return out;
}

bool boolean(CORBA::TypeCode_ptr type, const std::string& text) {
  if (text == "TRUE" || text == "true") return true;
  if (text != "FALSE" && text != "false") wrong(type, text);
  return false;
}

char character(CORBA::TypeCode_ptr type, const std::string& text) {
  if (text.size() != 1) wrong(type, text);
  return text[0];
}

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  std::size_t at = 0;
  for (std::size_t comma; (comma = text.find(',', at)) != std::string::npos; at = comma + 1)
    out.push_back(text.substr(at, comma - at));
  out.push_back(text.substr(at));
  return out;
}

template<class Seq, class F>
CORBA::Any sequence(const std::string& text, const F& element) {
  const auto all = pieces(text);
  Seq seq;
  seq.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < all.size(); ++i) seq[i] = element(all[i]);
  CORBA::Any out;
  out <<= seq;
  return out;
}

template<class Seq, class T>
CORBA::Any numbers(CORBA::TypeCode_ptr type, const std::string& text) {
  return sequence<Seq>(text, [type](const std::string& one) { return number<T>(type, one); });
}

CORBA::Any elements_of(CORBA::TypeCode_ptr type, CORBA::TCKind kind, const std::string& text) {
  switch (kind) {
    case CORBA::tk_string:
      return sequence<CORBA::StringSeq>(text, [](const std::string& one) { return CORBA::string_dup(one.c_str()); });
    case CORBA::tk_boolean:
      return sequence<CORBA::BooleanSeq>(text, [type](const std::string& one) { return boolean(type, one); });
    case CORBA::tk_char:
      return sequence<CORBA::CharSeq>(text, [type](const std::string& one) { return character(type, one); });
    case CORBA::tk_octet: return numbers<CORBA::OctetSeq, CORBA::Octet>(type, text);
    case CORBA::tk_short: return numbers<CORBA::ShortSeq, CORBA::Short>(type, text);
    case CORBA::tk_ushort: return numbers<CORBA::UShortSeq, CORBA::UShort>(type, text);
    case CORBA::tk_long: return numbers<CORBA::LongSeq, CORBA::Long>(type, text);
    case CORBA::tk_ulong: return numbers<CORBA::ULongSeq, CORBA::ULong>(type, text);
    case CORBA::tk_longlong: return numbers<CORBA::LongLongSeq, CORBA::LongLong>(type, text);
    case CORBA::tk_ulonglong: return numbers<CORBA::ULongLongSeq, CORBA::ULongLong>(type, text);
    case CORBA::tk_float: return numbers<CORBA::FloatSeq, CORBA::Float>(type, text);
    case CORBA::tk_double: return numbers<CORBA::DoubleSeq, CORBA::Double>(type, text);
    default: wrong(type, text);
  }
}

CORBA::TypeCode_var plain(CORBA::TypeCode_ptr type) {
  CORBA::TypeCode_var out = CORBA::TypeCode::_duplicate(type);
  while (out->kind() == CORBA::tk_alias) out = out->content_type();
  return out;
}

std::string text_of(const Value& v, bool json) {
  switch (v.kind()) {
    case Kind::Boolean: return json ? (v.boolean() ? "true" : "false") : (v.boolean() ? "TRUE" : "FALSE");
    case Kind::Integer: return std::to_string(v.integer());
    case Kind::Unsigned: return std::to_string(v.bits());
    case Kind::Real: {
      char digits[64];
      const std::string out(digits, std::to_chars(digits, digits + sizeof digits, v.real()).ptr);
      return json && out.find_first_of("in") != std::string::npos ? json_string(out) : out;
    }
    case Kind::Text: {
      const std::string text(v.text());
      return json ? json_string(text) : "'" + shown(text) + "'";
    }
    case Kind::Sequence: {
      std::string out(1, json ? '[' : '(');
      for (std::size_t i = 0; i < v.sequence().size(); ++i)
        out += (i == 0 ? "" : ", ") + text_of(v.sequence().at(i), json);
      return out + (json ? ']' : ')');
    }
    default: return {};
  }
}

std::string any_text(const CORBA::Any& value, bool json) {
  const CosTradingDynamic::DynamicProp* dynamic = nullptr;
  if (value >>= dynamic) {
    const std::string text = "dynamic " + to_text(dynamic->returned_type.in());
    return json ? json_string(text) : text;
  }
  const constraints::Decoded decoded(value);
  if (decoded.value().kind() != Kind::Other && decoded.value().kind() != Kind::Missing)
    return text_of(decoded.value(), json);
  const CORBA::TypeCode_var type = value.type();
  const std::string text = "a value of type " + to_text(type.in());
  return json ? json_string(text) : text;
}

}  // namespace

CORBA::TypeCode_var type_of(const std::string& text) {
  for (const Named& n : named()) {
    if (text == n.name) return CORBA::TypeCode::_duplicate(n.type);
  }
  return CORBA::TypeCode::_nil();
}

std::string to_text(CORBA::TypeCode_ptr type) {
  for (const Named& n : named()) {
    if (type->equivalent(n.type)) return n.name;
  }
  try {
    return "(" + shown(type->id()) + ")";
  } catch (const CORBA::TypeCode::BadKind&) {
    return "(of kind " + std::to_string(type->kind()) + ")";
  }
}

CORBA::Any value_of(CORBA::TypeCode_ptr type, const std::string& text) {
  CORBA::Any out;
  if (CORBA::is_nil(type)) {
    CORBA::LongLong whole = 0;
    double real = 0;
    const char *const begin = text.data(), *const end = begin + text.size();
    if (text == "TRUE" || text == "FALSE") {
      out <<= CORBA::Any::from_boolean(text == "TRUE");
    } else if (auto r = std::from_chars(begin, end, whole); r.ec == std::errc() && r.ptr == end) {
      if (whole == static_cast<CORBA::Long>(whole)) {
        out <<= static_cast<CORBA::Long>(whole);
      } else {
        out <<= whole;
      }
    } else if (auto d = std::from_chars(begin, end, real); d.ec == std::errc() && d.ptr == end) {
      out <<= real;
    } else {
      out <<= text.c_str();
    }
    return out;
  }
  const CORBA::TypeCode_var behind = plain(type);
  switch (behind->kind()) {
    case CORBA::tk_short: out <<= number<CORBA::Short>(type, text); break;
    case CORBA::tk_ushort: out <<= number<CORBA::UShort>(type, text); break;
    case CORBA::tk_long: out <<= number<CORBA::Long>(type, text); break;
    case CORBA::tk_ulong: out <<= number<CORBA::ULong>(type, text); break;
    case CORBA::tk_longlong: out <<= number<CORBA::LongLong>(type, text); break;
    case CORBA::tk_ulonglong: out <<= number<CORBA::ULongLong>(type, text); break;
    case CORBA::tk_float: out <<= number<CORBA::Float>(type, text); break;
    case CORBA::tk_double: out <<= number<CORBA::Double>(type, text); break;
    case CORBA::tk_octet: out <<= CORBA::Any::from_octet(number<CORBA::Octet>(type, text)); break;
    case CORBA::tk_boolean: out <<= CORBA::Any::from_boolean(boolean(type, text)); break;
    case CORBA::tk_char: out <<= CORBA::Any::from_char(character(type, text)); break;
    case CORBA::tk_string: out <<= CORBA::Any::from_string(text.c_str(), behind->length()); break;
    case CORBA::tk_sequence: {
      const CORBA::TypeCode_var element = plain(CORBA::TypeCode_var(behind->content_type()).in());
      out = elements_of(type, element->kind(), text);
      break;
    }
    default:
      throw Failure{kWrongUsage,
                    "a value of type " + to_text(type) + " cannot be written here: use a program of your own"};
  }
  out.type(type);
  return out;
}

std::string to_text(const CORBA::Any& value) { return any_text(value, false); }
std::string to_json(const CORBA::Any& value) { return any_text(value, true); }

}  // namespace callis::trade
