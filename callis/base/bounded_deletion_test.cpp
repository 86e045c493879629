// SPDX-License-Identifier: Apache-2.0
#include <callis/base/bounded_deletion.h>
#include <gtest/gtest.h>
#include <vector>

namespace callis {
namespace {

struct Link {
  std::vector<Link*> held;
  static inline unsigned living = 0, nested = 0, deepest = 0;
  Link() { ++living; }
  ~Link() {
    ++nested;
    if (nested > deepest) deepest = nested;
    for (Link* l : held) BoundedDeletion::end(l, [](void* p) { delete static_cast<Link*>(p); });
    --nested;
    --living;
  }
};

void end(Link* l) {
  BoundedDeletion::end(l, [](void* p) { delete static_cast<Link*>(p); });
}

TEST(BoundedDeletion, ChainsOfAnyLengthNestNoDeeperThanSome) {
  Link* head = nullptr;
  for (int i = 0; i < 200000; ++i) {
    auto* const l = new Link;
    if (head) l->held.push_back(head);
    head = l;
  }
  Link::deepest = 0;
  end(head);
  EXPECT_EQ(Link::living, 0u);
  EXPECT_LE(Link::deepest, BoundedDeletion::kMaxNested);
}

TEST(BoundedDeletion, TreesToo) {
  std::vector<Link*> row{new Link};
  Link* const root = row[0];
  for (int level = 0; level < 14; ++level) {
    std::vector<Link*> next;
    for (Link* l : row) {
      l->held = {new Link, new Link};
      next.insert(next.end(), l->held.begin(), l->held.end());
    }
    row = next;
  }
  end(root);
  EXPECT_EQ(Link::living, 0u);
}

TEST(BoundedDeletion, FewAreGoneBeforeTheirHolder) {
  auto* const l = new Link;
  l->held = {new Link};
  end(l->held[0]);
  EXPECT_EQ(Link::living, 1u);
  l->held.clear();
  end(l);
  EXPECT_EQ(Link::living, 0u);
}

}  // namespace
}  // namespace callis
