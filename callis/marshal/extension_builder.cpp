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
  if (!linked) program_.links.push_back(nullptr);
  push(Op::Slot, offset, linked ? link_index(r) : narrow(program_.links.size() - 1),
       static_cast<std::uint32_t>(r.kind));
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
  const std::uint32_t index = narrow(program_.unions.size());
  const std::uint32_t check = d.kind == Kind::Boolean ? kBoolean : d.kind == Kind::Enum ? d.payload : kNoCheck;
  program_.unions.push_back({d.kind, static_cast<std::uint8_t>(tag.size), facts(type).variable, true, check,
                             narrow(align_up(tag.size, area.alignment)), narrow(area.size), 0, view.label_count(),
                             kNoBlock});
  shared_unions_.put(type, index);
  Array<std::uint32_t> blocks(work_);
  WordMap known(work_);
  for (Word i = 0; i < view.member_count(); ++i) {
    std::uint32_t b = known.find(view.member(i));
    if (b == WordMap::kNone) known.put(view.member(i), b = value_block(view.member(i)));
    blocks.push_back(b);
  }
  // Members may have made unions of their own.
  UnionPlan& u = program_.unions[index];
  if (view.default_member() != kNoDefault) u.otherwise = blocks[view.default_member()];
  u.first_label = narrow(program_.labels.size());
  const std::uint64_t mask = u.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * u.size)) - 1;
  for (Word i = 0; i < u.labels; ++i) {
    program_.labels.push_back({view.label(i) & mask, blocks[view.selected(i)]});
    u.dense = u.dense && program_.labels.back().value - program_.labels[u.first_label].value == i;
  }
  return index;
}

}  // namespace callis::marshal
