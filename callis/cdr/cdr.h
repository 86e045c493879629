// SPDX-License-Identifier: Apache-2.0
// The CDR library: the Common Data Representation of CORBA 3.3 part 2, 9.3.
//
//   Encoder  writes primitives, strings and encapsulations to the end of a Buffer
//   Decoder  reads them from bytes that came from a peer and are therefore hostile
//
// Alignment is relative to an origin: the first byte of the GIOP message, or of the encapsulation.
// Both byte orders work in both directions; an ORB sends its native order and the receiver makes it
// right. Padding is always sent as zeros, so that no memory of this process leaks.
//
// Bounds live here and only here. Every element count that a peer sends passes Decoder::count(), which
// compares it with the bytes that remain and charges the memory it will need to the message's budget;
// nesting passes Decoder::enter(). A fault is sticky: the first one stays, later reads yield zeros and
// move nothing, so callers may check once, at the end.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
