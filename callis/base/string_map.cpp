// SPDX-License-Identifier: Apache-2.0
#include <callis/base/seeded_hash.h>
#include <callis/base/string_map.h>
#include <cstring>
#include <new>

namespace callis {

StringMapBase::Node::Node(std::string_view n) : name(n) {}

void StringMapBase::swap(StringMapBase& o) noexcept {
  std::swap(buckets_, o.buckets_);
  std::swap(count_, o.count_);
  std::swap(size_, o.size_);
}

StringMapBase::Node*& StringMapBase::bucket(std::string_view name) const noexcept {
  return buckets_[seeded_hash(name) & (count_ - 1)];
}

StringMapBase::Node* StringMapBase::find_node(std::string_view name) const noexcept {
  if (size_ == 0) return nullptr;
  Node* n = bucket(name);
  while (n && n->name != name) n = n->next;
  return n;
}

void StringMapBase::reserve_one() {
  if (size_ < count_) return;
  StringMapBase larger;
  larger.count_ = count_ == 0 ? 4 : count_ * 2;
  larger.buckets_ = static_cast<Node**>(::operator new(larger.count_ * sizeof(Node*)));
  std::memset(larger.buckets_, 0, larger.count_ * sizeof(Node*));
  for (Node *n = unlink_all(), *next; n; n = next) {
    next = n->next;
    larger.link(n);
  }
  swap(larger);
}

void StringMapBase::link(Node* node) noexcept {
  Node*& first = bucket(node->name);
  node->next = first;
  first = node;
  ++size_;
}

StringMapBase::Node* StringMapBase::unlink(std::string_view name) noexcept {
  if (size_ == 0) return nullptr;
  Node** at = &bucket(name);
  while (*at && (*at)->name != name) at = &(*at)->next;
  Node* n = *at;
  if (!n) return nullptr;
  *at = n->next;
  --size_;
  return n;
}

StringMapBase::Node* StringMapBase::after(const Node* node) const noexcept {
  if (node && node->next) return node->next;
  if (size_ == 0) return nullptr;
  Node** at = node ? &bucket(node->name) + 1 : buckets_;
  for (; at != buckets_ + count_; ++at)
    if (*at) return *at;
  return nullptr;
}

StringMapBase::Node* StringMapBase::unlink_all() noexcept {
  Node* all = nullptr;
  for (Node** at = buckets_; at != buckets_ + count_; ++at) {
    while (Node* n = *at) {
      *at = n->next;
      n->next = all;
      all = n;
    }
  }
  size_ = 0;
  return all;
}

}  // namespace callis
