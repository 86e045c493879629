// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/wire_walk.h>
#include <callis/marshal/stops.h>

namespace callis::marshal {

namespace {

struct Stretch {
  const Instruction *first, *end;  // end: the slot of a value, or the block's End

  Stretch(const Plan& plan, const Stop& stop)
      : first(stop.at ? static_cast<const Instruction*>(stop.at) + 1 : code(*plan.program, plan.block)),
        end(first) {
    while (end->op != Op::End && !at_value()) ++end;
  }
  bool at_value() const { return end->op == Op::Slot && static_cast<Kind>(end->b) == Kind::Value; }
  // Nothing has been walked, and there is no value to stop at.
  bool is_all(const Stop& stop) const { return !stop.at && !at_value(); }

  bool walked(const Plan& plan, Stop& stop) const {
    if (!at_value()) return false;
    stop = {end, end->offset, plan.program->link(end->a)};
    return true;
  }
};

}  // namespace

bool encode_to_value(const Plan& plan, const void* state, cdr::Encoder& e, Stop& stop) {
  const Stretch part(plan, stop);
  if (part.is_all(stop)) return (void)encode(plan, state, e), false;
  return encode_part(*plan.program, part.first, part.end, state, e) && part.walked(plan, stop);
}

bool decode_to_value(const Plan& plan, void* state, cdr::Decoder& d, Stop& stop) {
  const Stretch part(plan, stop);
  if (part.is_all(stop)) return (void)decode(plan, state, d), false;
  return d.ok() && decode_part(*plan.program, part.first, part.end, state, d) && part.walked(plan, stop);
}

bool skip_to_value(const Plan& plan, cdr::Decoder& d, Stop& stop) {
  const Stretch part(plan, stop);
  return d.ok() && skip_part(plan, part.first, part.end, d) && part.walked(plan, stop);
}

}  // namespace callis::marshal
