// SPDX-License-Identifier: Apache-2.0
#include <callis/base/uint128.h>
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/values.h>
#include <cstring>

namespace callis::marshal {

namespace {

class HashWalk final : public Walker {
 public:
  HashWalk(const Plan& plan, std::uint64_t seed) : Walker(plan), h_(seed) {}
  std::uint64_t result() const { return h_; }

 private:
  // Both halves of a product: every bit of the word reaches every bit of the hash.
  void mix(std::uint64_t word) {
    const Uint128 both = product(h_ ^ word ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
    h_ = both.low ^ both.high ^ h_ << 1;
  }
  bool bytes(const void* from, std::size_t n) {
    const Byte* p = static_cast<const Byte*>(from);
    for (; n >= 8; n -= 8, p += 8) mix(load<std::uint64_t>(p));
    std::uint64_t rest = 0;
    std::memcpy(&rest, p, n);
    if (n != 0) mix(rest);
    return true;
  }

  bool primitives(Place at, std::uint32_t n, std::uint32_t size, std::uint32_t) override {
    return bytes(at.from(), std::size_t{n} * size);
  }
  bool long_double(Place at) override { return bytes(at.from(), kLongDoubleBytes); }
  bool string(Place at, std::uint32_t) override {
    const char* const s = read<const char*>(at.from(), 0);
    const std::size_t n = s ? std::strlen(s) : SIZE_MAX;
    mix(n);
    return !s || bytes(s, n);
  }
  bool reference(Place at, const void*) override { return bytes(at.from(), sizeof(void*)); }
  bool wchar(Place at) override { return bytes(at.from(), sizeof(wchar_t)); }
  bool wstring(Place at, std::uint32_t) override {
    const wchar_t* const s = read<const wchar_t*>(at.from(), 0);
    std::size_t n = 0;
    while (s && s[n] != 0) ++n;
    mix(s ? n : SIZE_MAX);
    return !s || bytes(s, n * sizeof(wchar_t));
  }
  bool fixed(Place at, std::uint32_t, std::uint32_t) override {
    const FixedValue v = cdr::normalized(read<FixedValue>(at.from(), 0));
    mix(v.magnitude[0]);
    mix(v.magnitude[1]);
    mix(v.scale | std::uint64_t{v.negative} << 16);
    return true;
  }
  bool slot(Place at, const SlotHandlers& handlers, const void* link) override {
    mix(handlers.hash(at.from(), link));
    return true;
  }
  bool sequence(Place at, const Shape&, std::uint32_t& n, Place& elements) override {
    const auto s = read<SequenceHeader>(at.from(), 0);
    mix(s.length);
    n = s.buffer ? s.length : 0;
    elements = place(s.buffer, s.buffer);
    return true;
  }

  std::uint64_t h_;
};

}  // namespace

std::uint64_t hash(const Plan& plan, const void* value, std::uint64_t seed) {
  HashWalk walk(plan, seed);
  walk.walk(Walker::place(value, value));
  return walk.result();
}

}  // namespace callis::marshal
