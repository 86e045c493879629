// SPDX-License-Identifier: Apache-2.0
// Bytes read as an Any's TypeCode and all that follows from one: its plan, with the budget that a message of that
// size has, and a value read by it from the bytes that follow. Byte 0 is the byte order. What is accepted is the same
// as itself read once more, and a value of it is copied, compared and passed over.
#include "bombs.h"
#include "target.h"
#include <callis/base/limits.h>
#include <callis/classic/layout.h>
#include <callis/marshal/testing/costly_types.h>
#include <callis/marshal/testing/type_codes.h>
#include <callis/marshal/values.h>
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/internal/received.h>
#include <callis/typecode/typecode.h>
#include <callis/typecode/wire.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>

namespace {

using namespace callis;

void require(bool ok, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: not as it must be\n", __FILE__, line);
  std::abort();
}

std::vector<Byte> random_code(std::size_t i) {
  marshal::testing::Random random(i);
  marshal::testing::Types types;
  const marshal::Word type = random_type(types, random);
  Buffer b(64);
  cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
  const marshal::Unit unit = types.unit();
  marshal::testing::TypeCodeWriter(unit, e, random).write(type);
  e.put_ulong(1);
  e.finish();
  return {b.data(), b.data() + b.size()};
}

void try_value(const typecode::ValueType& v, cdr::Decoder& d) {
  if (v.size > 1u << 20 || v.sharing) return;
  std::vector<std::uint64_t> one(v.size / 8 + 2), two(one.size());
  const bool read = marshal::decode(*v.plan, one.data(), d);
  if (read && !v.tied) {
    require(marshal::copy(*v.plan, one.data(), two.data()) && marshal::equal(*v.plan, one.data(), two.data()));
    require(marshal::hash(*v.plan, one.data()) == marshal::hash(*v.plan, two.data()));
    marshal::destroy(*v.plan, two.data());
  }
  marshal::destroy(*v.plan, one.data());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto& families = marshal::testing::costly_families();
  fuzz::write_seeds(*argc, *argv, 3 * families.size() + 100 + fuzz::bomb_seeds(), [&](std::size_t i) {
    std::vector<Byte> code;
    if (i >= 3 * families.size() + 100) {
      const std::size_t which = i - 3 * families.size() - 100;
      code = fuzz::bomb(which);
      code.insert(code.begin(), static_cast<Byte>(fuzz::bomb_order(which)));
      return code;
    }
    if (i < 3 * families.size()) {
      static constexpr unsigned sizes[] = {3, 30, 150};
      code = marshal::testing::costly_type(families[i / 3], sizes[i % 3], static_cast<ByteOrder>(i & 1));
      code.resize((code.size() + 3) / 4 * 4 + 8);
    } else {
      code = random_code(i);
    }
    code.insert(code.begin(), static_cast<Byte>(i & 1));
    return code;
  });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  const auto order = static_cast<ByteOrder>(data[0] & 1);
  const ByteView bytes(data + 1, size - 1);
  cdr::Budget budget = cdr::Budget::of(Limits{}, size);
  const std::size_t all = budget.bytes_left;
  cdr::Decoder d(bytes, order, budget);
  const value::DecodeScope scope(d);
  std::uint32_t depth = 0;
  const CORBA::TypeCode_var t = typecode::read_type_code(d, depth);
  require((t.in() != nullptr) == d.ok());
  if (!t.in()) return;
  cdr::Budget again = cdr::Budget::of(Limits{}, size);
  cdr::Decoder second(bytes, order, again);
  const CORBA::TypeCode_var same = typecode::read_type_code(second, depth);
  require(same.in() && t->equal(same.in()) && t->equivalent(same.in()) && typecode::same_form(*t.in(), *same.in()));
  require(again.bytes_left == budget.bytes_left);
  const typecode::ValueType* const v = typecode::value_type(*t.in(), d);
  require((v != nullptr) == d.ok() && budget.bytes_left <= all);
  if (v) try_value(*v, d);
}
