// SPDX-License-Identifier: Apache-2.0
// The last rung: callis's engine. A TypeCode becomes a plan; the functions run it.
#include <callis/marshal/plan.h>
#include <callis/marshal/type_description.h>
#include <limits>
#include "../ladder.h"

namespace ladder {

using callis::cdr::Budget;
using callis::cdr::Decoder;

class TypeCode {
 public:
  std::shared_ptr<const callis::marshal::Plan> plan;
};

TypeCode* make_type(callis::ByteView cdr) {
  Budget budget{std::numeric_limits<std::size_t>::max(), 64};
  Decoder decoder(cdr, callis::kNativeOrder, budget);
  const auto described = callis::marshal::read_type_code(decoder);
  auto plan = described ? callis::marshal::make_plan(described->unit(), described->type()) : nullptr;
  return plan ? new TypeCode{std::move(plan)} : nullptr;
}
void drop_type(TypeCode* type) { delete type; }

bool encode(const TypeCode& type, const void* value, callis::Buffer& message) {
  callis::cdr::Encoder encoder(message);
  return callis::marshal::encode(*type.plan, value, encoder);
}

// The same allowance that the other rungs give: a message's memory is bounded by its bytes alone.
bool decode(const TypeCode& type, void* value, callis::ByteView message, std::size_t from, callis::ByteOrder order) {
  if (from > message.size()) return false;
  Budget budget{std::numeric_limits<std::size_t>::max(), 64};
  Decoder decoder(message.subspan(from), order, budget, from & 7);
  return callis::marshal::decode(*type.plan, value, decoder);
}

void free(const TypeCode& type, void* value) { callis::marshal::destroy(*type.plan, value); }

}  // namespace ladder
