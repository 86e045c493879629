// SPDX-License-Identifier: Apache-2.0
// DecodeWalk: the walk of decode.cpp over a plan, and how its cursor moves. Of that file alone: what is defined here
// and there is inlined together.
#pragma once
#include <callis/base/arena.h>
#include <callis/cdr/decoder.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <utility>

namespace callis::marshal {
namespace {

constexpr Element kCharacter{0, 1, 1, 0, kNoCheck, 1 | Element::kChars};

class DecodeWalk {
 public:
  DecodeWalk(const Program& program, cdr::Decoder& decoder, Arena* arena = nullptr)
      : p_(program), d_(decoder), arena_(arena), swap_(decoder.swaps()) {
    load_state();
  }

  bool whole(std::uint32_t pc, void* memory) {
    if (!d_.ok()) return false;
    const Byte* const cur = block(code(p_, pc), static_cast<Byte*>(memory), d_.cursor());
    if (!cur) return false;
    d_.set_cursor(cur);
    return true;
  }

  // From `first` on, up to `stop`, which is an instruction of the same block. False after a fault.
  bool part(const Instruction* first, const Instruction* stop, void* memory) {
    stop_ = stop;
    top_ = static_cast<Byte*>(memory);
    const Byte* const cur = block(first, top_, d_.cursor());
    if (cur) d_.set_cursor(cur);
    return d_.ok();
  }

 private:
  // The charges of several strings in turn to the budget, held in registers until they are settled.
  struct Charges {
    std::size_t sum, most;
  };
  Charges charges_from_now() const { return {0, d_.budget().bytes_left}; }
  bool settle(Charges& charges) { return d_.charge(std::exchange(charges.sum, 0)); }

  const Byte* block(const Instruction* i, Byte* frame, const Byte* cur);
  const Byte* run(const Run& run, Byte* base, Byte* frame, const Byte* cur);
  const Byte* parts(const Run& run, Byte* base, Byte* frame, const Byte* cur);
  const Byte* run_across_segments(const Run& run, Byte* base, Byte* frame, const Byte* cur);
  const Byte* fixed_elements(const Element& element, Byte* to, std::uint32_t n, const Byte* cur);
  const Byte* variable_elements(const Element& element, Byte* to, std::uint32_t n, const Byte* cur);
  const Byte* string(char** slot, std::uint32_t bound, const Byte* cur, Charges& charges);
  const Byte* string_across_segments(char** slot, std::uint32_t bound, const Byte* cur, Charges& charges);
  const Byte* strings(char** to, std::uint32_t n, std::uint32_t bound, const Byte* cur);
  const Byte* count(std::size_t min_wire, std::size_t native_bytes, std::uint32_t& n, const Byte* cur);
  const Byte* sequence(const Instruction& i, Byte* base, const Byte* cur);
  void* sequence_buffer(const Instruction& i, SequenceHeader* s, std::uint32_t n, std::size_t size, bool owns);
  const Byte* primitives(const Element& element, const Instruction& i, SequenceHeader* s, std::uint32_t n,
                         const Byte* cur);
  const Byte* borrow_elements(const Element& element, SequenceHeader* s, std::uint32_t n, const Byte* cur);
  const Byte* primitives_across_segments(const Element& element, Byte* to, std::uint32_t n, const Byte* cur);
  const Byte* reference(void* slot, const void* link, const Byte* cur);
  const Byte* long_double(void* to, const Byte* cur);
  const Byte* extended(const Instruction& i, Byte* to, const Byte* cur);
  void* owned(const Instruction& i, Byte* base);

  void load_state() {
    end_ = d_.converts() ? d_.cursor() : d_.limit();
    bias_ = reinterpret_cast<std::uintptr_t>(d_.cursor()) - d_.phase();
  }
  // The decoder's own functions may be called between these two.
  void give_cursor(const Byte* cur) { d_.set_cursor(cur); }
  const Byte* take_cursor() {
    load_state();
    return d_.ok() ? d_.cursor() : nullptr;
  }
  std::size_t phase(const Byte* cur) const { return (reinterpret_cast<std::uintptr_t>(cur) - bias_) & 7; }
  std::size_t left(const Byte* cur) const { return static_cast<std::size_t>(end_ - cur); }
  std::size_t padding(const Byte* cur, std::size_t alignment) const { return (0 - phase(cur)) & (alignment - 1); }

  template <class T>
  const Byte* scalar(void* to, const Byte* cur) {
    const std::size_t pad = padding(cur, sizeof(T));
    if (left(cur) < pad + sizeof(T)) [[unlikely]] return scalar_across_segments<T>(to, cur);
    store(to, load<T>(cur + pad, swap_));
    return cur + pad + sizeof(T);
  }
  const Byte* character(Byte* to, const Byte* cur) {
    if (left(cur) == 0) [[unlikely]] return primitives_across_segments(kCharacter, to, 1, cur);
    *to = *cur;
    return cur + 1;
  }
  template <class T>
  [[gnu::cold, gnu::noinline]] const Byte* scalar_across_segments(void* to, const Byte* cur) {
    give_cursor(cur);
    const T v = d_.get<T>();
    cur = take_cursor();
    if (cur) store(to, v);
    return cur;
  }
  [[gnu::cold, gnu::noinline]] const Byte* fail(Fault f) {
    d_.set_fault(f);
    return nullptr;
  }

  const Program& p_;
  cdr::Decoder& d_;
  const Byte* end_;
  std::uintptr_t bias_;     // an address whose phase is 0
  Arena* arena_;            // while arguments are decoded that may be borrowed
  const bool swap_;
  const Instruction* stop_ = nullptr;  // of part(): where the walk over the memory at top_ ends
  Byte* top_;
};

}  // namespace
}  // namespace callis::marshal
