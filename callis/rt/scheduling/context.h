// SPDX-License-Identifier: Apache-2.0
// The service context of distributable threads: what a request, its reply and a cancellation carry. The body is an
// encapsulation:
//
//   octet            form: 1
//   octet            kind: 0 request, 1 cancellation, 2 reply
//   octet            id[16]
//   unsigned long long   executed, in units of 100 ns (request, reply)
//   string           the discipline (request)
//   string           the segment's name (request)
//   sequence<octet>  the parameter, an encapsulation of what the discipline writes (request)
//   sequence<octet>  the implicit parameter, the same, or empty: none (request)
//
// Bytes behind these are ignored. Everything is the peer's claim; a malformed context is MARSHAL.
#pragma once
#include <callis/rt/scheduling/thread_part.h>

namespace callis::rt::scheduling {

// callis's VSCID, 0x43414c, and a number.
inline constexpr IOP::ServiceId kSchedulingContext = 0x43414C01;

enum class ContextKind : unsigned char { Request, Cancellation, Reply };

struct SchedulingContext {
  ContextKind kind = ContextKind::Request;
  ThreadId id{};
  Ticks executed = 0;
  // In requests: the segment's name and parameters. parameter is nullptr if the peer has another discipline.
  Segment segment;
};

IOP::ServiceContext write_request(const ThreadId& id, Ticks executed, const Segment& segment,
                                  const Discipline& discipline);
IOP::ServiceContext write_reply(const ThreadId& id, Ticks executed);
IOP::ServiceContext write_cancellation(const ThreadId& id);

// MARSHAL, kBadContext: malformed, or of another kind than that, or with values that the discipline refuses.
SchedulingContext read_context(ByteView data, ContextKind kind, const Discipline& discipline);

}  // namespace callis::rt::scheduling
