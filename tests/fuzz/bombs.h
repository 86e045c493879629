// SPDX-License-Identifier: Apache-2.0
// Seeds for what reads Anys: TypeCodes with values behind them that have ended programs, or kept them busy, and their
// kin. Types without items, arrays of no elements, unions in unions and in values, types and values in circles, bases
// upon bases, small fixed numbers. Each grows with a number.
#pragma once
#include <callis/marshal/testing/costly_types.h>

namespace callis::fuzz {

struct Bomb {
  // The TypeCode, and the value behind it.
  void (*write)(marshal::testing::CostlyType& t, unsigned n);
};

inline void write_unions(marshal::testing::CostlyType& t, unsigned n, const std::function<void()>& innermost) {
  if (n == 0) return innermost();
  t.one_of(1, [&](unsigned) { write_unions(t, n - 1, innermost); });
}

inline void write_bases(marshal::testing::CostlyType& t, unsigned n, std::size_t start) {
  if (n == 0) return t.simple(0);
  t.derived(
      "IDL:B" + std::to_string(n) + ":1.0", [&] { write_bases(t, n - 1, start); }, 1,
      [&](unsigned) { t.again(start); });
}

inline const std::vector<Bomb>& bombs() {
  using T = marshal::testing::CostlyType;
  constexpr std::uint32_t kValue = 0x7fffff00;
  static const std::vector<Bomb> all = {
      // Types without items, first, in the middle, last and alone; arrays of no elements.
      {[](T& t, unsigned n) {
        t.structure(6, [&](unsigned i) {
          if (i % 3 == 0)
            t.array(n, [&] { t.empty(); });
          else if (i % 3 == 1)
            t.number();
          else
            t.array(0, [&] { t.octet(); });
        });
        for (unsigned i = 0; i < 8; ++i) t.simple(7);
      }},
      {[](T& t, unsigned n) {
        t.sequence(
            [&] { t.structure(2, [&](unsigned i) { i == 0 ? t.number() : t.array(n, [&] { t.empty(); }); }); });
        t.simple(n);
        for (unsigned i = 0; i < n; ++i) t.simple(i);
      }},
      {[](T& t, unsigned n) {
        t.sequence([&] { t.array(0, [&] { t.array(n, [&] { t.string(0); }); }); });
        t.simple(n);
      }},
      // Unions in unions, and so many of them in each of a list of values that nobody knows.
      {[](T& t, unsigned n) {
        write_unions(t, n, [&] { t.octet(); });
        for (unsigned i = 0; i <= n; ++i) t.simple(0);
      }},
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.value("IDL:Unknown:1.0", 1, [&](unsigned) { write_unions(t, n, [&] { t.again(start); }); });
        for (unsigned value = 0; value < n; ++value) {
          t.simple(kValue);
          for (unsigned i = 0; i < n; ++i) t.simple(0);
        }
        t.simple(0);
      }},
      // Bases upon bases, with members that lead back; and in a circle.
      {[](T& t, unsigned n) {
        write_bases(t, n, t.here());
        for (unsigned i = 0; i < 2 * n; ++i) t.simple(i % 2 == 0 ? kValue : 0);
      }},
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.derived("IDL:C:1.0",
                  [&] {
                    t.derived(
                        "IDL:D:1.0", [&] { t.again(start); }, n, [&](unsigned) { t.octet(); });
                  },
                  0, {});
        t.simple(kValue);
      }},
      // Boxes of themselves.
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.box("IDL:Unknown:1.0", [&] { t.again(start); });
        for (unsigned i = 0; i < n; ++i) t.simple(kValue);
        t.simple(0);
      }},
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.box("IDL:Unknown:1.0", [&] { t.sequence([&] { t.again(start); }); });
        for (unsigned i = 0; i < n; ++i) t.simple(kValue), t.simple(1);
        t.simple(0);
      }},
      // A value that is its own member, of a type that nobody knows: shared, and in a circle.
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.value("IDL:Unknown:1.0", 2, [&](unsigned) { t.again(start); });
        const std::size_t first = t.here();
        t.simple(kValue);
        for (unsigned i = 0; i < n; ++i) t.again(first), t.simple(kValue);
        t.again(first);
        t.again(first);
      }},
      // A struct of sequences of itself; structs in each other of which the innermost has sequences of all.
      {[](T& t, unsigned n) {
        const std::size_t start = t.here();
        t.structure(
            1, [&](unsigned) { t.sequence([&] { t.again(start); }); }, "IDL:R:1.0");
        for (unsigned i = 0; i < n; ++i) t.simple(1);
        t.simple(0);
      }},
      {[](T& t, unsigned n) {
        std::vector<std::size_t> places;
        const std::function<void()> level = [&] {
          places.push_back(t.here());
          if (places.size() < n) return t.structure(1, [&](unsigned) { level(); });
          t.structure(n, [&](unsigned i) { t.sequence([&] { t.again(places[i % places.size()]); }); });
        };
        level();
        for (unsigned i = 0; i < n; ++i) t.simple(i == 0);
      }},
      // Fixed numbers: fewer digits than places, none, too many; the last octet has the sign.
      {[](T& t, unsigned n) {
        static constexpr struct {
          std::uint16_t digits;
          std::int16_t scale;
        } kTypes[] = {{9, 3}, {1, 1}, {31, 31}, {3, 0}, {5, -3}, {31, 0}, {0, 0}, {32, 0}, {1, 31}, {9, 32767}};
        const auto& type = kTypes[n % (sizeof kTypes / sizeof *kTypes)];
        t.sequence([&] { t.fixed(type.digits, type.scale); });
        t.simple(1);
        for (int i = 0; i < type.digits / 8; ++i) t.simple(0);
        t.simple(0x0c00000cu);
      }},
      // Anys and TypeCodes in Anys.
      {[](T& t, unsigned n) {
        for (unsigned i = 0; i < n; ++i) t.simple(11);
        t.simple(0);
      }},
      {[](T& t, unsigned n) {
        for (unsigned i = 0; i < n; ++i)
          t.value("IDL:Unknown:1.0", 1, [&](unsigned) { t.simple(11); }), t.simple(kValue);
        t.simple(0);
      }},
      {[](T& t, unsigned n) {
        t.simple(12);
        write_unions(t, n, [&] { t.sequence([&] { t.empty(); }); });
      }},
  };
  return all;
}

// bomb(i) for i < bomb_seeds(): of each so many sizes, in both byte orders.
constexpr unsigned kBombSizes[] = {1, 3, 10, 40, 64};
inline std::size_t bomb_seeds() { return bombs().size() * 2 * sizeof kBombSizes / sizeof *kBombSizes; }
inline ByteOrder bomb_order(std::size_t i) { return static_cast<ByteOrder>(i & 1); }
inline std::vector<Byte> bomb(std::size_t i) {
  marshal::testing::CostlyType t(bomb_order(i));
  bombs()[i / 2 % bombs().size()].write(t, kBombSizes[i / 2 / bombs().size()]);
  std::vector<Byte> bytes = t.bytes();
  bytes.resize((bytes.size() + 3) / 4 * 4 + 8);
  return bytes;
}

}  // namespace callis::fuzz
