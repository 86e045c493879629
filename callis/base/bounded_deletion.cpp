// SPDX-License-Identifier: Apache-2.0
#include <callis/base/bounded_deletion.h>
#include <cstddef>
#include <new>

namespace callis {

namespace {

struct Waiting {
  void* object;
  BoundedDeletion::End end;
};

// Blocks of those that wait, the last first. A stack: what waits needs no more room than what was in use before.
struct Block {
  static constexpr std::size_t kRoom = 62;
  Block* before;
  std::size_t size;
  Waiting all[kRoom];
};

struct State {
  unsigned nested = 0;
  Block* last = nullptr;
};
constinit thread_local State state;

bool wait(State& s, Waiting w) noexcept {
  if (!s.last || s.last->size == Block::kRoom) {
    auto* const block = new (std::nothrow) Block;
    if (!block) return false;
    block->before = s.last;
    block->size = 0;
    s.last = block;
  }
  s.last->all[s.last->size++] = w;
  return true;
}

}  // namespace

void BoundedDeletion::end(void* object, End end) noexcept {
  State& s = state;
  if (s.nested >= kMaxNested && wait(s, {object, end})) return;
  ++s.nested;  // without memory to wait in, it nests
  end(object);
  while (s.nested == 1 && s.last) {
    const Waiting next = s.last->all[--s.last->size];
    if (s.last->size == 0) {
      Block* const empty = s.last;
      s.last = empty->before;
      delete empty;
    }
    next.end(next.object);
  }
  --s.nested;
}

}  // namespace callis
