// SPDX-License-Identifier: Apache-2.0
// Flat plans (plan.h): moves between memory and the body of a message, and nothing else.
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/program.h>

CALLIS_PROVIDE(flat_plans);

namespace callis::marshal {

bool is_flat(const Plan& plan) noexcept {
  const Variant* const v = plan.flat[0];
  return v ? v->checks == 0 : plan.way == Way::Nothing;
}

std::size_t flat_bytes(const Plan& plan) noexcept {
  const Variant* const v = plan.flat[0];
  return v ? v->wire_bytes : 0;
}

void note_flat(OperationPlans& plans) noexcept {
  if (plans.oneway) return;
  plans.client_is_flat = is_flat(*plans.client_request) && is_flat(*plans.client_reply);
  plans.server_is_flat =
      is_flat(*plans.server_request) && is_flat(*plans.server_reply) && !plans.server_frame_owns;
  plans.flat_request_bytes = static_cast<std::uint32_t>(flat_bytes(*plans.server_request));
  plans.flat_reply_bytes = static_cast<std::uint32_t>(flat_bytes(*plans.server_reply));
}

[[gnu::hot]] void decode_flat(const Plan& plan, void* memory, const Byte* from) noexcept {
  if (const Variant* const v = plan.flat[0]) (void)get_moves(v->decode[0], from, static_cast<Byte*>(memory));
}

[[gnu::hot]] void encode_flat(const Plan& plan, const void* memory, Byte* to) noexcept {
  if (const Variant* const v = plan.flat[0]) (void)put_moves(v->encode[0], to, static_cast<const Byte*>(memory));
}

}  // namespace callis::marshal
