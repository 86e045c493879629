// SPDX-License-Identifier: Apache-2.0
// A second, slow codec written straight from CORBA 3.3 part 2, 9.3, member by member and byte by byte,
// against which the plan engine is compared; a generator of random types; a generator of random values.
// For tests only. It shares nothing with the plans but the descriptors and the rules of memory.h.
#pragma once
#include <callis/base/endian.h>
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/memory.h>
#include <cstring>
#include <random>
#include <vector>

namespace callis::marshal::testing {

using Bytes = std::vector<Byte>;
using Random = std::mt19937_64;

// Descriptors under construction.
struct Types {
  std::vector<Word> words{0};  // entry 0 is never referred to
  PlanCell cells[1];
  Unit unit() const { return {words.data(), "", nullptr, const_cast<PlanCell*>(cells)}; }

  Word structure(const std::vector<Word>& members) {
    return entry(type_word(Kind::Struct, static_cast<Word>(members.size())), members);
  }
  Word sequence(Word element, Word bound = 0) { return entry(type_word(Kind::Sequence), {bound, element}); }
  Word array(Word element, Word count) { return entry(type_word(Kind::Array), {count, element}); }

 private:
  Word entry(Word head, const std::vector<Word>& rest) {
    const Word at = static_cast<Word>(words.size());
    words.push_back(head);
    words.insert(words.end(), rest.begin(), rest.end());
    return type_word(Kind::Ref, at);
  }
};

inline Word random_type(Types& types, Random& random, int depth = 0) {
  const auto pick = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int choice = depth >= 3 ? pick(14) : pick(22);
  if (choice < 11) return type_word(static_cast<Kind>(1 + choice));
  if (choice == 11) return type_word(Kind::LongDouble);
  if (choice == 12) return type_word(Kind::Enum, 1 + static_cast<Word>(pick(5)));
  if (choice == 13) return type_word(Kind::String, pick(3) ? 0 : 10);
  if (choice < 18) {
    std::vector<Word> members;
    for (int i = 0, n = 1 + pick(7); i < n; ++i) members.push_back(random_type(types, random, depth + 1));
    return types.structure(members);
  }
  if (choice < 20) return types.sequence(random_type(types, random, depth + 1), pick(3) ? 0 : 8);
  return types.array(random_type(types, random, depth + 1), 1 + static_cast<Word>(pick(5)));
}

// Fills zeroed memory with a random value of the type.
inline void random_value(const Unit& u, Word type, Byte* to, Random& random) {
  const Resolved r = resolve(u, type);
  const Word* e = u.words + r.entry;
  switch (r.kind) {
    case Kind::Boolean: *to = random() & 1; return;
    case Kind::Enum: store(to, static_cast<std::uint32_t>(random() % r.payload)); return;
    case Kind::LongDouble: {
      const long double v = static_cast<long double>(static_cast<std::int64_t>(random())) / 3;
      std::memcpy(to, &v, sizeof v);
      return;
    }
    case Kind::String: {
      const std::size_t n = random() % (r.payload ? r.payload + 1 : 40);
      char* s = string_allocate(n);
      for (std::size_t i = 0; i < n; ++i) s[i] = static_cast<char>('!' + random() % 90);
      std::memcpy(to, &s, sizeof s);
      return;
    }
    case Kind::Struct: {
      StructLayout l;
      for (Word i = 0; i < r.payload; ++i) random_value(u, e[1 + i], to + l.add(layout_of(u, e[1 + i])), random);
      return;
    }
    case Kind::Array: {
      const std::size_t size = layout_of(u, e[2]).size;
      for (Word i = 0; i < e[1]; ++i) random_value(u, e[2], to + i * size, random);
      return;
    }
    case Kind::Sequence: {
      const std::size_t size = layout_of(u, e[2]).size;
      const std::uint32_t n = static_cast<std::uint32_t>(random() % (e[1] ? e[1] + 1 : 6));
      void* b = n ? buffer_allocate(n, size) : nullptr;
      if (b) std::memset(b, 0, n * size);
      const SequenceHeader s{n, n, b, b != nullptr};
      std::memcpy(to, &s, sizeof s);
      for (std::uint32_t i = 0; i < n; ++i) random_value(u, e[2], static_cast<Byte*>(b) + i * size, random);
      return;
    }
    default: {
      const std::size_t n = run_size(r.kind);
      for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<Byte>(random());
    }
  }
}

// Writes from the specification. phase: where the first byte stands.
class ReferenceWriter {
 public:
  ReferenceWriter(const Unit& unit, ByteOrder order, std::size_t phase)
      : unit_(unit), swap_(order != kNativeOrder), phase_(phase) {}
  Bytes out;

  void value(Word type, const Byte* from) {
    const Resolved r = resolve(unit_, type);
    const Word* e = unit_.words + r.entry;
    switch (r.kind) {
      case Kind::LongDouble: {
        long double v;
        std::memcpy(&v, from, sizeof v);
        const __float128 q = v;
        return scalar(reinterpret_cast<const Byte*>(&q), 16, 8);
      }
      case Kind::String: {
        const char* s;
        std::memcpy(&s, from, sizeof s);
        const std::uint32_t n = static_cast<std::uint32_t>(std::strlen(s)) + 1;
        scalar(reinterpret_cast<const Byte*>(&n), 4, 4);
        out.insert(out.end(), s, s + n);
        return;
      }
      case Kind::Struct: {
        StructLayout l;
        for (Word i = 0; i < r.payload; ++i) value(e[1 + i], from + l.add(layout_of(unit_, e[1 + i])));
        return;
      }
      case Kind::Array: return elements(e[2], from, e[1]);
      case Kind::Sequence: {
        SequenceHeader s;
        std::memcpy(&s, from, sizeof s);
        scalar(reinterpret_cast<const Byte*>(&s.length), 4, 4);
        return elements(e[2], static_cast<const Byte*>(s.buffer), s.length);
      }
      default: return scalar(from, run_size(r.kind), run_size(r.kind));
    }
  }

 private:
  void elements(Word type, const Byte* from, std::uint32_t n) {
    const std::size_t size = layout_of(unit_, type).size;
    for (std::uint32_t i = 0; i < n; ++i) value(type, from + i * size);
  }
  void scalar(const Byte* from, std::size_t size, std::size_t alignment) {
    while ((phase_ + out.size()) % alignment != 0) out.push_back(0);
    for (std::size_t i = 0; i < size; ++i) out.push_back(swap_ ? from[size - 1 - i] : from[i]);
  }

  const Unit& unit_;
  bool swap_;
  std::size_t phase_;
};

// Accepts or rejects from the specification, without producing a value. Budget and depth aside.
class ReferenceChecker {
 public:
  ReferenceChecker(const Unit& unit, const Bytes& in, ByteOrder order, std::size_t phase)
      : unit_(unit), in_(in), big_(order == ByteOrder::Big), phase_(phase) {}
  std::size_t position = 0;

  bool value(Word type) {
    const Resolved r = resolve(unit_, type);
    const Word* e = unit_.words + r.entry;
    std::uint32_t n;
    switch (r.kind) {
      case Kind::Boolean: return take(1, 1) && in_[position - 1] <= 1;
      case Kind::Enum: return number(n) && n < r.payload;
      case Kind::LongDouble: return take(16, 8);
      case Kind::String:
        if (!number(n) || n == 0 || n > in_.size() - position) return false;
        if (r.payload != 0 && n - 1 > r.payload) return false;
        for (std::uint32_t i = 0; i < n; ++i)
          if ((in_[position + i] == 0) != (i == n - 1)) return false;
        position += n;
        return true;
      case Kind::Struct:
        for (Word i = 0; i < r.payload; ++i)
          if (!value(e[1 + i])) return false;
        return true;
      case Kind::Array: return elements(e[2], e[1]);
      case Kind::Sequence:
        if (!number(n) || (e[1] != 0 && n > e[1])) return false;
        return elements(e[2], n);
      default: return take(run_size(r.kind), run_size(r.kind));
    }
  }

 private:
  bool elements(Word type, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i)
      if (!value(type)) return false;
    return true;
  }
  bool take(std::size_t size, std::size_t alignment) {
    while ((phase_ + position) % alignment != 0) ++position;
    if (position + size > in_.size()) return false;
    position += size;
    return true;
  }
  bool number(std::uint32_t& n) {
    if (!take(4, 4)) return false;
    n = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t k = big_ ? position - 4 + i : position - 1 - i;
      n = n << 8 | in_[k];
    }
    return true;
  }

  const Unit& unit_;
  const Bytes& in_;
  bool big_;
  std::size_t phase_;
};

}  // namespace callis::marshal::testing
