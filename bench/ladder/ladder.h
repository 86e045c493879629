// SPDX-License-Identifier: Apache-2.0
// What every rung of the ladder offers: one library a rung, all with these functions. README.md tells what the rungs
// are and which paper each comes from.
//
// Values lie in memory as callis/marshal/memory.h says, whatever the rung, so that a value can go from one to
// another.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/endian.h>
#include <cstddef>

namespace ladder {

extern const char* const kRung;  // "original", "inlining", ... "plan"

class TypeCode;  // each rung's own

// Reads a TypeCode in CDR (native order, the bytes 4-aligned); the bytes must outlive it. nullptr when the rungs do
// not know such a type: they know primitives but long double, strings, structs, sequences and arrays.
TypeCode* make_type(callis::ByteView cdr);
void drop_type(TypeCode* type);

// Appends the value to the message, in native order; alignment counts from the message's first byte. False for a null
// string, a string or sequence beyond its bound, and exhausted memory.
bool encode(const TypeCode& type, const void* value, callis::Buffer& message);
// Reads a value, from offset `from` on, into zeros. The message's first byte is 8-aligned. False for bytes that are
// no such value; then, too, the value is for free() to free.
bool decode(const TypeCode& type, void* value, callis::ByteView message, std::size_t from, callis::ByteOrder order);
// Frees what a value owns and leaves zeros where owners were. (The papers' deep_free.)
void free(const TypeCode& type, void* value);

}  // namespace ladder
