// SPDX-License-Identifier: Apache-2.0
// StringMap<T>: values by name, for the small tables of administration: endpoints, initial references, adapters.
// All types share the code that finds and links, so a further map costs little more than its values' destructor.
//
// Hashed; for_each() goes in no particular order. Values stay where they are until they are erased. Not safe for
// several threads at once. Only insert() allocates; when that throws std::bad_alloc, the map is as it was.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace callis {

class StringMapBase {
 public:
  StringMapBase() = default;
  StringMapBase(const StringMapBase&) = delete;
  StringMapBase& operator=(const StringMapBase&) = delete;
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 protected:
  struct Node {
    explicit Node(std::string_view n);
    Node* next = nullptr;  // in the bucket
    const std::string name;
  };

  ~StringMapBase() { ::operator delete(buckets_); }
  void swap(StringMapBase& o) noexcept;
  Node* find_node(std::string_view name) const noexcept;
  // Room for one more. Throws std::bad_alloc.
  void reserve_one();
  // After reserve_one(); the name is not in the map.
  void link(Node* node) noexcept;
  // The node, which is the caller's then; nullptr when there is none of that name.
  Node* unlink(std::string_view name) noexcept;
  // All nodes, chained by next, which are the caller's then. The map is empty.
  Node* unlink_all() noexcept;
  // The one after node, the first one after nullptr; nullptr at the end.
  Node* after(const Node* node) const noexcept;

 private:
  Node*& bucket(std::string_view name) const noexcept;

  Node** buckets_ = nullptr;
  std::uint32_t count_ = 0;  // of buckets: 0 or a power of two
  std::uint32_t size_ = 0;
};

template <class T>
class StringMap final : public StringMapBase {
  struct Entry final : Node {
    Entry(std::string_view n, T v) : Node(n), value(std::move(v)) {}
    T value;
  };

 public:
  StringMap() = default;
  ~StringMap() { clear(); }
  void swap(StringMap& o) noexcept { StringMapBase::swap(o); }

  // nullptr when there is none.
  T* find(std::string_view name) const noexcept {
    Node* n = find_node(name);
    return n ? &static_cast<Entry*>(n)->value : nullptr;
  }
  bool contains(std::string_view name) const noexcept { return find_node(name) != nullptr; }
  // There must be none of that name.
  T& insert(std::string_view name, T value) {
    reserve_one();
    Entry* e = new Entry(name, std::move(value));
    link(e);
    return e->value;
  }
  bool erase(std::string_view name) noexcept {
    Node* n = unlink(name);
    delete static_cast<Entry*>(n);
    return n != nullptr;
  }
  // Moves the one of that name from another map, which must have it, to this one, which must not.
  void take(StringMap& from, std::string_view name) {
    reserve_one();
    link(from.unlink(name));
  }
  void clear() noexcept {
    for (Node *n = unlink_all(), *next; n; n = next) {
      next = n->next;
      delete static_cast<Entry*>(n);
    }
  }
  // f(const std::string& name, T& value). It may change nothing in the map but erase the value it is called with.
  template <class F>
  void for_each(F&& f) const {
    for (Node *n = after(nullptr), *next; n; n = next) {
      next = after(n);
      f(n->name, static_cast<Entry*>(n)->value);
    }
  }
};

}  // namespace callis
