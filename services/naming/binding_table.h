// SPDX-License-Identifier: Apache-2.0
// BindingTable: the bindings of one context. A copy is a snapshot: it costs as much for a million bindings as for
// one, and stays as it is while the original changes. So list() holds the model's lock for a moment only.
//
//   BindingTable ──→ Node, 16 ways by 4 bits of the hash ──→ Node ... ──→ leaf: up to 12 bindings, with their hashes
//   snapshot ───────────↗  nodes are shared; whoever changes one that somebody else has, too, copies it first
//
// A trie of hashes with copies on write (Bagwell, "Ideal Hash Trees", 2001). A change copies one node a level, of 16
// pointers or 12 bindings at most, and only where a snapshot has them; so no change takes long, as the growth of a
// hash table does.
//
// Not for two threads at once, other than readers; but snapshots of one table may be used, copied and destroyed by
// several threads while another changes the table.
#pragma once
#include <services/common/memory_bound.h>
#include <services/common/store.h>
#include <services/naming/name.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace callis::naming {

using services::Revision;

// Of a context: drawn at random when it is made, so that none is used twice, also by several instances on one store.
using Number = std::uint64_t;
inline constexpr Number kRoot = 0;

struct Binding {
  enum class Kind : char {
    Object = 'o',   // nobject
    Local = 'l',    // ncontext, one of ours
    Foreign = 'f',  // ncontext, another service's
  };

  Kind kind = Kind::Object;
  std::uint32_t id_bytes = 0;  // of name
  Revision changed = 0;
  Number number = 0;      // Local
  std::string name;       // the id, a NUL, the kind
  std::string reference;  // Object, Foreign: the IOR in CDR, little-endian
  // What it takes in memory, as long as anybody has it. Under the model's lock: it may become another client's.
  mutable services::MemoryBound::Hold held;

  bool is_context() const { return kind != Kind::Object; }
  Component component() const {
    return {std::string_view(name).substr(0, id_bytes), std::string_view(name).substr(id_bytes + 1)};
  }
};
using BindingPtr = std::shared_ptr<const Binding>;

class BindingTable final {
  struct Node;
  // Owns one count of a node; nullptr: no bindings.
  class NodePtr {
   public:
    NodePtr() = default;
    explicit NodePtr(Node* taken) : node_(taken) {}
    NodePtr(const NodePtr& other);
    NodePtr(NodePtr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    NodePtr& operator=(NodePtr other) noexcept {
      std::swap(node_, other.node_);
      return *this;
    }
    ~NodePtr();
    Node* get() const { return node_; }
    Node* operator->() const { return node_; }
    explicit operator bool() const { return node_ != nullptr; }
    // A node that nobody else has: this one, or a copy in its place.
    Node& own();

   private:
    Node* node_ = nullptr;
  };

 public:
  BindingTable() = default;

  // What the nodes take for one binding, about, where there are many.
  static constexpr std::size_t kNodeBytes = 64;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // nullptr: there is none. Good until the table changes.
  const BindingPtr* find(const Component& component) const;
  // One of them; nullptr: there is none.
  BindingPtr any() const;
  // In place of the one of its name, which it returns; nullptr: there was none.
  BindingPtr put(BindingPtr binding);
  // What was there; nullptr: nothing.
  BindingPtr erase(const Component& component);

  // Goes through a table as it is when the cursor is made, in no order.
  class Cursor final {
   public:
    Cursor() = default;
    explicit Cursor(const BindingTable& table);
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;
    Cursor(Cursor&&) = default;
    Cursor& operator=(Cursor&&) = default;

    // nullptr: at the end. Good as long as the cursor lives.
    const Binding* at() const { return at_; }
    void next();
    std::size_t left() const { return left_; }

   private:
    void descend();

    NodePtr root_;  // a snapshot
    std::vector<std::pair<const Node*, std::size_t>> way_;  // from the root; which of its parts
    const Binding* at_ = nullptr;
    std::size_t left_ = 0;
  };

 private:
  static constexpr unsigned kBits = 4;
  static constexpr std::size_t kWays = 1u << kBits, kMostInLeaf = 12;

  static std::uint32_t hash_of(const Component& component);
  static BindingPtr put_into(NodePtr& at, unsigned shift, std::uint32_t hash, BindingPtr&& binding);
  static BindingPtr erase_from(NodePtr& at, unsigned shift, std::uint32_t hash, const Component& component);
  static void split(Node& leaf, unsigned shift);

  NodePtr root_;
  std::size_t size_ = 0;
};

}  // namespace callis::naming
