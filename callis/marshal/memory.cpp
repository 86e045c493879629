// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/memory.h>
#include <cstdlib>
#include <cstring>
#include <new>

namespace callis::marshal {

char kEmptyString[1] = {0};

char* string_allocate(std::size_t n) noexcept {
  if (n == SIZE_MAX) return nullptr;
  char* s = static_cast<char*>(std::malloc(n + 1));
  if (s) s[0] = s[n] = 0;
  return s;
}

char* string_duplicate(const char* s) noexcept {
  if (!s) return nullptr;
  const std::size_t n = std::strlen(s);
  char* copy = string_allocate(n);
  if (copy) std::memcpy(copy, s, n);
  return copy;
}

void string_free(char* s) noexcept {
  if (s != kEmptyString) std::free(s);
}

namespace {
constexpr std::size_t kBufferHeader = 16;  // keeps the elements 16-byte aligned
}

void* buffer_allocate(std::uint32_t n, std::size_t size) noexcept {
  if (size != 0 && n > (SIZE_MAX - kBufferHeader) / size) return nullptr;
  char* p = static_cast<char*>(std::malloc(kBufferHeader + n * size));
  if (!p) return nullptr;
  std::memcpy(p, &n, sizeof n);
  return p + kBufferHeader;
}

std::uint32_t buffer_count(const void* buffer) noexcept {
  if (!buffer) return 0;
  std::uint32_t n;
  std::memcpy(&n, static_cast<const char*>(buffer) - kBufferHeader, sizeof n);
  return n;
}

void buffer_free(void* buffer) noexcept {
  if (buffer) std::free(static_cast<char*>(buffer) - kBufferHeader);
}

void* value_allocate(std::size_t size) noexcept {
  void* p = ::operator new(size, std::nothrow);
  if (p) std::memset(p, 0, size);
  return p;
}

void value_free(void* value) noexcept { ::operator delete(value); }

}  // namespace callis::marshal
