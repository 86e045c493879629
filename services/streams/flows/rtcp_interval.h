// SPDX-License-Identifier: Apache-2.0
// When the next RTCP packet is due. RFC 3550, 6.2, 6.3 and A.7.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace callis::streams {

struct RtcpLoad {
  std::size_t members = 1, senders = 0;  // this participant among them
  double bandwidth = 0;                  // bytes a second for RTCP of all: 5 % of the session's
  double average_bytes = 0;              // of RTCP packets, with the headers of UDP and IP
  bool we_sent = false;
  bool initial = false;      // none has been sent yet
  double least_seconds = 5;  // 6.2: 5, or 360 / kilobits a second of the session
};

// Before it is made random. Seconds.
double deterministic_interval(const RtcpLoad& load);
// `random`: from 0 to 1; between half and one and a half times the former, made up for timer reconsideration.
double rtcp_interval(const RtcpLoad& load, double random);

}  // namespace callis::streams
