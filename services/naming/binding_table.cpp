// SPDX-License-Identifier: Apache-2.0
// The nodes of the trie: how they are shared, copied before they change, split when they are full, and gone through.
#include <callis/base/seeded_hash.h>
#include <services/naming/binding_table.h>

namespace callis::naming {

// Either the ways, or bindings with their hashes.
struct BindingTable::Node {
  struct Entry {
    std::uint32_t hash;
    BindingPtr binding;
  };
  using Ways = std::array<NodePtr, kWays>;

  Node() = default;
  Node(const Node& other)
      : ways(other.ways ? std::make_unique<Ways>(*other.ways) : nullptr), entries(other.entries) {}

  std::atomic<std::uint32_t> owners{1};
  std::unique_ptr<Ways> ways;  // nullptr: a leaf
  std::vector<Entry> entries;
};

BindingTable::NodePtr::NodePtr(const NodePtr& other) : node_(other.node_) {
  if (node_) node_->owners.fetch_add(1, std::memory_order_relaxed);
}

BindingTable::NodePtr::~NodePtr() {
  if (node_ && node_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete node_;
}

// One owner: nobody can copy it meanwhile; and who has let go of it has read it before (acquire).
BindingTable::Node& BindingTable::NodePtr::own() {
  if (node_->owners.load(std::memory_order_acquire) != 1) *this = NodePtr(new Node(*node_));
  return *node_;
}

std::uint32_t BindingTable::hash_of(const Component& c) {
  const std::uint32_t of_kind = c.kind.empty() ? 0 : seeded_hash(c.kind);
  return seeded_hash(c.id) + of_kind * 0x9e3779b1u;
}

const BindingPtr* BindingTable::find(const Component& component) const {
  if (!root_) return nullptr;
  const std::uint32_t hash = hash_of(component);
  const Node* node = root_.get();
  for (std::uint32_t rest = hash; node && node->ways; rest >>= kBits) node = (*node->ways)[rest % kWays].get();
  if (!node) return nullptr;
  for (const Node::Entry& e : node->entries)
    if (e.hash == hash && e.binding->component() == component) return &e.binding;
  return nullptr;
}

BindingPtr BindingTable::any() const { return empty() ? nullptr : *find(Cursor(*this).at()->component()); }

BindingPtr BindingTable::put(BindingPtr binding) {
  const std::uint32_t hash = hash_of(binding->component());
  BindingPtr before = put_into(root_, 0, hash, std::move(binding));
  if (!before) ++size_;
  return before;
}

// shift: bits of the hash that have led here.
BindingPtr BindingTable::put_into(NodePtr& at, unsigned shift, std::uint32_t hash, BindingPtr&& binding) {
  if (!at) at = NodePtr(new Node);
  Node& node = at.own();
  if (node.ways) return put_into((*node.ways)[hash >> shift & (kWays - 1)], shift + kBits, hash, std::move(binding));
  for (Node::Entry& e : node.entries)
    if (e.hash == hash && e.binding->name == binding->name && e.binding->id_bytes == binding->id_bytes)
      return std::exchange(e.binding, std::move(binding));
  node.entries.push_back({hash, std::move(binding)});
  if (node.entries.size() > kMostInLeaf && shift < 32) split(node, shift);
  return nullptr;
}

void BindingTable::split(Node& leaf, unsigned shift) {
  auto ways = std::make_unique<Node::Ways>();
  for (Node::Entry& e : leaf.entries) {
    NodePtr& to = (*ways)[e.hash >> shift & (kWays - 1)];
    if (!to) to = NodePtr(new Node);
    to->entries.push_back(std::move(e));
  }
  leaf.ways = std::move(ways);
  leaf.entries = {};
}

BindingPtr BindingTable::erase(const Component& component) {
  if (!find(component)) return nullptr;  // so that nothing is copied
  --size_;
  return erase_from(root_, 0, hash_of(component), component);
}

BindingPtr BindingTable::erase_from(NodePtr& at, unsigned shift, std::uint32_t hash, const Component& component) {
  Node& node = at.own();
  BindingPtr out;
  bool empty = true;
  if (node.ways) {
    out = erase_from((*node.ways)[hash >> shift & (kWays - 1)], shift + kBits, hash, component);
    for (const NodePtr& way : *node.ways) empty = empty && !way;
  } else {
    for (Node::Entry& e : node.entries) {
      if (e.hash != hash || e.binding->component() != component) continue;
      out = std::move(e.binding);
      if (&e != &node.entries.back()) e = std::move(node.entries.back());
      node.entries.pop_back();
      break;
    }
    empty = node.entries.empty();
  }
  if (empty) at = NodePtr();
  return out;
}

// --- going through ---

BindingTable::Cursor::Cursor(const BindingTable& table) : root_(table.root_), left_(table.size()) {
  if (!root_) return;
  way_.emplace_back(root_.get(), 0);
  descend();
}

void BindingTable::Cursor::next() {
  --left_;
  ++way_.back().second;
  descend();
}

// To the first binding from where the way stands.
void BindingTable::Cursor::descend() {
  at_ = nullptr;
  while (!way_.empty()) {
    auto& [node, part] = way_.back();
    if (!node->ways && part < node->entries.size()) {
      at_ = node->entries[part].binding.get();
      return;
    }
    while (node->ways && part < kWays && !(*node->ways)[part]) ++part;
    if (node->ways && part < kWays) {
      way_.emplace_back((*node->ways)[part].get(), 0);
    } else {
      way_.pop_back();
      if (!way_.empty()) ++way_.back().second;
    }
  }
}

}  // namespace callis::naming
