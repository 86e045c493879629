// SPDX-License-Identifier: Apache-2.0
// PerfectHash: maps the operation names of an interface to places with one load and one comparison by
// the caller, whatever the number of operations, whose table is in the order of their places. Found by the IDL
// compiler (perfect_hash_builder.h).
//
// A name is mixed into 64 bits from its first and last eight bytes, or from all of it when those do not
// tell the names apart: one multiplication each, side by side. The highest bits select a displacement, which moves
// them and those below them to a place of its own (hash and displace; after Belazzougui, Botelho and Dietzfelbinger,
// ESA 2009). There are as many places as names.
// The name is read through memcpy of its own bytes only: nothing before or after it is touched.
// Header only and free of other parts of callis: the IDL compiler includes it too.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace callis {

struct PerfectHash {
  std::uint64_t k1, k2;                // odd multipliers
  const std::uint16_t* displacements;  // of each bucket; there is one without names, too
  std::uint32_t count;                 // of the names
  std::uint8_t bucket_shift, place_shift;  // of the hash, the former after a shift by one
  bool whole_name;                     // mix every byte, not only the ends
  std::uint8_t lengths_by_ends;        // how many, from 8 on, are mixed from the ends alone

  static constexpr std::uint16_t kNowhere = 0xffff;

  constexpr PerfectHash() : PerfectHash(1, 1, nullptr, 0, 0, 0, false) {}
  // place_bits: how many bits below those of the bucket tell its names apart.
  constexpr PerfectHash(std::uint64_t multiplier1, std::uint64_t multiplier2,
                        const std::uint16_t* displacements_of_buckets, std::uint32_t names, std::uint8_t bucket_bits,
                        std::uint8_t place_bits, bool whole)
      : k1(multiplier1),
        k2(multiplier2),
        displacements(displacements_of_buckets),
        count(names),
        bucket_shift(static_cast<std::uint8_t>(63 - bucket_bits)),
        place_shift(static_cast<std::uint8_t>((64 - bucket_bits - place_bits) % 64)),
        whole_name(whole),
        lengths_by_ends(whole ? 9 : 25) {}

  // The only place whose name can equal this one, or kNowhere. The caller compares the names.
  std::uint16_t find(const char* name, std::size_t length) const {
    const std::uint16_t place = place_of(mix(name, length, k1, k2, whole_name));
    return place < count ? place : kNowhere;
  }

  // Whether a name of that length, which is 8 to 32, is mixed from its ends.
  bool mixes_ends(std::size_t length) const { return length - 8 < lengths_by_ends; }
  // The same as find() for such a name, but any number from count on for none.
  std::uint32_t find_by_ends(const char* name, std::size_t length) const {
    return place_of(mix_ends(name, length, k1, k2));
  }

  // From the highest bits: a difference in the last character of a name does not reach those below 56.
  std::size_t bucket(std::uint64_t h) const { return static_cast<std::size_t>(h >> 1 >> bucket_shift); }
  std::uint16_t place_of(std::uint64_t h) const {
    return static_cast<std::uint16_t>(undisplaced(h) + displacements[bucket(h)]);
  }
  std::uint16_t undisplaced(std::uint64_t h) const { return static_cast<std::uint16_t>(h >> place_shift); }

  static std::uint64_t mix(const char* name, std::size_t length, std::uint64_t k1, std::uint64_t k2,
                           bool whole_name) {
    if (length < 8) return short_word(name, length) * k1 + length * k2;
    std::uint64_t a = word(name);
    if (whole_name)
      for (std::size_t i = 8; i + 8 < length; i += 8) a = fold(a ^ word(name + i), k1);
    return a * k1 + (word(name + length - 8) + length) * k2;
  }
  // The same of a name of at least eight bytes without whole_name, or of up to 16.
  static std::uint64_t mix_ends(const char* name, std::size_t length, std::uint64_t k1, std::uint64_t k2) {
    return word(name) * k1 + (word(name + length - 8) + length) * k2;
  }

  // Whether two names of that length are equal.
  static bool same(const char* a, const char* b, std::size_t length) {
    if (length < 8) return short_word(a, length) == short_word(b, length);
    return length > 32 ? std::memcmp(a, b, length) == 0 : same_8_to_32(a, b, length);
  }
  // The same for 8 to 32 characters, by four words, which may overlap, so that the length decides no branch.
  static bool same_8_to_32(const char* a, const char* b, std::size_t length) {
    const std::size_t last = length - 8, second = last < 8 ? last : 8, third = last < 16 ? last : 16;
    return ((word(a) ^ word(b)) | (word(a + second) ^ word(b + second)) | (word(a + third) ^ word(b + third)) |
            (word(a + last) ^ word(b + last))) == 0;
  }

 private:
  // The first eight bytes of a name of at least so many, as a number.
  static std::uint64_t word(const char* p) {
    std::uint64_t v;
    std::memcpy(&v, p, 8);
    // Little-endian, so that tables made on one machine serve on another.
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) v = __builtin_bswap64(v);
    return v;
  }
  // All bytes of a name of less than eight.
  static std::uint64_t short_word(const char* p, std::size_t length) {
    std::uint64_t v = 0;
    if (length >= 4) return half_word(p) | half_word(p + length - 4) << 8 * (length - 4);
    for (std::size_t i = 0; i < length; ++i) v |= std::uint64_t{static_cast<unsigned char>(p[i])} << 8 * i;
    return v;
  }
  static std::uint64_t half_word(const char* p) {
    std::uint32_t v;
    std::memcpy(&v, p, 4);
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) v = __builtin_bswap32(v);
    return v;
  }
  static std::uint64_t fold(std::uint64_t v, std::uint64_t k) {
    v ^= v >> 32;
    return v * k;
  }
};

}  // namespace callis
