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
