// SPDX-License-Identifier: Apache-2.0
// The part of plans that every program has, whoever made the plans.
#include <callis/marshal/internal/program.h>
#include <mutex>

namespace callis::marshal {

namespace {

ReferenceHandlers g_handlers{};

}  // namespace

const char plan_tables_form_1 = 0;

void set_reference_handlers(const ReferenceHandlers& handlers) noexcept { g_handlers = handlers; }
const ReferenceHandlers& reference_handlers() noexcept { return g_handlers; }

bool is_flat(const Plan& plan) noexcept {
  return plan.flat ? flat_part(plan)->checks == 0 : plan.way() == Way::Nothing;
}
std::size_t flat_bytes(const Plan& plan) noexcept { return plan.flat ? flat_part(plan)->wire_bytes : 0; }

std::size_t native_size(const Plan& plan) { return plan.size; }
std::size_t native_alignment(const Plan& plan) { return std::size_t{1} << plan.log2_alignment; }
std::size_t minimum_wire_size(const Plan& plan) { return plan.minimum_wire; }
std::size_t memory_bytes(const Plan& plan) {
  return sizeof(Program) + sizeof(Plan) + bytes_of_tables(*plan.program);
}

}  // namespace callis::marshal
