// SPDX-License-Identifier: Apache-2.0
#include <services/streams/flows/rtcp_interval.h>
#include <algorithm>

namespace callis::streams {

double deterministic_interval(const RtcpLoad& load) {
  constexpr double kSendersShare = 0.25;
  double bandwidth = std::max(load.bandwidth, 1.0);
  std::size_t n = load.members;
  // Senders have a quarter for themselves as long as they are no more than a quarter of the members.
  if (static_cast<double>(load.senders) <= static_cast<double>(load.members) * kSendersShare) {
    bandwidth *= load.we_sent ? kSendersShare : 1 - kSendersShare;
    n = load.we_sent ? load.senders : load.members - load.senders;
  }
  const double least = load.initial ? load.least_seconds / 2 : load.least_seconds;
  return std::max(load.average_bytes * static_cast<double>(n) / bandwidth, least);
}

double rtcp_interval(const RtcpLoad& load, double random) {
  constexpr double kCompensation = 2.71828 - 1.5;
  return deterministic_interval(load) * (random + 0.5) / kCompensation;
}

}  // namespace callis::streams
