// SPDX-License-Identifier: Apache-2.0
// How values of the classic C++ mapping lie in memory, and who allocates them. The plan engine and the
// mapping's classes (callis/classic) both stand on these few rules:
//
//   primitives   their C++ types: bool, char, std::int16_t ... double, long double; enums are 4 bytes
//   wchar        wchar_t, a code point of Unicode (4 bytes here)
//   string       char*, from string_allocate(); nullptr or kEmptyString own nothing
//   wstring      wchar_t*, from wide_allocate(); nullptr or kEmptyWide own nothing
//   fixed        FixedValue
//   any          AnySlot; what it means is the any's handlers' business (handlers.h), as for the next two
//   TypeCode     X*, counted
//   value        X* of the class that the link names, counted; nullptr is the null value
//   abstract     X* of the abstract interface's class, counted
//   reference    X*, counted
//   struct       members at natural alignment, as the compiler lays out a standard-layout class
//   union        the discriminator, then at the greatest alignment of a member the member that it selects; like
//                `struct { D d; union { ... } u; }`. When no member is selected its memory holds nothing.
//   array        its elements
//   sequence     SequenceHeader; the buffer comes from buffer_allocate()
//   exception    a vtable pointer, then members like a struct's
//
// All-zero memory is a valid value of every type for destruction and for decoding into: a null string,
// an empty sequence, a nil reference.
// A variable-length result handed to the caller as T* comes from value_allocate(), so that `delete` frees it.
// Nothing here throws; nullptr means that memory is exhausted.
#pragma once
#include <callis/cdr/fixed.h>
#include <cstddef>
#include <cstdint>

namespace callis::marshal {

// The object representation of every sequence class, bounded or not.
struct SequenceHeader {
  std::uint32_t maximum;
  std::uint32_t length;
  void* buffer;
  bool release;  // the sequence owns buffer
};
static_assert(sizeof(void*) != 8 || sizeof(SequenceHeader) == 24);

// A fixed. The type's digits and scale are in its type word: a value of that type is scaled to them before it is
// sent.
using cdr::FixedValue;

// The object representation of CORBA::Any; all zeros are an any of tk_null.
struct AnySlot {
  void* type;
  void* value;
};

// Wide strings, in the same way.
extern wchar_t kEmptyWide[1];
wchar_t* wide_allocate(std::size_t n) noexcept;
wchar_t* wide_duplicate(const wchar_t* s) noexcept;
void wide_free(wchar_t* s) noexcept;

// The one empty string: never freed, never to be written beyond its NUL.
extern char kEmptyString[1];

// Room for n characters and a NUL, which is set at both ends of the room.
char* string_allocate(std::size_t n) noexcept;
char* string_duplicate(const char* s) noexcept;  // nullptr stays nullptr
// Copies of n strings. False when memory is exhausted; nothing is copied then.
bool strings_duplicate(char** to, char* const* from, std::size_t n) noexcept;
void string_free(char* s) noexcept;              // nullptr and kEmptyString are left alone
void strings_free(char* const* s, std::size_t n) noexcept;
// Whether a string of n characters fits into the memory of s, which string_allocate() made, and does not waste it.
bool string_fits(char* s, std::size_t n) noexcept;
// A copy of `from` in place of *slot, in the same memory if it fits; `from` may be a part of *slot. False when memory
// is exhausted; *slot is as before then.
bool string_assign(char** slot, const char* from) noexcept;

// A sequence buffer of n elements of size bytes, preceded by its element count. Contents are not
// initialised. n = 0 gives a valid pointer too.
void* buffer_allocate(std::uint32_t n, std::size_t size) noexcept;
std::uint32_t buffer_count(const void* buffer) noexcept;  // 0 for nullptr
// Whether `memory` is from buffer_allocate(): false for what `new` made.
bool is_buffer(const void* memory) noexcept;
void buffer_free(void* buffer) noexcept;  // without destroying elements; nullptr is left alone

// ::operator new without exceptions, zeroed; freed by `delete` of a T of that size.
void* value_allocate(std::size_t size) noexcept;
void value_free(void* value) noexcept;

}  // namespace callis::marshal
