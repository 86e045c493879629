// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/builder.h>
#include <callis/marshal/memory.h>
#include <algorithm>

namespace callis::marshal {

namespace {

// A fixed-size struct or array of more members than this is not flattened into the run around it.
constexpr std::size_t kMaxRunItems = 256;

std::uint8_t log2_of(std::size_t size) { return static_cast<std::uint8_t>(__builtin_ctzll(size)); }

PhaseSet rotate(PhaseSet s, std::size_t n) {
  n &= 7;
  return static_cast<PhaseSet>(s << n | s >> (8 - n));
}
PhaseSet aligned(PhaseSet s, std::size_t alignment) {
  PhaseSet out = 0;
  for (unsigned p = 0; p < 8; ++p)
    if (s >> p & 1) out = static_cast<PhaseSet>(out | 1u << (align_up(p, alignment) & 7));
  return out;
}
// After a sequence's count, and any number of elements aligned to size.
PhaseSet after_elements(PhaseSet s, std::size_t size) {
  PhaseSet out = rotate(aligned(s, 4), 4);
  PhaseSet element = aligned(out, size);
  for (int i = 0; i < 8; ++i, element = rotate(element, size)) out = static_cast<PhaseSet>(out | element);
  return out;
}

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

}  // namespace

void Builder::open_block(PhaseSet start) {
  open_.emplace_back();
  open_.back().phases = start;
}

std::uint32_t Builder::close_block() {
  flush_run();
  push(Op::End, 0);
  blocks_.push_back(std::move(block().code));
  open_.pop_back();
  return narrow(blocks_.size() - 1);
}

void Builder::push(Op op, std::uint32_t offset, std::uint32_t a, std::uint32_t b) {
  block().code.push_back({op, {}, offset, a, b});
}

void Builder::add_item(std::uint32_t native, std::size_t size, std::uint32_t count) {
  auto& pending = block().pending;
  const std::uint32_t bytes = narrow(size * count);
  if (!pending.empty()) {
    Move& last = pending.back();
    if (last.log2_size == log2_of(size) && last.native + last.bytes == native) {
      last.bytes += bytes;
      return;
    }
  }
  pending.push_back({native, 0, bytes, log2_of(size)});
}

void Builder::add_check(Op op, std::uint32_t offset, std::uint32_t count, std::uint32_t limit) {
  auto& checks = block().checks;
  if (!checks.empty()) {
    Instruction& last = checks.back();
    const std::uint32_t size = op == Op::CheckBool ? 1 : 4;
    if (last.op == op && last.b == limit && last.offset + last.a * size == offset) {
      last.a += count;
      return;
    }
  }
  checks.push_back({op, {}, offset, count, limit});
}

void Builder::add_scalar(Kind kind, Word payload, std::uint32_t offset, std::uint32_t count) {
  add_item(offset, run_size(kind), count);
  if (kind == Kind::Boolean) add_check(Op::CheckBool, offset, count, 0);
  if (kind == Kind::Enum) add_check(Op::CheckEnum, offset, count, payload);
}

void Builder::flush_run() {
  Block& b = block();
  if (b.pending.empty()) return;
  const Move first = b.pending.front();
  if (b.pending.size() == 1 && first.bytes == 1u << first.log2_size) {
    static constexpr Op ops[] = {Op::R1, Op::R2, Op::R4, Op::R8};
    push(ops[first.log2_size], first.native);
  } else {
    push(Op::Run, 0, make_run(b.pending, b.phases));
  }
  for (const Move& m : b.pending)
    b.phases = rotate(aligned(b.phases, std::size_t{1} << m.log2_size), m.bytes);
  b.pending.clear();
  for (const Instruction& c : b.checks) b.code.push_back(c);
  b.checks.clear();
}

std::uint16_t Builder::make_variant(const std::vector<Move>& items, std::uint32_t phase) {
  Variant v{};
  std::vector<Move> copies, swaps, pads;
  std::uint32_t wire = 0;  // from the run's start, which stands at phase
  for (const Move& item : items) {
    const std::uint32_t at = narrow(align_up(phase + wire, std::size_t{1} << item.log2_size) - phase);
    if (at != wire) pads.push_back({0, wire, at - wire, 0});
    wire = at;
    const Move m{item.native, wire, item.bytes, item.log2_size};
    const auto follows = [&m](const std::vector<Move>& list) {
      return !list.empty() && list.back().native + list.back().bytes == m.native &&
             list.back().wire + list.back().bytes == m.wire;
    };
    if (follows(copies)) copies.back().bytes += m.bytes;
    else copies.push_back(m);
    if (follows(swaps) && swaps.back().log2_size == m.log2_size) swaps.back().bytes += m.bytes;
    else swaps.push_back(m);
    wire += item.bytes;
  }
  v.wire_bytes = wire;
  v.plain = copies.size() == 1 && pads.empty() && copies[0].native == 0;
  const auto store = [this](const std::vector<Move>& list, std::uint32_t& first, std::uint32_t& n) {
    first = narrow(program_.moves.size());
    n = narrow(list.size());
    program_.moves.insert(program_.moves.end(), list.begin(), list.end());
  };
  store(copies, v.first_copy, v.copies);
  store(swaps, v.first_swap, v.swaps);
  store(pads, v.first_pad, v.pads);
  add_shuffles(v, swaps);
  program_.variants.push_back(v);
  return static_cast<std::uint16_t>(program_.variants.size() - 1);
}

// For each direction and byte order: which byte comes from where. swaps are the members with their wire
// offsets, merged within a size.
void Builder::add_shuffles(Variant& v, const std::vector<Move>& swaps) {
  // In a frame the result is first on the wire and last in memory, and other slots may lie between.
  std::uint32_t low = kZero, end = 0;
  bool covers = true;  // nothing but padding between the members: decoding may store zeros there
  for (const Move& m : swaps) {
    covers = covers && (low == kZero || m.native == align_up(end, std::size_t{1} << m.log2_size));
    low = std::min(low, m.native);
    end = std::max(end, m.native + m.bytes);
  }
  const std::uint32_t span = end - low;
  for (const bool differ : {false, true}) {
    if (!differ && v.copies == 1 && v.pads == 0) continue;  // one copy is better
    std::vector<std::uint32_t> wire_from(v.wire_bytes, kZero), native_from(span, kZero);
    for (const Move& m : swaps) {
      const std::uint32_t size = 1u << m.log2_size;
      for (std::uint32_t k = 0; k < m.bytes; ++k) {
        const std::uint32_t other = differ ? k / size * size + (size - 1 - k % size) : k;
        wire_from[m.wire + k] = m.native - low + other;
        native_from[m.native - low + k] = m.wire + other;
      }
    }
    v.encode[differ] = make_shuffles(wire_from, span, false, program_.shuffles);
    if (covers) v.decode[differ] = make_shuffles(native_from, v.wire_bytes, true, program_.shuffles);
  }
}

// Phases that differ only in bits above the run's greatest alignment share a variant.
std::uint32_t Builder::make_run(const std::vector<Move>& items, PhaseSet phases) {
  Run run{};
  std::uint32_t greatest = 1;
  for (const Move& m : items)
    if (greatest < 1u << m.log2_size) greatest = 1u << m.log2_size;
  for (auto& v : run.variant) v = kNoVariant;
  for (std::uint32_t p = 0; p < 8; ++p) {
    if (!(phases >> p & 1)) continue;
    std::uint16_t known = kNoVariant;
    for (std::uint32_t q = p & (greatest - 1); q < p && known == kNoVariant; q += greatest)
      known = run.variant[q];
    run.variant[p] = known != kNoVariant ? known : make_variant(items, p);
  }
  run.native = items.front().native;
  for (const Move& m : items) run.native = std::min(run.native, m.native);
  run.alignment = greatest;
  run.first_item = narrow(program_.items.size());
  run.items = narrow(items.size());
  program_.items.insert(program_.items.end(), items.begin(), items.end());
  program_.runs.push_back(run);
  return narrow(program_.runs.size() - 1);
}

bool Builder::flattens(Word type, std::size_t limit) const {
  std::size_t items = 0;
  return count_items(type, limit, items);
}

bool Builder::count_items(Word type, std::size_t limit, std::size_t& items) const {
  const Resolved r = resolve(unit_, type);
  if (r.kind == Kind::Struct) {
    for (Word i = 0; i < r.payload; ++i)
      if (!count_items(unit_.words[r.entry + 1 + i], limit, items)) return false;
    return true;
  }
  if (r.kind == Kind::Array) {
    const Word count = unit_.words[r.entry + 1], element = unit_.words[r.entry + 2];
    if (run_size(kind_of(element)) != 0) return ++items <= limit;
    if (count > limit) return false;
    for (Word i = 0; i < count; ++i)
      if (!count_items(element, limit, items)) return false;
    return true;
  }
  return run_size(r.kind) != 0 && ++items <= limit;
}

PhaseSet Builder::after(Word type, PhaseSet start) const {
  const Resolved r = resolve(unit_, type);
  if (r.kind == Kind::Struct) {
    for (Word i = 0; i < r.payload; ++i) start = after(unit_.words[r.entry + 1 + i], start);
    return start;
  }
  if (r.kind == Kind::Array) {
    const Word count = unit_.words[r.entry + 1], element = unit_.words[r.entry + 2];
    const std::size_t size = run_size(kind_of(element));
    if (size != 0) return rotate(aligned(start, size), size * count);
    for (Word i = 0; i < count; ++i) start = after(element, start);
    return start;
  }
  return rotate(aligned(start, run_size(r.kind)), run_size(r.kind));
}

void Builder::emit(Word type, std::uint32_t offset) {
  const Resolved r = resolve(unit_, type);
  switch (r.kind) {
    case Kind::Void: case Kind::Ref: case Kind::Op: return;
    case Kind::Struct: return emit_struct(r, r.entry + 1, offset, {});
    case Kind::Array: return emit_array(r, offset);
    case Kind::Exception: return;  // only through exception_block()
    default: break;
  }
  if (run_size(r.kind) != 0) return add_scalar(r.kind, r.payload, offset, 1);
  flush_run();
  if (r.kind == Kind::LongDouble) {
    push(Op::LongDouble, offset);
    block().phases = aligned(block().phases, 8);
  } else if (r.kind == Kind::String) {
    push(Op::String, offset, r.payload == kBigBound && r.entry ? unit_.words[r.entry + 1] : r.payload);
    block().phases = kAnyPhase;
  } else if (r.kind == Kind::ObjRef) {
    program_.links.push_back(r.payload == kNoLink ? nullptr : unit_.links[r.payload]);
    push(Op::Reference, offset, narrow(program_.links.size() - 1));
    block().phases = kAnyPhase;
  } else {
    emit_sequence(r, offset);
  }
}

void Builder::emit_struct(const Resolved& r, Word first_member, std::uint32_t offset, StructLayout layout) {
  for (Word i = 0; i < r.payload; ++i) {
    const Word member = unit_.words[first_member + i];
    emit(member, offset + narrow(layout.add(layout_of(unit_, member))));
  }
}

void Builder::emit_array(const Resolved& r, std::uint32_t offset) {
  const Word count = unit_.words[r.entry + 1], element = unit_.words[r.entry + 2];
  const Resolved e = resolve(unit_, element);
  if (run_size(e.kind) != 0) return add_scalar(e.kind, e.payload, offset, count);
  const std::size_t size = layout_of(unit_, element).size;
  if (flattens(type_word(Kind::Ref, r.entry), kMaxRunItems)) {
    for (Word i = 0; i < count; ++i) emit(element, offset + narrow(i * size));
    return;
  }
  flush_run();
  if (flattens(element, kMaxRunItems)) {
    push(Op::ArrFixed, offset, count, make_fixed_element(element, block().phases));
  } else {
    push(Op::ArrVar, offset, count, make_variable_element(element));
  }
  block().phases = kAnyPhase;
}

void Builder::emit_sequence(const Resolved& r, std::uint32_t offset) {
  const Word bound = unit_.words[r.entry + 1], element = unit_.words[r.entry + 2];
  const Resolved e = resolve(unit_, element);
  const std::size_t primitive = run_size(e.kind);
  PhaseSet& phases = block().phases;
  if (primitive != 0) {
    push(Op::SeqPrim, offset, bound, make_primitive_element(e));
    phases = after_elements(phases, primitive);
  } else if (flattens(element, kMaxRunItems)) {
    const PhaseSet start = rotate(aligned(phases, 4), 4);
    push(Op::SeqFixed, offset, bound, make_fixed_element(element, start));
    block().phases = kAnyPhase;
  } else {
    push(Op::SeqVar, offset, bound, make_variable_element(element));
    block().phases = kAnyPhase;
  }
}

std::uint32_t Builder::make_primitive_element(const Resolved& e) {
  Element out{};
  const std::size_t size = run_size(e.kind);
  out.native_size = out.minimum_wire = narrow(size);
  out.wire_size = static_cast<std::uint8_t>(size);
  out.boolean = e.kind == Kind::Boolean;
  out.enumerators = e.kind == Kind::Enum ? e.payload : 0;
  program_.elements.push_back(out);
  return narrow(program_.elements.size() - 1);
}

// One run an element; the phases at which elements can start are the closure of start under "after one
// more element".
std::uint32_t Builder::make_fixed_element(Word type, PhaseSet start) {
  PhaseSet phases = start;
  for (PhaseSet more = after(type, phases); (more & ~phases) != 0; more = after(type, phases))
    phases = static_cast<PhaseSet>(phases | more);
  Element out{};
  out.native_size = narrow(layout_of(unit_, type).size);
  out.minimum_wire = narrow(minimum_wire(unit_, type));
  open_block(phases);
  emit(type, 0);
  out.run = make_run(block().pending, phases);
  block().pending.clear();
  out.checks = !block().checks.empty();
  for (const Instruction& c : block().checks) block().code.push_back(c);
  block().checks.clear();
  out.block = close_block();
  program_.elements.push_back(out);
  return narrow(program_.elements.size() - 1);
}

// The element's block is registered before it is built, so that a type which contains sequences of itself
// finds it.
std::uint32_t Builder::make_variable_element(Word type) {
  const auto known = shared_.find(type);
  if (known != shared_.end()) return known->second;
  Element out{};
  out.native_size = narrow(layout_of(unit_, type).size);
  out.minimum_wire = narrow(minimum_wire(unit_, type));
  out.owns = is_variable(unit_, type);
  program_.elements.push_back(out);
  const std::uint32_t index = narrow(program_.elements.size() - 1);
  shared_[type] = index;
  const std::uint32_t b = value_block(type);
  program_.elements[index].block = b;
  return index;
}

std::uint32_t Builder::value_block(Word type, PhaseSet start) {
  open_block(start);
  emit(type, 0);
  return close_block();
}

void Builder::emit_pointer(std::uint32_t offset, std::uint32_t target) {
  flush_run();
  push(Op::Ptr, offset, target);
  block().phases = kAnyPhase;
}

void Builder::emit_owned(Word type, std::uint32_t offset) {
  flush_run();
  const std::uint32_t target = value_block(type);
  push(Op::New, offset, target, narrow(layout_of(unit_, type).size));
  block().phases = kAnyPhase;
}

std::uint32_t Builder::owned_block(Word type) {
  open_block(kAnyPhase);
  emit_owned(type, 0);
  return close_block();
}

std::uint32_t Builder::exception_block(Word entry) {
  open_block(kAnyPhase);
  StructLayout layout;
  layout.add({sizeof(void*), alignof(void*)});
  emit_struct(resolve(unit_, type_word(Kind::Ref, entry)), entry + 2, 0, layout);
  return close_block();
}

void Builder::finish() {
  for (const auto& b : blocks_) {
    positions_.push_back(narrow(program_.code.size()));
    program_.code.insert(program_.code.end(), b.begin(), b.end());
  }
  for (Instruction& i : program_.code)
    if (i.op == Op::Ptr || i.op == Op::New) i.a = positions_[i.a];
  for (Element& e : program_.elements)
    if (e.wire_size == 0) e.block = positions_[e.block];
}

}  // namespace callis::marshal
