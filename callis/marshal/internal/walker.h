// SPDX-License-Identifier: Apache-2.0
// Walker: the common walk over the instructions of a value's plan (made by make_plan()), for every job that does not
// deserve a loop of its own. The subclass decides the work at the leaves, and the source of sequences' elements: a
// message (wire_walk.cpp), one memory, or two memories in step (copy.cpp, equal.cpp, hash.cpp).
#pragma once
#include <callis/marshal/handlers.h>
#include <callis/marshal/internal/program.h>
#include <cfloat>

namespace callis::marshal {

// Bytes of a long double that mean something.
inline constexpr std::size_t kLongDoubleBytes = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double);

class Walker {
 public:
  explicit Walker(const Plan& plan) : p_(*plan.program), block_(plan.block) {}
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;

  // Where a value lies in one memory or in two; addresses as integers, since a message has neither.
  struct Place {
    std::uintptr_t x, y;
    Place plus(std::size_t n) const { return {x + n, y + n}; }
    const Byte* from() const { return reinterpret_cast<const Byte*>(x); }
    Byte* to() const { return reinterpret_cast<Byte*>(y); }
  };
  static Place place(const void* x, const void* y) {
    return {reinterpret_cast<std::uintptr_t>(x), reinterpret_cast<std::uintptr_t>(y)};
  }

  // False as soon as one of the functions below is.
  bool walk(Place at) { return block(code(p_, block_), at); }
  // From `first` on, up to `stop`, which is an instruction of the same block. False, too, when it has stopped there.
  bool part(const Instruction* first, const Instruction* stop, Place at) {
    stop_ = stop;
    return block(first, at);
  }

 protected:
  ~Walker() = default;

  // The elements of a sequence.
  struct Shape {
    std::uint32_t bound;         // 0: none
    std::uint32_t size;          // of an element in memory
    std::uint32_t minimum_wire;  // of an element
    bool owns;                   // elements own memory
  };

  // n primitives of size bytes that follow each other; check as in Item.
  virtual bool primitives(Place at, std::uint32_t n, std::uint32_t size, std::uint32_t check) = 0;
  virtual bool long_double(Place at) = 0;
  virtual bool string(Place at, std::uint32_t bound) = 0;
  virtual bool reference(Place at, const void* link) = 0;
  virtual bool wchar(Place at) = 0;
  virtual bool wstring(Place at, std::uint32_t bound) = 0;
  virtual bool fixed(Place at, std::uint32_t digits, std::uint32_t scale) = 0;
  // An any, a TypeCode, a value or an abstract interface; there are handlers for it.
  virtual bool slot(Place at, const SlotHandlers& handlers, const void* link) = 0;
  // A union's discriminator. By default that of memory, after primitives() or wchar().
  virtual bool discriminator(Place at, const UnionPlan& u, std::uint64_t& value);
  // Handles a kind without handlers, of which there can be no values here.
  virtual bool no_handlers() { return true; }
  // The sequence at place; says where its elements lie, and how many of them are to be walked.
  virtual bool sequence(Place at, const Shape& shape, std::uint32_t& n, Place& elements) = 0;
  // Members of fixed size; by default primitives(), one call an item.
  virtual bool run(const Run& run, Place at);
  // Around elements that own memory, which may nest, and around members of unions.
  virtual bool enter() { return true; }
  virtual void leave() {}

  const Program& p_;

 private:
  bool block(const Instruction* i, Place at);
  bool elements(const Instruction& i, Place at, std::uint32_t n);
  bool any_sequence(const Instruction& i, Place at);
  bool one_of(const UnionPlan& u, Place at);
  bool any_slot(const Instruction& i, Place at);

  const std::uint32_t block_;
  const Instruction* stop_ = nullptr;
  std::uint32_t within_ = 0;  // elements and members of unions around what is being walked
};

}  // namespace callis::marshal
