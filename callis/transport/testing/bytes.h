// SPDX-License-Identifier: Apache-2.0
// Texts as bytes, and a deadline that only a test that has failed reaches.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <string_view>

namespace callis::transport::testing {

inline constexpr Duration kLong{20'000};

inline Deadline soon() { return Deadline::in(kLong); }
inline ByteView bytes(std::string_view s) { return {reinterpret_cast<const Byte*>(s.data()), s.size()}; }

}  // namespace callis::transport::testing
