// SPDX-License-Identifier: Apache-2.0
// Plans as data: what generated files hold of them, and what the engine makes at run time of types that it has not
// seen before.
//
// The *tables* of a program are one array of words without addresses: instructions, runs, moves and all that these
// refer to. A reference is the number of bytes from the start of the tables, or from the place of the reference
// (internal/program.h). So tables are the same on all machines of one ABI class, and may stand in read-only memory.
// Program and Plan join them with what has addresses.
#pragma once
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>

// The ABI class of this machine: whose tables of a generated file are right here. 64: pointers of 8 bytes, 32: of 4;
// all types lie at multiples of their size. 0: none, and plans are built at run time.
#if defined(__x86_64__) && !defined(__ILP32__) || defined(__aarch64__) && !defined(__ILP32__) || \
    defined(__riscv) && __riscv_xlen == 64 || defined(__s390x__)
#define CALLIS_PLANS 64
#elif defined(__ARM_EABI__) && !defined(__aarch64__)
#define CALLIS_PLANS 32
#else
#define CALLIS_PLANS 0
#endif
// Whether that holds for operations with a long double, too.
#if defined(__s390x__) || CALLIS_PLANS == 32
#define CALLIS_PLANS_LONG_DOUBLE 0
#else
#define CALLIS_PLANS_LONG_DOUBLE CALLIS_PLANS
#endif

namespace callis::marshal {

template <class T>
inline constexpr bool kAtMultiples = alignof(T) == sizeof(T);
static_assert(CALLIS_PLANS == 0 || (sizeof(void*) * 8 == CALLIS_PLANS && kAtMultiples<void*> && sizeof(bool) == 1 &&
                                    kAtMultiples<std::int16_t> && kAtMultiples<std::int32_t> &&
                                    kAtMultiples<std::int64_t> && kAtMultiples<float> && kAtMultiples<double> &&
                                    sizeof(float) == 4 && sizeof(double) == 8 && kAtMultiples<wchar_t> &&
                                    sizeof(wchar_t) == 4 && sizeof(AnySlot) == 2 * sizeof(void*) &&
                                    sizeof(SequenceHeader) == 8 + 2 * sizeof(void*) &&
                                    offsetof(SequenceHeader, buffer) == 8 && sizeof(FixedValue) == 24 &&
                                    alignof(FixedValue) == 8),
              "CALLIS_PLANS: this machine is not of the ABI class that its name says");
static_assert(CALLIS_PLANS_LONG_DOUBLE == 0 || (sizeof(long double) == 16 && alignof(long double) == 16),
              "CALLIS_PLANS_LONG_DOUBLE: this machine's long double has not 16 bytes");

// Defined by the engine that runs tables of this layout. A generated file of another layout refers to another name,
// which the linker does not find.
extern const char plan_tables_form_1;

// Generated files refer to it that have no tables for this machine: the linker takes the builder.
extern const char kPlanBuilder;

struct Program {
  const Word* tables;
  const void* const* links;  // of the Unit
  const Extension* extension = nullptr;
  const void* form = &plan_tables_form_1;

  template <class T>
  const T& at(std::uint32_t ref) const {
    return *reinterpret_cast<const T*>(reinterpret_cast<const Byte*>(tables) + ref);
  }
  const void* link(std::uint32_t index) const { return index == kNoLink ? nullptr : links[index]; }
};

// How a plan is run that has no short way.
enum class Way : std::uint8_t {
  Walk,
  Nothing,  // there is nothing to do
  Scoped,   // values may occur: inside a scope of theirs (handlers.h)
};

class Plan {
 public:
  const Program* program;
  const Word* flat;            // the Part of the run that is all there is, when it is simple; or nullptr
  std::uint32_t block;         // of the tables
  std::uint32_t size, minimum_wire;
  std::uint8_t log2_alignment : 4;
  std::uint8_t owns : 1;
  std::uint8_t has_way : 2;    // Way
  // The phases at which `flat` serves: bit p for offset p mod 8.
  std::uint8_t flat_encode, flat_decode;

  Way way() const { return static_cast<Way>(has_way); }
};

}  // namespace callis::marshal
