// SPDX-License-Identifier: Apache-2.0
// Wide characters of the Basic Multilingual Plane, which every ORB here can carry in UTF-16.
#pragma once
#include "values.h"
#include <string>

namespace interop {

constexpr CORBA::WChar kWideEdges[] = {L'a', L'~', 0xa0, 0xe4, 0xff, 0x100, 0x3b1, 0x20ac, 0x4e2d, 0xd7ff, 0xe000, 0xfffd};
constexpr Size kWideEdgeCount = Size(sizeof kWideEdges / sizeof kWideEdges[0]);

inline CORBA::WChar wide(Size i) { return kWideEdges[i % kWideEdgeCount]; }

inline std::basic_string<CORBA::WChar> wide_text(Size n, Size salt) {
  std::basic_string<CORBA::WChar> s;
  for (Size i = 0; i < n; ++i) s.push_back(wide(i * 5 + salt + n));
  return s;
}

}  // namespace interop
