// SPDX-License-Identifier: Apache-2.0
// Tables of TypeCodes: position-independent words in read-only memory, one pool of characters, and a cell a type,
// which is the CORBA::TypeCode: 16 bytes, with pointers of 32 bits 12. Generated for each IDL file (Constants), or
// made at run time (builder.h).
//
//   Table  { words, pool, links, others, count }
//   cells  TypeCode[0], TypeCode[1] ...      directly behind the table: a cell finds it by its own index
//
// A *type word* says which type is meant where one is used: basic(kind) for kinds without parameters, for unbounded
// strings, and for CORBA::Object, ValueBase and AbstractBase; cell(n) for a cell of this table; other(n) for a
// TypeCode elsewhere. Numbers marked * are offsets in the pool; type is a type word. The entries:
//
//   interfaces, natives       [kind | link << 8] [id*] [name*]
//   alias, value box          [kind | link << 8] [id*] [name*] [type]
//   struct, exception         [kind | link << 8] [id*] [name*] [count]  [name*] [type]...
//   enum                      [kind] [id*] [name*] [count] [first name*], the others following it in the pool
//   union                     [kind] [id*] [name*] [count] [discriminator] [default index]
//                                 [name*] [type] [label, low word] [label, high word]...
//   value                     [kind | link << 8] [id*] [name*] [count] [modifier] [base, basic(tk_null): none]
//                                 [name*] [type] [visibility]...
//   string, wide string       [kind] [bound]
//   fixed                     [kind] [digits | scale << 16]
//   sequence, array           [kind] [bound or length] [type]
//   kRecursive                [kind] [id*]: stands for the type around it that has the id, until that is made
//   kinds without parameters  [kind]
//
// A link is an index into `links` (orb::InterfaceLink, value::ValueLink, orb::ExceptionLink), marshal::kNoLink for
// none: what descriptors have for the same type. Labels are 64-bit two's complement.
#pragma once
#include <callis/marshal/descriptor.h>
#include <callis/typecode/type_code.h>
#include <cstddef>
#include <type_traits>

namespace callis::typecode {

using marshal::kNoLink;
using marshal::Word;

inline constexpr Word kRecursive = 0xff;

constexpr Word basic(CORBA::TCKind kind) { return static_cast<Word>(kind) << 2; }
constexpr Word cell(Word index) { return index << 2 | 1; }
constexpr Word other(Word index) { return index << 2 | 2; }
constexpr Word entry(CORBA::TCKind kind, Word link = kNoLink) { return static_cast<Word>(kind) | link << 8; }

struct Table {
  const Word* words;
  const char* pool;
  const void* const* links;
  const CORBA::TypeCode_ptr* const* others;  // addresses of constants like _tc_X
  // Counts of all cells together; kStatic: nobody counts.
  static constexpr Word kStatic = 0;
  std::atomic<Word> count{kStatic};
  Word cells = 0;  // of tables made at run time
};

// TypeCode::callis_table(), inlined.
inline const Table& table_of(const CORBA::TypeCode& t) noexcept {
  return *reinterpret_cast<const Table*>(reinterpret_cast<const char*>(&t - t.callis_index()) - sizeof(Table));
}
// Its own kind, perhaps tk_alias or kRecursive.
inline Word kind_of(const CORBA::TypeCode& t) noexcept { return table_of(t).words[t.callis_at()] & 0xff; }

template <std::size_t N>
struct Constants {
  Table table;
  CORBA::TypeCode cells[N];
};
static_assert(sizeof(CORBA::TypeCode) == 2 * sizeof(Word) + sizeof(void*) &&
              sizeof(Table) % alignof(CORBA::TypeCode) == 0);
static_assert(std::is_standard_layout_v<Constants<1>> && offsetof(Constants<1>, cells) == sizeof(Table));

}  // namespace callis::typecode
