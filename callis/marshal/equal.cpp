// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/values.h>
#include <cstring>

namespace callis::marshal {

namespace {

class EqualWalk final : public Walker {
 public:
  using Walker::Walker;

 private:
  bool primitives(Place at, std::uint32_t n, std::uint32_t size, std::uint32_t) override {
    return std::memcmp(at.from(), at.to(), std::size_t{n} * size) == 0;
  }
  bool long_double(Place at) override { return std::memcmp(at.from(), at.to(), kLongDoubleBytes) == 0; }
  bool string(Place at, std::uint32_t) override {
    const char* const a = read<const char*>(at.from(), 0);
    const char* const b = read<const char*>(at.to(), 0);
    return a == b || (a && b && std::strcmp(a, b) == 0);
  }
  bool reference(Place at, const void*) override { return read<void*>(at.from(), 0) == read<void*>(at.to(), 0); }
  bool wchar(Place at) override { return primitives(at, 1, sizeof(wchar_t), kNoCheck); }
  bool wstring(Place at, std::uint32_t) override {
    const wchar_t* a = read<const wchar_t*>(at.from(), 0);
    const wchar_t* b = read<const wchar_t*>(at.to(), 0);
    if (!a || !b) return a == b;
    for (; *a == *b; ++a, ++b)
      if (*a == 0) return true;
    return false;
  }
  // Numbers are compared, whatever zeros stand behind the point.
  bool fixed(Place at, std::uint32_t, std::uint32_t) override {
    const FixedValue a = cdr::normalized(read<FixedValue>(at.from(), 0)),
                     b = cdr::normalized(read<FixedValue>(at.to(), 0));
    return a.magnitude[0] == b.magnitude[0] && a.magnitude[1] == b.magnitude[1] && a.scale == b.scale &&
           a.negative == b.negative;
  }
  bool slot(Place at, const SlotHandlers& handlers, const void* link) override {
    return handlers.equal(at.from(), at.to(), link);
  }
  bool sequence(Place at, const Shape&, std::uint32_t& n, Place& elements) override {
    const auto a = read<SequenceHeader>(at.from(), 0), b = read<SequenceHeader>(at.to(), 0);
    n = a.buffer && b.buffer ? a.length : 0;
    elements = place(a.buffer, b.buffer);
    return a.length == b.length;
  }
};

}  // namespace

bool equal(const Plan& plan, const void* a, const void* b) { return EqualWalk(plan).walk(Walker::place(a, b)); }

}  // namespace callis::marshal
