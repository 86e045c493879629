// SPDX-License-Identifier: Apache-2.0
// Custom values' streams: whatever is no plain primitive goes by the plan of its kind, as a member of a struct would.
#include <callis/marshal/plan.h>
#include <callis/value/internal/custom_streams.h>
#include <callis/value/wire.h>
#include <atomic>
#include <cstring>
#include <memory>

namespace callis::value {
namespace {

using marshal::Kind;
using marshal::SequenceHeader;
using marshal::Word;

constexpr std::size_t kKinds = 64;

const marshal::Plan& plan_of_kind(Kind kind) {
  static std::atomic<const std::shared_ptr<const marshal::Plan>*> plans[kKinds];
  auto& cell = plans[static_cast<std::size_t>(kind)];
  if (const auto* known = cell.load(std::memory_order_acquire)) return **known;
  static constexpr Word kNone[1] = {};
  const bool linked = kind == Kind::ObjRef || kind == Kind::Abstract;
  auto made = std::make_unique<const std::shared_ptr<const marshal::Plan>>(marshal::make_plan(
      {kNone, "", nullptr, nullptr, &marshal::kExtension}, type_word(kind, linked ? marshal::kNoLink : 0)));
  if (!*made) classic::throw_no_memory();
  const std::shared_ptr<const marshal::Plan>* expected = nullptr;
  if (cell.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return **made.release();
  return **expected;
}

[[noreturn]] void refuse(Fault f) { classic::raise<CORBA::MARSHAL>(0, CORBA::COMPLETED_NO, fault_name(f)); }

}  // namespace

void CustomOutput::check() const {
  if (e_.fault() != Fault::None) refuse(e_.fault());
}

void CustomOutput::slot(Kind kind, const void* at) {
  (void)marshal::encode(plan_of_kind(kind), at, e_);
  check();
}

void CustomOutput::write_Value(CORBA::ValueBase* value) {
  put_value(e_, value, nullptr);
  check();
}

void CustomOutput::array(Kind kind, std::size_t size, const void* sequence, CORBA::ULong offset,
                         CORBA::ULong length) {
  const auto& h = *static_cast<const SequenceHeader*>(sequence);
  if (offset > h.length || length > h.length - offset)
    classic::throw_bad_param("an array beyond the sequence's length");
  for (CORBA::ULong i = 0; i < length; ++i)
    slot(kind, static_cast<const Byte*>(h.buffer) + (std::size_t{offset} + i) * size);
}

void CustomInput::check() const {
  if (!d_.ok()) refuse(d_.fault());
}

void CustomInput::slot(Kind kind, void* at) {
  const marshal::Plan& plan = plan_of_kind(kind);
  if (marshal::decode(plan, at, d_)) return;
  marshal::destroy(plan, at);
  check();
}

CORBA::Any* CustomInput::read_any() {
  void* const any = marshal::value_allocate(sizeof(marshal::AnySlot));
  if (!any) classic::throw_no_memory();
  try {
    slot(Kind::Any, any);
  } catch (...) {
    marshal::value_free(any);
    throw;
  }
  return static_cast<CORBA::Any*>(any);
}

CORBA::ValueBase* CustomInput::read_Value() {
  CORBA::ValueBase* const value = get_value(d_, nullptr);
  check();
  return value;
}

void CustomInput::array(Kind kind, std::size_t size, void* sequence, CORBA::ULong offset, CORBA::ULong length) {
  auto& h = *static_cast<SequenceHeader*>(sequence);
  const std::uint64_t end = std::uint64_t{offset} + length;
  // An element has at least one byte on the wire.
  if (length > d_.remaining() || end > UINT32_MAX) d_.set_fault(Fault::BadCount);
  if (end > h.length && d_.ok()) (void)d_.charge(static_cast<std::uint32_t>(end - h.length), size);
  check();
  if (end > h.maximum || !h.release || !h.buffer) {
    const auto n = static_cast<std::uint32_t>(end > h.length ? end : h.length);
    // Elements move bitwise; those that are somebody else's are copied, which is enough for all but anys.
    if (!h.release && kind == Kind::Any && h.length != 0)
      classic::throw_bad_param("an array into a sequence of anys that does not own its buffer");
    void* const buffer = marshal::buffer_allocate(n, size);
    if (!buffer) classic::throw_no_memory();
    const std::size_t old_bytes = h.length * size;
    if (old_bytes) std::memcpy(buffer, h.buffer, old_bytes);
    std::memset(static_cast<Byte*>(buffer) + old_bytes, 0, n * size - old_bytes);
    if (h.release) marshal::buffer_free(h.buffer);
    h = {n, h.length, buffer, true};
  }
  if (end > h.length) h.length = static_cast<std::uint32_t>(end);
  for (CORBA::ULong i = 0; i < length; ++i)
    slot(kind, static_cast<Byte*>(h.buffer) + (std::size_t{offset} + i) * size);
}

}  // namespace callis::value
