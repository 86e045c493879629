// SPDX-License-Identifier: Apache-2.0
// Walks over the state of a value that stop at members which are values. So a graph of values is walked in a loop,
// with a list of the open values. A list of values of any length needs no more of the thread's stack than one value.
//
//   Stop stop;
//   while (decode_to_value(plan, state, decoder, stop)) read_a_value_into(state + stop.offset, stop.link);
//
// Values in sequences, arrays, unions and anys of the state are no members. Their handlers (handlers.h) walk them,
// within the walk, and the decoder's levels bound their nesting.
#pragma once
#include <callis/marshal/plan.h>

namespace callis::marshal {

struct Stop {
  const void* at = nullptr;  // the place in the plan; nullptr: nothing has been walked yet
  std::size_t offset = 0;    // of the value's slot from the beginning of the state
  const void* link = nullptr;  // of the slot, as in the descriptor
};

// Each goes on behind the stop, to the next one. True: it stopped there, before the slot. False: the state has been
// walked to its end, or there is a fault. The plan is one of make_plan(). A scope of values is open (handlers.h).
bool encode_to_value(const Plan& plan, const void* state, cdr::Encoder& encoder, Stop& stop);
bool decode_to_value(const Plan& plan, void* state, cdr::Decoder& decoder, Stop& stop);
// As skip() does; a stop's offset means nothing.
bool skip_to_value(const Plan& plan, cdr::Decoder& decoder, Stop& stop);

}  // namespace callis::marshal
