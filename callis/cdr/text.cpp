// SPDX-License-Identifier: Apache-2.0
// Chars and strings whose code set on the wire is not that of memory: ISO 8859-1 on one side, UTF-8 on the other.
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <cstring>

CALLIS_PROVIDE(text);

namespace callis::cdr {

namespace {

// What hinders chars from going as they are, where they are converted.
Fault why_not(CharForm form, const void* chars, std::size_t n) {
  if (form == CharForm::Incompatible) return Fault::CodeSetsIncompatible;
  Byte seen = 0;
  for (std::size_t i = 0; i < n; ++i) seen |= static_cast<const Byte*>(chars)[i];
  return is_ascii(seen) ? Fault::None : Fault::BadCharacter;
}

// UTF-8 in turn to characters of ISO 8859-1. What else UTF-8 can say is refused with what is none of it: longer forms
// than needed, ends that miss or stand alone.
class Narrowing {
 public:
  // False for an octet that cannot stand here. Nothing is complete while partial().
  bool add(Byte octet) {
    if (lead_ != 0) {
      if ((octet & 0xC0) != 0x80) return false;
      character_ = static_cast<Byte>(lead_ << 6 | (octet & 0x3F));
      lead_ = 0;
      return true;
    }
    if (octet == 0xC2 || octet == 0xC3) lead_ = octet;
    else character_ = octet;
    return lead_ != 0 || is_ascii(octet);
  }
  bool partial() const { return lead_ != 0; }
  Byte character() const { return character_; }

 private:
  Byte lead_ = 0, character_ = 0;
};

// One character of ISO 8859-1 as one or two octets of UTF-8; how many.
unsigned widen(Byte c, Byte (&octets)[2]) {
  octets[0] = is_ascii(c) ? c : static_cast<Byte>(0xC0 | c >> 6);
  octets[1] = static_cast<Byte>(0x80 | (c & 0x3F));
  return is_ascii(c) ? 1 : 2;
}

}  // namespace

void Encoder::put_converted(std::string_view s) {
  if (text_.chars == CharForm::Incompatible) return set_fault(Fault::CodeSetsIncompatible);
  if (s.size() >= 0x7ffffff0u) return set_fault(Fault::LimitExceeded);
  if (!align(4) || !ensure(2 * s.size() + 5)) return;
  Byte* const start = cur_ + 4;
  Byte* to = start;
  Narrowing narrowing;
  for (const char c : s) {
    const Byte octet = static_cast<Byte>(c);
    if (text_.chars == CharForm::Utf8ForLatin1) {
      Byte octets[2];
      const unsigned n = widen(octet, octets);
      std::memcpy(to, octets, n);
      to += n;
    } else {
      if (!narrowing.add(octet)) return set_fault(Fault::BadCharacter);
      if (!narrowing.partial()) *to++ = narrowing.character();
    }
  }
  if (narrowing.partial()) return set_fault(Fault::BadCharacter);
  *to++ = 0;
  store(cur_, static_cast<std::uint32_t>(to - start), swap_);
  cur_ = to;
}

bool Encoder::chars_as_they_are(const void* chars, std::size_t n) {
  const Fault f = why_not(text_.chars, chars, n);
  if (f != Fault::None) set_fault(f);
  return f == Fault::None;
}

std::uint32_t Decoder::converted_room(std::uint32_t bound) {
  if (text_.chars == CharForm::Incompatible) set_fault(Fault::CodeSetsIncompatible);
  // In UTF-8 a character takes twice as much at most.
  const bool grows = text_.chars == CharForm::Latin1ForUtf8;
  const std::uint32_t n = string_length();
  if (n == 0) return 0;
  Fault f = Fault::None;
  if (grows && n > 0x7fffffffu) f = Fault::LimitExceeded;
  else if (bound != 0 && n - 1 > (grows ? bound : 2 * std::uint64_t{bound})) f = Fault::BadBound;
  if (f != Fault::None) {
    set_fault(f);
    return 0;
  }
  if (!grows) return n;
  return charge(n - 1) ? 2 * n - 1 : 0;
}

bool Decoder::get_converted(char* to, std::uint32_t room, std::uint32_t bound) {
  const bool grows = text_.chars == CharForm::Latin1ForUtf8;
  std::uint32_t left = grows ? (room + 1) / 2 : room;
  char* const start = to;
  Narrowing narrowing;
  Fault f = left == 0 ? Fault::BadString : Fault::None;
  while (left != 0 && f == Fault::None) {
    Byte some[256];
    const std::uint32_t n = left < sizeof some ? left : std::uint32_t{sizeof some};
    if (!get_bytes(some, n)) return false;
    left -= n;
    for (std::uint32_t i = 0; i < n && f == Fault::None; ++i) {
      if ((some[i] == 0) != (left == 0 && i + 1 == n)) f = Fault::BadString;
      else if (!grows && !narrowing.add(some[i])) f = Fault::BadCharacter;
      else if (!grows && !narrowing.partial()) *to++ = static_cast<char>(narrowing.character());
      if (!grows || f != Fault::None) continue;
      Byte octets[2];
      const unsigned k = widen(some[i], octets);
      std::memcpy(to, octets, k);
      to += k;
    }
  }
  if (f == Fault::None && bound != 0 && static_cast<std::size_t>(to - start) - 1 > bound) f = Fault::BadBound;
  if (f != Fault::None) set_fault(f);
  return ok();
}

bool Decoder::chars_as_they_are(const void* chars, std::size_t n) {
  const Fault f = why_not(text_.chars, chars, n);
  if (f != Fault::None) set_fault(f);
  return f == Fault::None;
}

}  // namespace callis::cdr
