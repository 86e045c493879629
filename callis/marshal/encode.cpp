// SPDX-License-Identifier: Apache-2.0
// The encoding walk over a plan.
#include <callis/cdr/long_double.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <cstring>

namespace callis::marshal {

namespace {

class EncodeWalk {
 public:
  EncodeWalk(const Program& program, cdr::Encoder& encoder) : p_(program), e_(encoder) {}
  bool block(std::uint32_t pc, const void* memory);

 private:
  bool run(const Run& run, const void* memory);
  bool string(const char* s, std::uint32_t bound);
  bool sequence(const Instruction& i, const void* memory);
  bool fixed_elements(const Element& element, const Byte* from, std::uint32_t n);
  bool variable_elements(const Element& element, const Byte* from, std::uint32_t n);
  bool check_enums(const Byte* from, std::uint32_t n, std::uint32_t enumerators) {
    return enums_in_range(from, n, enumerators) || fail(Fault::BadEnum);
  }
  void put(const Variant& v, Byte* to, const Byte* from) const;
  void put_all(const Run& run, const Variant& v, const Byte* from, std::size_t stride, std::size_t count);
  [[gnu::cold, gnu::noinline]] bool fail(Fault f) {
    e_.set_fault(f);
    return false;
  }

  const Program& p_;
  cdr::Encoder& e_;
};

// The wire form of one run; room for it has been made.
inline void EncodeWalk::put(const Variant& v, Byte* to, const Byte* from) const {
  const Move* pad = p_.moves.data() + v.first_pad;
  for (std::uint32_t i = 0; i < v.pads; ++i, ++pad)
    for (std::uint32_t k = 0; k < pad->bytes; ++k) to[pad->wire + k] = 0;
  if (!e_.swaps()) {
    const Move* m = p_.moves.data() + v.first_copy;
    for (std::uint32_t i = 0; i < v.copies; ++i, ++m) copy_move(to + m->wire, from + m->native, m->bytes);
  } else {
    const Move* m = p_.moves.data() + v.first_swap;
    for (std::uint32_t i = 0; i < v.swaps; ++i, ++m) swap_move(to + m->wire, from + m->native, *m);
  }
}

// count elements, stride bytes apart in memory, whose wire forms follow each other without gap; room for
// them has been made.
inline void EncodeWalk::put_all(const Run& run, const Variant& v, const Byte* from, std::size_t stride,
                                std::size_t count) {
  Byte* to = e_.cursor();
  const ShuffleProgram& s = v.encode[e_.swaps()];
  if (s.count != 0) {
    shuffle(to, v.wire_bytes, from + run.native, stride, count, p_.shuffles.data() + s.first, s.count);
  } else if (v.plain && !e_.swaps() && v.wire_bytes == stride) {
    std::memcpy(to, from, count * stride);
  } else {
    for (std::size_t i = 0; i < count; ++i) put(v, to + i * v.wire_bytes, from + i * stride);
  }
  e_.advance(count * v.wire_bytes);
}

bool EncodeWalk::run(const Run& run, const void* memory) {
  if (e_.fault() != Fault::None) return false;  // what failed before moved nothing: the phase is not the plan's
  const Variant& v = p_.variants[run.variant[e_.phase()]];
  if (!e_.ensure(v.wire_bytes)) return false;
  put_all(run, v, static_cast<const Byte*>(memory), 0, 1);
  return true;
}

bool EncodeWalk::string(const char* s, std::uint32_t bound) {
  if (!s) return fail(Fault::NullPointer);
  const std::size_t n = std::strlen(s);
  if (bound != 0 && n > bound) return fail(Fault::BadBound);
  e_.put_string({s, n});
  return e_.fault() == Fault::None;
}

// The phase orbit: a run holds a member of its greatest alignment, so every element ends at the same phase
// modulo that alignment, and after at most one element the wire forms repeat: room is made once.
bool EncodeWalk::fixed_elements(const Element& element, const Byte* from, std::uint32_t n) {
  if (e_.fault() != Fault::None) return false;
  const Run& run = p_.runs[element.run];
  if (element.checks)
    for (std::uint32_t i = 0; i < n; ++i)
      if (!block(element.block, from + std::size_t{i} * element.native_size)) return false;
  while (n != 0) {
    const Variant& v = p_.variants[run.variant[e_.phase()]];
    const bool steady = (v.wire_bytes & (run.alignment - 1)) == 0;
    const std::size_t count = steady ? n : 1;
    if (!e_.ensure(count * v.wire_bytes)) return false;
    put_all(run, v, from, element.native_size, count);
    from += count * element.native_size;
    n -= static_cast<std::uint32_t>(count);
  }
  return true;
}

bool EncodeWalk::variable_elements(const Element& element, const Byte* from, std::uint32_t n) {
  for (; n != 0; --n, from += element.native_size)
    if (!block(element.block, from)) return false;
  return true;
}

bool EncodeWalk::sequence(const Instruction& i, const void* memory) {
  SequenceHeader s;
  std::memcpy(&s, at(memory, i.offset), sizeof s);
  if (i.a != 0 && s.length > i.a) return fail(Fault::BadBound);
  e_.put(s.length);
  if (s.length == 0) return e_.fault() == Fault::None;
  if (!s.buffer) return fail(Fault::NullPointer);
  const Element& element = p_.elements[i.b];
  const Byte* from = static_cast<const Byte*>(s.buffer);
  if (i.op == Op::SeqFixed) return fixed_elements(element, from, s.length);
  if (i.op == Op::SeqVar) return variable_elements(element, from, s.length);
  if (element.enumerators != 0 && !check_enums(from, s.length, element.enumerators)) return false;
  e_.put_array(from, s.length, element.wire_size);
  return e_.fault() == Fault::None;
}

bool EncodeWalk::block(std::uint32_t pc, const void* memory) {
  for (const Instruction* i = p_.code.data() + pc;; ++i) {
    switch (i->op) {
      case Op::End: return e_.fault() == Fault::None;
      case Op::R1: e_.put(read<std::uint8_t>(memory, i->offset)); break;
      case Op::R2: e_.put(read<std::uint16_t>(memory, i->offset)); break;
      case Op::R4: e_.put(read<std::uint32_t>(memory, i->offset)); break;
      case Op::R8: e_.put(read<std::uint64_t>(memory, i->offset)); break;
      case Op::Run:
        if (!run(p_.runs[i->a], at(memory, i->offset))) return false;
        break;
      case Op::LongDouble: e_.put_long_double(read<long double>(memory, i->offset)); break;
      case Op::String:
        if (!string(read<const char*>(memory, i->offset), i->a)) return false;
        break;
      case Op::Reference:
        reference_handlers().encode(e_, read<void*>(memory, i->offset), p_.links[i->a]);
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
      case Op::CheckBool: break;
      case Op::CheckEnum:
        if (!check_enums(at(memory, i->offset), i->a, i->b)) return false;
        break;
      case Op::Ptr: case Op::New: {
        const void* target = read<const void*>(memory, i->offset);
        if (!target) return fail(Fault::NullPointer);
        if (!block(i->a, target)) return false;
        break;
      }
    }
  }
}

}  // namespace

bool encode(const Plan& plan, const void* memory, cdr::Encoder& encoder) {
  return EncodeWalk(*plan.program, encoder).block(plan.block, memory);
}

}  // namespace callis::marshal
