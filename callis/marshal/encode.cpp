// SPDX-License-Identifier: Apache-2.0
// The encoding walk over a plan. The cursor travels in a register: every step takes it and returns it, nullptr
// after a fault. Room is made before bytes are written, once for a run; a few bytes beyond may be scribbled on
// (Buffer::kSlop), which is how padding is zeroed without a branch.
//
// If chars are converted there never seems to be room. Every step then goes the way that makes room, which converts
// or checks the chars. So the usual walk need not ask.
#include <callis/base/swap_array.h>
#include <callis/cdr/long_double.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <cstring>

namespace callis::marshal {

namespace {

class EncodeWalk {
 public:
  EncodeWalk(const Program& program, cdr::Encoder& encoder) : p_(program), e_(encoder), swap_(encoder.swaps()) {
    load_state();
  }

  bool whole(std::uint32_t pc, const void* memory) {
    if (e_.fault() != Fault::None) return false;  // what failed before moved nothing: the phase is not the plan's
    Byte* const cur = block(code(p_, pc), static_cast<const Byte*>(memory), e_.cursor());
    if (!cur) return false;
    e_.set_cursor(cur);
    return true;
  }

  // From `first` on, up to `stop`, which is an instruction of the same block. False after a fault.
  bool part(const Instruction* first, const Instruction* stop, const void* memory) {
    stop_ = stop;
    top_ = static_cast<const Byte*>(memory);
    Byte* const cur = block(first, top_, e_.cursor());
    if (cur) e_.set_cursor(cur);
    return e_.fault() == Fault::None;
  }

 private:
  Byte* block(const Instruction* i, const Byte* frame, Byte* cur);
  Byte* run(const Run& run, const Byte* base, const Byte* frame, Byte* cur);
  Byte* fixed_elements(const Element& element, const Byte* from, std::uint32_t n, Byte* cur);
  Byte* variable_elements(const Element& element, const Byte* from, std::uint32_t n, Byte* cur);
  Byte* string(const char* s, std::uint32_t bound, Byte* cur);
  Byte* string_slowly(const char* s, std::size_t n, Byte* cur);
  Byte* parts(const Run& run, const Byte* base, const Byte* frame, Byte* cur);
  Byte* items(const Run& run, const Byte* base, const Byte* frame, Byte* cur);
  Byte* room_for_run(const Run& run, std::size_t bytes, const Byte* base, const Byte* frame, Byte* cur);
  Byte* room_for_elements(const Element& element, const Byte* from, std::size_t n, std::size_t bytes, Byte* cur);
  bool chars_fit(const Run& run, const Byte* base, const Byte* frame);
  Byte* character(const Byte* from, Byte* cur);
  Byte* strings(const char* const* from, std::uint32_t n, std::uint32_t bound, Byte* cur);
  Byte* primitives(const Element& element, const Byte* from, std::uint32_t n, Byte* cur);
  Byte* sequence(const Instruction& i, const Byte* base, Byte* cur);
  Byte* reference(const void* reference, const void* link, Byte* cur);
  Byte* long_double(long double v, Byte* cur);
  Byte* extended(const Instruction& i, const Byte* from, Byte* cur);
  bool enums_valid(const Part& v, const Byte* wire) const;

  void load_state() {
    end_ = e_.converts() ? e_.cursor() : e_.limit();
    bias_ = reinterpret_cast<std::uintptr_t>(e_.cursor()) - e_.phase();
  }
  // The encoder's own functions may be called between these two.
  void give_cursor(Byte* cur) { e_.set_cursor(cur); }
  Byte* take_cursor() {
    load_state();
    return e_.fault() == Fault::None ? e_.cursor() : nullptr;
  }
  std::size_t phase(const Byte* cur) const { return (reinterpret_cast<std::uintptr_t>(cur) - bias_) & 7; }
  // If chars are converted, written bytes lie beyond end_.
  bool has_room(const Byte* cur, std::size_t n) const { return end_ - cur >= static_cast<std::ptrdiff_t>(n); }
  Byte* room(Byte* cur, std::size_t n) {
    if (has_room(cur, n)) [[likely]] return cur;
    return grow(cur, n);
  }
  [[gnu::cold, gnu::noinline]] Byte* grow(Byte* cur, std::size_t n) {
    give_cursor(cur);
    (void)e_.ensure(n);
    return take_cursor();
  }
  // There is room for alignment more.
  Byte* align(Byte* cur, std::size_t alignment) const {
    store_word<std::uint64_t>(cur, 0);
    return cur + ((0 - phase(cur)) & (alignment - 1));
  }
  template <class T>
  Byte* scalar(T v, Byte* cur) {
    cur = room(cur, 2 * sizeof(T));
    if (!cur) [[unlikely]] return nullptr;
    if constexpr (sizeof(T) > 1) cur = align(cur, sizeof(T));
    store(cur, v, swap_);
    return cur + sizeof(T);
  }
  [[gnu::cold, gnu::noinline]] Byte* fail(Fault f) {
    e_.set_fault(f);
    return nullptr;
  }

  const Program& p_;
  cdr::Encoder& e_;
  Byte* end_;
  std::uintptr_t bias_;  // an address whose phase is 0
  const bool swap_;
  const Instruction* stop_ = nullptr;  // of part(): where the walk over the memory at top_ ends
  const Byte* top_;
};

inline bool EncodeWalk::enums_valid(const Part& v, const Byte* wire) const {
  const Check* c = v.check();
  for (const Check* const end = c + v.checks; c != end; ++c)
    if (c->limit != kBoolean && !enums_in_range(wire + c->wire, c->count, c->limit, swap_)) return false;
  return true;
}

inline Byte* EncodeWalk::run(const Run& run, const Byte* base, const Byte* frame, Byte* cur) {
  if (!run.starts_at(phase(cur)) || swap_) [[unlikely]] return parts(run, base, frame, cur);
  const Part& v = run.whole();
  if (!serves(v.encode)) [[unlikely]] return items(run, base, frame, cur);
  if (!has_room(cur, v.wire_bytes)) [[unlikely]] {
    cur = room_for_run(run, v.wire_bytes, base, frame, cur);
    if (!cur) return nullptr;
  }
  put(v.encode, cur, run.reaches ? frame : base);
  if (v.has_enums && !enums_valid(v, cur)) [[unlikely]] return fail(Fault::BadEnum);
  return cur + v.wire_bytes;
}

// Encodes a run that starts at another phase.
[[gnu::noinline]] Byte* EncodeWalk::parts(const Run& run, const Byte* base, const Byte* frame, Byte* cur) {
  const Part* v = run.first_part();
  if (swap_ || run.parts == 0 || !serves(v->encode)) return items(run, base, frame, cur);
  for (const Part* const end = v + run.parts; v != end; ++v) {
    if (!has_room(cur, v->wire_bytes + 8)) [[unlikely]] {
      cur = room_for_run(run, wire_bytes(run, 0) + 8, base, frame, cur);
      if (!cur) return nullptr;
    }
    cur = align(cur, v->alignment);
    put(v->encode, cur, run.reaches ? frame : base);
    if (v->has_enums && !enums_valid(*v, cur)) [[unlikely]] return fail(Fault::BadEnum);
    cur += v->wire_bytes;
  }
  return cur;
}

// Encodes in the other byte order, and runs that have no moves.
[[gnu::noinline]] Byte* EncodeWalk::items(const Run& run, const Byte* base, const Byte* frame, Byte* cur) {
  const Item* item = run.item();
  for (std::uint32_t i = 0; i < run.items && cur; ++i, ++item) {
    const Byte* const from = (item->slot == kNoSlot ? base : read<const Byte*>(frame, item->slot)) + item->native;
    const std::uint32_t n = item->bytes >> item->log2_size();
    if (item->check != kNoCheck && item->check != kBoolean && !enums_in_range(from, n, item->check))
      return fail(Fault::BadEnum);
    if (item->chars() && !e_.check_chars(from, n)) return nullptr;
    give_cursor(cur);
    e_.put_array(from, n, item->size());
    cur = take_cursor();
  }
  return cur;
}

// The phase orbit: a run holds a member of its greatest alignment, so every element ends at the same phase modulo
// this alignment. After at most one element the wire forms repeat, and room is made once.
Byte* EncodeWalk::fixed_elements(const Element& element, const Byte* from, std::uint32_t n, Byte* cur) {
  const Run& run = p_.at<Run>(element.run);
  const std::size_t stride = element.native_size;
  for (; n != 0 && (swap_ || !run.starts_at(phase(cur)) || !serves(run.whole().encode)); --n, from += stride) {
    cur = parts(run, from, nullptr, cur);
    if (!cur) [[unlikely]] return nullptr;
  }
  if (n == 0) return cur;
  const Part& v = run.whole();
  const MoveList& list = v.encode;
  const std::size_t bytes = v.wire_bytes;
  if (!has_room(cur, n * bytes)) [[unlikely]] {
    cur = room_for_elements(element, from, n, n * bytes, cur);
    if (!cur) return nullptr;
  }
  const Move* const m = list.moves();
  if (CALLIS_HAS(shuffles) && list.count() == 1 && m->kind() == Move::Shuffles && can_shuffle()) {
    shuffle(cur + m->wire, bytes, from + m->native, stride, n, m->shuffles(), m->count());
  } else if (is_plain(list, bytes, stride)) {
    std::memcpy(cur, from, n * stride);
  } else {
    for (std::size_t i = 0; i < n; ++i) put(list, cur + i * bytes, from + i * stride);
  }
  if (v.has_enums)
    for (std::size_t i = 0; i < n; ++i)
      if (!enums_valid(v, cur + i * bytes)) return fail(Fault::BadEnum);
  return cur + n * bytes;
}

Byte* EncodeWalk::variable_elements(const Element& element, const Byte* from, std::uint32_t n, Byte* cur) {
  const Instruction* const first = code(p_, element.block);
  for (; n != 0 && cur; --n, from += element.native_size) cur = block(first, from, cur);
  return cur;
}

CALLIS_HOT inline Byte* EncodeWalk::string(const char* s, std::uint32_t bound, Byte* cur) {
  if (!s) [[unlikely]] return fail(Fault::NullPointer);
  const std::size_t n = std::strlen(s);
  if (bound != 0 && n > bound) [[unlikely]] return fail(Fault::BadBound);
  if (n >= 0xffffffffu) [[unlikely]] return fail(Fault::LimitExceeded);
  if (!has_room(cur, n + 8)) [[unlikely]] return string_slowly(s, n, cur);
  cur = align(cur, 4);
  store(cur, static_cast<std::uint32_t>(n + 1), swap_);
  copy_characters(cur + 4, reinterpret_cast<const Byte*>(s), n + 1);
  return cur + n + 5;
}

[[gnu::cold, gnu::noinline]] Byte* EncodeWalk::string_slowly(const char* s, std::size_t n, Byte* cur) {
  give_cursor(cur);
  e_.put_text({s, n});
  return take_cursor();
}

// Whether chars may be sent as they are.
bool EncodeWalk::chars_fit(const Run& run, const Byte* base, const Byte* frame) {
  const Item* item = run.item();
  for (std::uint32_t i = 0; i < run.items; ++i, ++item) {
    const Byte* const from = item->slot == kNoSlot ? base : read<const Byte*>(frame, item->slot);
    if (item->chars() && !e_.check_chars(from + item->native, item->bytes)) return false;
  }
  return true;
}
[[gnu::cold, gnu::noinline]] Byte* EncodeWalk::room_for_run(const Run& run, std::size_t bytes,
                                                            const Byte* base, const Byte* frame, Byte* cur) {
  if (e_.converts() && !chars_fit(run, base, frame)) return nullptr;
  return grow(cur, bytes);
}
[[gnu::cold, gnu::noinline]] Byte* EncodeWalk::room_for_elements(const Element& element, const Byte* from,
                                                                 std::size_t n, std::size_t bytes, Byte* cur) {
  for (std::size_t i = 0; e_.converts() && i < n; ++i)
    if (!chars_fit(p_.at<Run>(element.run), from + i * element.native_size, nullptr)) return nullptr;
  return grow(cur, bytes);
}
// A char by itself.
Byte* EncodeWalk::character(const Byte* from, Byte* cur) {
  if (!has_room(cur, 1)) [[unlikely]] {
    if (!e_.check_chars(from, 1)) return nullptr;
    cur = grow(cur, 1);
    if (!cur) return nullptr;
  }
  *cur = *from;
  return cur + 1;
}

Byte* EncodeWalk::strings(const char* const* from, std::uint32_t n, std::uint32_t bound, Byte* cur) {
  for (; n != 0 && cur; --n) cur = string(*from++, bound, cur);
  return cur;
}

Byte* EncodeWalk::primitives(const Element& element, const Byte* from, std::uint32_t n, Byte* cur) {
  const std::size_t size = element.wire_size(), bytes = n * size;
  if (element.check != kNoCheck && element.check != kBoolean && !enums_in_range(from, n, element.check))
    return fail(Fault::BadEnum);
  if (bytes >= cdr::Gather::kLeastBytes) {
    if (element.chars() && !e_.check_chars(from, n)) return nullptr;
    give_cursor(cur);
    e_.put_array(from, n, size);
    return take_cursor();
  }
  if (!has_room(cur, bytes + 8)) [[unlikely]] {
    if (element.chars() && !e_.check_chars(from, n)) return nullptr;
    cur = grow(cur, bytes + 8);
    if (!cur) return nullptr;
  }
  cur = align(cur, size);
  if (swap_ && size != 1) copy_swapped(cur, from, n, size);
  else copy_array(cur, from, bytes);
  return cur + bytes;
}

inline Byte* EncodeWalk::sequence(const Instruction& i, const Byte* base, Byte* cur) {
  SequenceHeader s;
  std::memcpy(&s, base + i.offset, sizeof s);
  if (i.a != 0 && s.length > i.a) [[unlikely]] return fail(Fault::BadBound);
  cur = scalar(s.length, cur);
  if (!cur || s.length == 0) return cur;
  if (!s.buffer) [[unlikely]] return fail(Fault::NullPointer);
  const Byte* const from = static_cast<const Byte*>(s.buffer);
  switch (i.op) {
    case Op::SeqPrim: return primitives(p_.at<Element>(i.b), from, s.length, cur);
    case Op::SeqFixed: return fixed_elements(p_.at<Element>(i.b), from, s.length, cur);
    case Op::SeqString: return strings(static_cast<const char* const*>(s.buffer), s.length, i.b, cur);
    default: return variable_elements(p_.at<Element>(i.b), from, s.length, cur);
  }
}

[[gnu::noinline]] Byte* EncodeWalk::reference(const void* reference, const void* link, Byte* cur) {
  give_cursor(cur);
  reference_handlers().encode(e_, reference, link);
  return take_cursor();
}

[[gnu::noinline]] Byte* EncodeWalk::long_double(long double v, Byte* cur) {
  give_cursor(cur);
  e_.put_long_double(v);
  return take_cursor();
}

[[gnu::noinline]] Byte* EncodeWalk::extended(const Instruction& i, const Byte* from, Byte* cur) {
  if (!p_.extension) return fail(Fault::Unsupported);
  give_cursor(cur);
  if (&i == stop_ && from == top_ + i.offset) return nullptr;  // the same instruction may stand for an element within
  p_.extension->encode(p_, i, from, e_);
  return take_cursor();
}

Byte* EncodeWalk::block(const Instruction* i, const Byte* frame, Byte* cur) {
  const Byte* base = frame;
  for (;; ++i) {
    switch (i->op) {
      case Op::End: return cur;
      case Op::R1: cur = scalar(read<std::uint8_t>(base, i->offset), cur); break;
      case Op::Char: cur = character(base + i->offset, cur); break;
      case Op::R2: cur = scalar(read<std::uint16_t>(base, i->offset), cur); break;
      case Op::R4: cur = scalar(read<std::uint32_t>(base, i->offset), cur); break;
      case Op::R8: cur = scalar(read<std::uint64_t>(base, i->offset), cur); break;
      case Op::Run: cur = run(p_.at<Run>(i->a), base, frame, cur); break;
      case Op::LongDouble: cur = long_double(read<long double>(base, i->offset), cur); break;
      case Op::String: cur = string(read<const char*>(base, i->offset), i->a, cur); break;
      case Op::Reference: cur = reference(read<void*>(base, i->offset), p_.link(i->a), cur); break;
      case Op::SeqPrim: case Op::SeqFixed: case Op::SeqString: case Op::SeqVar: cur = sequence(*i, base, cur); break;
      case Op::ArrFixed: cur = fixed_elements(p_.at<Element>(i->b), base + i->offset, i->a, cur); break;
      case Op::ArrVar: cur = variable_elements(p_.at<Element>(i->b), base + i->offset, i->a, cur); break;
      case Op::WChar: case Op::WString: case Op::Fixed: case Op::Slot: case Op::Union:
        cur = extended(*i, base + i->offset, cur);
        break;
      case Op::Base: case Op::New:
        base = read<const Byte*>(i->op == Op::Base ? frame : base, i->offset);
        if (!base) [[unlikely]] return fail(Fault::NullPointer);
        continue;
      case Op::Frame: base = frame; continue;
      case Op::Borrow: continue;
      default: __builtin_unreachable();
    }
    if (!cur) [[unlikely]] return nullptr;
  }
}

[[gnu::noinline]] bool walk(const Plan& plan, const void* memory, cdr::Encoder& encoder) {
  if (plan.way() != Way::Walk) [[unlikely]] {
    if (plan.way() == Way::Nothing) return encoder.fault() == Fault::None;
    return plan.program->extension->encode_scoped(plan, memory, encoder);
  }
  return EncodeWalk(*plan.program, encoder).whole(plan.block, memory);
}

}  // namespace

bool encode_block(const Program& program, std::uint32_t block, const void* memory, cdr::Encoder& encoder) {
  return EncodeWalk(program, encoder).whole(block, memory);
}

bool encode_part(const Program& program, const Instruction* first, const Instruction* stop, const void* memory,
                 cdr::Encoder& encoder) {
  return encoder.fault() == Fault::None && EncodeWalk(program, encoder).part(first, stop, memory);
}

[[gnu::hot]] bool encode(const Plan& plan, const void* memory, cdr::Encoder& encoder) {
  // A frame of nothing but fixed-size members, as they are in memory, with room for it: the walk without the walker.
  if ((plan.flat_encode >> encoder.phase() & 1) == 0) [[unlikely]] return walk(plan, memory, encoder);
  const Part* const v = flat_part(plan);
  Byte* const to = encoder.cursor();
  if (!encoder.plain() || static_cast<std::size_t>(encoder.limit() - to) < v->wire_bytes) [[unlikely]]
    return walk(plan, memory, encoder);
  encoder.advance(v->wire_bytes);
  return put_moves(v->encode, to, static_cast<const Byte*>(memory));
}

}  // namespace callis::marshal
