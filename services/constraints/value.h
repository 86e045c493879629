// SPDX-License-Identifier: Apache-2.0
// Value: what a constraint computes with. It owns nothing: texts and sequences belong to who made it, and live at
// least as long as the call that it is given to or that has returned it. 24 bytes; copies are cheap. Any thread.
//
//   IDL (Trading Object Service 1.0, annex B)                    kind
//   boolean                                                      Boolean
//   short .. unsigned long long, octet                           Integer; Unsigned above what Integer holds
//   float, double, long double                                   Real
//   char, string (and Istring)                                   Text, bytes; a char is a text of one byte
//   sequence or array of one of these                            Sequence
//   all else                                                     Other: it exists, and no more can be said of it
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace callis::constraints {

class Sequence;

enum class Kind : std::uint8_t { Missing, Boolean, Integer, Unsigned, Real, Text, Sequence, Other };

class Value {
 public:
  constexpr Value() = default;  // Missing
  static constexpr Value missing() { return {}; }
  static constexpr Value other() { return Value(Kind::Other); }
  static constexpr Value boolean(bool b) {
    Value out(Kind::Boolean);
    out.as_.boolean = b;
    return out;
  }
  static constexpr Value integer(std::int64_t n) {
    Value out(Kind::Integer);
    out.as_.integer = n;
    return out;
  }
  // Of any size: Integer where it fits there.
  static constexpr Value number(std::uint64_t n) {
    if (n <= std::uint64_t{INT64_MAX}) return integer(static_cast<std::int64_t>(n));
    Value out(Kind::Unsigned);
    out.as_.bits = n;
    return out;
  }
  static constexpr Value real(double d) {
    Value out(Kind::Real);
    out.as_.real = d;
    return out;
  }
  static constexpr Value text(std::string_view s) {
    Value out(Kind::Text);
    out.as_.text = s.data();
    out.size_ = s.size();
    return out;
  }
  static constexpr Value sequence(const Sequence& s) {
    Value out(Kind::Sequence);
    out.as_.sequence = &s;
    return out;
  }

  constexpr Kind kind() const { return kind_; }
  constexpr bool is_missing() const { return kind_ == Kind::Missing; }
  constexpr bool is_number() const { return kind_ >= Kind::Integer && kind_ <= Kind::Real; }
  // Each only of its kind.
  constexpr bool boolean() const { return as_.boolean; }
  constexpr std::int64_t integer() const { return as_.integer; }
  constexpr std::uint64_t bits() const { return as_.bits; }
  constexpr double real() const { return as_.real; }
  constexpr std::string_view text() const { return {as_.text, size_}; }
  constexpr const Sequence& sequence() const { return *as_.sequence; }
  // Of any number, rounded.
  constexpr double as_real() const {
    if (kind_ == Kind::Integer) return static_cast<double>(as_.integer);
    return kind_ == Kind::Unsigned ? static_cast<double>(as_.bits) : as_.real;
  }

 private:
  explicit constexpr Value(Kind kind) : kind_(kind) {}
  union {
    bool boolean;
    std::int64_t integer;
    std::uint64_t bits;
    double real;
    const char* text;
    const Sequence* sequence;
  } as_ = {.bits = 0};
  std::size_t size_ = 0;  // of a text
  Kind kind_ = Kind::Missing;
};

// The elements of a sequence, simple values all.
class Sequence {
 public:
  virtual ~Sequence() = default;
  virtual std::size_t size() const = 0;
  virtual Value at(std::size_t i) const = 0;
};

// How two values stand to each other. Numbers compare by what they are worth, whatever their kinds; texts byte by
// byte; FALSE is less than TRUE. Unlike: they cannot be compared (a text with a number, anything with a NaN).
enum class Relation : std::uint8_t { Less, Equal, Greater, Unlike };
Relation compare(const Value& a, const Value& b);

}  // namespace callis::constraints
