// SPDX-License-Identifier: Apache-2.0
// Flat plans (plan.h): moves between memory and the body of a message, and nothing else.
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/program.h>

CALLIS_PROVIDE(flat_plans);

namespace callis::marshal {

[[gnu::hot]] void decode_flat(const Plan& plan, void* memory, const Byte* from) noexcept {
  if (const Part* const v = flat_part(plan)) (void)get_moves(v->decode, from, static_cast<Byte*>(memory));
}

[[gnu::hot]] void encode_flat(const Plan& plan, const void* memory, Byte* to) noexcept {
  if (const Part* const v = flat_part(plan)) (void)put_moves(v->encode, to, static_cast<const Byte*>(memory));
}

}  // namespace callis::marshal
