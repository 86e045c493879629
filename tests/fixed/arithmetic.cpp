// SPDX-License-Identifier: Apache-2.0
// Computes with CORBA::Fixed what the standard input asks for, a line each, and writes an answer each. arithmetic.py
// asks and knows the answers. Numbers are text; an exception's or a fault's name stands for a result that there is
// not.
#include <callis/base/buffer.h>
#include <callis/cdr/cdr.h>
#include <callis/cdr/fixed.h>
#include <callis/classic/exception.h>
#include <callis/classic/fixed.h>
#include <array>
#include <cfloat>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using callis::Byte;
using callis::ByteOrder;
using callis::Fault;
using CORBA::Fixed;

std::string shown(const Fixed& f) {
  return f.to_string() + ' ' + std::to_string(f.fixed_digits()) + ' ' + std::to_string(f.fixed_scale());
}

// ---- fixed<digits, scale>, all 527 of them ----

template <unsigned Digits, unsigned Scale>
std::string assigned(const Fixed& f) {
  using Type = callis::classic::FixedPoint<Digits, Scale>;
  Type made(f), given;
  given = f;
  if (made != given || made.fixed_digits() != Digits || made.fixed_scale() != Scale) return "not as it must be";
  return shown(made.callis_value().digits == Digits ? static_cast<const Fixed&>(made) : Fixed(-1));
}
using Assign = std::string (*)(const Fixed&);
template <unsigned Digits, std::size_t... Scale>
constexpr std::array<Assign, 32> assigns_of(std::index_sequence<Scale...>) {
  return {&assigned<Digits, Scale>...};
}
template <std::size_t... Before>
constexpr std::array<std::array<Assign, 32>, 31> all_assigns(std::index_sequence<Before...>) {
  return {assigns_of<Before + 1>(std::make_index_sequence<Before + 2>())...};
}
constexpr auto kAssigns = all_assigns(std::make_index_sequence<31>());

// ---- On the wire ----

std::string fault_text(Fault f) {
  return f == Fault::BadBound ? "BadBound" : f == Fault::BadValue ? "BadValue" : "another fault";
}

std::string written(const Fixed& f, unsigned digits, unsigned scale) {
  std::string answers[2];
  for (const auto order : {ByteOrder::Big, ByteOrder::Little}) {
    callis::Buffer b;
    callis::cdr::Encoder e(b, order);
    callis::cdr::put_fixed(e, f.callis_value(), digits, scale);
    e.finish();
    std::string& to = answers[order == ByteOrder::Little];
    if (e.fault() != Fault::None) {
      to = fault_text(e.fault());
      continue;
    }
    char hex[3];
    for (std::size_t i = 0; i < b.size(); ++i) {
      std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(b.data()[i]));
      to += hex;
    }
  }
  return answers[0] == answers[1] ? answers[0] : "byte orders differ";
}

std::string read(const std::string& hex, unsigned digits, unsigned scale) {
  std::vector<Byte> octets;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    octets.push_back(static_cast<Byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  std::string answers[2];
  for (const auto order : {ByteOrder::Big, ByteOrder::Little}) {
    callis::cdr::Budget budget{1000, 1};
    callis::cdr::Decoder d(octets, order, budget);
    Fixed f;
    std::string& to = answers[order == ByteOrder::Little];
    to = callis::cdr::get_fixed(d, f.callis_value(), digits, scale) ? shown(f) : fault_text(d.fault());
  }
  return answers[0] == answers[1] ? answers[0] : "byte orders differ";
}

// ---- Conversions ----

template <class T>
std::string to_integer(const Fixed& f) {
  return std::to_string(static_cast<T>(f));
}
template <class T>
std::string from_integer(const std::string& text) {
  return std::is_signed_v<T> ? shown(Fixed(static_cast<T>(std::stoll(text))))
                             : shown(Fixed(static_cast<T>(std::stoull(text))));
}
struct Integer {
  std::string (*to)(const Fixed&);
  std::string (*from)(const std::string&);
};
template <class T>
constexpr Integer integer{&to_integer<T>, &from_integer<T>};
const std::map<std::string, Integer> kIntegers = {
    {"i8", integer<signed char>},      {"u8", integer<CORBA::Octet>},     {"i16", integer<CORBA::Short>},
    {"u16", integer<CORBA::UShort>},   {"i32", integer<CORBA::Long>},     {"u32", integer<CORBA::ULong>},
    {"i64", integer<CORBA::LongLong>}, {"u64", integer<CORBA::ULongLong>}};

std::string hexadecimal(long double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%La", value);
  return text;
}

std::string answer(const std::string& operation, std::istringstream& in) {
  std::string a, b;
  unsigned digits = 0, scale = 0;
  if (operation == "assign" || operation == "fit" || operation == "write" || operation == "read") {
    in >> digits >> scale >> a;
    if (operation == "assign") return kAssigns.at(digits - 1).at(scale)(Fixed(a.c_str()));
    if (operation == "fit")
      return shown(Fixed(a.c_str()).fitted(static_cast<CORBA::UShort>(digits), static_cast<CORBA::UShort>(scale)));
    return operation == "write" ? written(Fixed(a.c_str()), digits, scale) : read(a, digits, scale);
  }
  in >> a;
  if (operation == "from") {
    in >> b;
    return kIntegers.at(a).from(b);
  }
  if (operation == "to") {
    in >> b;
    return kIntegers.at(a).to(Fixed(b.c_str()));
  }
  if (operation == "from_float") return shown(Fixed(std::strtof(a.c_str(), nullptr)));
  if (operation == "from_double") return shown(Fixed(std::strtod(a.c_str(), nullptr)));
  if (operation == "from_long_double") return shown(Fixed(std::strtold(a.c_str(), nullptr)));
  const Fixed x(a.c_str());
  if (operation == "text") return shown(x);
  if (operation == "minus") return shown(-x);
  if (operation == "plus") return shown(+x);
  if (operation == "not") return std::to_string(!x);
  if (operation == "float") return hexadecimal(static_cast<float>(x));
  if (operation == "double") return hexadecimal(static_cast<double>(x));
  if (operation == "long_double") return hexadecimal(static_cast<long double>(x));
  Fixed y = x;
  if (operation == "++x") return shown(++y);
  if (operation == "--x") return shown(--y);
  if (operation == "x++") return (y++).to_string() == x.to_string() ? shown(y) : "not the old value";
  if (operation == "x--") return (y--).to_string() == x.to_string() ? shown(y) : "not the old value";
  if (operation == "round" || operation == "truncate") {
    in >> scale;
    return shown(operation == "round" ? x.round(static_cast<CORBA::UShort>(scale))
                                      : x.truncate(static_cast<CORBA::UShort>(scale)));
  }
  in >> b;
  const Fixed z(b.c_str());
  if (operation == "+") return y += z, shown(y) == shown(x + z) ? shown(y) : "+= differs";
  if (operation == "-") return y -= z, shown(y) == shown(x - z) ? shown(y) : "-= differs";
  if (operation == "*") return y *= z, shown(y) == shown(x * z) ? shown(y) : "*= differs";
  if (operation == "/") return y /= z, shown(y) == shown(x / z) ? shown(y) : "/= differs";
  if (operation == "<=>") {
    const int sign = x < z ? -1 : x > z;
    return (x == z) == (sign == 0) && (x != z) == (sign != 0) && (x <= z) == (sign <= 0) && (x >= z) == (sign >= 0)
               ? std::to_string(sign)
               : "comparisons differ";
  }
  return "no such operation";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::cout << "mantissa " << LDBL_MANT_DIG << '\n';
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string operation;
    in >> operation;
    try {
      std::cout << answer(operation, in) << '\n';
    } catch (const CORBA::DATA_CONVERSION&) {
      std::cout << "DATA_CONVERSION\n";
    }
  }
}
