// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/memory.h>

namespace callis::marshal {

bool Walker::run(const Run& run, Place at) {
  const Item* item = run.item();
  for (std::uint32_t i = 0; i < run.items; ++i, ++item)
    if (!primitives(at.plus(item->native), item->bytes >> item->log2_size(), item->size(), item->check))
      return false;
  return true;
}

bool Walker::elements(const Instruction& i, Place at, std::uint32_t n) {
  const bool strings = i.op == Op::SeqString;
  const Element* const e = strings ? nullptr : &p_.at<Element>(i.b);
  if (i.op == Op::SeqPrim) return n == 0 || primitives(at, n, e->wire_size(), e->check);
  const bool nested = strings || e->owns();
  if (nested && !enter()) return false;
  ++within_;
  bool ok = true;
  for (; n != 0 && ok; --n) {
    if (strings) ok = string(at, i.b);
    else if (i.op == Op::SeqFixed || i.op == Op::ArrFixed) ok = run(p_.at<Run>(e->run), at);
    else ok = block(code(p_, e->block), at);
    at = at.plus(strings ? sizeof(char*) : e->native_size);
  }
  --within_;
  if (nested) leave();
  return ok;
}

bool Walker::any_sequence(const Instruction& i, Place at) {
  Shape shape{i.a, sizeof(char*), 5, true};
  if (i.op != Op::SeqString) {
    const Element& e = p_.at<Element>(i.b);
    shape = {i.a, e.native_size, e.minimum_wire, e.owns()};
  }
  std::uint32_t n = 0;
  Place first{};
  return sequence(at, shape, n, first) && (n == 0 || elements(i, first, n));
}

bool Walker::discriminator(Place at, const UnionPlan& u, std::uint64_t& value) {
  value = marshal::discriminator(u, at.from());
  return u.discriminator() == Kind::WChar ? wchar(at) : primitives(at, 1, u.size(), u.check);
}

bool Walker::one_of(const UnionPlan& u, Place at) {
  std::uint64_t value = 0;
  if (!discriminator(at, u, value) || !enter()) return false;
  const std::uint32_t member = selected_block(p_, u, value);
  ++within_;
  const bool ok = member == kNoBlock || block(code(p_, member), at.plus(u.area));
  --within_;
  leave();
  return ok;
}

bool Walker::any_slot(const Instruction& i, Place at) {
  if (&i == stop_ && within_ == 0) return false;
  const SlotHandlers* const h = slot_handlers(static_cast<Kind>(i.b));
  return h ? slot(at, *h, p_.link(i.a)) : no_handlers();
}

bool Walker::block(const Instruction* i, Place at) {
  for (;; ++i) {
    const Place here = at.plus(i->offset);
    bool ok = false;
    switch (i->op) {
      case Op::End: return true;
      case Op::R1: case Op::R2: case Op::R4: case Op::R8:
        ok = primitives(here, 1, 1u << (static_cast<unsigned>(i->op) - static_cast<unsigned>(Op::R1)), kNoCheck);
        break;
      case Op::Char: ok = primitives(here, 1, 1, kNoCheck); break;
      case Op::Run: ok = run(p_.at<Run>(i->a), at); break;
      case Op::LongDouble: ok = long_double(here); break;
      case Op::String: ok = string(here, i->a); break;
      case Op::WChar: ok = wchar(here); break;
      case Op::WString: ok = wstring(here, i->a); break;
      case Op::Fixed: ok = fixed(here, i->a, i->b); break;
      case Op::Slot: ok = any_slot(*i, here); break;
      case Op::Union: ok = one_of(p_.at<UnionPlan>(i->a), here); break;
      case Op::Reference: ok = reference(here, p_.link(i->a)); break;
      case Op::SeqPrim: case Op::SeqFixed: case Op::SeqString: case Op::SeqVar: ok = any_sequence(*i, here); break;
      case Op::ArrFixed: case Op::ArrVar: ok = elements(*i, here, i->a); break;
      case Op::Base: case Op::New: case Op::Frame: case Op::Borrow: break;  // not in plans of values
    }
    if (!ok) return false;
  }
}

}  // namespace callis::marshal
