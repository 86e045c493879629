// SPDX-License-Identifier: Apache-2.0
// Descriptors: what the IDL compiler says about types and operations, as position-independent words in
// read-only memory. A descriptor has no native offsets: layout follows from the kinds, by the rules of
// memory.h, so that the same words can be made from a TypeCode. plan.h turns them into programs.
//
// A *type word* describes a type where it is used, in 4 bytes:
//
//     bits 0-5  Kind       bits 6-7  Direction (operation parameters only)      bits 8-31  payload
//
//   primitives   payload 0
//   Enum         payload = number of enumerators
//   String       payload = bound (0: none); bounds of 2^24-1 and more need a Ref to [String word, bound]
//   WString      the same as String: bounds count wide characters
//   Fixed        payload = digits | scale << 8
//   Any, TypeCode   payload 0
//   ObjRef       payload = index into Unit::links (an orb::InterfaceLink), kNoLink for CORBA::Object
//   Abstract     the same, of an abstract interface; kNoLink for CORBA::AbstractBase
//   Value        payload = index into Unit::links (a value::ValueLink, also of a boxed value), kNoLink for
//                CORBA::ValueBase
//   Ref          payload = index in Unit::words of an *entry*:
//
//     [Struct | member count] [member type word]...
//     [Union | member count] [discriminator type word] [index of the default member, kNoDefault: none]
//         [label count] [member type word]... [label, low word] [label, high word] [member index]...
//                     a primitive or enum discriminates; labels are its values as 64-bit two's complement, in
//                     ascending order as unsigned numbers; bytes
//                     that the discriminator does not have are not looked at (a char's label is its code)
//     [Exception | member count] [index into Unit::links (an orb::ExceptionLink)] [member type word]...
//     [Sequence] [bound, 0: none] [element type word]
//     [Array] [number of elements, all dimensions multiplied] [element type word]
//     [String or WString | 0xffffff] [bound]
//
// An *operation entry* (its index names the operation in calls from stubs):
//
//     [Op | flags << 8 | parameter count << 16] [offset of the name in Unit::names]
//     [name length | plan cell << 16] [result type word] [parameter type word]...
//     [exception count] [Ref to an Exception entry]...          only with kRaises
//     [pattern count] [offset of a pattern in Unit::names]...   only with kContexts: the context clause; the last
//                                                               parameter is the context then, as it is sent
//
// Types may refer to themselves through a sequence (values are links). Attributes are the operations _get_x and
// _set_x.
#pragma once
#include <cstdint>

namespace callis::marshal {

using Word = std::uint32_t;

enum class Kind : std::uint8_t {
  Void, Boolean, Octet, Char, Short, UShort, Long, ULong, LongLong, ULongLong, Float, Double,
  LongDouble, Enum, WChar, String, WString, Fixed, Any, TypeCode, ObjRef, Abstract, Value,
  Struct, Union, Exception, Sequence, Array, Ref, Op,
};

enum class Direction : std::uint8_t { In, Out, InOut };

// Flags of an operation entry.
inline constexpr Word kOneway = 1;
inline constexpr Word kRaises = 2;
inline constexpr Word kCompiledOp = 4;  // header only: no result, parameters, exceptions or patterns follow
inline constexpr Word kContexts = 8;

inline constexpr Word kNoLink = 0xffffff;
inline constexpr Word kBigBound = 0xffffff;  // of a string: the bound stands in the entry
inline constexpr Word kNoDefault = 0xffffffff;

constexpr Word type_word(Kind k, Word payload = 0, Direction d = Direction::In) {
  return static_cast<Word>(k) | static_cast<Word>(d) << 6 | payload << 8;
}
constexpr Kind kind_of(Word w) { return static_cast<Kind>(w & 63); }
constexpr Direction direction_of(Word w) { return static_cast<Direction>(w >> 6 & 3); }
constexpr Word payload_of(Word w) { return w >> 8; }

constexpr Word op_word(Word flags, Word parameters) {
  return static_cast<Word>(Kind::Op) | flags << 8 | parameters << 16;
}
constexpr Word op_flags(Word w) { return w >> 8 & 0xff; }
constexpr Word op_parameters(Word w) { return w >> 16; }

class OperationPlans;

// The engine's code for WChar, WString, Fixed, Union, Any, TypeCode, Abstract and Value. Units that use any of these
// kinds point to this code, so other programs need not have it. Without the code such values are Fault::Unsupported.
struct Extension;
extern const Extension kExtension;

// Where the plans of one operation are: memory of the program, zero if they are to be built.
struct PlanCell {
  const OperationPlans* plans = nullptr;  // atomic access only; see operation_plans()
};

struct Abi;

// All descriptors of one generated source file. Constant, but for the cells it points to.
struct Unit {
  const Word* words;
  const char* names;         // the operations' names, each followed by NUL
  const void* const* links;  // orb::InterfaceLink and orb::ExceptionLink
  PlanCell* cells;           // one an operation
  const Extension* extension = nullptr;  // &kExtension where it is needed
  const Abi* abi = nullptr;              // of the machine that plans are made for; nullptr: this one
};

// An operation entry, read.
struct OperationView {
  const Unit& unit;
  const Word* entry;

  OperationView(const Unit& u, Word op) : unit(u), entry(u.words + op) {}
  bool oneway() const { return op_flags(entry[0]) & kOneway; }
  bool compiled() const { return op_flags(entry[0]) & kCompiledOp; }
  const char* name() const { return unit.names + entry[1]; }
  Word name_length() const { return entry[2] & 0xffff; }
  PlanCell& cell() const { return unit.cells[entry[2] >> 16]; }
  Word result() const { return entry[3]; }
  Word parameter_count() const { return op_parameters(entry[0]); }
  Word parameter(Word i) const { return entry[4 + i]; }
  Word exception_count() const { return op_flags(entry[0]) & kRaises ? entry[4 + parameter_count()] : 0; }
  Word exception(Word i) const { return payload_of(entry[5 + parameter_count() + i]); }
  bool has_context() const { return op_flags(entry[0]) & kContexts; }
  Word pattern_count() const { return has_context() ? *patterns() : 0; }
  const char* pattern(Word i) const { return unit.names + patterns()[1 + i]; }

 private:
  const Word* patterns() const {
    return entry + 4 + parameter_count() + (op_flags(entry[0]) & kRaises ? 1 + exception_count() : 0);
  }
};

}  // namespace callis::marshal
