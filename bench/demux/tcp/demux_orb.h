// SPDX-License-Identifier: Apache-2.0
// What server and client of the demultiplexing measurements share. The references that the server leaves are a line
// each: Counts, then every Demux, then every OneWays. The same source for callis and for omniORB.
#pragma once
#include "../../common/orb.h"
#include "../../peers/common/program.h"
#ifdef BENCH_OMNIORB
#include "demux.hh"
#else
#include "demux_skel.h"
#endif

namespace bench::demux {

inline constexpr std::size_t kOperations = 100;  // of Demux
inline constexpr std::size_t kOneWays = 100;     // at most; enough that no request's header is the last one's

}  // namespace bench::demux
