// SPDX-License-Identifier: Apache-2.0
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <utility>

namespace callis::cdr {

namespace {

static_assert(sizeof(wchar_t) == 4, "a wchar_t is a code point");

constexpr std::uint32_t kMark = 0xFEFF, kTurnedMark = 0xFFFE;  // the byte order mark, and as it looks the wrong way round
constexpr std::uint32_t kFirstHigh = 0xD800, kFirstLow = 0xDC00, kEndOfSurrogates = 0xE000, kEndOfUnicode = 0x110000;

bool is_mark(std::uint32_t unit) { return unit == kMark || unit == kTurnedMark; }
bool is_character(std::uint32_t c) {
  return c < kFirstHigh || (c >= kEndOfSurrogates && c < kEndOfUnicode);
}
// One code point as one or two units.
unsigned units_of(std::uint32_t c, std::uint16_t (&units)[2]) {
  if (c < 0x10000) {
    units[0] = static_cast<std::uint16_t>(c);
    return 1;
  }
  units[0] = static_cast<std::uint16_t>(kFirstHigh + ((c - 0x10000) >> 10));
  units[1] = static_cast<std::uint16_t>(kFirstLow + ((c - 0x10000) & 0x3ff));
  return 2;
}

constexpr bool kSwapToBig = kNativeOrder != ByteOrder::Big;

// Units in turn to code points.
class Assembler {
 public:
  // False for a unit that cannot stand here. A code point is complete when high_ is 0 again.
  bool add(std::uint32_t unit) {
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
  std::uint32_t high_ = 0, character_ = 0;
};

}  // namespace

bool Encoder::wide_allowed() {
  if (wide_ == WideForm::Forbidden) set_fault(Fault::WideInGiop10);
  if (wide_ == WideForm::Unagreed) set_fault(Fault::NoWideCodeSet);
  return wide_ <= WideForm::Units;
}

void Encoder::put_wchar(wchar_t character) {
  const auto c = static_cast<std::uint32_t>(character);
  if (!wide_allowed()) return;
  if (!is_character(c)) return set_fault(Fault::BadCharacter);
  if (wide_ == WideForm::Units) {
    if (c >= 0x10000) return set_fault(Fault::BadCharacter);
    return put(static_cast<std::uint16_t>(c));
  }
  // A mark in front where the character would be taken for one.
  std::uint16_t units[2];
  unsigned n = units_of(c, units);
  if (is_mark(c)) {
    units[1] = units[0];
    units[0] = kMark;
    n = 2;
  }
  if (!ensure(5)) return;
  *cur_++ = static_cast<Byte>(2 * n);
  for (unsigned i = 0; i < n; ++i, cur_ += 2) store(cur_, units[i], kSwapToBig);
}

void Encoder::put_wstring(const wchar_t* s, std::uint32_t bound) {
  if (!wide_allowed()) return;
  if (!s) return set_fault(Fault::NullPointer);
  std::size_t n = 0, units = 0;
  for (; s[n] != 0; ++n) {
    const auto c = static_cast<std::uint32_t>(s[n]);
    if (!is_character(c)) return set_fault(Fault::BadCharacter);
    units += c < 0x10000 ? 1 : 2;
  }
  if (bound != 0 && n > bound) return set_fault(Fault::BadBound);
  const bool octets = wide_ == WideForm::Octets;
  if (units >= 0x7ffffffe) return set_fault(Fault::LimitExceeded);
  const bool mark = octets && is_mark(static_cast<std::uint32_t>(s[0]));
  put(static_cast<std::uint32_t>(octets ? 2 * (units + mark) : units + 1));
  if (!ensure(2 * units + 2)) return;
  const bool swap = octets ? kSwapToBig : swap_;
  const auto put_unit = [this, swap](std::uint16_t u) {
    store(cur_, u, swap);
    cur_ += 2;
  };
  if (mark) put_unit(kMark);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint16_t text[2];
    const unsigned k = units_of(static_cast<std::uint32_t>(s[i]), text);
    put_unit(text[0]);
    if (k == 2) put_unit(text[1]);
  }
  if (!octets) put_unit(0);
}

bool Decoder::wide_allowed() {
  if (wide_ == WideForm::Forbidden) set_fault(Fault::WideInGiop10);
  if (wide_ == WideForm::Unagreed) set_fault(Fault::NoWideCodeSet);
  return wide_ <= WideForm::Units;
}

wchar_t Decoder::get_wchar() {
  Assembler a;
  if (!wide_allowed()) return 0;
  bool valid;
  if (wide_ == WideForm::Units) {
    valid = a.add(get_ushort());
  } else {
    Byte octets[6];
    const std::uint8_t n = get_octet();
    if (!ok()) return 0;
    if (n != 2 && n != 4 && n != 6) {
      set_fault(Fault::BadString);
      return 0;
    }
    if (!get_bytes(octets, n)) return 0;
    bool swap = kSwapToBig;
    unsigned i = 0;
    if (const std::uint32_t first = load<std::uint16_t>(octets, swap); n > 2 && is_mark(first)) {
      swap ^= first == kTurnedMark;
      i = 2;
    }
    valid = a.add(load<std::uint16_t>(octets + i, swap));
    // A second unit must belong to the first; there is no third.
    for (i += 2; i < n; i += 2) valid = valid && !a.complete() && a.add(load<std::uint16_t>(octets + i, swap));
  }
  if (ok() && !(valid && a.complete())) set_fault(Fault::BadCharacter);
  return ok() ? static_cast<wchar_t>(a.character()) : 0;
}

std::uint32_t Decoder::wstring_units(std::uint32_t bound) {
  if (!wide_allowed()) return 0;
  const std::uint32_t n = get_ulong();
  const bool octets = wide_ == WideForm::Octets;
  if (!ok()) return 0;
  Fault f = Fault::None;
  const std::uint32_t units = octets ? n / 2 : n - 1;
  if (octets ? n % 2 != 0 : n == 0) f = Fault::BadString;
  else if ((octets ? std::uint64_t{n} : 2 * std::uint64_t{n}) > remaining()) f = Fault::BadCount;
  // Units: two a character, and a mark.
  else if (bound != 0 && units > 2 * std::uint64_t{bound} + 1) f = Fault::BadBound;
  if (f != Fault::None) {
    set_fault(f);
    return 0;
  }
  return charge((std::size_t{units} + 1) * sizeof(wchar_t)) ? units : 0;
}

bool Decoder::get_wide(wchar_t* to, std::uint32_t units, std::uint32_t bound) {
  const bool octets = wide_ == WideForm::Octets;
  Assembler a;
  std::uint32_t characters = 0;
  bool swap = kSwapToBig, first = octets;
  for (std::uint32_t left = units; left != 0;) {
    Byte room[256];
    const std::uint32_t n = left < sizeof room / 2 ? left : std::uint32_t{sizeof room / 2};
    if (octets ? !get_bytes(room, 2 * n) : !get_array(room, n, 2)) return false;
    left -= n;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t unit = load<std::uint16_t>(room + 2 * i, octets && swap);
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
  if (!octets && get_ushort() != 0) set_fault(Fault::BadString);
  if (ok() && to && units != 0) to[characters] = 0;
  return ok();
}

}  // namespace callis::cdr
