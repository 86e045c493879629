// SPDX-License-Identifier: Apache-2.0
// Work with values by their plan, besides encoding, decoding and destroying them. The plans are made by make_plan();
// memory is laid out as memory.h says. Each function is an object file of its own: a program links what it calls.
//
// Floating point numbers are compared and hashed by their bits, so that equal() and hash() agree: 0.0 and -0.0
// differ, a NaN equals itself. References are the same when they are the same pointer, which copies are.
#pragma once
#include <callis/marshal/handlers.h>
#include <callis/marshal/plan.h>
#include <span>

namespace callis::marshal {

// Reads the value that follows and keeps nothing of it, by all rules of decode(): accepts the same messages, moves
// the decoder as far, and charges its budget as much. Where a message breaks several rules the fault may be another.
bool validate(const Plan& plan, cdr::Decoder& decoder);
// Moves the decoder behind the value that follows. Checks what is needed to find its end: counts, lengths, bounds,
// budget and nesting, and object references; not booleans, enums and the characters of strings.
bool skip(const Plan& plan, cdr::Decoder& decoder);

// A deep copy into memory that holds zeros. False when memory is exhausted; zeros again then. Bytes between members
// are not copied where that would take time.
bool copy(const Plan& plan, const void* from, void* to);

bool equal(const Plan& plan, const void* a, const void* b);

// Equal values have equal hashes for the same seed, in one process. No defence against those who know the seed.
std::uint64_t hash(const Plan& plan, const void* value, std::uint64_t seed = 0);

// Calls the visitor for each slot in the value: anys, TypeCodes, values and abstract interfaces, those in sequences
// and unions too, but not those within what a slot holds. The visitor may change the slot.
void each_slot(const Plan& plan, void* value, SlotVisitor visitor, void* context);

// The value as text for people, by its descriptor, which knows more than a plan: {1, 'c', "text", [2.5, 3], #0}.
// Members by position; enums by number; characters that do not print as \xNN. Writes at most room.size() characters
// with the final NUL, and "..." at the end of what is cut off. Returns the characters written, without the NUL.
std::size_t print(const Unit& unit, Word type, const void* value, std::span<char> room);

}  // namespace callis::marshal
