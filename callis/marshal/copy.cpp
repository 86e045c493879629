// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/walker.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/values.h>
#include <cstring>

namespace callis::marshal {

namespace {

class CopyWalk final : public Walker {
 public:
  using Walker::Walker;

 private:
  bool primitives(Place at, std::uint32_t n, std::uint32_t size, std::uint32_t) override {
    std::memcpy(at.to(), at.from(), std::size_t{n} * size);
    return true;
  }
  bool long_double(Place at) override {
    std::memcpy(at.to(), at.from(), sizeof(long double));
    return true;
  }
  bool string(Place at, std::uint32_t) override {
    const char* const s = read<const char*>(at.from(), 0);
    char* const copy = string_duplicate(s);
    write(at.to(), 0, copy);
    return copy || !s;
  }
  bool reference(Place at, const void* link) override {
    void* const r = read<void*>(at.from(), 0);
    if (r) write(at.to(), 0, reference_handlers().duplicate(r, link));
    return true;
  }
  bool wchar(Place at) override { return primitives(at, 1, sizeof(wchar_t), kNoCheck); }
  bool wstring(Place at, std::uint32_t) override {
    const wchar_t* const s = read<const wchar_t*>(at.from(), 0);
    wchar_t* const copy = wide_duplicate(s);
    write(at.to(), 0, copy);
    return copy || !s;
  }
  bool fixed(Place at, std::uint32_t, std::uint32_t) override {
    return primitives(at, 1, sizeof(FixedValue), kNoCheck);
  }
  bool slot(Place at, const SlotHandlers& handlers, const void* link) override {
    return handlers.copy(at.to(), at.from(), link);
  }
  bool sequence(Place at, const Shape& shape, std::uint32_t& n, Place& elements) override {
    const auto s = read<SequenceHeader>(at.from(), 0);
    if (s.length == 0 || !s.buffer) return true;
    void* const buffer = buffer_allocate(s.length, shape.size);
    if (!buffer) return false;
    write(at.to(), 0, SequenceHeader{s.length, s.length, buffer, true});
    const std::size_t bytes = std::size_t{s.length} * shape.size;
    if (shape.owns) {
      // Zeros can be destroyed, whatever happens later.
      std::memset(buffer, 0, bytes);
      n = s.length;
      elements = place(s.buffer, buffer);
    } else {
      std::memcpy(buffer, s.buffer, bytes);
    }
    return true;
  }
};

}  // namespace

bool copy(const Plan& plan, const void* from, void* to) {
  if (CopyWalk(plan).walk(Walker::place(from, to))) return true;
  destroy(plan, to);
  std::memset(to, 0, plan.size);
  return false;
}

}  // namespace callis::marshal
