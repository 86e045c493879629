// SPDX-License-Identifier: Apache-2.0
// Plans from types: what each kind becomes, and how the parts of a struct are joined.
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/vector.h>
#include <callis/marshal/memory.h>
#include <algorithm>
#include <utility>

namespace callis::marshal {

namespace {

// After a sequence's count, and any number of elements aligned to size.
PhaseSet after_elements(PhaseSet s, std::size_t size) {
  PhaseSet out = rotate(aligned(s, 4), 4);
  PhaseSet element = aligned(out, size);
  for (int i = 0; i < 8; ++i, element = rotate(element, size)) out = static_cast<PhaseSet>(out | element);
  return out;
}

// Looks a key up in a map. Maps have few keys, except in units with an extension.
Word known_in(const Unit& unit, const WordMap& map, Word key) {
  return unit.extension ? unit.extension->find(map, key) : map.scan(key);
}
void keep_in(const Unit& unit, WordMap& map, Word key, Word value) {
  if (unit.extension) unit.extension->put(map, key, value);
  else map.add(key, value);
}

}  // namespace

// Types may contain themselves: each entry is looked at once, one after the other.
bool holds(const Unit& unit, Word type, KindSet kinds, Work* work) {
  WordMap seen;
  Array<Word> types;
  seen.charge_to(work);
  types.charge_to(work);
  types.push_back(type);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Resolved r = resolve(unit, types[i]);
    if (work) work->step();
    if ((kinds >> static_cast<unsigned>(r.kind) & 1) != 0) return true;
    Word first = 1, members = r.payload;
    switch (r.kind) {
      case Kind::Struct: break;
      case Kind::Union: first = 4; break;
      case Kind::Exception: first = 2; break;
      case Kind::Sequence: case Kind::Array: first = 2; members = 1; break;
      default: continue;
    }
    if (known_in(unit, seen, r.entry) != WordMap::kNone) continue;
    keep_in(unit, seen, r.entry, 0);
    for (Word m = 0; m < members; ++m) types.push_back(unit.words[r.entry + first + m]);
  }
  return false;
}

Builder::~Builder() = default;

void Builder::charge_to(Work& work) {
  work_ = &work;
  program_.each_array([&work](auto& array) { array.charge_to(&work); });
  memo_.charge_to(&work);
  open_.charge_to(&work);
  blocks_.charge_to(&work);
  positions_.charge_to(&work);
  waiting_.charge_to(&work);
  for (WordMap* map : {&shared_, &shared_fixed_, &shared_unions_}) map->charge_to(&work);
}

void Builder::open_block(PhaseSet start) {
  open_.push_back({});
  Block& b = open_.back();
  b.phases = start;
  b.code.charge_to(work_);
  b.pending.charge_to(work_);
}

std::uint32_t Builder::close_block() {
  flush_run();
  append(Op::End, 0);
  Array<Instruction>& code = block().code;
  // How much to skip when there is nothing behind a pointer.
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].op != Op::Base && code[i].op != Op::New) continue;
    std::size_t next = i + 1;
    while (code[next].op != Op::Frame && code[next].op != Op::End &&
           (code[i].op == Op::New || code[next].op != Op::Base))
      ++next;
    code[i].b = narrow(next - i - 1);
  }
  blocks_.push_back(std::move(code));
  open_.pop_back();
  return narrow(blocks_.size() - 1);
}

void Builder::append(Op op, std::uint32_t offset, std::uint32_t a, std::uint32_t b) {
  block().code.push_back({op, {}, offset, a, b});
}

void Builder::move_base() {
  Block& b = block();
  if (b.base == b.place) return;
  if (b.place == kFrame) append(Op::Frame, 0);
  else append(Op::Base, b.place);
  b.base = b.place;
}

// An instruction whose offset counts from the place being emitted.
void Builder::push(Op op, std::uint32_t offset, std::uint32_t a, std::uint32_t b) {
  move_base();
  Block& to = block();
  const bool own = op == Op::String || op == Op::WString || op == Op::Reference || op == Op::Slot || op == Op::New ||
                   (op >= Op::SeqPrim && op <= Op::SeqVar) || (op == Op::ArrVar && program_.elements[b].owns) ||
                   (op == Op::Union && program_.unions[a].owns);
  to.owns = to.owns || own;
  if (own && to.borrow != to.borrows) {
    append(Op::Borrow, 0, to.borrow);
    to.borrows = to.borrow;
  }
  append(op, offset, a, b);
}

PhaseSet Builder::after(const Array<Item>& items, PhaseSet start) const {
  for (const Item& i : items) start = rotate(aligned(start, std::size_t{1} << i.log2_size), i.bytes);
  return start;
}

void Builder::emit(Word type, std::uint32_t offset) {
  if (unit_.extension && !block().shares) block().shares = holds(unit_, type, kSharing, work_);
  emit_value(type, offset);
}

void Builder::emit_value(Word type, std::uint32_t offset) {
  step();
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
  PhaseSet after = kAnyPhase;
  switch (r.kind) {
    case Kind::LongDouble:
      push(Op::LongDouble, offset);
      after = aligned(block().phases, 8);
      break;
    case Kind::String: push(Op::String, offset, string_bound(r)); break;
    case Kind::ObjRef: push(Op::Reference, offset, link_index(r)); break;
    case Kind::Sequence: return emit_sequence(r, offset);
    default:
      if (unit_.extension) return unit_.extension->emit(*this, r, type, offset);
      push(Op::Slot, offset);  // which nothing can be done with
      break;
  }
  block().phases = after;
}

std::uint32_t Builder::link_index(const Resolved& r) {
  program_.links.push_back(r.payload == kNoLink ? nullptr : unit_.links[r.payload]);
  return narrow(program_.links.size() - 1);
}

std::uint32_t Builder::string_bound(const Resolved& r) const {
  return r.payload == kBigBound ? unit_.words[r.entry + 1] : r.payload;
}

void Builder::emit_struct(const Resolved& r, Word first_member, std::uint32_t offset, StructLayout layout) {
  for (Word i = 0; i < r.payload; ++i) {
    const Word member = unit_.words[first_member + i];
    emit_value(member, offset + narrow(layout.add(facts(member).layout)));
  }
}

void Builder::emit_array(const Resolved& r, std::uint32_t offset) {
  const Word count = unit_.words[r.entry + 1], element = unit_.words[r.entry + 2];
  const Resolved e = resolve(unit_, element);
  if (run_size(e.kind) != 0) return add_scalar(e.kind, e.payload, offset, count);
  const TypeFacts of_element = facts(element);
  if (of_element.items == 0) return;
  const std::size_t size = of_element.layout.size;
  const TypeFacts whole = facts(type_word(Kind::Ref, r.entry));
  if (flattens(whole) && block().pending.size() + whole.items <= kMaxRunItems) {
    for (Word i = 0; i < count; ++i) emit_value(element, offset + narrow(i * size));
    return;
  }
  flush_run();
  if (flattens(of_element)) push(Op::ArrFixed, offset, count, make_fixed_element(element, block().phases));
  else push(Op::ArrVar, offset, count, make_variable_element(element));
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
  } else if (e.kind == Kind::String) {
    push(Op::SeqString, offset, bound, string_bound(e));
    phases = kAnyPhase;
  } else if (flattens(facts(element))) {
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
  out.check = e.kind == Kind::Boolean ? kBoolean : e.kind == Kind::Enum ? e.payload : kNoCheck;
  out.chars = e.kind == Kind::Char;
  program_.elements.push_back(out);
  return narrow(program_.elements.size() - 1);
}

namespace {

// As Decoder::count() wants it.
std::uint32_t minimum_of_element(const TypeFacts& f) {
  return f.minimum_wire ? narrow(f.minimum_wire) : cdr::Decoder::kNoBytes;
}

}  // namespace

// One run an element; the phases at which elements can start are the closure of start under "after one
// more element".
std::uint32_t Builder::make_fixed_element(Word type, PhaseSet start) {
  const Word key = type_word(Kind::Void, payload_of(type)) | start;  // it is an entry, and phases take a byte
  if (const Word known = known_in(unit_, shared_fixed_, key); known != WordMap::kNone) return known;
  const TypeFacts f = facts(type);
  Element out{};
  out.native_size = narrow(f.layout.size);
  out.minimum_wire = minimum_of_element(f);
  open_block(start);
  emit_value(type, 0);
  const Array<Item>& items = block().pending;
  PhaseSet phases = start;
  for (PhaseSet more = after(items, phases); (more & ~phases) != 0; more = after(items, phases))
    phases = static_cast<PhaseSet>(phases | more);
  out.run = make_run(items, phases);
  open_.pop_back();
  program_.elements.push_back(out);
  const std::uint32_t index = narrow(program_.elements.size() - 1);
  keep_in(unit_, shared_fixed_, key, index);
  return index;
}

// The element is registered before its block is built, so that a type which contains sequences of itself finds it.
std::uint32_t Builder::make_variable_element(Word type) {
  if (const Word known = known_in(unit_, shared_, type); known != WordMap::kNone) return known;
  const TypeFacts f = facts(type);
  Element out{};
  out.native_size = narrow(f.layout.size);
  out.minimum_wire = minimum_of_element(f);
  out.owns = f.variable;
  program_.elements.push_back(out);
  const std::uint32_t index = narrow(program_.elements.size() - 1);
  keep_in(unit_, shared_, type, index);
  waiting_.push_back(type);
  waiting_.push_back(index);
  return index;
}

std::uint32_t Builder::value_block(Word type) {
  open_block(kAnyPhase);
  emit_value(type, 0);
  return close_block();
}

void Builder::emit_pointed(Word type, std::uint32_t offset) {
  if (resolve(unit_, type).kind == Kind::Array) return emit_pointed_array(type, offset);
  block().place = offset;
  emit(type, 0);
  block().place = kFrame;
}

// The application passes arrays as pointers, which may be null: Base looks. All else is passed by reference.
void Builder::emit_pointed_array(Word type, std::uint32_t offset) {
  flush_run();
  append(Op::Base, offset);
  block().place = block().base = kOwned;
  emit(type, 0);
  flush_run();
  append(Op::Frame, 0);
  block().place = block().base = kFrame;
}

void Builder::emit_new(Word type, std::uint32_t offset, Place place) {
  flush_run();
  block().place = place;
  push(Op::New, offset, narrow(facts(type).layout.size));
  block().place = block().base = kOwned;
  emit(type, 0);  // may move the blocks
  flush_run();
  append(Op::Frame, 0, 1);
  block().place = block().base = kFrame;
}

void Builder::emit_owned(Word type, std::uint32_t offset) { emit_new(type, offset, kFrame); }
void Builder::emit_pointed_owned(Word type, std::uint32_t offset) { emit_new(type, 0, offset); }

void Builder::emit_borrowed(Word type, std::uint32_t offset) {
  block().borrow = true;
  emit(type, offset);
  block().borrow = false;
}

std::uint32_t Builder::exception_block(Word entry) {
  open_block(kAnyPhase);
  StructLayout layout;
  layout.add({sizeof(void*), alignof(void*)});
  emit_struct(resolve(unit_, type_word(Kind::Ref, entry)), entry + 2, 0, layout);
  return close_block();
}

void Builder::link(MoveList& list, const void* const* steps) {
  Move* const first = program_.moves.data() + list.first;
  list.moves = first;
  list.end = first + list.count;
  for (Move* m = first; m != list.end; ++m) {
    if (kHasSteps) m->step = steps[m->kind];
    if (m->is(Move::Shuffles)) m->shuffles = program_.shuffles.data() + m->bytes;
  }
}

void Builder::finish() {
  for (std::size_t i = 0; i < waiting_.size(); i += 2) {  // blocks may add some
    const std::uint32_t b = value_block(waiting_[i]);
    program_.elements[waiting_[i + 1]].block = b;
  }
  for (const auto& b : blocks_) {
    positions_.push_back(narrow(program_.code.size()));
    program_.code.append(b);
  }
  for (Variant& v : program_.variants)
    for (const bool differ : {false, true}) {
      link(v.encode[differ], kHasSteps ? put_steps(nullptr, nullptr, nullptr, nullptr) : nullptr);
      link(v.decode[differ], kHasSteps ? get_steps(nullptr, nullptr, nullptr, nullptr) : nullptr);
    }
  for (Element& e : program_.elements)
    if (e.wire_size == 0) e.block = positions_[e.block];
  for (UnionPlan& u : program_.unions)
    if (u.otherwise != kNoBlock) u.otherwise = positions_[u.otherwise];
  for (Label& l : program_.labels) l.block = positions_[l.block];
}

void Builder::shorten(Plan& plan) const {
  const Instruction* const code = program_.code.data() + plan.block;
  if (code->op == Op::End) plan.way = Way::Nothing;
  if (code[0].op != Op::Run || code[1].op != Op::End) return;
  const Run& run = program_.runs[code->a];
  for (std::size_t phase = 0; phase < 8; ++phase) {
    if (run.variant[phase] == kNoVariant) continue;
    const Variant& v = program_.variants[run.variant[phase]];
    if (!v.has_enums && !v.encode[0].rare && !v.decode[0].rare) plan.flat[phase] = &v;
  }
}

}  // namespace callis::marshal
