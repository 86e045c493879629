// SPDX-License-Identifier: Apache-2.0
// PerfectHash: maps the operation names of an interface to indices with two loads and one comparison by
// the caller, whatever the number of operations. Found by the IDL compiler (perfect_hash_builder.h).
//
// A name is mixed into 64 bits from its first and last eight bytes, or from all of it when those do not
// tell the names apart; the low part selects a displacement, which moves the high part to a slot of its
// own (hash and displace; after Belazzougui, Botelho and Dietzfelbinger, ESA 2009).
// The name is read through memcpy of its own bytes only: nothing before or after it is touched.
// Header only and free of other parts of callis: the IDL compiler includes it too.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace callis {

struct PerfectHash {
  std::uint64_t k1, k2;                // odd multipliers
  const std::uint16_t* displacements;  // 1 << bucket_bits of them
  const std::uint16_t* slots;          // 1 << slot_bits of them: index, or kEmpty
  std::uint8_t bucket_bits, slot_bits;
  bool whole_name;                     // mix every byte, not only the ends

  static constexpr std::uint16_t kEmpty = 0xffff;

  // The only index whose name can equal this one, or kEmpty. The caller compares the names.
  std::uint16_t find(const char* name, std::size_t length) const {
    return slot(mix(name, length, k1, k2, whole_name));
  }

  // From the high half of the hash: a difference in the last character of a name does not reach bits below 24.
  std::uint16_t slot(std::uint64_t h) const {
    const std::uint64_t bucket = bucket_bits ? h >> (64 - bucket_bits) : 0;
    const std::uint64_t at = (h >> 32) + displacements[bucket];
    return slots[at & ((std::uint64_t{1} << slot_bits) - 1)];
  }

  static std::uint64_t mix(const char* name, std::size_t length, std::uint64_t k1, std::uint64_t k2,
                           bool whole_name) {
    std::uint64_t a = 0, b = 0;
    if (length >= 8) {
      a = word(name);
      b = word(name + length - 8);
      if (whole_name)
        for (std::size_t i = 8; i + 8 < length; i += 8) a = fold(a ^ word(name + i), k1);
    } else {
      for (std::size_t i = 0; i < length; ++i)
        a |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i])) << 8 * i;
      b = a;
    }
    return fold(a * k1 ^ (b * k2 + length), k1);
  }

 private:
  // Little-endian, so that tables made on one machine serve on another.
  static std::uint64_t word(const char* p) {
    std::uint64_t v;
    std::memcpy(&v, p, 8);
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) v = __builtin_bswap64(v);
    return v;
  }
  static std::uint64_t fold(std::uint64_t v, std::uint64_t k) {
    v ^= v >> 32;
    return v * k;
  }
};

}  // namespace callis
