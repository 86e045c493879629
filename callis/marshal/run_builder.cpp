// SPDX-License-Identifier: Apache-2.0
// Runs: neighbouring scalars become moves and shuffles, a variant for each phase that a message may stand at.
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/internal/vector.h>
#include <algorithm>
#include <cstring>
#include <utility>

namespace callis::marshal {
namespace {

std::uint8_t log2_of(std::size_t size) { return static_cast<std::uint8_t>(__builtin_ctzll(size)); }

}  // namespace

void Builder::add_scalar(const Resolved& scalar, std::uint32_t offset, std::uint32_t count) {
  Block& b = block();
  const std::size_t size = run_size(scalar.kind);
  const std::uint32_t check = check_of(scalar);
  const std::uint32_t slot = b.place == kOwned ? kNoSlot : b.place;
  const std::uint32_t bytes = narrow(size * count);
  const std::uint32_t form = log2_of(size) | (scalar.kind == Kind::Char ? 1u << 8 : 0);
  if (!b.pending.empty()) {
    Item& last = b.pending.back();
    if (last.form == form && last.slot == slot && last.check == check && last.native + last.bytes == offset) {
      last.bytes += bytes;
      return;
    }
  }
  b.pending.push_back({slot, offset, bytes, check, form});
}

void Builder::flush_run() {
  Block& b = block();
  if (b.uses == kDestroys) b.pending.clear();
  if (b.pending.empty()) return;
  const Array<Item> items = std::move(b.pending);
  const Item& first = items.front();
  const bool in_place =
      std::any_of(items.begin(), items.end(), [](const Item& i) { return i.slot == kNoSlot; });
  if (in_place) {
    // Items of the frame may have been collected before the place changed.
    const Place place = std::exchange(b.place, b.place == kOwned ? kOwned : kFrame);
    move_base();
    b.place = place;
  }
  if (items.size() == 1 && first.bytes == first.size() && first.check == kNoCheck && in_place && !b.code.empty()) {
    static constexpr Op ops[] = {Op::R1, Op::R2, Op::R4, Op::R8};
    append(first.chars() ? Op::Char : ops[first.log2_size()], first.native);
  } else {
    append(Op::Run, 0, make_run(items, b.phases, false, b.code.empty()));
  }
  b.phases = after(items.data(), items.size(), b.phases);
}

namespace {

// Chars and octets that follow each other differ for conversion alone, which goes by items.
bool joins_octets(const Item& a, const Item& b) {
  return a.log2_size() == 0 && b.log2_size() == 0 && a.slot == b.slot && a.check == b.check &&
         a.native + a.bytes == b.native;
}

}  // namespace

Word hash_of_words(const Word* words, std::size_t n) {
  std::uint64_t h = n;
  for (std::size_t i = 0; i < n; ++i) h = (h ^ words[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return static_cast<Word>(h >> 8);
}

Part Builder::make_part(const Item* first, const Item* end, std::uint32_t phase, Uses uses) {
  step(1 + static_cast<std::size_t>(end - first));
  Part part{};
  part.alignment = 1;
  Array<Placed> placed(work_);
  std::uint32_t wire = 0;  // from the part's start, which stands at phase
  for (const Item* item = first; item != end; ++item) {
    const std::uint32_t at = narrow(align_up(phase + wire, std::size_t{item->size()}) - phase);
    const bool joins = !placed.empty() && joins_octets(placed.back().item, *item);
    if (joins) placed.back().item.bytes += item->bytes;
    else placed.push_back({*item, wire, at});
    wire = at + item->bytes;
  }
  part.wire_bytes = wire;
  if (uses & kEncodes) part.encode = make_moves(placed, true, false);
  if (uses & kDecodes) {
    part.decode = make_moves(placed, false, false);
    part.swapped = make_moves(placed, false, true);
  }
  add_checks(part, placed);
  return part;
}

void Builder::add_checks(Part& part, const Array<Placed>& items) {
  Array<Check>& checks = draft_.checks;
  const std::uint32_t first = narrow(checks.size());
  for (const Placed& p : items) {
    if (p.item.check == kNoCheck) continue;
    const std::uint32_t count = p.item.bytes >> p.item.log2_size();
    if (checks.size() != first) {
      Check& last = checks.back();
      if (last.limit == p.item.check && last.wire + (last.count << p.item.log2_size()) == p.wire) {
        last.count += count;
        continue;
      }
    }
    checks.push_back({p.wire, count, p.item.check});
    part.has_enums |= p.item.check != kBoolean;
  }
  part.checks = narrow(checks.size()) - first;
  part.first_check = share(checks, first, shared_checks_);
}

// Items that lie one behind the other in one place, padding aside, move together.
MoveList Builder::make_moves(const Array<Placed>& items, bool encode, bool differ) {
  Array<Move>& moves = draft_.moves;
  const std::uint32_t list = narrow(moves.size());
  const Placed* first = items.data();
  const Placed* const end = first + items.size();
  while (first != end) {
    const Placed* last = first + 1;
    while (last != end && last->item.slot == first->item.slot &&
           last->item.native ==
               align_up(last[-1].item.native + last[-1].item.bytes, std::size_t{last->item.size()}))
      ++last;
    // A load that spans what was stored in parts just before waits for the stores: few bytes go as they are.
    const bool few = last[-1].wire + last[-1].item.bytes - first->wire < 16;
    if (!abi_of(unit_).vectors || !CALLIS_HAS(shuffles) || !add_shuffles(first, last, encode, differ)) {
      for (const Placed* p = first; p != last; ++p) {
        if (encode && p->wire != p->pad_at)
          moves.push_back({Move::Zero, 0, p->pad_at, p->wire - p->pad_at});
        add_move(*p, p == first || few ? Join::Never : encode ? Join::Adjacent : Join::OverPadding, differ);
      }
    }
    first = last;
  }
  MoveList made{list, narrow(moves.size()) - list};
  for (std::uint32_t i = list; i < moves.size(); ++i) {
    const Move& m = moves[i];
    const bool is_long = m.kind() == Move::Copy && m.bytes > kMostInlineBytes;
    if (m.kind() == Move::Swap || is_long) made.what |= MoveList::kRare;
    if (m.kind() == Move::Shuffles) made.what |= MoveList::kVectors;
  }
  moves.back().how |= Move::kLast;
  made.at = share(moves, list, shared_moves_);
  return made;
}

// One item, or more of the move before it.
void Builder::add_move(const Placed& p, Join join, bool differ) {
  auto& moves = draft_.moves;
  const std::uint32_t log2_size = p.item.log2_size();
  const bool swap = differ && log2_size != 0;
  const std::uint32_t place = p.item.slot == kNoSlot ? 0 : Move::kIndirect | p.item.slot / Move::kSlotUnit << 16;
  Move m{0, p.item.native, p.wire, p.item.bytes};
  if (join != Join::Never) {
    const Move last = moves.back();
    const bool alike = swap ? last.kind() >= Move::Swap2 && last.kind() <= Move::Swap && last.log2_size() == log2_size
                            : last.kind() <= Move::Copy;
    const std::uint32_t gap = m.wire - last.wire - last.bytes;
    const bool same_place = (last.how & (Move::kIndirect | 0xffffu << 16)) == place;
    if (alike && same_place && last.native + last.bytes + gap == m.native &&
        (gap == 0 || (join == Join::OverPadding && !swap))) {
      moves.pop_back();
      m.native = last.native;
      m.wire = last.wire;
      m.bytes += last.bytes + gap;
    }
  }
  static constexpr Move::Kind copies[] = {Move::Copy1, Move::Copy2, Move::Copy4, Move::Copy8};
  static constexpr Move::Kind swaps[] = {Move::Copy1, Move::Swap2, Move::Swap4, Move::Swap8};
  Move::Kind kind = swap ? Move::Swap : Move::Copy;
  if (swap && m.bytes == 1u << log2_size) kind = swaps[log2_size];
  if (!swap && (m.bytes == 1 || m.bytes == 2 || m.bytes == 4 || m.bytes == 8)) kind = copies[log2_of(m.bytes)];
  m.how = kind | place | (swap ? log2_size << 8 : 0);
  moves.push_back(m);
}

std::uint32_t Builder::make_run(const Array<Item>& items, PhaseSet phases, bool element, bool begins) {
  RunDraft run{};
  run.alignment = 1;
  for (const Item& m : items) run.alignment = std::max(run.alignment, m.size());
  const std::uint32_t first = narrow(draft_.items.size());
  draft_.items.append(items);
  run.first_item = share(draft_.items, first, shared_items_);
  run.items = narrow(items.size());
  run.phases = phases;
  run.element = element;
  run.begins = begins;
  const Word starts = element ? 0 : phases;
  const Word key = run.first_item << 10 | starts << 2 | Word{element} << 1 | Word{begins};
  const Word known = known_in(unit_, shared_runs_, key);
  if (known != WordMap::kNone) {
    RunDraft& other = draft_.runs[known];
    if (other.first_item == run.first_item && other.items == run.items && other.element == element &&
        other.begins == begins && (element || other.phases == phases)) {
      other.phases = static_cast<PhaseSet>(other.phases | phases);
      return known;
    }
  }
  draft_.runs.push_back(run);
  if (known == WordMap::kNone) keep_in(unit_, shared_runs_, key, narrow(draft_.runs.size() - 1));
  return narrow(draft_.runs.size() - 1);
}

// Phases matter modulo the run's greatest alignment.
void Builder::make_parts(const RunDraft& draft, Run& run) {
  run.first_item = draft.first_item;
  run.items = draft.items;
  run.alignment = draft.alignment;
  run.phase = Run::kNoPhase;
  const Item* const items = draft_.items.data() + draft.first_item;
  const Item* const end = items + draft.items;
  run.reaches = std::any_of(items, end, [](const Item& i) { return i.slot != kNoSlot; });
  if (draft.uses == kNoUse) return;

  const PhaseSet all = static_cast<PhaseSet>(draft.alignment == 8 ? 0xff : (1u << draft.alignment) - 1);
  PhaseSet starts = 0;
  for (unsigned p = 0; p < 8; p += draft.alignment) starts = static_cast<PhaseSet>(starts | draft.phases >> p);
  starts = static_cast<PhaseSet>(starts & all);
  PhaseSet whole = 0;  // at most one
  if (draft.element) {
    // Wherever an element starts, it ends at the same phase.
    const PhaseSet ends = after(items, draft.items, 1);
    for (unsigned p = 0; p < 8; p += draft.alignment) whole = static_cast<PhaseSet>(whole | ends >> p);
    whole = static_cast<PhaseSet>(whole & all);
  } else if ((starts & (starts - 1)) == 0) {
    whole = starts;
  } else if (draft.begins) {
    whole = 1;
  }
  const bool others = (starts & ~whole) != 0;
  if (others) {
    run.parts_at = narrow(draft_.parts.size());
    for (const Item* first = items; first != end; ++run.parts) {
      const Item* last = first + 1;
      while (last != end && last->log2_size() <= first->log2_size()) ++last;
      Part part = make_part(first, last, 0, draft.uses);
      part.alignment = first->size();
      draft_.parts.push_back(part);
      first = last;
    }
  }
  if (whole == 0) return;
  run.phase = static_cast<std::uint32_t>(__builtin_ctz(whole));
  if (run.parts == 1 && run.phase == 0) {
    run.whole_at = run.parts_at;
    return;
  }
  run.whole_at = narrow(draft_.parts.size());
  draft_.parts.push_back(make_part(items, end, run.phase, draft.uses));
}

}  // namespace callis::marshal
