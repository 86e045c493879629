// SPDX-License-Identifier: Apache-2.0
// The base library: what every other library of callis stands on.
//
//   bytes.h    Byte, ByteView, MutableBytes
//   endian.h   ByteOrder, byte swapping, unaligned loads and stores
//   fault.h    Fault: everything that can go wrong below the ORB, as one enumeration
//   result.h   Result<T>: a value or an Error (fault, errno, text)
//   buffer.h   Buffer: growable, 16-byte aligned bytes with slop for wide stores
//   limits.h   Limits: every bound on what a peer may make us do, with its default
//   fixed_limits.h  FixedLimits: those that cannot be set
//   clock.h    Clock, Deadline: monotonic time behind an interface that a test can drive
//   log.h      one sink for diagnostics
//   swap_array.h  arrays of primitives in the other byte order
//
// Nothing here knows CORBA or sockets. The library is built without exceptions and RTTI.
// Types live in namespace callis itself: every library above would otherwise repeat the prefix.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <callis/base/endian.h>
#include <callis/base/fault.h>
#include <callis/base/fixed_limits.h>
#include <callis/base/limits.h>
#include <callis/base/log.h>
#include <callis/base/result.h>
#include <callis/base/swap_array.h>
