// SPDX-License-Identifier: Apache-2.0
// Strategies that find one of T's by a name or a number: for operations, for objects of an adapter, for adapters
// below another. The strategies are those of Gokhale and Schmidt (SIGCOMM 1996, section 3.2.3, and the later
// experiments on de-layered demultiplexing), each as a product would have it.
//
// A table is made of distinct names; entry i stands for first[i], which must outlive it. key(i) is what a request
// carries to mean entry i. find(key) takes any bytes: nullptr for what is none of its keys. All but the numbers
// compare the whole key at last, so that unknown names are refused.
//
// Threads: find() any, once it has been made.
#pragma once
#include <callis/base/perfect_hash_builder.h>
#include <callis/base/string_map.h>
#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench::demux {

using Names = std::vector<std::string>;

// One after the other, as a chain of comparisons in a generated dispatch function does.
template<class T>
class LinearTable {
 public:
  LinearTable(const Names& names, T* first) : names_(names), first_(first) {
    for (const std::string& n : names_) entries_.push_back(n);
  }
  std::string key(std::size_t i) const { return names_[i]; }
  T* find(std::string_view key) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i] == key) return first_ + i;
    return nullptr;
  }

 private:
  const Names names_;
  T* const first_;
  std::vector<std::string_view> entries_;
};

// The request says the index, as text: what the SIGCOMM paper put into the place of the operation's name.
template<class T>
class NumberedTable {
 public:
  NumberedTable(const Names& names, T* first) : size_(names.size()), first_(first) {}
  std::string key(std::size_t i) const { return std::to_string(i); }
  T* find(std::string_view key) const {
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), i);
    if (error != std::errc() || end != key.data() + key.size() || i >= size_) return nullptr;
    return first_ + i;
  }

 private:
  const std::size_t size_;
  T* const first_;
};

// The request says the index in four bytes. An entry that has been replaced is not told from its predecessor.
template<class T>
class IndexTable {
 public:
  IndexTable(const Names& names, T* first) : size_(static_cast<std::uint32_t>(names.size())), first_(first) {}
  std::string key(std::size_t i) const {
    const auto n = static_cast<std::uint32_t>(i);
    return {reinterpret_cast<const char*>(&n), sizeof n};
  }
  T* find(std::string_view key) const {
    std::uint32_t i;
    if (key.size() != sizeof i) return nullptr;
    std::memcpy(&i, key.data(), sizeof i);
    return i < size_ ? first_ + i : nullptr;
  }

 private:
  const std::uint32_t size_;
  T* const first_;
};

// Sorted once, halved at each step.
template<class T>
class BinaryTable {
 public:
  BinaryTable(const Names& names, T* first) : names_(names) {
    for (std::size_t i = 0; i < names_.size(); ++i) entries_.push_back({names_[i], first + i});
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  }
  std::string key(std::size_t i) const { return names_[i]; }
  T* find(std::string_view key) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                     [](const Entry& e, std::string_view k) { return e.name < k; });
    return at != entries_.end() && at->name == key ? at->target : nullptr;
  }

 private:
  struct Entry {
    std::string_view name;
    T* target;
  };
  const Names names_;
  std::vector<Entry> entries_;
};

// A hash table that can grow: the one in which callis keeps adapters by their names.
template<class T>
class HashTable {
 public:
  HashTable(const Names& names, T* first) : names_(names) {
    for (std::size_t i = 0; i < names_.size(); ++i) map_.insert(names_[i], first + i);
  }
  std::string key(std::size_t i) const { return names_[i]; }
  T* find(std::string_view key) const {
    T* const* at = map_.find(key);
    return at ? *at : nullptr;
  }

 private:
  const Names names_;
  callis::StringMap<T*> map_;
};

// The hash that callis-idl computes for an interface's operations.
template<class T>
class PerfectTable {
 public:
  PerfectTable(const Names& names, T* first) : names_(names) {
    if (!callis::build_perfect_hash(names_, tables_)) throw std::runtime_error("no perfect hash for these names");
    hash_ = tables_.view();
    for (const std::uint16_t i : tables_.order) entries_.push_back({names_[i], first + i});
  }
  std::string key(std::size_t i) const { return names_[i]; }
  T* find(std::string_view key) const {
    const std::uint16_t i = hash_.find(key.data(), key.size());
    if (i == callis::PerfectHash::kNowhere || entries_[i].name != key) return nullptr;
    return entries_[i].target;
  }

 private:
  struct Entry {
    std::string_view name;
    T* target;
  };
  const Names names_;
  callis::PerfectHashTables tables_;
  callis::PerfectHash hash_{};
  std::vector<Entry> entries_;
};

}  // namespace bench::demux
