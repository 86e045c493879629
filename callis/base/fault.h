// SPDX-License-Identifier: Apache-2.0
// Fault: what went wrong below the ORB. Libraries under callis/orb report faults and never throw;
// callis/orb maps each fault to a system exception with minor code and completion status, in one
// place.
#pragma once
#include <cstdint>

namespace callis {

enum class Fault : std::uint8_t {
  None = 0,
  // Decoding: what a peer sent is not what it may send.
  Truncated,         // the message ends inside a value
  BadCount,          // an element count that cannot fit the bytes that remain
  BadBound,          // a bounded string or sequence is longer than its bound
  BadString,         // length 0, no final NUL, or NUL inside
  BadBoolean,        // neither 0 nor 1
  BadEnum,           // not an enumerator
  BadEncapsulation,  // empty or with an unknown byte order flag
  BadReference,      // an IOR that cannot be read
  BadValue,          // any other value outside its type
  // Bounds of our own.
  TooDeep,         // nesting beyond Limits::max_depth
  BudgetExceeded,  // decoded memory beyond the message's budget
  LimitExceeded,   // any other limit
  // Protocol.
  BadMagic,        // not GIOP
  BadVersion,      // a GIOP version we do not speak
  BadMessageType,  // a message type unknown to its version, or not allowed in this direction
  BadHeader,       // a malformed header
  BadFragment,     // a fragment without a beginning, or of another version
  // Transport.
  ConnectRefused,
  ConnectTimeout,
  ResolveFailed,
  ConnectionLost,   // reset, end of stream
  ConnectionClosed, // closed in good order (CloseConnection)
  DeadlinePassed,
  TransportFailed,  // any other errno
  // Local.
  OutOfMemory,
  NullPointer,  // a null string or reference slot where the mapping forbids it
  BadText,      // a stringified reference or address that cannot be parsed
  Unsupported,
  // Characters.
  BadCharacter,   // a wide character that is none of Unicode, or cannot be sent in this version of GIOP
  WideInGiop10,   // wide characters over GIOP 1.0
  NoWideCodeSet,  // wide characters for a server that does not say in which code set it takes them
  // Values.
  NoValueFactory,  // no factory is registered for the type of a value
  LocalObject,     // a local object cannot leave the process
  Rejected,        // the application's code threw: a value factory, a value that marshals itself
  // Characters, too.
  CodeSetsIncompatible,  // client and server have no code set in common
  // Identities.
  NotTrusted,  // one side of a connection does not accept who the other is
};

// The enumerator's name, for messages: "Truncated".
const char* fault_name(Fault f) noexcept;

}  // namespace callis
