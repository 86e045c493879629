// SPDX-License-Identifier: Apache-2.0
// Making, emptying and freeing of the mapping's strings, sequences and references.
#include <callis/base/blocks.h>
#include <callis/marshal/memory.h>
#include <cstring>
#include <new>

namespace callis::marshal {

char kEmptyString[1] = {0};
wchar_t kEmptyWide[1] = {0};

wchar_t* wide_allocate(std::size_t n) noexcept {
  if (n >= SIZE_MAX / sizeof(wchar_t)) return nullptr;
  auto* const s = static_cast<wchar_t*>(block_allocate((n + 1) * sizeof(wchar_t)));
  if (s) s[0] = s[n] = 0;
  return s;
}

wchar_t* wide_duplicate(const wchar_t* s) noexcept {
  if (!s) return nullptr;
  std::size_t n = 0;
  while (s[n] != 0) ++n;
  wchar_t* const copy = wide_allocate(n);
  if (copy) std::memcpy(copy, s, n * sizeof(wchar_t));
  return copy;
}

void wide_free(wchar_t* s) noexcept {
  if (s != kEmptyWide) block_free(s);
}

char* string_allocate(std::size_t n) noexcept {
  if (n == SIZE_MAX) return nullptr;
  char* s = static_cast<char*>(block_allocate(n + 1));
  if (s) s[0] = s[n] = 0;
  return s;
}

bool strings_duplicate(char** to, char* const* from, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = nullptr;
    if (!from[i]) continue;
    const std::size_t room = std::strlen(from[i]) + 1;
    to[i] = static_cast<char*>(block_allocate(room));
    if (!to[i]) [[unlikely]] {
      strings_free(to, i);
      return false;
    }
    std::memcpy(to[i], from[i], room);
  }
  return true;
}

char* string_duplicate(const char* s) noexcept {
  if (!s) return nullptr;
  const std::size_t room = std::strlen(s) + 1;
  auto* const copy = static_cast<char*>(block_allocate(room));
  if (copy) [[likely]] std::memcpy(copy, s, room);
  return copy;
}

void string_free(char* s) noexcept {
  if (s != kEmptyString) block_free(s);
}

void strings_free(char* const* s, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i)
    if (s[i] != kEmptyString) block_free(s[i]);
}

bool string_fits(char* s, std::size_t n) noexcept {
  if (!s || s == kEmptyString) return false;
  const std::size_t room = block_room(s);
  return n < room && room / 4 <= n + 16;
}

bool string_assign(char** slot, const char* from) noexcept {
  const std::size_t n = from ? std::strlen(from) : 0;
  if (from && string_fits(*slot, n)) {
    std::memmove(*slot, from, n + 1);
    return true;
  }
  char* copy = nullptr;
  if (from) {
    copy = string_allocate(n);
    if (!copy) return false;
    std::memcpy(copy, from, n);
  }
  string_free(*slot);
  *slot = copy;
  return true;
}

namespace {
constexpr std::size_t kBufferHeader = 16;  // keeps the elements 16-byte aligned
// Directly in front of the elements, where other memory has the upper half of a count or of its size: 0.
constexpr std::uint32_t kBufferMark = 0x63616c6c;
}

void* buffer_allocate(std::uint32_t n, std::size_t size) noexcept {
  if (size != 0 && n > (SIZE_MAX - kBufferHeader) / size) return nullptr;
  char* p = static_cast<char*>(block_allocate(kBufferHeader + n * size));
  if (!p) return nullptr;
  std::memcpy(p, &n, sizeof n);
  std::memcpy(p + kBufferHeader - sizeof kBufferMark, &kBufferMark, sizeof kBufferMark);
  return p + kBufferHeader;
}

// Reads in front of memory that it may know nothing of: of a block of the heap or of the stack.
[[gnu::no_sanitize_address]] bool is_buffer(const void* memory) noexcept {
  const auto* const p = static_cast<const char*>(memory) - sizeof kBufferMark;
  const auto* const mark = reinterpret_cast<const char*>(&kBufferMark);
  for (std::size_t i = 0; i < sizeof kBufferMark; ++i)
    if (p[i] != mark[i]) return false;
  return true;
}

std::uint32_t buffer_count(const void* buffer) noexcept {
  if (!buffer) return 0;
  std::uint32_t n;
  std::memcpy(&n, static_cast<const char*>(buffer) - kBufferHeader, sizeof n);
  return n;
}

void buffer_free(void* buffer) noexcept {
  if (buffer) block_free(static_cast<char*>(buffer) - kBufferHeader);
}

void* value_allocate(std::size_t size) noexcept {
  void* p = ::operator new(size, std::nothrow);
  if (p) std::memset(p, 0, size);
  return p;
}

void value_free(void* value) noexcept { ::operator delete(value); }

}  // namespace callis::marshal
