// SPDX-License-Identifier: Apache-2.0
// Instructions of the kinds that not every program uses.
#include <callis/base/bytes.h>
#include <callis/marshal/internal/extension.h>

namespace callis::marshal {

void Builder::emit_extended(Builder& to, const Resolved& r, Word type, std::uint32_t offset) {
  PhaseSet after = kAnyPhase;
  switch (r.kind) {
    case Kind::Fixed:
      to.push(Op::Fixed, offset, r.payload & 0xff, r.payload >> 8);
      after = rotate(to.block().phases, (r.payload & 0xff) / 2 + 1);
      break;
    case Kind::WChar: to.push(Op::WChar, offset); break;
    case Kind::WString: to.push(Op::WString, offset, to.string_bound(r)); break;
    case Kind::Union: to.emit_union(type, offset); break;
    default: to.emit_slot(r, offset); break;
  }
  to.block().phases = after;
}

void Builder::emit_slot(const Resolved& r, std::uint32_t offset) {
  const bool linked = r.kind == Kind::Value || r.kind == Kind::Abstract;
  push(Op::Slot, offset, linked ? link_index(r) : kNoLink, static_cast<std::uint32_t>(r.kind));
}

void Builder::emit_union(Word type, std::uint32_t offset) {
  push(Op::Union, offset, make_union(type));
}

// Registered before its members are built, as elements are. Members of the same type share a block.
std::uint32_t Builder::make_union(Word type) {
  if (const Word known = shared_unions_.find(type); known != WordMap::kNone) return known;
  const UnionView view{unit_.words + payload_of(type)};
  const Resolved d = resolve(unit_, view.discriminator());
  const Layout area = member_area(unit_, view, &memo_), tag = facts(view.discriminator()).layout;
  const std::uint32_t index = narrow(draft_.unions.size());
  draft_.unions.push_back({static_cast<std::uint32_t>(d.kind) | narrow(tag.size) << 8 |
                               (facts(type).variable ? UnionPlan::kOwns : 0),
                           check_of(d), narrow(align_up(tag.size, area.alignment)), narrow(area.size), 0,
                           view.label_count(), kNoBlock});
  draft_.union_uses.push_back(kNoUse);
  shared_unions_.put(type, index);
  Array<std::uint32_t> blocks(work_);
  WordMap known(work_);
  for (Word i = 0; i < view.member_count(); ++i) {
    std::uint32_t b = known.find(view.member(i));
    if (b == WordMap::kNone) known.put(view.member(i), b = value_block(view.member(i), kNoUse));
    blocks.push_back(b);
  }
  // Members may have made unions of their own.
  UnionPlan& u = draft_.unions[index];
  if (view.default_member() != kNoDefault) u.otherwise = blocks[view.default_member()];
  u.first_label = narrow(draft_.labels.size());
  const std::uint64_t mask = u.size() == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * u.size())) - 1;
  bool dense = true;
  for (Word i = 0; i < u.labels; ++i) {
    const std::uint64_t value = view.label(i) & mask;
    draft_.labels.push_back({static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32),
                             blocks[view.selected(i)]});
    dense = dense && value - draft_.labels[u.first_label].value() == i;
  }
  if (dense) u.form |= UnionPlan::kDense;
  return index;
}

}  // namespace callis::marshal
