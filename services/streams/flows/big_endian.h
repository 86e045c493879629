// SPDX-License-Identifier: Apache-2.0
// Numbers in network byte order, as RTP and RTCP have them.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>

namespace callis::streams {

inline constexpr bool kSwapBig = kNativeOrder == ByteOrder::Little;
inline std::uint16_t big16(const Byte* at) { return load<std::uint16_t>(at, kSwapBig); }
inline std::uint32_t big32(const Byte* at) { return load<std::uint32_t>(at, kSwapBig); }
inline void put_big16(Byte* at, std::uint16_t value) { store(at, value, kSwapBig); }
inline void put_big32(Byte* at, std::uint32_t value) { store(at, value, kSwapBig); }

}  // namespace callis::streams
