// SPDX-License-Identifier: Apache-2.0
// Plans of types that a program learns of at run time: of TypeCodes, and of values in Anys.
#include <callis/marshal/internal/extension.h>
#include <algorithm>

namespace callis::marshal {

namespace {

struct TypeStorage {
  Program program;
  Array<Word> tables;
  Array<const void*> links;
  Plan plan;
};

Way way_of(const Unit& unit, Word type, Work* work) {
  return unit.extension && holds(unit, type, kSharing, work) ? Way::Scoped : Way::Walk;
}

}  // namespace

std::shared_ptr<const Plan> make_plan(const Unit& unit, Word type, Work* work) try {
  if (work) work->take(sizeof(TypeStorage));
  auto s = std::make_shared<TypeStorage>();
  Builder b(unit, true);
  if (work) {
    b.charge_to(*work);
    s->links.charge_to(work);
  }
  const Resolved r = resolve(unit, type);
  constexpr Uses kUses = kEncodes | kDecodes;
  const std::uint32_t block =
      r.kind == Kind::Exception ? b.exception_block(r.entry, kUses) : b.value_block(type, kUses);
  const TypeFacts f = b.facts(type);
  const Way way = way_of(unit, type, work);
  s->tables = b.finish();
  s->links.resize_exactly(b.links().size());
  std::copy(b.links().begin(), b.links().end(), s->links.begin());
  // They stay charged, and are the plan's from now on.
  s->tables.charge_to(nullptr);
  s->links.charge_to(nullptr);
  s->program = {s->tables.data(), s->links.data(), unit.extension};
  s->plan = plan_of(b, s->program, block, f.layout, f.variable, way);
  s->plan.minimum_wire = narrow(f.minimum_wire);
  return {s, &s->plan};
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace callis::marshal
