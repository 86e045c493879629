// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/values.h>

namespace callis::marshal {

namespace {

class SlotWalk final : public Walker {
 public:
  SlotWalk(const Plan& plan, SlotVisitor visitor, void* context)
      : Walker(plan), visitor_(visitor), context_(context) {}

 private:
  bool primitives(Place, std::uint32_t, std::uint32_t, std::uint32_t) override { return true; }
  bool long_double(Place) override { return true; }
  bool string(Place, std::uint32_t) override { return true; }
  bool reference(Place, const void*) override { return true; }
  bool wchar(Place) override { return true; }
  bool wstring(Place, std::uint32_t) override { return true; }
  bool fixed(Place, std::uint32_t, std::uint32_t) override { return true; }
  bool run(const Run&, Place) override { return true; }
  bool slot(Place at, const SlotHandlers& handlers, const void* link) override {
    visitor_(context_, at.to(), handlers, link);
    return true;
  }
  bool sequence(Place at, const Shape& shape, std::uint32_t& n, Place& elements) override {
    const auto s = read<SequenceHeader>(at.from(), 0);
    n = shape.owns && s.buffer ? s.length : 0;
    elements = place(s.buffer, s.buffer);
    return true;
  }

  const SlotVisitor visitor_;
  void* const context_;
};

}  // namespace

void each_slot(const Plan& plan, void* value, SlotVisitor visitor, void* context) {
  if (plan.owns) SlotWalk(plan, visitor, context).walk(Walker::place(value, value));
}

}  // namespace callis::marshal
