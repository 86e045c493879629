// SPDX-License-Identifier: Apache-2.0
// Two decimal numbers as a peer sends them, and all that CORBA::Fixed can do with them. Byte 0: the byte order, and
// whether the second number is text; bytes 1 to 4: digits and scale of both; byte 5: places to round to; then octets
// of the first number and of the second. What is exact can be undone; what is cut off is less than the last place
// that stays.
#include "target.h"
#include <callis/base/buffer.h>
#include <callis/cdr/cdr.h>
#include <callis/cdr/fixed.h>
#include <callis/classic/exception.h>
#include <callis/classic/fixed.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace callis;
using CORBA::Fixed;
using CORBA::UShort;

void require(bool ok, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: not as it must be\n", __FILE__, line);
  std::abort();
}

// Nothing for DATA_CONVERSION, the one exception that may be.
template <class F>
std::optional<Fixed> maybe(F f) {
  try {
    return f();
  } catch (const CORBA::DATA_CONVERSION&) {
    return std::nullopt;
  }
}
Fixed size(const Fixed& f) { return f < 0 ? -f : f; }
Fixed unit(UShort scale) {
  cdr::FixedValue v{{1, 0}, scale, scale, false};
  return Fixed(v);
}
// Digits from the first to the last that is not 0.
unsigned significant(const Fixed& f) {
  std::string s = f.to_string();
  std::erase_if(s, [](char c) { return c == '-' || c == '.'; });
  s.erase(0, std::min(s.find_first_not_of('0'), s.size()));
  return static_cast<unsigned>(s.find_last_not_of('0') + 1);
}

struct Type {
  UShort digits, scale;
  Type(std::uint8_t d, std::uint8_t s)
      : digits(static_cast<UShort>(d % 31 + 1)), scale(static_cast<UShort>(s % (digits + 1))) {}
  std::size_t octets() const { return digits / 2u + 1; }
};

std::vector<Byte> written(const Fixed& f, Type t, ByteOrder order) {
  Buffer b;
  cdr::Encoder e(b, order);
  cdr::put_fixed(e, f.callis_value(), t.digits, t.scale);
  e.finish();
  return e.fault() == Fault::None ? std::vector<Byte>{b.data(), b.data() + b.size()} : std::vector<Byte>{};
}

std::optional<Fixed> read(ByteView octets, Type t, ByteOrder order) {
  cdr::Budget budget{1000, 1};
  cdr::Decoder d(octets, order, budget);
  Fixed f;
  if (!cdr::get_fixed(d, f.callis_value(), t.digits, t.scale)) return std::nullopt;
  require(f.fixed_digits() == t.digits && f.fixed_scale() == t.scale);
  const std::vector<Byte> again = written(f, t, order);
  require(again.size() == t.octets() && (!f || std::equal(again.begin(), again.end(), octets.begin())));
  return f;
}

void alone(const Fixed& a, Type other, UShort places, ByteOrder order) {
  require(Fixed(a.to_string().c_str()) == a && a.fixed_scale() <= 31 && a.fixed_digits() <= 31);
  require(-(-a) == a && (!a) == (a == 0) && size(a) >= 0 && !(-size(a) > 0));
  const Fixed cut = a.truncate(places), near = a.round(places);
  require(cut.fixed_scale() == std::min(places, a.fixed_scale()) && cut.truncate(places) == cut &&
          near.round(places) == near);
  require(size(cut) <= size(a) && size(a - cut) < unit(cut.fixed_scale()));
  require(size(a - near) * 2 <= unit(cut.fixed_scale()) && size(near) >= size(cut));
  if (const auto fitted = maybe([&] { return a.fitted(other.digits, other.scale); })) {
    require(*fitted == a.truncate(other.scale) && fitted->fixed_scale() == other.scale);
    const std::vector<Byte> octets = written(a, other, order);
    require(octets == written(*fitted, other, order) && read(octets, other, order) == *fitted);
  } else {
    require(written(a, other, order).empty());
  }
  if (const auto next = maybe([&] { return a + 1; }))
    if (next->fixed_scale() == a.fixed_scale()) require(*next - 1 == a);
  (void)maybe([&] { return Fixed(static_cast<CORBA::Octet>(a)); });
  if (const auto whole = maybe([&] { return Fixed(static_cast<CORBA::LongLong>(a)); }))
    require(*whole == a.truncate(0));
  if (const auto whole = maybe([&] { return Fixed(static_cast<CORBA::ULongLong>(a)); }))
    require(*whole == a.truncate(0));
  // What stands in front of the point counts as it is, beyond the digits that a floating point number is sure of,
  // too.
  if (significant(a) <= 15 && size(a) < 1'000'000'000'000'000) require(Fixed(static_cast<double>(a)) == a);
  if (significant(a) <= 6 && size(a) < 1'000'000) require(Fixed(static_cast<float>(a)) == a);
}

void both(const Fixed& a, const Fixed& b) {
  require((a < b) == (b > a) && (a == b) == (b == a) && (a < b) + (a == b) + (a > b) == 1);
  const UShort places = std::max(a.fixed_scale(), b.fixed_scale());
  const auto sum = maybe([&] { return a + b; }), difference = maybe([&] { return a - b; });
  require(sum == maybe([&] { return b + a; }));
  if (sum && sum->fixed_scale() == places) require(*sum - b == a && *sum - a == b);
  if (difference && difference->fixed_scale() == places)
    require(*difference + b == a && (a < b) == (*difference < 0));
  const auto product = maybe([&] { return a * b; });
  require(product == maybe([&] { return b * a; }));
  if (product && product->fixed_scale() == a.fixed_scale() + b.fixed_scale()) {
    if (!!b) require(*product / b == a);
    if (!!a) require(*product / a == b);
  }
  const auto quotient = maybe([&] { return a / b; });
  if (!quotient) return;
  if (const auto back = maybe([&] { return *quotient * b; }))
    require(size(*back) <= size(a) && (!*back || (*back < 0) == (a < 0)));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  // Numbers of few digits and many places, the greatest, zeros of either sign, and text.
  callis::fuzz::write_seeds(*argc, *argv, 240, [](std::size_t i) {
    static const char* const numbers[] = {"0", "1", "12", "5", "999", "9999999999999999999999999999999", "10", "49"};
    static const unsigned types[][2] = {{9, 3}, {31, 31}, {31, 0}, {4, 2}, {1, 1}, {18, 9}};
    const Type a(static_cast<std::uint8_t>(types[i % 6][0] - 1), static_cast<std::uint8_t>(types[i % 6][1]));
    const Type b(static_cast<std::uint8_t>(types[i / 6 % 6][0] - 1), static_cast<std::uint8_t>(types[i / 6 % 6][1]));
    std::vector<Byte> bytes = {static_cast<Byte>(i % 4), static_cast<Byte>(a.digits - 1), static_cast<Byte>(a.scale),
                               static_cast<Byte>(b.digits - 1), static_cast<Byte>(b.scale), static_cast<Byte>(i % 5)};
    for (const Type t : {a, b}) {
      std::string digits = numbers[(i + t.digits) % 8];
      if (digits.size() > t.digits) digits.resize(t.digits);
      digits.insert(0, 2 * t.octets() - 1 - digits.size(), '0');
      digits += i % 3 == 0 ? static_cast<char>('0' + 0xd) : static_cast<char>('0' + 0xc);
      for (std::size_t k = 0; k < digits.size(); k += 2)
        bytes.push_back(static_cast<Byte>((digits[k] - '0') << 4 | (digits[k + 1] - '0')));
    }
    if (i & 2)
      for (const char c : std::string(i % 7, '0') + "0.00120d") bytes.push_back(static_cast<Byte>(c));
    return bytes;
  });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return;
  const auto order = static_cast<ByteOrder>(data[0] & 1);
  const Type first(data[1], data[2]), second(data[3], data[4]);
  ByteView rest(data + 6, size - 6);
  const auto a = read(rest, first, order);
  if (!a) return;
  alone(*a, second, data[5] % 40, order);
  rest = rest.subspan(first.octets());
  const bool text = data[0] & 2;
  const auto b =
      text ? maybe([&] { return Fixed(std::string(rest.begin(), rest.end()).c_str()); }) : read(rest, second, order);
  if (!b) return;
  alone(*b, first, data[5] % 40, order);
  both(*a, *b);
}
