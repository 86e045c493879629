// SPDX-License-Identifier: Apache-2.0
// One value of a plan, encoded and decoded by itself. This is only for tests.
#pragma once
#include <callis/base/buffer.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/testing/reference_codec.h>
#include <gtest/gtest.h>

namespace callis::marshal::testing {

inline cdr::Budget plenty() { return {1u << 30, 64}; }

// Aligned zeroed memory for one value; destroys it.
inline std::vector<const Instruction*> all(const Plan& plan, Op op) {
  std::vector<const Instruction*> found;
  for (Word k = 0; k < instructions(*plan.program); ++k) {
    const Instruction& i = first_instruction(*plan.program)[k];
    if (i.op == op) found.push_back(&i);
  }
  return found;
}
// These return the part to which the plan's first instruction of a kind refers.
inline const Run& run_of(const Plan& plan) { return plan.program->at<Run>(all(plan, Op::Run).at(0)->a); }
inline const Run& element_run_of(const Plan& plan, Op op = Op::SeqFixed) {
  return plan.program->at<Run>(plan.program->at<Element>(all(plan, op).at(0)->b).run);
}
inline const UnionPlan& union_of(const Plan& plan) {
  return plan.program->at<UnionPlan>(all(plan, Op::Union).at(0)->a);
}

class Value {
 public:
  explicit Value(const Plan& plan) : plan_(plan), memory_(native_size(plan) / 16 + 1) {}
  ~Value() { destroy(plan_, data()); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  Byte* data() { return reinterpret_cast<Byte*>(memory_.data()); }

 private:
  struct alignas(16) Chunk { Byte b[16] = {}; };
  const Plan& plan_;
  std::vector<Chunk> memory_;
};

inline Bytes encoded(const Plan& plan, Value& v, ByteOrder order, std::size_t phase = 0, Fault* fault = nullptr,
                     cdr::WideForm form = cdr::WideForm::Octets, cdr::CharForm chars = cdr::CharForm::AsIs) {
  Buffer b;
  b.set_size(0);
  const Byte zeros[8] = {};
  EXPECT_TRUE(b.append({zeros, phase}));
  cdr::Encoder e(b, order);
  e.set_text({form, chars});
  const bool ok = encode(plan, v.data(), e);
  e.finish();
  if (fault) *fault = e.fault();
  else EXPECT_TRUE(ok) << fault_name(e.fault());
  return {b.data() + phase, b.data() + b.size()};
}

inline Fault decoded(const Plan& plan, Value& v, const Bytes& bytes, ByteOrder order, std::size_t phase = 0,
                     cdr::Budget budget = plenty(), cdr::WideForm form = cdr::WideForm::Octets,
                     cdr::CharForm chars = cdr::CharForm::AsIs) {
  cdr::Decoder d(bytes, order, budget, phase);
  d.set_text({form, chars});
  const bool ok = decode(plan, v.data(), d);
  EXPECT_EQ(ok, d.ok());
  return d.fault();
}

}  // namespace callis::marshal::testing
