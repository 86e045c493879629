// SPDX-License-Identifier: Apache-2.0
// Runs: neighbouring scalars become moves and shuffles, a variant for each phase that a message may stand at.
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/internal/vector.h>
#include <algorithm>

namespace callis::marshal {
namespace {

std::uint8_t log2_of(std::size_t size) { return static_cast<std::uint8_t>(__builtin_ctzll(size)); }

}  // namespace

void Builder::add_scalar(Kind kind, Word payload, std::uint32_t offset, std::uint32_t count) {
  Block& b = block();
  const std::size_t size = run_size(kind);
  const std::uint32_t check = kind == Kind::Boolean ? kBoolean : kind == Kind::Enum ? payload : kNoCheck;
  const std::uint32_t slot = b.place == kOwned ? kNoSlot : b.place;
  const std::uint32_t bytes = narrow(size * count);
  if (!b.pending.empty()) {
    Item& last = b.pending.back();
    if (last.log2_size == log2_of(size) && last.slot == slot && last.check == check &&
        last.chars == (kind == Kind::Char) && last.native + last.bytes == offset) {
      last.bytes += bytes;
      return;
    }
  }
  b.pending.push_back({slot, offset, bytes, check, log2_of(size), kind == Kind::Char});
}

void Builder::flush_run() {
  Block& b = block();
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
  if (items.size() == 1 && first.bytes == 1u << first.log2_size && first.check == kNoCheck && in_place &&
      !b.code.empty()) {
    static constexpr Op ops[] = {Op::R1, Op::R2, Op::R4, Op::R8};
    append(first.chars ? Op::Char : ops[first.log2_size], first.native);
  } else {
    append(Op::Run, 0, make_run(items, b.phases));
  }
  for (const Item& m : items)
    b.phases = rotate(aligned(b.phases, std::size_t{1} << m.log2_size), m.bytes);
}

namespace {

// Chars and octets that follow each other differ for conversion alone, which goes by items.
bool joins_octets(const Item& a, const Item& b) {
  return a.log2_size == 0 && b.log2_size == 0 && a.slot == b.slot && a.check == b.check &&
         a.native + a.bytes == b.native;
}

}  // namespace

std::uint32_t Builder::make_variant(const Array<Item>& items, std::uint32_t phase) {
  step(1 + items.size());
  Variant v{};
  Array<Placed> placed(work_);
  std::uint32_t wire = 0;  // from the run's start, which stands at phase
  for (const Item& item : items) {
    const std::uint32_t at = narrow(align_up(phase + wire, std::size_t{1} << item.log2_size) - phase);
    const bool joins = !placed.empty() && joins_octets(placed.back().item, item);
    if (joins) placed.back().item.bytes += item.bytes;
    else placed.push_back({item, wire, at});
    wire = at + item.bytes;
  }
  v.wire_bytes = wire;
  for (const bool differ : {false, true}) {
    v.encode[differ] = make_moves(placed, true, differ);
    v.decode[differ] = make_moves(placed, false, differ);
  }
  add_checks(v, placed);
  program_.variants.push_back(v);
  return narrow(program_.variants.size() - 1);
}

void Builder::add_checks(Variant& v, const Array<Placed>& items) {
  v.first_check = narrow(program_.checks.size());
  for (const Placed& p : items) {
    if (p.item.check == kNoCheck) continue;
    const std::uint32_t count = p.item.bytes >> p.item.log2_size;
    if (program_.checks.size() != v.first_check) {
      Check& last = program_.checks.back();
      if (last.limit == p.item.check && last.wire + (last.count << p.item.log2_size) == p.wire) {
        last.count += count;
        continue;
      }
    }
    program_.checks.push_back({p.wire, count, p.item.check});
    v.has_enums = v.has_enums || p.item.check != kBoolean;
  }
  v.checks = narrow(program_.checks.size()) - v.first_check;
}

// Items that lie one behind the other in one place, padding aside, move together.
MoveList Builder::make_moves(const Array<Placed>& items, bool encode, bool differ) {
  const std::size_t list = program_.moves.size();
  const Placed* first = items.data();
  const Placed* const end = first + items.size();
  while (first != end) {
    const Placed* last = first + 1;
    while (last != end && last->item.slot == first->item.slot &&
           last->item.native ==
               align_up(last[-1].item.native + last[-1].item.bytes, std::size_t{1} << last->item.log2_size))
      ++last;
    // A load that spans what was stored in parts just before waits for the stores: few bytes go as they are.
    const bool few = last[-1].wire + last[-1].item.bytes - first->wire < 16;
    if (!CALLIS_HAS(shuffles) || !add_shuffles(first, last, encode, differ)) {
      for (const Placed* p = first; p != last; ++p) {
        if (encode && p->wire != p->pad_at)
          program_.moves.push_back({Move::Zero, 0, 0, kNoSlot, 0, p->pad_at, p->wire - p->pad_at, nullptr, nullptr});
        add_move(*p, p == first || few ? Join::Never : encode ? Join::Adjacent : Join::OverPadding, differ);
      }
    }
    first = last;
  }
  bool rare = CALLIS_SHUFFLE && !can_shuffle();
  for (std::size_t i = list; i < program_.moves.size(); ++i) {
    const Move& m = program_.moves[i];
    rare = rare || m.is(Move::Swap) || (m.is(Move::Copy) && m.bytes > kMostInlineBytes);
  }
  return {nullptr, nullptr, narrow(list), narrow(program_.moves.size() - list), rare};
}

// One item, or more of the move before it.
void Builder::add_move(const Placed& p, Join join, bool differ) {
  const bool swap = differ && p.item.log2_size != 0;
  auto& moves = program_.moves;
  Move m{swap ? Move::Swap : Move::Copy,
         p.item.log2_size,
         0,
         p.item.slot,
         p.item.native,
         p.wire,
         p.item.bytes,
         nullptr,
         nullptr};
  if (join != Join::Never) {
    Move last = moves.back();
    last.kind &= Move::kIndirect - 1;
    const bool alike = swap ? last.kind >= Move::Swap2 && last.kind <= Move::Swap && last.log2_size == m.log2_size
                            : last.kind <= Move::Copy;
    const std::uint32_t gap = m.wire - last.wire - last.bytes;
    if (alike && last.slot == m.slot && last.native + last.bytes + gap == m.native &&
        (gap == 0 || (join == Join::OverPadding && !swap))) {
      moves.pop_back();
      m.native = last.native;
      m.wire = last.wire;
      m.bytes += last.bytes + gap;
    }
  }
  static constexpr Move::Kind copies[] = {Move::Copy1, Move::Copy2, Move::Copy4, Move::Copy8};
  static constexpr Move::Kind swaps[] = {Move::Copy1, Move::Swap2, Move::Swap4, Move::Swap8};
  if (swap && m.bytes == 1u << m.log2_size) m.kind = swaps[m.log2_size];
  if (!swap && (m.bytes == 1 || m.bytes == 2 || m.bytes == 4 || m.bytes == 8)) m.kind = copies[log2_of(m.bytes)];
  if (m.slot != kNoSlot) m.kind |= Move::kIndirect;
  moves.push_back(m);
}

// Phases that differ only in bits above the run's greatest alignment share a variant.
std::uint32_t Builder::make_run(const Array<Item>& items, PhaseSet phases) {
  Run run{};
  std::uint32_t greatest = 1;
  for (const Item& m : items) greatest = std::max(greatest, 1u << m.log2_size);
  for (auto& v : run.variant) v = kNoVariant;
  for (std::uint32_t p = 0; p < 8; ++p) {
    if (!(phases >> p & 1)) continue;
    std::uint32_t known = kNoVariant;
    for (std::uint32_t q = p & (greatest - 1); q < p && known == kNoVariant; q += greatest)
      known = run.variant[q];
    run.variant[p] = known != kNoVariant ? known : make_variant(items, p);
  }
  run.alignment = greatest;
  run.reaches = std::any_of(items.begin(), items.end(), [](const Item& i) { return i.slot != kNoSlot; });
  run.first_item = narrow(program_.items.size());
  run.items = narrow(items.size());
  program_.items.append(items);
  program_.runs.push_back(run);
  return narrow(program_.runs.size() - 1);
}

}  // namespace callis::marshal
