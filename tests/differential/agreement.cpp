// SPDX-License-Identifier: Apache-2.0
#include "agreement.h"
#include "small_orb.h"
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/values.h>

namespace differential {

using namespace callis;

bool faults_agree(Fault reference, Fault other) {
  const auto checked_late = [](Fault f) { return f == Fault::BadBoolean || f == Fault::BadEnum; };
  return reference == other || (checked_late(reference) && (other == Fault::Truncated || checked_late(other)));
}

namespace {

std::string compare(const Outcome& expected, const Outcome& got, Tally& tally) {
  if ((expected.fault == Fault::None) != (got.fault == Fault::None) || !faults_agree(expected.fault, got.fault))
    return std::string("says ") + fault_name(got.fault) + ", the reference " + fault_name(expected.fault);
  if (expected.fault != Fault::None) {
    tally.other_fault += expected.fault != got.fault;
    return {};
  }
  if (!got.same) return "decodes another value";
  if (got.remaining != expected.remaining) return "stops at another byte";
  if (got.budget.bytes_left != expected.budget.bytes_left)
    return "leaves " + std::to_string(got.budget.bytes_left) + " bytes of the budget, the reference " +
           std::to_string(expected.budget.bytes_left);
  if (got.budget.depth_left != expected.budget.depth_left) return "does not leave as deep as it entered";
  if (got.reply != expected.reply) return "encodes other bytes";
  return {};
}

// What copy(), equal() and hash() say of each other.
std::string copies(const marshal::Unit& unit, marshal::Word type, const marshal::Plan& plan, Value& value) {
  Value copy(marshal::native_size(plan));
  std::string what;
  if (!marshal::copy(plan, value.data(), copy.data()) ||
      !marshal::testing::same_value(unit, type, value.data(), copy.data(), &references()))
    what += "  copy() makes another value\n";
  if (!marshal::equal(plan, value.data(), copy.data())) what += "  equal() finds the copy different\n";
  if (marshal::hash(plan, value.data()) != marshal::hash(plan, copy.data()))
    what += "  hash() is another for the copy\n";
  marshal::destroy(plan, copy.data());
  return what;
}

}  // namespace

std::string disagreement(const marshal::Unit& unit, marshal::Word type, const marshal::Plan& plan,
                         const Operation* operation, const Message& m, Tally& tally) {
  Value value(marshal::native_size(plan));
  const Outcome expected = by_reference(unit, type, m, value.data());
  const Compare same = [&](const void* v) {
    return marshal::testing::same_value(unit, type, value.data(), static_cast<const Byte*>(v), &references());
  };
  if (expected.fault == Fault::None) ++tally.accepted;
  else ++tally.rejected;
  ++tally.faults[expected.fault];
  std::string what;
  const auto check = [&](const char* coder, const Outcome& got) {
    if (const std::string why = compare(expected, got, tally); !why.empty())
      what += std::string("  ") + coder + ' ' + why + '\n';
  };
  check("the engine", by_plan(plan, m, same));
  if (operation) {
    check("the compiled skeleton", operation->by_compiled(m, same, false));
    check("the compiled skeleton, inout,", operation->by_compiled(m, same, true));
    check("the interpreted skeleton", operation->by_frame(m, same, false));
    check("the interpreted skeleton, inout,", operation->by_frame(m, same, true));
  }
  Outcome validated = by_validate(plan, m);
  validated.reply = expected.reply;
  check("validate()", validated);
  if (expected.fault == Fault::None) {
    Outcome skipped = by_skip(plan, m);
    skipped.reply = expected.reply;
    check("skip()", skipped);
    what += copies(unit, type, plan, value);
  }
  marshal::destroy(plan, value.data());
  return what;
}

}  // namespace differential
