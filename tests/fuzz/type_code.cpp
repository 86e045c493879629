// SPDX-License-Identifier: Apache-2.0
// Bytes read as a TypeCode; byte 0 is the byte order. What is accepted gives a plan within the limits, and zeros are
// a value of it.
#include "target.h"
#include <callis/marshal/testing/type_codes.h>
#include <callis/marshal/type_description.h>
#include <callis/marshal/values.h>
#include <cstdlib>

using namespace callis;
using namespace callis::marshal;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  callis::fuzz::write_seeds(*argc, *argv, 200, [](std::size_t i) {
    marshal::testing::Random random(i);
    marshal::testing::Types types;
    const Word type = random_type(types, random);
    const Unit unit = types.unit();
    Buffer b(64);
    cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
    marshal::testing::TypeCodeWriter(unit, e, random).write(type);
    e.finish();
    std::vector<Byte> bytes = {static_cast<Byte>(i & 1)};
    bytes.insert(bytes.end(), b.data(), b.data() + b.size());
    return bytes;
  });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d({data + 1, size - 1}, static_cast<ByteOrder>(data[0] & 1), budget);
  const auto t = read_type_code(d);
  if ((t != nullptr) != d.ok()) std::abort();
  if (!t || kind_of(t->type()) == Kind::Void) return;
  const auto plan = make_plan(t->unit(), t->type());
  if (native_size(*plan) > kMaxNativeTypeBytes || native_size(*plan) > 1u << 16) return;
  std::vector<std::uint64_t> zeros(native_size(*plan) / 8 + 2), more(zeros.size());
  if (!copy(*plan, zeros.data(), more.data()) || !equal(*plan, zeros.data(), more.data())) std::abort();
  destroy(*plan, zeros.data());
  destroy(*plan, more.data());
}
