// SPDX-License-Identifier: Apache-2.0
// What is measured and compared: sequences of the papers' six ttcp types, as values in memory; and a type in the form
// that every rung takes.
#pragma once
#include <callis/marshal/memory.h>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include "describe.h"
#include "ladder.h"
#include "../common/bin_struct.h"

namespace ladder {

// A described type for the rung at hand. Throws when the rung does not know it.
class Type {
 public:
  Type(const callis::marshal::Unit& unit, callis::marshal::Word word) {
    {
      callis::cdr::Encoder encoder(cdr_);
      describe(unit, word, encoder);
    }
    type_ = make_type(cdr_.view());
    if (!type_) throw std::runtime_error("a type that the rung does not know");
  }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { drop_type(type_); }
  const TypeCode& operator*() const { return *type_; }

 private:
  callis::Buffer cdr_;
  TypeCode* type_;
};

using bench::BinStruct;

namespace subjects {
using callis::marshal::Kind;
using callis::marshal::type_word;
using callis::marshal::Word;

// clang-format off
inline constexpr Word kWords[] = {
    type_word(Kind::Struct, 6), type_word(Kind::Short), type_word(Kind::Char), type_word(Kind::Long),
    type_word(Kind::Octet), type_word(Kind::Double), type_word(Kind::Ref, 7),  // 0 BinStruct
    type_word(Kind::Array), 8, type_word(Kind::Octet),                         // 7
    type_word(Kind::Sequence), 0, type_word(Kind::Short),                      // 10
    type_word(Kind::Sequence), 0, type_word(Kind::Char),                       // 13
    type_word(Kind::Sequence), 0, type_word(Kind::Long),                       // 16
    type_word(Kind::Sequence), 0, type_word(Kind::Octet),                      // 19
    type_word(Kind::Sequence), 0, type_word(Kind::Double),                     // 22
    type_word(Kind::Sequence), 0, type_word(Kind::Ref, 0),                     // 25
};
// clang-format on
inline constexpr callis::marshal::Unit kUnit = {kWords, "", nullptr, nullptr};
}  // namespace subjects

struct Subject {
  std::string_view name;
  callis::marshal::Word sequence;
  std::size_t element_bytes;
};
inline constexpr Subject kSubjects[] = {
    {"short", subjects::type_word(subjects::Kind::Ref, 10), 2},
    {"char", subjects::type_word(subjects::Kind::Ref, 13), 1},
    {"long", subjects::type_word(subjects::Kind::Ref, 16), 4},
    {"octet", subjects::type_word(subjects::Kind::Ref, 19), 1},
    {"double", subjects::type_word(subjects::Kind::Ref, 22), 8},
    {"BinStruct", subjects::type_word(subjects::Kind::Ref, 25), sizeof(BinStruct)},
};

// Element i of a value: i, cut to its type.
inline BinStruct bin_struct(std::uint32_t i) {
  BinStruct b;
  std::memset(static_cast<void*>(&b), 0, sizeof b);
  b.s = static_cast<std::int16_t>(i), b.c = static_cast<char>(i + 1), b.l = static_cast<std::int32_t>(i * 3);
  b.o = static_cast<std::uint8_t>(i + 2), b.d = i * 0.5;
  for (std::uint8_t k = 0; k < 8; ++k) b.pad[k] = static_cast<std::uint8_t>(i + k);
  return b;
}
inline bool same(const BinStruct& a, const BinStruct& b) {
  return a.s == b.s && a.c == b.c && a.l == b.l && a.o == b.o && a.d == b.d && std::memcmp(a.pad, b.pad, 8) == 0;
}

// A sequence with so many bytes of elements, and whether another one is the same.
class Value {
 public:
  Value(const Subject& subject, std::size_t bytes) : subject_(subject) {
    const auto n = static_cast<std::uint32_t>(bytes / subject.element_bytes);
    header = {n, n, callis::marshal::buffer_allocate(n, subject.element_bytes), true};
    if (!header.buffer) throw std::bad_alloc();
    std::memset(header.buffer, 0, n * subject.element_bytes);
    each([](auto* p, std::uint32_t i) { p[i] = made<std::remove_pointer_t<decltype(p)>>(i); });
  }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() { callis::marshal::buffer_free(header.buffer); }

  // Members are compared, padding is not.
  bool equals(const callis::marshal::SequenceHeader& other) const {
    if (other.length != header.length) return false;
    bool right = true;
    each([&](auto* p, std::uint32_t i) { right &= alike(p[i], static_cast<decltype(p)>(other.buffer)[i]); });
    return right;
  }

  // The first and the last element only, and the length: for a receiver that is timed.
  bool ends_equal(const callis::marshal::SequenceHeader& other) const {
    const std::uint32_t last = header.length - 1;
    const auto at = [&](std::uint32_t i) {
      return as([&](auto* p) { return alike(p[i], static_cast<decltype(p)>(other.buffer)[i]); });
    };
    return other.length == header.length && at(0) && at(last);
  }

  callis::marshal::SequenceHeader header;

 private:
  template<class T>
  static T made(std::uint32_t i) {
    if constexpr (std::is_same_v<T, BinStruct>)
      return bin_struct(i);
    else
      return static_cast<T>(i + i / 251);
  }
  template<class T>
  static bool alike(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, BinStruct>)
      return same(a, b);
    else
      return a == b;
  }
  // f(pointer to the elements)
  template<class F>
  bool as(F f) const {
    if (subject_.name == "short") return f(static_cast<std::int16_t*>(header.buffer));
    if (subject_.name == "long") return f(static_cast<std::int32_t*>(header.buffer));
    if (subject_.name == "double") return f(static_cast<double*>(header.buffer));
    if (subject_.name == "BinStruct") return f(static_cast<BinStruct*>(header.buffer));
    return f(static_cast<std::uint8_t*>(header.buffer));
  }
  template<class F>
  void each(F f) const {
    as([&](auto* p) {
      for (std::uint32_t i = 0; i < header.length; ++i) f(p, i);
      return true;
    });
  }

  const Subject& subject_;
};

// The subjects of a list "short,BinStruct"; empty: all. Throws for a name that is none.
template<class F>
void for_subjects(std::string_view names, F f) {
  if (names.empty()) {
    for (const Subject& s : kSubjects) f(s);
    return;
  }
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    const Subject* found = nullptr;
    for (const Subject& s : kSubjects)
      if (s.name == name) found = &s;
    if (!found) throw std::runtime_error("no such type: " + std::string(name));
    f(*found);
    names = comma == std::string_view::npos ? "" : names.substr(comma + 1);
  }
}

}  // namespace ladder
