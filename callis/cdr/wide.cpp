// SPDX-License-Identifier: Apache-2.0
// Wide characters in the forms of text.h.
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <utility>

namespace callis::cdr {

namespace {

static_assert(sizeof(wchar_t) == 4, "a wchar_t is a code point");

constexpr std::uint32_t kMark = 0xFEFF,
                        kTurnedMark = 0xFFFE;  // the byte order mark, and as it looks the wrong way round
constexpr std::uint32_t kFirstHigh = 0xD800, kFirstLow = 0xDC00, kEndOfSurrogates = 0xE000, kEndOfUnicode = 0x110000;

bool is_mark(std::uint32_t unit) { return unit == kMark || unit == kTurnedMark; }
bool is_utf16(WideForm f) { return f <= WideForm::Units; }
bool is_character(std::uint32_t c) {
  return c < kFirstHigh || (c >= kEndOfSurrogates && c < kEndOfUnicode);
}
// Whether the form's code set has the character.
bool can_have(WideForm form, std::uint32_t c) {
  return is_character(c) && (c < 0x10000 || is_utf16(form) || unit_bytes(form) == 4);
}
// One code point as one or two units.
unsigned units_of(WideForm form, std::uint32_t c, std::uint32_t (&units)[2]) {
  units[0] = c;
  if (c < 0x10000 || !is_utf16(form)) return 1;
  units[0] = kFirstHigh + ((c - 0x10000) >> 10);
  units[1] = kFirstLow + ((c - 0x10000) & 0x3ff);
  return 2;
}
// Octets of UTF-16 are big-endian whatever the message is.
bool turns(WideForm form, bool message_swaps) {
  return form == WideForm::Octets ? kNativeOrder != ByteOrder::Big : message_swaps;
}
std::uint32_t load_unit(const Byte* from, unsigned bytes, bool swap) {
  return bytes == 2 ? load<std::uint16_t>(from, swap) : load<std::uint32_t>(from, swap);
}
void store_unit(Byte* to, std::uint32_t unit, unsigned bytes, bool swap) {
  if (bytes == 2) store(to, static_cast<std::uint16_t>(unit), swap);
  else store(to, unit, swap);
}

// Units in turn to code points.
class Assembler {
 public:
  explicit Assembler(WideForm form) : utf16_(is_utf16(form)) {}
  // False for a unit that cannot stand here. A code point is complete when high_ is 0 again.
  bool add(std::uint32_t unit) {
    if (!utf16_) {
      character_ = unit;
      return is_character(unit);
    }
    if (unit >= kFirstLow && unit < kEndOfSurrogates) {
      if (high_ == 0) return false;
      character_ = 0x10000 + ((high_ - kFirstHigh) << 10 | (unit - kFirstLow));
      high_ = 0;
      return true;
    }
    if (high_ != 0) return false;
    if (unit >= kFirstHigh && unit < kFirstLow) high_ = unit;
    else character_ = unit;
    return true;
  }
  bool complete() const { return high_ == 0; }
  std::uint32_t character() const { return character_; }

 private:
  const bool utf16_;
  std::uint32_t high_ = 0, character_ = 0;
};

Fault why_not(WideForm form) {
  return form == WideForm::Forbidden      ? Fault::WideInGiop10
         : form == WideForm::Unagreed     ? Fault::NoWideCodeSet
         : form == WideForm::Incompatible ? Fault::CodeSetsIncompatible
                                          : Fault::None;
}

}  // namespace

bool Encoder::wide_allowed() {
  const Fault f = why_not(text_.wide);
  if (f != Fault::None) set_fault(f);
  return f == Fault::None;
}

void Encoder::put_wchar(wchar_t character) {
  const auto c = static_cast<std::uint32_t>(character);
  if (!wide_allowed()) return;
  const WideForm form = text_.wide;
  const unsigned bytes = unit_bytes(form);
  if (!can_have(form, c)) return set_fault(Fault::BadCharacter);
  if (!is_octets(form)) {
    if (bytes == 4) return put(c);
    if (c >= 0x10000) return set_fault(Fault::BadCharacter);
    return put(static_cast<std::uint16_t>(c));
  }
  // A mark in front where the character would be taken for one.
  std::uint32_t units[2];
  unsigned n = units_of(form, c, units);
  if (is_utf16(form) && is_mark(c)) {
    units[1] = units[0];
    units[0] = kMark;
    n = 2;
  }
  if (!ensure(1 + 2 * sizeof units)) return;
  *cur_++ = static_cast<Byte>(bytes * n);
  for (unsigned i = 0; i < n; ++i, cur_ += bytes) store_unit(cur_, units[i], bytes, turns(form, swap_));
}

void Encoder::put_wstring(const wchar_t* s, std::uint32_t bound) {
  if (!wide_allowed()) return;
  if (!s) return set_fault(Fault::NullPointer);
  const WideForm form = text_.wide;
  const unsigned bytes = unit_bytes(form);
  std::uint32_t units[2];
  std::size_t n = 0, count = 0;
  for (; s[n] != 0; ++n) {
    const auto c = static_cast<std::uint32_t>(s[n]);
    if (!can_have(form, c)) return set_fault(Fault::BadCharacter);
    count += units_of(form, c, units);
  }
  if (bound != 0 && n > bound) return set_fault(Fault::BadBound);
  const bool octets = is_octets(form);
  if (count >= 0x3ffffffe) return set_fault(Fault::LimitExceeded);
  const bool mark = form == WideForm::Octets && is_mark(static_cast<std::uint32_t>(s[0]));
  put(static_cast<std::uint32_t>(octets ? bytes * (count + mark) : count + 1));
  if (!ensure(bytes * (count + 1))) return;
  const bool swap = turns(form, swap_);
  const auto put_unit = [&](std::uint32_t u) {
    store_unit(cur_, u, bytes, swap);
    cur_ += bytes;
  };
  if (mark) put_unit(kMark);
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned k = units_of(form, static_cast<std::uint32_t>(s[i]), units);
    put_unit(units[0]);
    if (k == 2) put_unit(units[1]);
  }
  if (!octets) put_unit(0);
}

bool Decoder::wide_allowed() {
  const Fault f = why_not(text_.wide);
  if (f != Fault::None) set_fault(f);
  return f == Fault::None;
}

std::uint32_t Decoder::get_unit() { return unit_bytes(text_.wide) == 2 ? get_ushort() : get_ulong(); }

wchar_t Decoder::get_wchar() {
  if (!wide_allowed()) return 0;
  const WideForm form = text_.wide;
  Assembler a(form);
  bool valid;
  if (!is_octets(form)) {
    valid = a.add(get_unit());
  } else {
    const unsigned bytes = unit_bytes(form);
    Byte octets[6];
    const std::uint8_t n = get_octet();
    if (!ok()) return 0;
    // UTF-16: one unit or two, and a mark; else one.
    if (n == 0 || n % bytes != 0 || n > (is_utf16(form) ? 6 : bytes)) {
      set_fault(Fault::BadString);
      return 0;
    }
    if (!get_bytes(octets, n)) return 0;
    bool swap = turns(form, swap_);
    unsigned i = 0;
    if (const std::uint32_t first = load_unit(octets, bytes, swap); n > bytes && is_mark(first)) {
      swap ^= first == kTurnedMark;
      i = 2;
    }
    valid = a.add(load_unit(octets + i, bytes, swap));
    // A second unit must belong to the first; there is no third.
    for (i += bytes; i < n; i += bytes) valid = valid && !a.complete() && a.add(load_unit(octets + i, bytes, swap));
  }
  if (ok() && !(valid && a.complete())) set_fault(Fault::BadCharacter);
  return ok() ? static_cast<wchar_t>(a.character()) : 0;
}

std::uint32_t Decoder::wstring_units(std::uint32_t bound) {
  if (!wide_allowed()) return 0;
  const std::uint32_t n = get_ulong(), bytes = unit_bytes(text_.wide);
  const bool octets = is_octets(text_.wide);
  if (!ok()) return 0;
  Fault f = Fault::None;
  const std::uint32_t units = octets ? n / bytes : n - 1;
  if (octets ? n % bytes != 0 : n == 0) f = Fault::BadString;
  else if ((octets ? std::uint64_t{n} : bytes * std::uint64_t{n}) > remaining()) f = Fault::BadCount;
  // Units: two a character, and a mark.
  else if (bound != 0 && units > (is_utf16(text_.wide) ? 2 * std::uint64_t{bound} + 1 : bound)) f = Fault::BadBound;
  if (f != Fault::None) {
    set_fault(f);
    return 0;
  }
  return charge(units + 1, sizeof(wchar_t)) ? units : 0;
}

bool Decoder::get_wide(wchar_t* to, std::uint32_t units, std::uint32_t bound) {
  const WideForm form = text_.wide;
  const std::uint32_t bytes = unit_bytes(form);
  const bool octets = is_octets(form);
  Assembler a(form);
  std::uint32_t characters = 0;
  bool swap = octets && turns(form, swap_), first = form == WideForm::Octets;
  for (std::uint32_t left = units; left != 0;) {
    Byte room[256];
    const std::uint32_t most = sizeof room / bytes, n = left < most ? left : most;
    if (octets ? !get_bytes(room, bytes * n) : !get_array(room, n, bytes)) return false;
    left -= n;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t unit = load_unit(room + bytes * i, bytes, swap);
      if (std::exchange(first, false) && is_mark(unit)) {
        swap ^= unit == kTurnedMark;
        continue;
      }
      Fault f = Fault::None;
      if (!a.add(unit)) f = Fault::BadCharacter;
      else if (unit == 0) f = Fault::BadString;
      else if (a.complete() && bound != 0 && characters == bound) f = Fault::BadBound;
      if (f != Fault::None) {
        set_fault(f);
        return false;
      }
      if (!a.complete()) continue;
      if (to) to[characters] = static_cast<wchar_t>(a.character());
      ++characters;
    }
  }
  if (!a.complete()) set_fault(Fault::BadCharacter);
  if (!octets && get_unit() != 0) set_fault(Fault::BadString);
  if (ok() && to && units != 0) to[characters] = 0;
  return ok();
}

}  // namespace callis::cdr
