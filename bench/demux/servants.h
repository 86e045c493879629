// SPDX-License-Identifier: Apache-2.0
// The servants' operations op_000 ...: each counts its calls, in count(number). The macros are those of demux.idl.
#pragma once

#define DEMUX_COUNT(p, n) \
  void op_##p##n() override { count(1##p##n); }
#define DEMUX_TENTH(p)                                                                                        \
  DEMUX_COUNT(p, 0)                                                                                           \
  DEMUX_COUNT(p, 1) DEMUX_COUNT(p, 2) DEMUX_COUNT(p, 3) DEMUX_COUNT(p, 4) DEMUX_COUNT(p, 5) DEMUX_COUNT(p, 6) \
      DEMUX_COUNT(p, 7) DEMUX_COUNT(p, 8) DEMUX_COUNT(p, 9)
#define DEMUX_HUNDRED(p)                                                                                      \
  DEMUX_TENTH(p##0)                                                                                           \
  DEMUX_TENTH(p##1) DEMUX_TENTH(p##2) DEMUX_TENTH(p##3) DEMUX_TENTH(p##4) DEMUX_TENTH(p##5) DEMUX_TENTH(p##6) \
      DEMUX_TENTH(p##7) DEMUX_TENTH(p##8) DEMUX_TENTH(p##9)

namespace bench::demux {

inline constexpr int kFirstNumber = 1000;  // of op_000: "1000", so that it is no octal number

}  // namespace bench::demux
