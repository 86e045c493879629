// SPDX-License-Identifier: Apache-2.0
// Bytes decoded by the plan of one of 256 random types: the engine, validate() and the reference codec agree, and
// what was accepted survives being copied and encoded again.
//
//   byte 0 the type; byte 1: bit 0 the byte order, bits 1-3 the phase; then the message
#include "target.h"
#include <callis/marshal/testing/reference_reader.h>
#include <callis/marshal/values.h>
#include <cstdlib>
#include <memory>

namespace {

using namespace callis;
using namespace callis::marshal;
using marshal::testing::Bytes;
using marshal::testing::Random;

struct Type {
  marshal::testing::Types types;
  Word type;
  std::shared_ptr<const Plan> plan;
};
const Type& type(std::size_t i) {
  static std::unique_ptr<Type> all[256];
  if (!all[i]) {
    all[i] = std::make_unique<Type>();
    Random random(i);
    all[i]->type = random_type(all[i]->types, random);
    all[i]->plan = make_plan(all[i]->types.unit(), all[i]->type);
  }
  return *all[i];
}

void require(bool ok) {
  if (!ok) std::abort();
}

class Value {
 public:
  explicit Value(const Plan& plan) : plan_(plan), memory_(native_size(plan) / 16 + 1) {}
  ~Value() { destroy(plan_, data()); }
  Byte* data() { return reinterpret_cast<Byte*>(memory_.data()); }

 private:
  struct alignas(16) Chunk { Byte b[16] = {}; };
  const Plan& plan_;
  std::vector<Chunk> memory_;
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  callis::fuzz::write_seeds(*argc, *argv, 256, [](std::size_t i) {
    const Type& t = type(i);
    const Unit unit = t.types.unit();
    Random random(i);
    Value v(*t.plan);
    marshal::testing::random_value(unit, t.type, v.data(), random);
    marshal::testing::ReferenceWriter writer(unit, static_cast<ByteOrder>(i & 1), i >> 1 & 7);
    writer.value(t.type, v.data());
    Bytes b = {static_cast<Byte>(i), static_cast<Byte>(i & 15)};
    b.insert(b.end(), writer.out.begin(), writer.out.end());
    return b;
  });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return;
  const Type& t = type(data[0]);
  const Unit unit = t.types.unit();
  const auto order = static_cast<ByteOrder>(data[1] & 1);
  const std::size_t phase = data[1] >> 1 & 7;
  const ByteView bytes(data + 2, size - 2);
  const cdr::Budget budget{4 * size + 10000, 64};

  cdr::Budget mine = budget, theirs = budget;
  cdr::Decoder d(bytes, order, mine, phase), e(bytes, order, theirs, phase);
  Value v(*t.plan), expected(*t.plan);
  const bool accepted = decode(*t.plan, v.data(), d);
  marshal::testing::ReferenceReader reader(unit, {{bytes, phase}}, order, budget);
  require(accepted == reader.value(t.type, expected.data()));
  require(accepted == validate(*t.plan, e));
  if (!accepted) return;
  require(marshal::testing::same_value(unit, t.type, v.data(), expected.data()));
  require(d.remaining() == reader.remaining() && d.remaining() == e.remaining());
  require(mine.bytes_left == reader.budget().bytes_left && mine.bytes_left == theirs.bytes_left);

  Value copied(*t.plan);
  require(copy(*t.plan, v.data(), copied.data()) && equal(*t.plan, v.data(), copied.data()));
  Buffer buffer(64);
  cdr::Encoder encoder(buffer, order);
  require(encode(*t.plan, copied.data(), encoder));
  encoder.finish();
  marshal::testing::ReferenceWriter writer(unit, order, 0);
  writer.value(t.type, v.data());
  require(Bytes(buffer.data(), buffer.data() + buffer.size()) == writer.out);
}
