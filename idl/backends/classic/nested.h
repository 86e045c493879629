// SPDX-License-Identifier: Apache-2.0
// Nested: work that leads to more of its kind, done at once while it is not deep, else later. Types may lead to each
// other through sequences without end: a recursive walk would overflow the stack.
#pragma once
#include <utility>
#include <vector>

namespace callis::idl::backends::classic {

template <class Item>
class Nested {
 public:
  // work(item), which may call this again with the same `work`. Everything is done when the outermost call returns; a
  // call inside `work` may return before its item's turn has come.
  template <class Work>
  void run(Item item, const Work& work) {
    if (depth_ == kMaxDepth) {
      later_.push_back(std::move(item));
      return;
    }
    ++depth_;
    work(item);
    while (depth_ == 1 && !later_.empty()) {
      const Item next = std::move(later_.back());
      later_.pop_back();
      work(next);
    }
    --depth_;
  }

 private:
  static constexpr int kMaxDepth = 100;
  int depth_ = 0;
  std::vector<Item> later_;
};

}  // namespace callis::idl::backends::classic
