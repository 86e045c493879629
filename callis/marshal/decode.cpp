// SPDX-License-Identifier: Apache-2.0
// The decoding walk over a plan. All data come from the peer. Counts pass the rule of Decoder::count(), strings the
// rule of Decoder::string_length(), nesting Decoder::enter(); booleans and enums are checked before they are stored.
// The cursor travels in a register: every step takes the cursor and returns it, nullptr after a fault. Data that are
// not whole in this segment of the message go the decoder's own, slower way, which also finds the message's end. If
// chars are converted nothing seems to be whole, and the slower way converts them.
#include <callis/base/blocks.h>
#include <callis/base/swap_array.h>
#include <callis/cdr/long_double.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/decode_walk.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <cstring>
#include <utility>

namespace callis::marshal {

namespace {

inline Fault check(const Part& v, const Byte* wire, bool swap) {
  const Check* c = v.check();
  for (const Check* const end = c + v.checks; c != end; ++c) {
    if (c->limit == kBoolean) {
      if (c->count == 1 ? wire[c->wire] > 1 : !booleans(wire + c->wire, c->count)) [[unlikely]]
        return Fault::BadBoolean;
    } else if (!enums_in_range(wire + c->wire, c->count, c->limit, swap)) [[unlikely]] {
      return Fault::BadEnum;
    }
  }
  return Fault::None;
}

inline const MoveList& decode_list(const Part& v, bool swap) { return swap ? v.swapped : v.decode; }

inline const Byte* DecodeWalk::run(const Run& run, Byte* base, Byte* frame, const Byte* cur) {
  if (!run.starts_at(phase(cur))) [[unlikely]] return parts(run, base, frame, cur);
  const Part& v = run.whole();
  const MoveList& list = decode_list(v, swap_);
  if (left(cur) < v.wire_bytes || !serves(list)) [[unlikely]] return run_across_segments(run, base, frame, cur);
  if (v.checks != 0) {
    if (const Fault f = check(v, cur, swap_); f != Fault::None) [[unlikely]] return fail(f);
  }
  get(list, cur, run.reaches ? frame : base);
  return cur + v.wire_bytes;
}

// Decodes a run that starts at another phase. If the run has no parts, the builder has excluded the phase, and this
// is the start of a GIOP 1.1 fragment.
[[gnu::noinline]] const Byte* DecodeWalk::parts(const Run& run, Byte* base, Byte* frame, const Byte* cur) {
  const Part* const first = run.first_part();
  const Part* const end = first + run.parts;
  std::size_t bytes = phase(cur);
  for (const Part* v = first; v != end; ++v) bytes = align_up(bytes, std::size_t{v->alignment}) + v->wire_bytes;
  if (run.parts == 0 || left(cur) < bytes - phase(cur) || !serves(decode_list(*first, swap_))) [[unlikely]]
    return run_across_segments(run, base, frame, cur);
  for (const Part* v = first; v != end; ++v) {
    cur += padding(cur, v->alignment);
    if (v->checks != 0) {
      if (const Fault f = check(*v, cur, swap_); f != Fault::None) [[unlikely]] return fail(f);
    }
    get(decode_list(*v, swap_), cur, run.reaches ? frame : base);
    cur += v->wire_bytes;
  }
  return cur;
}

// The end of the message, or of a GIOP 1.1 fragment: member by member.
[[gnu::cold, gnu::noinline]] const Byte* DecodeWalk::run_across_segments(const Run& run, Byte* base, Byte* frame,
                                                                         const Byte* cur) {
  const Item* item = run.item();
  for (std::uint32_t i = 0; i < run.items && cur; ++i, ++item) {
    Byte* to = item->slot == kNoSlot ? base : read<Byte*>(frame, item->slot);
    const Element element{0, 0, 0, 0, item->check, item->size() | (item->chars() ? Element::kChars : 0)};
    cur = primitives_across_segments(element, to + item->native, item->bytes >> item->log2_size(), cur);
  }
  return cur;
}

// Primitives one by one as far as segments go. Values that are not valid become zeros.
[[gnu::cold, gnu::noinline]] const Byte* DecodeWalk::primitives_across_segments(const Element& element, Byte* to,
                                                                                std::uint32_t n, const Byte* cur) {
  give_cursor(cur);
  if (!d_.get_array(to, n, element.wire_size()) || (element.chars() && !d_.check_chars(to, n))) {
    std::memset(to, 0, std::size_t{n} * element.wire_size());
    return nullptr;
  }
  if (element.check == kBoolean ? booleans(to, n) : element.check == kNoCheck || enums_in_range(to, n, element.check))
    return take_cursor();
  std::memset(to, 0, std::size_t{n} * element.wire_size());
  return fail(element.check == kBoolean ? Fault::BadBoolean : Fault::BadEnum);
}

const Byte* DecodeWalk::fixed_elements(const Element& element, Byte* to, std::uint32_t n, const Byte* cur) {
  const Run& run = p_.at<Run>(element.run);
  const std::size_t stride = element.native_size;
  while (n != 0) {
    const bool whole = run.starts_at(phase(cur));
    const std::size_t bytes = whole ? run.whole().wire_bytes : 0;
    if (!whole || n > left(cur) / bytes || !serves(decode_list(run.whole(), swap_))) [[unlikely]] {
      // Not all of it in this segment, or at another phase: one element.
      cur = this->run(run, to, nullptr, cur);
      if (!cur) return nullptr;
      to += stride;
      --n;
      continue;
    }
    const Part& v = run.whole();
    if (v.checks != 0)
      for (std::size_t i = 0; i < n; ++i)
        if (const Fault f = check(v, cur + i * bytes, swap_); f != Fault::None) return fail(f);
    const MoveList& list = decode_list(v, swap_);
    const Move* const m = list.moves();
    if (CALLIS_HAS(shuffles) && list.count() == 1 && m->kind() == Move::Shuffles && can_shuffle()) {
      shuffle(to + m->native, stride, cur + m->wire, bytes, n, m->shuffles(), m->count());
    } else if (is_plain(list, bytes, stride)) {
      std::memcpy(to, cur, n * stride);
    } else {
      for (std::size_t i = 0; i < n; ++i) get(list, cur + i * bytes, to + i * stride);
    }
    return cur + n * bytes;
  }
  return cur;
}

const Byte* DecodeWalk::variable_elements(const Element& element, Byte* to, std::uint32_t n, const Byte* cur) {
  if (element.owns() && !d_.enter()) [[unlikely]] return nullptr;  // nothing nests in what owns nothing
  const Instruction* const first = code(p_, element.block);
  for (; n != 0 && cur; --n, to += element.native_size) cur = block(first, to, cur);
  if (element.owns()) d_.leave();
  return cur;
}

CALLIS_HOT inline const Byte* DecodeWalk::string(char** slot, std::uint32_t bound, const Byte* cur,
                                                 Charges& charges) {
  const std::size_t pad = padding(cur, 4);
  if (left(cur) < pad + 4) [[unlikely]] return string_across_segments(slot, bound, cur, charges);
  const std::uint32_t n = load<std::uint32_t>(cur + pad, swap_);
  const Byte* const from = cur + pad + 4;
  if (std::size_t{n} - 1 >= left(from)) [[unlikely]]  // 0, too, is more than that
    return n == 0 ? fail(Fault::BadString) : string_across_segments(slot, bound, cur, charges);
  if (bound != 0 && n - 1 > bound) [[unlikely]] return fail(Fault::BadBound);
  charges.sum += n;
  if (charges.sum > charges.most) [[unlikely]] {
    if (!settle(charges)) return nullptr;
    charges = charges_from_now();
  }
  if (from[n - 1] != 0) [[unlikely]] return fail(Fault::BadString);
  if (arena_) {
    if (!no_zeros<false>(nullptr, from, n - 1)) [[unlikely]] return fail(Fault::BadString);
    *slot = const_cast<char*>(reinterpret_cast<const char*>(from));  // for a servant that gets it as const
    return from + n;
  }
  char* const old = *slot;
  if (old && string_fits(old, n - 1)) {
    const bool right = no_zeros<true>(reinterpret_cast<Byte*>(old), from, n - 1);
    old[n - 1] = 0;
    return right ? from + n : fail(Fault::BadString);
  }
  char* s = kEmptyString;
  if (n != 1) {
    s = static_cast<char*>(block_allocate(n));  // as string_allocate() does
    if (!s) [[unlikely]] return fail(Fault::OutOfMemory);
    if (!no_zeros<true>(reinterpret_cast<Byte*>(s), from, n - 1)) [[unlikely]] {
      block_free(s);
      return fail(Fault::BadString);
    }
    s[n - 1] = 0;
  }
  *slot = s;
  if (old) string_free(old);
  return from + n;
}

[[gnu::cold, gnu::noinline]] const Byte* DecodeWalk::string_across_segments(char** slot, std::uint32_t bound,
                                                                            const Byte* cur, Charges& charges) {
  if (!settle(charges)) return nullptr;
  give_cursor(cur);
  const std::uint32_t n = d_.text_room(bound);
  if (n == 0) return nullptr;
  char* const s = arena_ ? static_cast<char*>(arena_->allocate(n)) : string_allocate(n - 1);
  if (!s) return fail(Fault::OutOfMemory);
  if (!d_.get_text(s, n, bound)) {
    if (!arena_) string_free(s);
    return nullptr;
  }
  if (!arena_) string_free(*slot);
  *slot = s;
  charges = charges_from_now();
  return take_cursor();
}

const Byte* DecodeWalk::strings(char** to, std::uint32_t n, std::uint32_t bound, const Byte* cur) {
  if (!d_.enter()) [[unlikely]] return nullptr;
  Charges charges = charges_from_now();
  for (; n != 0 && cur; --n) cur = string(to++, bound, cur, charges);
  d_.leave();
  return settle(charges) ? cur : nullptr;
}

const Byte* DecodeWalk::reference(void* slot, const void* link, const Byte* cur) {
  give_cursor(cur);
  void* r = reference_handlers().decode(d_, link);
  if (!d_.ok()) {
    if (r) reference_handlers().release(r, link);
    return nullptr;
  }
  if (void* old = read<void*>(slot, 0)) reference_handlers().release(old, link);
  write(slot, 0, r);
  return take_cursor();
}

[[gnu::noinline]] const Byte* DecodeWalk::long_double(void* to, const Byte* cur) {
  give_cursor(cur);
  const long double v = d_.get_long_double();
  cur = take_cursor();
  if (cur) write(to, 0, v);
  return cur;
}

// Decoder::count(), on the cursor as long as the elements can be in this segment.
inline const Byte* DecodeWalk::count(std::size_t min_wire, std::size_t native_bytes, std::uint32_t& n,
                                     const Byte* cur) {
  const std::size_t pad = padding(cur, 4);
  if (left(cur) >= pad + 4) [[likely]] {
    n = load<std::uint32_t>(cur + pad, swap_);
    const Byte* const after = cur + pad + 4;
    if (std::uint64_t{n} * min_wire <= left(after)) [[likely]]
      return d_.charge(n, native_bytes) ? after : nullptr;
  }
  give_cursor(cur);
  n = d_.count(min_wire, native_bytes);
  return take_cursor();
}

// Room for n elements, put into the header. A buffer is used again: of fixed-size elements when it is large enough,
// of others when it has as many, which are decoded into.
inline void* DecodeWalk::sequence_buffer(const Instruction& i, SequenceHeader* s, std::uint32_t n, std::size_t size,
                                         bool owns) {
  void* buffer;
  if (arena_) {
    buffer = arena_->allocate(n * size);
  } else {
    if (s->buffer) {
      if ((!owns || s->length == n) && s->release && s->maximum >= n && buffer_count(s->buffer) >= n) {
        s->length = n;
        return s->buffer;
      }
      destroy_sequence(p_, i, reinterpret_cast<Byte*>(s) - i.offset);
    }
    buffer = buffer_allocate(n, size);
  }
  if (!buffer) [[unlikely]] {
    fail(Fault::OutOfMemory);
    return nullptr;
  }
  // Zeros are valid elements: whatever happens later, the sequence can be destroyed.
  if (owns || i.op == Op::SeqVar) std::memset(buffer, 0, n * size);
  *s = {n, n, buffer, arena_ == nullptr};
  return buffer;
}

const Byte* DecodeWalk::primitives(const Element& element, const Instruction& i, SequenceHeader* s, std::uint32_t n,
                                   const Byte* cur) {
  const std::size_t size = element.wire_size(), bytes = n * size, pad = padding(cur, size);
  if (left(cur) < pad + bytes) [[unlikely]] {
    void* const to = sequence_buffer(i, s, n, size, false);
    return to ? primitives_across_segments(element, static_cast<Byte*>(to), n, cur) : nullptr;
  }
  const Byte* const from = cur + pad;
  if (element.check == kBoolean) {
    if (!booleans(from, n)) [[unlikely]] return fail(Fault::BadBoolean);
  } else if (element.check != kNoCheck && !enums_in_range(from, n, element.check, swap_)) [[unlikely]] {
    return fail(Fault::BadEnum);
  }
  const bool swap = swap_ && size != 1;
  if (arena_ && !swap && (reinterpret_cast<std::uintptr_t>(from) & (size - 1)) == 0) {
    *s = {n, n, const_cast<Byte*>(from), false};  // for a servant that gets it as const
    return from + bytes;
  }
  void* const to = sequence_buffer(i, s, n, size, false);
  if (!to) [[unlikely]] return nullptr;
  if (swap) copy_swapped(to, from, n, size);
  else copy_array(to, from, bytes);
  return from + bytes;
}

// For structs that lie in the message as in memory. The first may have another phase: it is moved to the place for
// the phase of the others. This takes at most the four bytes of the count before it, which have been read. Returns
// nullptr, and does nothing, if this is impossible. cur points behind the count.
[[gnu::noinline]] const Byte* DecodeWalk::borrow_elements(const Element& element, SequenceHeader* s, std::uint32_t n,
                                                          const Byte* cur) {
  constexpr std::size_t kMostBytes = 256;  // of a struct
  const Run& run = p_.at<Run>(element.run);
  const std::size_t native = element.native_size, here = phase(cur), first = wire_bytes(run, here);
  if (n < 2 || native > kMostBytes || !run.starts_at(here + first)) return nullptr;
  const Part& other = run.whole();
  if (!is_plain(other.decode, other.wire_bytes, native)) return nullptr;
  const std::size_t bytes = first + (n - 1) * native;
  if (bytes > left(cur) || native > first + 4) return nullptr;
  Byte* const start = const_cast<Byte*>(cur) + first - native;
  if ((reinterpret_cast<std::uintptr_t>(start) & (run.alignment - 1)) != 0) return nullptr;
  const bool moves = !run.starts_at(here);
  for (std::uint32_t i = moves ? 1 : 0; other.checks != 0 && i < n; ++i) {
    const Fault f = check(other, start + i * native, false);
    if (f != Fault::None) [[unlikely]] return fail(f);
  }
  if (moves) {
    alignas(16) Byte moved[kMostBytes] = {};
    if (!parts(run, moved, nullptr, cur)) [[unlikely]] return nullptr;
    std::memcpy(start, moved, native);
  }
  *s = {n, n, start, false};  // for a servant that gets it as const
  return cur + bytes;
}

inline const Byte* DecodeWalk::sequence(const Instruction& i, Byte* base, const Byte* cur) {
  std::size_t min_wire = 5, size = sizeof(char*);
  bool owns = true;
  const Element* element = nullptr;
  if (i.op != Op::SeqString) {
    element = &p_.at<Element>(i.b);
    min_wire = element->minimum_wire;
    size = element->native_size;
    owns = element->owns();
  }
  std::uint32_t n;
  const Byte* const before = cur;
  cur = count(min_wire, size, n, cur);
  if (!cur) [[unlikely]] return nullptr;
  if (i.a != 0 && n > i.a) [[unlikely]] return fail(Fault::BadBound);
  SequenceHeader* const s = reinterpret_cast<SequenceHeader*>(base + i.offset);
  if (n == 0) {
    if (s->buffer && !arena_) destroy_sequence(p_, i, base);
    else s->length = 0;
    return cur;
  }
  if (i.op == Op::SeqPrim) return primitives(*element, i, s, n, cur);
  if (i.op == Op::SeqFixed && arena_ && !swap_ && static_cast<std::size_t>(cur - before) < 8) {  // count and all
    const Byte* const after = borrow_elements(*element, s, n, cur);
    if (after || !d_.ok()) return after;
  }
  void* const to = sequence_buffer(i, s, n, size, owns);
  if (!to) [[unlikely]] return nullptr;
  switch (i.op) {
    case Op::SeqFixed: return fixed_elements(*element, static_cast<Byte*>(to), n, cur);
    case Op::SeqString: return strings(static_cast<char**>(to), n, i.b, cur);
    default: return variable_elements(*element, static_cast<Byte*>(to), n, cur);
  }
}

void* DecodeWalk::owned(const Instruction& i, Byte* base) {
  void* value = read<void*>(base, i.offset);
  if (value) return value;
  if (!d_.charge(i.a)) return nullptr;
  value = value_allocate(i.a);
  if (!value) fail(Fault::OutOfMemory);
  else write(base, i.offset, value);
  return value;
}

[[gnu::noinline]] const Byte* DecodeWalk::extended(const Instruction& i, Byte* to, const Byte* cur) {
  if (!p_.extension) return fail(Fault::Unsupported);
  give_cursor(cur);
  if (&i == stop_ && to == top_ + i.offset) return nullptr;  // the same instruction may stand for an element within
  p_.extension->decode(p_, i, to, d_, arena_);
  return take_cursor();
}

const Byte* DecodeWalk::block(const Instruction* i, Byte* frame, const Byte* cur) {
  Byte* base = frame;
  for (;; ++i) {
    switch (i->op) {
      case Op::End: return cur;
      case Op::R1: cur = scalar<std::uint8_t>(base + i->offset, cur); break;
      case Op::Char: cur = character(base + i->offset, cur); break;
      case Op::R2: cur = scalar<std::uint16_t>(base + i->offset, cur); break;
      case Op::R4: cur = scalar<std::uint32_t>(base + i->offset, cur); break;
      case Op::R8: cur = scalar<std::uint64_t>(base + i->offset, cur); break;
      case Op::Run: cur = run(p_.at<Run>(i->a), base, frame, cur); break;
      case Op::LongDouble: cur = long_double(base + i->offset, cur); break;
      case Op::String: {
        Charges charges = charges_from_now();
        cur = string(reinterpret_cast<char**>(base + i->offset), i->a, cur, charges);
        if (!settle(charges)) [[unlikely]] return nullptr;
        break;
      }
      case Op::Reference: cur = reference(base + i->offset, p_.link(i->a), cur); break;
      case Op::SeqPrim: case Op::SeqFixed: case Op::SeqString: case Op::SeqVar: cur = sequence(*i, base, cur); break;
      case Op::ArrFixed: cur = fixed_elements(p_.at<Element>(i->b), base + i->offset, i->a, cur); break;
      case Op::ArrVar: cur = variable_elements(p_.at<Element>(i->b), base + i->offset, i->a, cur); break;
      case Op::WChar: case Op::WString: case Op::Fixed: case Op::Slot: case Op::Union:
        cur = extended(*i, base + i->offset, cur);
        break;
      case Op::Base:
        base = read<Byte*>(frame, i->offset);
        if (!base) [[unlikely]] return fail(Fault::NullPointer);
        continue;
      case Op::New:
        base = static_cast<Byte*>(owned(*i, base));
        if (!base) [[unlikely]] return nullptr;
        continue;
      case Op::Frame: base = frame; continue;
      case Op::Borrow:
        arena_ = i->a ? d_.arena() : nullptr;
        if (i->a && !arena_) [[unlikely]] return fail(Fault::OutOfMemory);
        continue;
      default: __builtin_unreachable();
    }
    if (!cur) [[unlikely]] return nullptr;
  }
}

[[gnu::noinline]] bool walk(const Plan& plan, void* memory, cdr::Decoder& decoder) {
  if (plan.way() != Way::Walk) [[unlikely]] {
    if (plan.way() == Way::Nothing) return decoder.ok();
    return plan.program->extension->decode_scoped(plan, memory, decoder);
  }
  return DecodeWalk(*plan.program, decoder).whole(plan.block, memory);
}

[[gnu::noinline]] bool flat_checked(const Part& v, void* memory, cdr::Decoder& decoder) {
  const Byte* const from = decoder.cursor();
  if (const Fault f = check(v, from, false); f != Fault::None) [[unlikely]] {
    decoder.set_fault(f);
    return false;
  }
  decoder.advance(v.wire_bytes);
  return get_moves(v.decode, from, static_cast<Byte*>(memory));
}

}  // namespace

bool decode_block(const Program& program, std::uint32_t block, void* memory, cdr::Decoder& decoder, Arena* arena) {
  return DecodeWalk(program, decoder, arena).whole(block, memory);
}

bool decode_part(const Program& program, const Instruction* first, const Instruction* stop, void* memory,
                 cdr::Decoder& decoder) {
  return DecodeWalk(program, decoder).part(first, stop, memory);
}

[[gnu::hot]] bool decode(const Plan& plan, void* memory, cdr::Decoder& decoder) {
  // A frame of nothing but fixed-size members, as they are in memory: the walk without the walker. After a fault
  // nothing is left to be read.
  if ((plan.flat_decode >> decoder.phase() & 1) == 0) [[unlikely]] return walk(plan, memory, decoder);
  const Part* const v = flat_part(plan);
  if (decoder.transforms() || v->wire_bytes > decoder.contiguous()) [[unlikely]] return walk(plan, memory, decoder);
  if (v->checks != 0) return flat_checked(*v, memory, decoder);
  const Byte* const from = decoder.cursor();
  decoder.advance(v->wire_bytes);
  return get_moves(v->decode, from, static_cast<Byte*>(memory));
}

}  // namespace callis::marshal
