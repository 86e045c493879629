// SPDX-License-Identifier: Apache-2.0
// A slow decoder written straight from CORBA 3.3 part 2, 9.3 and 9.4.9, and from callis' own rules on a message's
// cost (cdr/decoder.h, docs/design/engine.md), primitive by primitive and byte by byte. This is only for tests.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/marshal/testing/reference_codec.h>
#include <cwchar>

namespace callis::marshal::testing {

// Reads values into zeroed memory laid out as memory.h says; destroy() of a plan frees them, also after a fault.
class ReferenceReader {
 public:
  ReferenceReader(const Unit& unit, std::vector<cdr::Segment> segments, ByteOrder order, cdr::Budget budget,
                  const ReferenceHooks* hooks = nullptr)
      : unit_(unit), segments_(std::move(segments)), big_(order == ByteOrder::Big), hooks_(hooks), budget_(budget) {}
  ReferenceReader(const Unit& unit, const Bytes& in, ByteOrder order, std::size_t phase)
      : ReferenceReader(unit, {{in, phase}}, order, {SIZE_MAX, 1u << 20}) {}

  // The first rule that is broken, in the order of the bytes.
  Fault fault() const { return fault_; }
  const cdr::Budget& budget() const { return budget_; }
  std::size_t remaining() const {
    std::size_t n = 0;
    for (std::size_t i = current_; i < segments_.size(); ++i) n += segments_[i].bytes.size();
    return n - at_;
  }

  cdr::WideForm form = cdr::WideForm::Octets;

  // Accepts or rejects without keeping the value.
  bool value(Word type) {
    std::vector<std::max_align_t> scratch(layout_of(unit_, type).size / sizeof(std::max_align_t) + 1);
    const bool ok = value(type, reinterpret_cast<Byte*>(scratch.data()));
    for (void* p : taken_) std::free(p);
    taken_.clear();
    return ok;
  }

  bool value(Word type, Byte* to) {
    const Resolved r = resolve(unit_, type);
    const Word* e = unit_.words + r.entry;
    switch (r.kind) {
      case Kind::Boolean: return take(to, 1, 1) && (*to <= 1 || spoil(to, Fault::BadBoolean));
      case Kind::Enum: return take(to, 4, 4) && (load<std::uint32_t>(to) < r.payload || spoil(to, Fault::BadEnum));
      case Kind::LongDouble: return long_double(to);
      case Kind::String: return string(to, string_bound(unit_, r));
      case Kind::WChar: return wide_character(to);
      case Kind::WString: return wide_string(to, string_bound(unit_, r));
      case Kind::Fixed: return fixed(to, r.payload & 0xff, r.payload >> 8);
      case Kind::Union: {
        if (!value(UnionView{e}.discriminator(), to)) return false;
        if (budget_.depth_left == 0) return fail(Fault::TooDeep);
        --budget_.depth_left;
        const UnionParts p = union_parts(unit_, e, to);
        if (p.member != kNoDefault && !value(UnionView{e}.member(p.member), to + p.area)) return false;
        ++budget_.depth_left;
        return true;
      }
      case Kind::ObjRef: return reference(to, link_of(unit_, r));
      case Kind::Struct: {
        StructLayout l;
        for (Word i = 0; i < r.payload; ++i)
          if (!value(e[1 + i], to + l.add(layout_of(unit_, e[1 + i])))) return false;
        return true;
      }
      case Kind::Array: return elements(e[2], to, e[1]);
      case Kind::Sequence: return sequence(e[2], e[1], to);
      default: return take(to, run_size(r.kind), run_size(r.kind));
    }
  }

 private:
  bool fail(Fault f) {
    fault_ = f;
    return false;
  }
  bool spoil(Byte* to, Fault f) {
    *to = 0;
    return fail(f);
  }

  // The least bytes a value takes, padding aside.
  std::uint64_t least(Word type) const {
    const Resolved r = resolve(unit_, type);
    const Word* e = unit_.words + r.entry;
    switch (r.kind) {
      case Kind::LongDouble: return 16;
      case Kind::String: return 5;
      case Kind::ObjRef: return 9;
      case Kind::WChar: return 2;
      case Kind::WString: return 4;
      case Kind::Fixed: return (r.payload & 0xff) / 2 + 1;
      case Kind::Union: return least(e[1]);
      case Kind::Sequence: return 4;
      case Kind::Array: return least(e[2]) * e[1];
      case Kind::Struct: {
        std::uint64_t n = 0;
        for (Word i = 0; i < r.payload; ++i) n += least(e[1 + i]);
        return n;
      }
      default: return run_size(r.kind);
    }
  }

  bool charge(std::uint64_t bytes) {
    if (bytes > budget_.bytes_left) return fail(Fault::BudgetExceeded);
    budget_.bytes_left -= static_cast<std::size_t>(bytes);
    return true;
  }

  // A primitive lies in one fragment (9.4.9); less than 8 bytes may be left unused at a fragment's end.
  bool take(Byte* to, std::size_t size, std::size_t alignment) {
    for (;;) {
      if (current_ == segments_.size()) return fail(Fault::Truncated);
      const cdr::Segment& s = segments_[current_];
      const std::size_t left = s.bytes.size() - at_;
      const std::size_t pad = (alignment - (s.phase + at_) % alignment) % alignment;
      if (pad + size <= left) {
        at_ += pad;
        break;
      }
      if (current_ + 1 == segments_.size() || left >= 8) return fail(Fault::Truncated);
      ++current_;
      at_ = 0;
    }
    const Byte* from = segments_[current_].bytes.data() + at_;
    const bool swap = big_ != (kNativeOrder == ByteOrder::Big);
    for (std::size_t i = 0; i < size; ++i) to[i] = swap ? from[size - 1 - i] : from[i];
    at_ += size;
    return true;
  }
  bool number(std::uint32_t& n) { return take(reinterpret_cast<Byte*>(&n), 4, 4); }

  bool long_double(Byte* to) {
    cdr::Quad q;
    if (!take(reinterpret_cast<Byte*>(&q), 16, 8)) return false;
    const long double v = static_cast<long double>(q);
    std::memcpy(to, &v, kLongDoubleBytes);
    return true;
  }

  bool text(char*& s, std::uint32_t bound) {
    std::uint32_t n;
    if (!number(n)) return false;
    if (n == 0) return fail(Fault::BadString);
    if (n > remaining()) return fail(Fault::BadCount);
    if (bound != 0 && n - 1 > bound) return fail(Fault::BadBound);
    if (!charge(n)) return false;
    Bytes characters(n);
    for (std::uint32_t i = 0; i < n; ++i)
      while (!(at_ < segments_[current_].bytes.size() && (characters[i] = segments_[current_].bytes[at_++], true)))
        ++current_, at_ = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      if ((characters[i] == 0) != (i + 1 == n)) return fail(Fault::BadString);
    s = string_allocate(n - 1);
    std::memcpy(s, characters.data(), n);
    return true;
  }
  bool string(Byte* to, std::uint32_t bound) {
    char* s = nullptr;
    if (!text(s, bound)) return false;
    taken_.push_back(s);
    std::memcpy(to, &s, sizeof s);
    return true;
  }

  // n units of UTF-16, in the order that the form or a mark says.
  bool units(std::vector<std::uint16_t>& out, std::size_t n, bool may_be_marked) {
    for (std::size_t i = 0; i < n; ++i) {
      std::uint16_t u = 0;
      if (form == cdr::WideForm::Units) {
        if (!take(reinterpret_cast<Byte*>(&u), 2, 2)) return false;
      } else {
        Byte octets[2];
        if (!take(octets, 1, 1) || !take(octets + 1, 1, 1)) return false;
        u = static_cast<std::uint16_t>(octets[0] << 8 | octets[1]);
      }
      out.push_back(u);
    }
    if (form == cdr::WideForm::Units || !may_be_marked || out.empty() || (out[0] != 0xFEFF && out[0] != 0xFFFE))
      return true;
    if (out[0] == 0xFFFE)
      for (std::uint16_t& u : out) u = static_cast<std::uint16_t>(u << 8 | u >> 8);
    out.erase(out.begin());
    return true;
  }
  // The code point at i, which moves on.
  bool code_point(const std::vector<std::uint16_t>& text, std::size_t& i, std::uint32_t& c) {
    c = text[i++];
    if (c < 0xD800 || c >= 0xE000) return true;
    if (c >= 0xDC00 || i == text.size() || text[i] < 0xDC00 || text[i] >= 0xE000) return fail(Fault::BadCharacter);
    c = 0x10000 + ((c - 0xD800) << 10 | (text[i++] - 0xDC00u));
    return true;
  }
  bool wide_character(Byte* to) {
    Byte n = 2;
    if (form == cdr::WideForm::Octets) {
      if (!take(&n, 1, 1)) return false;
      if (n != 2 && n != 4 && n != 6) return fail(Fault::BadString);
    }
    std::vector<std::uint16_t> text;
    std::size_t i = 0;
    std::uint32_t c = 0;
    if (!units(text, n / 2, n != 2) || !code_point(text, i, c)) return false;
    if (i != text.size()) return fail(Fault::BadCharacter);
    store(to, c);
    return true;
  }
  bool wide_string(Byte* to, std::uint32_t bound) {
    const bool octets = form == cdr::WideForm::Octets;
    std::uint32_t n;
    if (!number(n)) return false;
    if (octets ? n % 2 != 0 : n == 0) return fail(Fault::BadString);
    if ((octets ? n : 2 * std::uint64_t{n}) > remaining()) return fail(Fault::BadCount);
    const std::uint32_t most = octets ? n / 2 : n - 1;
    if (bound != 0 && most > 2 * std::uint64_t{bound} + 1) return fail(Fault::BadBound);
    if (!charge((std::uint64_t{most} + 1) * sizeof(wchar_t))) return false;
    std::vector<std::uint16_t> text;
    if (!units(text, most, true)) return false;
    std::vector<wchar_t> s;
    for (std::size_t i = 0; i < text.size();) {
      std::uint32_t c;
      if (!code_point(text, i, c)) return false;
      if (c == 0) return fail(Fault::BadString);
      if (bound != 0 && s.size() == bound) return fail(Fault::BadBound);
      s.push_back(static_cast<wchar_t>(c));
    }
    std::uint16_t terminator = 0;
    if (!octets && !take(reinterpret_cast<Byte*>(&terminator), 2, 2)) return false;
    if (terminator != 0) return fail(Fault::BadString);
    wchar_t* const copy = wide_allocate(s.size());
    std::copy(s.begin(), s.end(), copy);
    taken_.push_back(copy);
    std::memcpy(to, &copy, sizeof copy);
    return true;
  }

  bool fixed(Byte* to, unsigned digits, unsigned scale) {
    std::vector<Byte> halves;
    for (unsigned i = 0; i < digits / 2 + 1; ++i) {
      Byte b;
      if (!take(&b, 1, 1)) return false;
      halves.push_back(b >> 4);
      halves.push_back(b & 0xf);
    }
    const Byte sign = halves.back();
    halves.pop_back();
    if (halves.size() != digits && halves[0] != 0) return fail(Fault::BadValue);
    if (sign != 0xC && sign != 0xD) return fail(Fault::BadValue);
    Uint128 m;
    for (const Byte d : halves) {
      if (d > 9) return fail(Fault::BadValue);
      m = with_digit(m, d);
    }
    const FixedValue v{{m.low, m.high}, static_cast<std::uint16_t>(digits), static_cast<std::uint16_t>(scale),
                       sign == 0xD && m != Uint128{}};
    std::memcpy(to, &v, sizeof v);
    return true;
  }

  bool reference(Byte* to, const void* link) {
    char* s = nullptr;
    if (!text(s, 0)) return false;
    string_free(s);
    std::uint32_t key;
    if (!number(key)) return false;
    if (key > hooks_->keys) return fail(Fault::BadReference);
    void* const x = hooks_->make(key, link);
    std::memcpy(to, &x, sizeof x);
    return true;
  }

  bool sequence(Word element, Word bound, Byte* to) {
    const std::size_t size = layout_of(unit_, element).size;
    std::uint32_t n;
    if (!number(n)) return false;
    const std::uint64_t each = least(element);
    if (n * each > remaining()) return fail(Fault::BadCount);
    if (!charge(std::uint64_t{n} * (each ? size : std::max(size, cdr::Decoder::kEmptyElementCost)))) return false;
    if (bound != 0 && n > bound) return fail(Fault::BadBound);
    if (n == 0) return true;
    void* const buffer = buffer_allocate(n, size);
    std::memset(buffer, 0, n * size);
    taken_.push_back(static_cast<char*>(buffer) - 16);
    const SequenceHeader s{n, n, buffer, true};
    std::memcpy(to, &s, sizeof s);
    return elements(element, static_cast<Byte*>(buffer), n);
  }

  // Elements that own memory are one level of nesting.
  bool elements(Word type, Byte* to, std::uint32_t n) {
    const std::size_t size = layout_of(unit_, type).size;
    const bool nested = is_variable(unit_, type);
    if (nested && budget_.depth_left == 0) return fail(Fault::TooDeep);
    budget_.depth_left -= nested;
    for (std::uint32_t i = 0; i < n; ++i)
      if (!value(type, to + i * size)) return false;
    budget_.depth_left += nested;
    return true;
  }

  const Unit& unit_;
  std::vector<cdr::Segment> segments_;
  bool big_;
  const ReferenceHooks* hooks_;
  cdr::Budget budget_;
  Fault fault_ = Fault::None;
  std::size_t current_ = 0, at_ = 0;
  std::vector<void*> taken_;
};

// Whether two values are the same: floating point numbers bit by bit, padding aside.
inline bool same_value(const Unit& u, Word type, const Byte* a, const Byte* b,
                       const ReferenceHooks* hooks = nullptr) {
  const Resolved r = resolve(u, type);
  const Word* e = u.words + r.entry;
  const auto elements = [&](const Byte* x, const Byte* y, std::uint32_t n) {
    const std::size_t size = layout_of(u, e[2]).size;
    for (std::uint32_t i = 0; i < n; ++i)
      if (!same_value(u, e[2], x + i * size, y + i * size, hooks)) return false;
    return true;
  };
  switch (r.kind) {
    case Kind::LongDouble: return std::memcmp(a, b, kLongDoubleBytes) == 0;
    case Kind::String: return std::strcmp(load<const char*>(a), load<const char*>(b)) == 0;
    case Kind::WChar: return load<std::uint32_t>(a) == load<std::uint32_t>(b);
    case Kind::WString: return std::wcscmp(load<const wchar_t*>(a), load<const wchar_t*>(b)) == 0;
    case Kind::Fixed: {
      const FixedValue x = fixed_at(a), y = fixed_at(b);
      return x.magnitude[0] == y.magnitude[0] && x.magnitude[1] == y.magnitude[1] && x.scale == y.scale &&
             x.negative == y.negative;
    }
    case Kind::Union: {
      const UnionView view{e};
      const UnionParts p = union_parts(u, e, a);
      return same_value(u, view.discriminator(), a, b, hooks) &&
             (p.member == kNoDefault || same_value(u, view.member(p.member), a + p.area, b + p.area, hooks));
    }
    case Kind::ObjRef:
      return hooks->key_of(load<const void*>(a), link_of(u, r)) == hooks->key_of(load<const void*>(b), link_of(u, r));
    case Kind::Struct: {
      StructLayout l;
      for (Word i = 0; i < r.payload; ++i) {
        const std::size_t at = l.add(layout_of(u, e[1 + i]));
        if (!same_value(u, e[1 + i], a + at, b + at, hooks)) return false;
      }
      return true;
    }
    case Kind::Array: return elements(a, b, e[1]);
    case Kind::Sequence: {
      SequenceHeader x, y;
      std::memcpy(&x, a, sizeof x);
      std::memcpy(&y, b, sizeof y);
      return x.length == y.length &&
             elements(static_cast<const Byte*>(x.buffer), static_cast<const Byte*>(y.buffer), x.length);
    }
    default: return std::memcmp(a, b, run_size(r.kind)) == 0;
  }
}

}  // namespace callis::marshal::testing
