// SPDX-License-Identifier: Apache-2.0
// Plans from types: what each kind becomes, and how the parts of a struct are joined.
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/vector.h>
#include <callis/marshal/memory.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
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

}  // namespace

Word known_in(const Unit& unit, const WordMap& map, Word key) {
  return unit.extension ? unit.extension->find(map, key) : map.scan(key);
}
void keep_in(const Unit& unit, WordMap& map, Word key, Word value) {
  if (unit.extension) unit.extension->put(map, key, value);
  else map.add(key, value);
}

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
  draft_.each_array([&work](auto& array) { array.charge_to(&work); });
  memo_.charge_to(&work);
  open_.charge_to(&work);
  blocks_.charge_to(&work);
  positions_.charge_to(&work);
  waiting_.charge_to(&work);
  used_.charge_to(&work);
  runs_.charge_to(&work);
  for (WordMap* map : {&shared_, &shared_fixed_, &shared_unions_, &shared_runs_, &shared_items_, &shared_moves_,
                       &shared_shuffles_, &shared_checks_, &shared_code_, &shared_primitives_})
    map->charge_to(&work);
}

void Builder::open_block(PhaseSet start, Uses uses) {
  open_.push_back({});
  Block& b = open_.back();
  b.phases = start;
  b.uses = uses;
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
  blocks_.push_back({std::move(code), block().uses});
  open_.pop_back();
  return narrow(blocks_.size() - 1);
}

void Builder::append(Op op, std::uint32_t offset, std::uint32_t a, std::uint32_t b) {
  block().code.push_back({op, offset, a, b});
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
                   (op >= Op::SeqPrim && op <= Op::SeqVar) || (op == Op::ArrVar && draft_.elements[b].owns()) ||
                   (op == Op::Union && draft_.unions[a].owns());
  to.owns = to.owns || own;
  if (own && to.borrow != to.borrows) {
    append(Op::Borrow, 0, to.borrow);
    to.borrows = to.borrow;
  }
  append(op, offset, a, b);
}

PhaseSet Builder::after(const Item* items, std::size_t n, PhaseSet start) const {
  for (const Item* i = items; i != items + n; ++i) start = rotate(aligned(start, i->size()), i->bytes);
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
  if (run_size(r.kind) != 0) return add_scalar(r, offset, 1);
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
  if (r.payload == kNoLink || !keeps_links_) return r.payload;
  draft_.links.push_back(unit_.links[r.payload]);
  return narrow(draft_.links.size() - 1);
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
  if (run_size(e.kind) != 0) return add_scalar(e, offset, count);
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

std::uint32_t Builder::add_element(const Element& element) {
  draft_.elements.push_back(element);
  draft_.element_uses.push_back(kNoUse);
  return narrow(draft_.elements.size() - 1);
}

std::uint32_t Builder::make_primitive_element(const Resolved& e) {
  Element out{};
  const std::uint32_t size = narrow(run_size(e.kind));
  out.native_size = out.minimum_wire = size;
  out.form = size | (e.kind == Kind::Char ? Element::kChars : 0);
  out.check = check_of(e);
  const Word key = out.form << 24 | (out.check & 0xffffff);
  const Word known = known_in(unit_, shared_primitives_, key);
  if (known != WordMap::kNone && std::memcmp(&draft_.elements[known], &out, sizeof out) == 0) return known;
  const std::uint32_t index = add_element(out);
  if (known == WordMap::kNone) keep_in(unit_, shared_primitives_, key, index);
  return index;
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
  if (const Word known = known_in(unit_, shared_fixed_, type); known != WordMap::kNone) {
    RunDraft& run = draft_.runs[draft_.elements[known].run];
    run.phases = static_cast<PhaseSet>(run.phases | start);
    return known;
  }
  const TypeFacts f = facts(type);
  Element out{};
  out.native_size = narrow(f.layout.size);
  out.minimum_wire = minimum_of_element(f);
  open_block(start, kNoUse);
  emit_value(type, 0);
  out.block = kNoBlock;
  out.run = make_run(block().pending, start, true, false);
  open_.pop_back();
  const std::uint32_t index = add_element(out);
  keep_in(unit_, shared_fixed_, type, index);
  return index;
}

// The element is registered before its block is built, so that a type which contains sequences of itself finds it.
std::uint32_t Builder::make_variable_element(Word type) {
  if (const Word known = known_in(unit_, shared_, type); known != WordMap::kNone) return known;
  const TypeFacts f = facts(type);
  Element out{};
  out.native_size = narrow(f.layout.size);
  out.minimum_wire = minimum_of_element(f);
  out.form = f.variable ? Element::kOwns : 0;
  const std::uint32_t index = add_element(out);
  keep_in(unit_, shared_, type, index);
  waiting_.push_back(type);
  waiting_.push_back(index);
  return index;
}

std::uint32_t Builder::value_block(Word type, Uses uses) {
  open_block(kAnyPhase, uses);
  emit_value(type, 0);
  return close_block();
}

void Builder::emit_pointed(Word type, std::uint32_t offset) {
  if (resolve(unit_, type).kind == Kind::Array || offset > Move::kMostSlot) return emit_pointed_array(type, offset);
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

std::uint32_t Builder::exception_block(Word entry, Uses uses) {
  open_block(kAnyPhase, uses);
  StructLayout layout;
  layout.add(abi_of(unit_).pointer);
  emit_struct(resolve(unit_, type_word(Kind::Ref, entry)), entry + 2, 0, layout);
  return close_block();
}

void Builder::use(Uses& of, Uses uses, std::uint32_t block) {
  if ((uses & ~of) == 0) return;
  of = static_cast<Uses>(of | uses);
  add_block(block, uses);
}

void Builder::add_block(std::uint32_t block, Uses uses) {
  used_.push_back(block);
  used_.push_back(uses);
}

void Builder::spread_uses() {
  for (std::uint32_t b = 0; b < blocks_.size(); ++b)
    if ((blocks_[b].uses & (kEncodes | kDecodes)) != 0) add_block(b, blocks_[b].uses);
  while (!used_.empty()) {
    const Uses uses = static_cast<Uses>(used_.back());
    used_.pop_back();
    const Array<Instruction>& code = blocks_[used_.back()].code;
    used_.pop_back();
    step(code.size());
    for (const Instruction& i : code) {
      switch (i.op) {
        case Op::Run: draft_.runs[i.a].uses |= uses; break;
        case Op::SeqFixed: case Op::ArrFixed: draft_.runs[draft_.elements[i.b].run].uses |= uses; break;
        case Op::SeqVar: case Op::ArrVar: use(draft_.element_uses[i.b], uses, draft_.elements[i.b].block); break;
        case Op::Union: {
          const UnionPlan& u = draft_.unions[i.a];
          Uses& of = draft_.union_uses[i.a];
          if ((uses & ~of) == 0) break;
          of = static_cast<Uses>(of | uses);
          if (u.otherwise != kNoBlock) add_block(u.otherwise, uses);
          step(u.labels);
          for (std::uint32_t l = 0; l < u.labels; ++l) add_block(draft_.labels[u.first_label + l].block, uses);
          break;
        }
        default: break;
      }
    }
  }
}

Array<Word> Builder::finish() {
  for (std::size_t i = 0; i < waiting_.size(); i += 2) {  // blocks may add some
    const std::uint32_t b = value_block(waiting_[i], kNoUse);
    draft_.elements[waiting_[i + 1]].block = b;
  }
  spread_uses();
  for (const RunDraft& draft : draft_.runs) {
    Run run{};
    make_parts(draft, run);
    runs_.push_back(run);
  }
  for (const Made& made : blocks_) {
    const std::uint32_t first = narrow(draft_.code.size());
    draft_.code.append(made.code);
    positions_.push_back(share(draft_.code, first, shared_code_));
  }

  // Each array gets its place.
  Ref end = kFirstInstruction;
  const auto place = [&end]<class T>(const Array<T>& array) {
    const Ref at = end;
    const std::size_t bytes = array.size() * sizeof(T);
    if (bytes > UINT32_MAX - at) throw std::bad_alloc();
    end += narrow(bytes);
    return at;
  };
  const Ref code = place(draft_.code), runs = place(runs_), parts = place(draft_.parts),
            elements = place(draft_.elements), unions = place(draft_.unions), labels = place(draft_.labels),
            items = place(draft_.items), checks = place(draft_.checks), moves = place(draft_.moves),
            shuffles = place(draft_.shuffles);
  const auto ref = []<class T>(const Array<T>&, Ref array, std::uint32_t index) {
    return array + index * narrow(sizeof(T));
  };

  runs_at_ = runs;
  parts_at_ = parts;

  // Indices become refs and steps.
  for (Ref& p : positions_) p = ref(draft_.code, code, p);
  for (Instruction& i : draft_.code) {
    switch (i.op) {
      case Op::Run: i.a = ref(runs_, runs, i.a); break;
      case Op::Union: i.a = ref(draft_.unions, unions, i.a); break;
      case Op::SeqPrim: case Op::SeqFixed: case Op::SeqVar: case Op::ArrFixed: case Op::ArrVar:
        i.b = ref(draft_.elements, elements, i.b);
        break;
      default: break;
    }
  }
  for (std::uint32_t i = 0; i < runs_.size(); ++i) {
    Run& run = runs_[i];
    const Ref here = ref(runs_, runs, i);
    run.first_item = ref(draft_.items, items, run.first_item) - here;
    run.whole_at = ref(draft_.parts, parts, run.whole_at) - here;
    run.parts_at = ref(draft_.parts, parts, run.parts_at) - here;
  }
  for (std::uint32_t i = 0; i < draft_.parts.size(); ++i) {
    Part& part = draft_.parts[i];
    const Ref here = ref(draft_.parts, parts, i);
    part.first_check = ref(draft_.checks, checks, part.first_check) - here;
    const auto list = [&](MoveList& l, std::size_t offset) {
      if (l.made()) l.at = ref(draft_.moves, moves, l.at) - (here + narrow(offset));
    };
    list(part.encode, offsetof(Part, encode));
    list(part.decode, offsetof(Part, decode));
    list(part.swapped, offsetof(Part, swapped));
  }
  for (std::uint32_t i = 0; i < draft_.moves.size(); ++i) {
    Move& m = draft_.moves[i];
    if (m.kind() == Move::Shuffles) m.bytes = ref(draft_.shuffles, shuffles, m.bytes) - ref(draft_.moves, moves, i);
  }
  for (Element& e : draft_.elements) {
    if (e.wire_size() != 0) continue;
    const bool fixed = e.block == kNoBlock;
    e.run = fixed ? ref(runs_, runs, e.run) : 0;
    e.block = fixed ? 0 : positions_[e.block];
  }
  for (UnionPlan& u : draft_.unions) {
    if (u.otherwise != kNoBlock) u.otherwise = positions_[u.otherwise];
    u.first_label = ref(draft_.labels, labels, u.first_label);
  }
  for (Label& l : draft_.labels) l.block = positions_[l.block];

  Array<Word> tables(work_);
  tables.resize_exactly(end / sizeof(Word));
  tables[0] = end;
  tables[1] = narrow(draft_.code.size());
  const auto write = [&tables]<class T>(const Array<T>& array, Ref at) {
    static_assert(sizeof(T) % sizeof(Word) == 0 && alignof(T) <= alignof(Word));
    if (!array.empty()) std::memcpy(tables.data() + at / sizeof(Word), array.data(), array.size() * sizeof(T));
  };
  write(draft_.code, code), write(runs_, runs), write(draft_.parts, parts), write(draft_.elements, elements);
  write(draft_.unions, unions), write(draft_.labels, labels), write(draft_.items, items);
  write(draft_.checks, checks), write(draft_.moves, moves), write(draft_.shuffles, shuffles);
  return tables;
}

Builder::Flat Builder::flat(std::uint32_t block, Way& way) const {
  const Array<Instruction>& code = blocks_[block].code;
  if (code[0].op == Op::End) way = Way::Nothing;
  if (code[0].op != Op::Run || code[1].op != Op::End) return {};
  const Run& run = runs_[code[0].a];
  const Uses uses = blocks_[block].uses;
  if (run.phase != 0) return {};
  const Ref at = run.whole_at + runs_at_ + code[0].a * narrow(sizeof(Run));
  const Part& part = draft_.parts[narrow((at - parts_at_) / sizeof(Part))];
  if (part.has_enums) return {};
  PhaseSet phases = 0;
  for (unsigned p = 0; p < 8; p += run.alignment) phases = static_cast<PhaseSet>(phases | 1u << p);
  const auto serves = [&](const MoveList& list, Uses use) {
    return static_cast<PhaseSet>((uses & use) != 0 && list.made() && !list.rare() ? phases : 0);
  };
  Flat flat{at, serves(part.encode, kEncodes), serves(part.decode, kDecodes)};
  return flat.encode || flat.decode ? flat : Flat{};
}

Plan plan_of(const Builder& b, const Program& program, std::uint32_t block, const Layout& layout, bool owns,
             Way way) {
  const Builder::Flat flat = b.flat(block, way);
  return {&program,
          flat.part ? program.tables + flat.part / sizeof(Word) : nullptr,
          b.block_position(block),
          narrow(layout.size),
          1,
          static_cast<std::uint8_t>(__builtin_ctzll(layout.alignment) & 15),
          owns,
          static_cast<std::uint8_t>(static_cast<unsigned>(way) & 3),
          flat.encode,
          flat.decode};
}

}  // namespace callis::marshal
