// SPDX-License-Identifier: Apache-2.0
// The decoding walk over a plan. Everything read comes from the peer: counts pass Decoder::count(),
// strings Decoder::string_length(), nesting Decoder::enter(); booleans and enums are checked after they
// have been copied and before anybody sees them.
#include <callis/cdr/long_double.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <cstring>

namespace callis::marshal {

namespace {

class DecodeWalk {
 public:
  DecodeWalk(const Program& program, cdr::Decoder& decoder) : p_(program), d_(decoder) {}
  bool block(std::uint32_t pc, void* memory);

 private:
  bool run(const Run& run, void* memory);
  bool run_across_segments(const Run& run, void* memory);
  bool string(void* slot, std::uint32_t bound);
  bool reference(void* slot, const void* link);
  bool sequence(const Instruction& i, void* memory);
  bool fixed_elements(const Element& element, Byte* to, std::uint32_t n);
  bool variable_elements(const Element& element, Byte* to, std::uint32_t n);
  bool owned(const Instruction& i, void* memory);
  bool check_bools(const Byte* from, std::uint32_t n);
  bool check_enums(const Byte* from, std::uint32_t n, std::uint32_t enumerators) {
    return enums_in_range(from, n, enumerators) || fail(Fault::BadEnum);
  }
  void get(const Variant& v, Byte* to, const Byte* from) const;
  void get_all(const Run& run, const Variant& v, Byte* to, std::size_t stride, std::size_t count);
  [[gnu::cold, gnu::noinline]] bool fail(Fault f) {
    d_.set_fault(f);
    return false;
  }

  const Program& p_;
  cdr::Decoder& d_;
};

inline void DecodeWalk::get(const Variant& v, Byte* to, const Byte* from) const {
  if (!d_.swaps()) {
    const Move* m = p_.moves.data() + v.first_copy;
    for (std::uint32_t i = 0; i < v.copies; ++i, ++m) copy_move(to + m->native, from + m->wire, m->bytes);
  } else {
    const Move* m = p_.moves.data() + v.first_swap;
    for (std::uint32_t i = 0; i < v.swaps; ++i, ++m) swap_move(to + m->native, from + m->wire, *m);
  }
}

// count elements that follow each other on the wire, stride bytes apart in memory; all of them are here.
inline void DecodeWalk::get_all(const Run& run, const Variant& v, Byte* to, std::size_t stride,
                                std::size_t count) {
  const Byte* from = d_.cursor();
  const ShuffleProgram& s = v.decode[d_.swaps()];
  if (s.count != 0) {
    shuffle(to + run.native, stride, from, v.wire_bytes, count, p_.shuffles.data() + s.first, s.count);
  } else if (v.plain && !d_.swaps() && v.wire_bytes == stride) {
    std::memcpy(to, from, count * stride);
  } else {
    for (std::size_t i = 0; i < count; ++i) get(v, to + i * stride, from + i * v.wire_bytes);
  }
  d_.advance(count * v.wire_bytes);
}

bool DecodeWalk::run(const Run& run, void* memory) {
  // A phase that the builder excluded means a fault already, or the start of a GIOP 1.1 fragment.
  const std::uint16_t variant = run.variant[d_.phase()];
  if (variant == kNoVariant) [[unlikely]] return run_across_segments(run, memory);
  const Variant& v = p_.variants[variant];
  if (d_.contiguous() < v.wire_bytes) [[unlikely]] return run_across_segments(run, memory);
  get_all(run, v, static_cast<Byte*>(memory), 0, 1);
  return true;
}

// The end of the message, or of a GIOP 1.1 fragment: member by member.
[[gnu::cold, gnu::noinline]] bool DecodeWalk::run_across_segments(const Run& run, void* memory) {
  const Move* item = p_.items.data() + run.first_item;
  for (std::uint32_t i = 0; i < run.items; ++i, ++item)
    if (!d_.get_array(at(memory, item->native), item->bytes >> item->log2_size, std::size_t{1} << item->log2_size))
      return false;
  return true;
}

bool DecodeWalk::string(void* slot, std::uint32_t bound) {
  const std::uint32_t n = d_.string_length(bound);
  if (n == 0) return false;
  char* s = n == 1 ? kEmptyString : string_allocate(n - 1);
  if (!s) return fail(Fault::OutOfMemory);
  char nul;
  if (!d_.get_characters(n == 1 ? &nul : s, n)) {
    string_free(s);
    return false;
  }
  string_free(read<char*>(slot, 0));
  write(slot, 0, s);
  return true;
}

bool DecodeWalk::reference(void* slot, const void* link) {
  void* r = reference_handlers().decode(d_, link);
  if (!d_.ok()) {
    if (r) reference_handlers().release(r, link);
    return false;
  }
  if (void* old = read<void*>(slot, 0)) reference_handlers().release(old, link);
  write(slot, 0, r);
  return true;
}

bool DecodeWalk::check_bools(const Byte* from, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i)
    if (from[i] > 1) return fail(Fault::BadBoolean);
  return true;
}

bool DecodeWalk::fixed_elements(const Element& element, Byte* to, std::uint32_t n) {
  const Run& run = p_.runs[element.run];
  Byte* const first = to;
  for (std::uint32_t left = n; left != 0;) {
    const std::uint16_t variant = run.variant[d_.phase()];
    const std::size_t stride = variant == kNoVariant ? SIZE_MAX : p_.variants[variant].wire_bytes;
    std::size_t count = (stride & (run.alignment - 1)) == 0 ? left : 1;
    if (stride == SIZE_MAX || d_.contiguous() < count * stride) [[unlikely]] {
      // Not all of it in this segment: element by element, which also finds the end of the message.
      if (!run_across_segments(run, to)) return false;
      count = 1;
    } else {
      get_all(run, p_.variants[variant], to, element.native_size, count);
    }
    to += count * element.native_size;
    left -= static_cast<std::uint32_t>(count);
  }
  if (element.checks)
    for (std::uint32_t i = 0; i < n; ++i)
      if (!block(element.block, first + std::size_t{i} * element.native_size)) return false;
  return true;
}

bool DecodeWalk::variable_elements(const Element& element, Byte* to, std::uint32_t n) {
  if (element.owns && !d_.enter()) return false;  // nothing nests in what owns nothing
  for (; n != 0; --n, to += element.native_size)
    if (!block(element.block, to)) return false;
  if (element.owns) d_.leave();
  return true;
}

bool DecodeWalk::sequence(const Instruction& i, void* memory) {
  const Element& element = p_.elements[i.b];
  const std::uint32_t n = d_.count(element.minimum_wire, element.native_size);
  if (!d_.ok()) return false;
  if (i.a != 0 && n > i.a) return fail(Fault::BadBound);
  SequenceHeader* s = reinterpret_cast<SequenceHeader*>(at(memory, i.offset));
  destroy_sequence(p_, i, memory);
  if (n == 0) return true;
  void* buffer = buffer_allocate(n, element.native_size);
  if (!buffer) return fail(Fault::OutOfMemory);
  // Zeros are valid elements: whatever happens below, the sequence can be destroyed.
  if (element.owns) std::memset(buffer, 0, std::size_t{n} * element.native_size);
  *s = {n, n, buffer, true};
  Byte* to = static_cast<Byte*>(buffer);
  if (i.op == Op::SeqFixed) return fixed_elements(element, to, n);
  if (i.op == Op::SeqVar) return variable_elements(element, to, n);
  if (!d_.get_array(to, n, element.wire_size)) return false;
  if (element.boolean) return check_bools(to, n);
  return element.enumerators == 0 || check_enums(to, n, element.enumerators);
}

bool DecodeWalk::owned(const Instruction& i, void* memory) {
  void* value = read<void*>(memory, i.offset);
  if (!value) {
    if (!d_.charge(i.b)) return false;
    value = value_allocate(i.b);
    if (!value) return fail(Fault::OutOfMemory);
    write(memory, i.offset, value);
  }
  return block(i.a, value);
}

bool DecodeWalk::block(std::uint32_t pc, void* memory) {
  for (const Instruction* i = p_.code.data() + pc;; ++i) {
    switch (i->op) {
      case Op::End: return d_.ok();
      case Op::R1: write(memory, i->offset, d_.get<std::uint8_t>()); break;
      case Op::R2: write(memory, i->offset, d_.get<std::uint16_t>()); break;
      case Op::R4: write(memory, i->offset, d_.get<std::uint32_t>()); break;
      case Op::R8: write(memory, i->offset, d_.get<std::uint64_t>()); break;
      case Op::Run:
        if (!run(p_.runs[i->a], at(memory, i->offset))) return false;
        break;
      case Op::LongDouble: write(memory, i->offset, d_.get_long_double()); break;
      case Op::String:
        if (!string(at(memory, i->offset), i->a)) return false;
        break;
      case Op::Reference:
        if (!reference(at(memory, i->offset), p_.links[i->a])) return false;
        break;
      case Op::SeqPrim: case Op::SeqFixed: case Op::SeqVar:
        if (!sequence(*i, memory)) return false;
        break;
      case Op::ArrFixed:
        if (!fixed_elements(p_.elements[i->b], at(memory, i->offset), i->a)) return false;
        break;
      case Op::ArrVar:
        if (!variable_elements(p_.elements[i->b], at(memory, i->offset), i->a)) return false;
        break;
      case Op::CheckBool:
        if (!check_bools(at(memory, i->offset), i->a)) return false;
        break;
      case Op::CheckEnum:
        if (!check_enums(at(memory, i->offset), i->a, i->b)) return false;
        break;
      case Op::Ptr: {
        void* target = read<void*>(memory, i->offset);
        if (!target) return fail(Fault::NullPointer);
        if (!block(i->a, target)) return false;
        break;
      }
      case Op::New:
        if (!owned(*i, memory)) return false;
        break;
    }
  }
}

}  // namespace

bool decode(const Plan& plan, void* memory, cdr::Decoder& decoder) {
  return DecodeWalk(*plan.program, decoder).block(plan.block, memory);
}

}  // namespace callis::marshal
