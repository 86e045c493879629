// SPDX-License-Identifier: Apache-2.0
// A second, slow codec written straight from CORBA 3.3 part 2, 9.3, member by member and byte by byte, for comparison
// with the plan engine. Also a generator of random types, and a generator of random values. This is only for tests.
// It shares nothing with the plans but the descriptors and the rules of memory.h.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <callis/base/uint128.h>
#include <callis/cdr/fixed.h>
#include <callis/cdr/long_double.h>
#include <callis/cdr/text.h>
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/memory.h>
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace callis::marshal::testing {

using Bytes = std::vector<Byte>;
using Random = std::mt19937_64;
// Bytes of a long double that mean something.
inline constexpr std::size_t kLongDoubleBytes = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);

// Descriptors under construction.
struct Types {
  std::vector<Word> words{0};  // entry 0 is never referred to
  PlanCell cells[1];
  bool with_nothing = true;  // random_type() makes types without items, too
  Unit unit() const { return {words.data(), "", nullptr, const_cast<PlanCell*>(cells), &kExtension}; }

  Word structure(const std::vector<Word>& members) {
    return entry(type_word(Kind::Struct, static_cast<Word>(members.size())), members);
  }
  struct Label {
    std::uint64_t value;
    Word member;
  };
  Word one_of(Word discriminator, const std::vector<Word>& members, std::vector<Label> labels,
              Word otherwise = kNoDefault) {
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.value < b.value; });
    std::vector<Word> rest{discriminator, otherwise, static_cast<Word>(labels.size())};
    rest.insert(rest.end(), members.begin(), members.end());
    for (const Label& l : labels) {
      rest.push_back(static_cast<Word>(l.value));
      rest.push_back(static_cast<Word>(l.value >> 32));
      rest.push_back(l.member);
    }
    return entry(type_word(Kind::Union, static_cast<Word>(members.size())), rest);
  }
  Word sequence(Word element, Word bound = 0) { return shared({type_word(Kind::Sequence), bound, element}); }
  Word array(Word element, Word count) { return shared({type_word(Kind::Array), count, element}); }

 private:
  // Sequences and arrays that are the same are one entry, as the compiler makes them.
  Word shared(const std::vector<Word>& e) {
    for (const Word known : shared_)
      if (std::equal(e.begin(), e.end(), words.begin() + known)) return type_word(Kind::Ref, known);
    shared_.push_back(static_cast<Word>(words.size()));
    return entry(e[0], {e.begin() + 1, e.end()});
  }
  Word entry(Word head, const std::vector<Word>& rest) {
    const Word at = static_cast<Word>(words.size());
    words.push_back(head);
    words.insert(words.end(), rest.begin(), rest.end());
    return type_word(Kind::Ref, at);
  }
  std::vector<Word> shared_;
};

Word random_type(Types& types, Random& random, int depth);

// Labels at the ends of the discriminator's range, or one after the other, or all there are.
inline Word random_union(Types& types, Random& random, int depth) {
  const auto pick = [&random](unsigned n) { return static_cast<Word>(random() % n); };
  static constexpr Kind kinds[] = {Kind::Boolean, Kind::Octet, Kind::Char, Kind::Short, Kind::UShort, Kind::Long,
                                   Kind::ULong, Kind::LongLong, Kind::ULongLong, Kind::Enum, Kind::WChar};
  const Kind kind = kinds[pick(11)];
  const Word enumerators = kind == Kind::Enum ? 1 + pick(6) : 0;
  std::vector<Word> members;
  for (Word i = 0, n = 1 + pick(5); i < n; ++i) members.push_back(random_type(types, random, depth + 1));
  std::vector<Types::Label> labels;
  const bool is_signed = kind == Kind::Short || kind == Kind::Long || kind == Kind::LongLong;
  const unsigned bits = static_cast<unsigned>(8 * run_size(kind));
  for (Word i = 0, n = pick(9); i < n; ++i) {
    std::uint64_t v = pick(4) == 0 ? random() : i + pick(2);
    if (kind == Kind::Boolean) v &= 1;
    else if (kind == Kind::Enum) v %= enumerators;
    else if (kind == Kind::WChar) v %= 0xD800;
    else if (is_signed) v = static_cast<std::uint64_t>(static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits));
    else v = v << (64 - bits) >> (64 - bits);
    if (std::none_of(labels.begin(), labels.end(), [v](const auto& l) { return l.value == v; }))
      labels.push_back({v, 0});
  }
  // Each member needs a label, or to be the default.
  const bool otherwise = labels.size() < members.size() || pick(2) == 0;
  members.resize(std::min(members.size(), labels.size() + otherwise));
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i].member = i < members.size() ? static_cast<Word>(i) : pick(static_cast<unsigned>(members.size()));
  return types.one_of(type_word(kind, enumerators), members, labels,
                      otherwise ? static_cast<Word>(members.size() - 1) : kNoDefault);
}

// Of which nothing is on the wire: structs without members, arrays and structs of these.
inline Word random_nothing(Types& types, Random& random) {
  Word type = types.structure({});
  for (; random() % 2 == 0;) {
    if (random() % 2) type = types.array(type, 1 + static_cast<Word>(random() % 5));
    else type = types.structure(std::vector<Word>(1 + random() % 3, type));
  }
  return type;
}

inline Word random_type(Types& types, Random& random, int depth = 0) {
  const auto pick = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (types.with_nothing && pick(12) == 0) return random_nothing(types, random);
  const int choice = depth >= 3 ? pick(17) : pick(28);
  if (choice < 11) return type_word(static_cast<Kind>(1 + choice));
  if (choice == 11) return type_word(Kind::LongDouble);
  if (choice == 12) return type_word(Kind::Enum, 1 + static_cast<Word>(pick(5)));
  if (choice == 13) return type_word(Kind::String, pick(3) ? 0 : 10);
  if (choice == 14) return type_word(Kind::WChar);
  if (choice == 15) return type_word(Kind::WString, pick(3) ? 0 : 10);
  if (choice == 16) {
    const Word digits = 1 + static_cast<Word>(pick(31));
    return type_word(Kind::Fixed, digits | static_cast<Word>(pick(static_cast<int>(digits) + 1)) << 8);
  }
  if (choice < 20) return random_union(types, random, depth);
  if (choice < 24) {
    std::vector<Word> members;
    for (int i = 0, n = 1 + pick(7); i < n; ++i) members.push_back(random_type(types, random, depth + 1));
    return types.structure(members);
  }
  if (choice < 26) return types.sequence(random_type(types, random, depth + 1), pick(3) ? 0 : 8);
  return types.array(random_type(types, random, depth + 1), 1 + static_cast<Word>(pick(5)));
}

// Object references of a test: numbers up to keys, 0 for nil; on the wire a text and the number.
struct ReferenceHooks {
  std::uint32_t keys;
  void* (*make)(std::uint32_t key, const void* link);  // owned; nullptr for 0
  std::uint32_t (*key_of)(const void* reference, const void* link);
};
inline const void* link_of(const Unit& u, const Resolved& r) {
  return r.payload == kNoLink ? nullptr : u.links[r.payload];
}
// A string's bound; 0 for none.
inline Word string_bound(const Unit& u, const Resolved& r) {
  return r.payload == kBigBound ? u.words[r.entry + 1] : r.payload;
}

inline FixedValue fixed_at(const Byte* from) {
  FixedValue v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// A random character that one UTF-16 unit can hold.
inline wchar_t random_wide(Random& random) {
  switch (random() % 8) {
    case 0: return static_cast<wchar_t>(0x80 + random() % (0xD800 - 0x80));
    case 1: return static_cast<wchar_t>(0xE000 + random() % 0x2000);  // byte order marks, too
    default: return static_cast<wchar_t>('!' + random() % 90);
  }
}

// A union's parts.
struct UnionParts {
  Resolved discriminator;
  std::size_t tag_bytes, area;
  Word member;  // that a discriminator selects; kNoDefault: none
};
inline UnionParts union_parts(const Unit& u, const Word* e, const Byte* value) {
  const UnionView view{e};
  UnionParts p{resolve(u, view.discriminator()), layout_of(u, view.discriminator()).size, 0, view.default_member()};
  p.area = align_up(p.tag_bytes, member_area(u, view).alignment);
  std::uint64_t tag = 0;
  for (std::size_t i = p.tag_bytes; i-- != 0;)
    tag = tag << 8 | value[kNativeOrder == ByteOrder::Big ? p.tag_bytes - 1 - i : i];
  for (Word i = 0; i < view.label_count(); ++i)
    if ((view.label(i) ^ tag) << (64 - 8 * p.tag_bytes) == 0) p.member = view.selected(i);
  return p;
}

// Fills zeroed memory with a random value of the type. Sequences get fewer elements, and at last none, the deeper
// they lie.
inline void random_value(const Unit& u, Word type, Byte* to, Random& random, const ReferenceHooks* hooks = nullptr,
                         int depth = 0) {
  const Resolved r = resolve(u, type);
  const Word* e = u.words + r.entry;
  switch (r.kind) {
    case Kind::ObjRef: {
      void* const x =
          hooks ? hooks->make(static_cast<std::uint32_t>(random() % (hooks->keys + 1)), link_of(u, r)) : nullptr;
      std::memcpy(to, &x, sizeof x);
      return;
    }
    case Kind::Boolean: *to = random() & 1; return;
    case Kind::Char: *to = static_cast<Byte>(random() % 32 ? random() & 0x7f : random()); return;
    case Kind::Enum: store(to, static_cast<std::uint32_t>(random() % r.payload)); return;
    case Kind::LongDouble: {
      const long double v = static_cast<long double>(static_cast<std::int64_t>(random())) / 3;
      std::memcpy(to, &v, sizeof v);
      return;
    }
    case Kind::String: {
      const Word bound = string_bound(u, r);
      const std::size_t n = random() % (bound && bound < 40 ? bound + 1 : 40);
      char* s = string_allocate(n);
      for (std::size_t i = 0; i < n; ++i)
        s[i] = static_cast<char>(random() % 8 ? '!' + random() % 90 : 0xA0 + random() % 96);
      std::memcpy(to, &s, sizeof s);
      return;
    }
    case Kind::WChar: return store(to, static_cast<std::uint32_t>(random_wide(random)));
    case Kind::WString: {
      const Word bound = string_bound(u, r);
      const std::size_t n = random() % (bound && bound < 40 ? bound + 1 : 40);
      wchar_t* s = wide_allocate(n);
      for (std::size_t i = 0; i < n; ++i)
        s[i] = random() % 8 == 0 ? static_cast<wchar_t>(0x10000 + random() % 0x100000) : random_wide(random);
      std::memcpy(to, &s, sizeof s);
      return;
    }
    case Kind::Fixed: {
      Uint128 m;
      for (Word i = 0; i < (r.payload & 0xff); ++i) m = with_digit(m, static_cast<unsigned>(random() % 10));
      const FixedValue v{{m.low, m.high}, static_cast<std::uint16_t>(r.payload & 0xff),
                         static_cast<std::uint16_t>(r.payload >> 8), m != Uint128{} && random() % 2 == 0};
      std::memcpy(to, &v, sizeof v);
      return;
    }
    case Kind::Union: {
      const UnionView view{e};
      random_value(u, view.discriminator(), to, random, hooks, depth);
      if (view.label_count() != 0 && random() % 4 != 0) {
        const std::uint64_t label = view.label(static_cast<Word>(random() % view.label_count()));
        const std::size_t n = layout_of(u, view.discriminator()).size;
        for (std::size_t i = 0; i < n; ++i)
          to[kNativeOrder == ByteOrder::Big ? n - 1 - i : i] = static_cast<Byte>(label >> 8 * i);
      }
      const UnionParts p = union_parts(u, e, to);
      if (p.member != kNoDefault) random_value(u, view.member(p.member), to + p.area, random, hooks, depth);
      return;
    }
    case Kind::Struct: {
      StructLayout l;
      for (Word i = 0; i < r.payload; ++i)
        random_value(u, e[1 + i], to + l.add(layout_of(u, e[1 + i])), random, hooks, depth);
      return;
    }
    case Kind::Array: {
      const std::size_t size = layout_of(u, e[2]).size;
      for (Word i = 0; i < e[1]; ++i) random_value(u, e[2], to + i * size, random, hooks, depth);
      return;
    }
    case Kind::Sequence: {
      const std::size_t size = layout_of(u, e[2]).size;
      std::uint32_t most = depth >= 4 ? 0 : depth >= 2 ? 2 : 5;
      if (depth == 0 && random() % 8 == 0) most = 60;
      if (e[1] != 0 && most > e[1]) most = e[1];
      const std::uint32_t n = static_cast<std::uint32_t>(random() % (most + 1));
      void* b = n ? buffer_allocate(n, size) : nullptr;
      if (b) std::memset(b, 0, n * size);
      const SequenceHeader s{n, n, b, b != nullptr};
      std::memcpy(to, &s, sizeof s);
      for (std::uint32_t i = 0; i < n; ++i)
        random_value(u, e[2], static_cast<Byte*>(b) + i * size, random, hooks, depth + 1);
      return;
    }
    default: {
      const std::size_t n = run_size(r.kind);
      for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<Byte>(random());
    }
  }
}

// A place in written bytes that rules are about.
enum class Rule : std::uint8_t { Count, StringLength, Character, Nul, Boolean, Enum, Other };
struct Mark {
  std::size_t at;  // of the first byte
  Rule rule;
};

// Writes from the specification. phase: where the first byte stands.
class ReferenceWriter {
 public:
  ReferenceWriter(const Unit& unit, ByteOrder order, std::size_t phase, const ReferenceHooks* hooks = nullptr)
      : unit_(unit), swap_(order != kNativeOrder), phase_(phase), hooks_(hooks) {}
  Bytes out;
  std::vector<Mark> marks;
  // Where the fragments of a GIOP 1.1 message begin, but the first; filled by breaking at random.
  std::vector<std::size_t> breaks;
  Random* break_by = nullptr;
  cdr::WideForm form = cdr::WideForm::Octets;
  bool utf8 = false;     // memory has ISO 8859-1, the wire UTF-8
  bool refused = false;  // a char cannot be sent so
  static constexpr std::size_t kFragmentPhase = 12 & 7;  // of a fragment's first byte (9.4.9)

  void value(Word type, const Byte* from) {
    const Resolved r = resolve(unit_, type);
    const Word* e = unit_.words + r.entry;
    switch (r.kind) {
      case Kind::LongDouble: {
        long double v;
        std::memcpy(&v, from, sizeof v);
        const cdr::Quad q = static_cast<cdr::Quad>(v);
        return scalar(reinterpret_cast<const Byte*>(&q), 16, 8);
      }
      case Kind::String: {
        const char* s;
        std::memcpy(&s, from, sizeof s);
        return utf8 ? string(in_utf8(s).c_str()) : string(s);
      }
      case Kind::Char:
        refused = refused || (utf8 && *from >= 0x80);
        return scalar(from, 1, 1);
      case Kind::ObjRef: {
        const void* x;
        std::memcpy(&x, from, sizeof x);
        const std::uint32_t key = hooks_->key_of(x, link_of(unit_, r));
        string(key ? "reference" : "");
        return scalar(reinterpret_cast<const Byte*>(&key), 4, 4);
      }
      case Kind::WChar: return wide_character(load<std::uint32_t>(from));
      case Kind::WString: {
        const wchar_t* s;
        std::memcpy(&s, from, sizeof s);
        return wide_string(s);
      }
      case Kind::Fixed: return fixed(fixed_at(from), r.payload & 0xff, r.payload >> 8);
      case Kind::Union: {
        const UnionParts p = union_parts(unit_, e, from);
        value(UnionView{e}.discriminator(), from);
        if (p.member != kNoDefault) value(UnionView{e}.member(p.member), from + p.area);
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
        scalar(reinterpret_cast<const Byte*>(&s.length), 4, 4, Rule::Count);
        return elements(e[2], static_cast<const Byte*>(s.buffer), s.length);
      }
      case Kind::Boolean: return scalar(from, 1, 1, Rule::Boolean);
      case Kind::Enum: return scalar(from, 4, 4, Rule::Enum);
      default: return scalar(from, run_size(r.kind), run_size(r.kind));
    }
  }

 private:
  static std::string in_utf8(const char* latin1) {
    std::string out;
    for (; *latin1; ++latin1) {
      const auto c = static_cast<unsigned char>(*latin1);
      if (c >= 0x80) out += static_cast<char>(0xC0 + c / 64);
      out += static_cast<char>(c < 0x80 ? c : 0x80 + c % 64);
    }
    return out;
  }
  void string(const char* s) {
    const std::uint32_t n = static_cast<std::uint32_t>(std::strlen(s)) + 1;
    scalar(reinterpret_cast<const Byte*>(&n), 4, 4, Rule::StringLength);
    for (std::uint32_t i = 0; i < n; ++i)
      scalar(reinterpret_cast<const Byte*>(s + i), 1, 1, i + 1 < n ? Rule::Character : Rule::Nul);
  }
  static void add_units(std::vector<std::uint16_t>& to, std::uint32_t c) {
    if (c >= 0x10000) to.push_back(static_cast<std::uint16_t>(0xD800 + ((c - 0x10000) >> 10)));
    to.push_back(static_cast<std::uint16_t>(c < 0x10000 ? c : 0xDC00 + (c & 0x3ff)));
  }
  void units(const std::vector<std::uint16_t>& text) {
    for (const std::uint16_t u : text) {
      if (form == cdr::WideForm::Units) {
        scalar(reinterpret_cast<const Byte*>(&u), 2, 2);
        continue;
      }
      const Byte octets[] = {static_cast<Byte>(u >> 8), static_cast<Byte>(u)};
      scalar(octets, 1, 1);
      scalar(octets + 1, 1, 1);
    }
  }
  // With a mark in front when the first unit could be taken for one.
  std::vector<std::uint16_t> marked(std::vector<std::uint16_t> text) const {
    if (form == cdr::WideForm::Octets && !text.empty() && (text[0] == 0xFEFF || text[0] == 0xFFFE))
      text.insert(text.begin(), 0xFEFF);
    return text;
  }
  void wide_character(std::uint32_t c) {
    std::vector<std::uint16_t> text;
    add_units(text, c);
    text = marked(text);
    const Byte n = static_cast<Byte>(2 * text.size());
    if (form == cdr::WideForm::Octets) scalar(&n, 1, 1);
    units(text);
  }
  void wide_string(const wchar_t* s) {
    std::vector<std::uint16_t> text;
    for (; *s; ++s) add_units(text, static_cast<std::uint32_t>(*s));
    text = marked(text);
    if (form == cdr::WideForm::Units) text.push_back(0);
    const auto n = static_cast<std::uint32_t>(form == cdr::WideForm::Octets ? 2 * text.size() : text.size());
    scalar(reinterpret_cast<const Byte*>(&n), 4, 4, Rule::Count);
    units(text);
  }
  // Of a value that has the scale of its type.
  void fixed(const FixedValue& v, unsigned digits, unsigned) {
    Uint128 m{v.magnitude[0], v.magnitude[1]};
    std::vector<Byte> halves{static_cast<Byte>(v.negative ? 0xD : 0xC)};
    for (unsigned i = 0; i < digits; ++i) halves.push_back(static_cast<Byte>(take_digit(m)));
    if (halves.size() % 2 != 0) halves.push_back(0);
    for (std::size_t i = halves.size(); i != 0; i -= 2) {
      const Byte b = static_cast<Byte>(halves[i - 1] << 4 | halves[i - 2]);
      scalar(&b, 1, 1);
    }
  }
  void elements(Word type, const Byte* from, std::uint32_t n) {
    const std::size_t size = layout_of(unit_, type).size;
    for (std::uint32_t i = 0; i < n; ++i) value(type, from + i * size);
  }
  void scalar(const Byte* from, std::size_t size, std::size_t alignment, Rule rule = Rule::Other) {
    if (break_by && (*break_by)() % 8 == 0) new_fragment(size);
    while ((phase_ + out.size()) % alignment != 0) out.push_back(0);
    marks.push_back({out.size(), rule});
    for (std::size_t i = 0; i < size; ++i) out.push_back(swap_ ? from[size - 1 - i] : from[i]);
  }
  // Called before a primitive of that size. The rest of the old fragment, too small for the primitive, is padding.
  void new_fragment(std::size_t size) {
    const std::size_t left = (*break_by)() % (size < 8 ? size : 8);
    out.insert(out.end(), left, Byte{0xA5});
    breaks.push_back(out.size());
    phase_ = (kFragmentPhase - out.size()) & 7;
  }

  const Unit& unit_;
  bool swap_;
  std::size_t phase_;
  const ReferenceHooks* hooks_;
};

}  // namespace callis::marshal::testing
