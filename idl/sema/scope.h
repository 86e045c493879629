// SPDX-License-Identifier: Apache-2.0
// Scope: the names declared in one module, interface, struct, exception or operation (IDL 4.2,
// 7.5.2). Names that differ only in case are the same name for every question asked here.
#pragma once
#include <idl/ast/declaration.h>
#include <idl/source/position.h>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace callis::idl::sema {

struct Entry {
  std::string name;     // as declared
  source::Range where;  // of the declaration
  ast::Declaration* node = nullptr;  // null: declared, but wrong; uses are not reported again
};

enum class ScopeKind { Root, Module, Interface, Struct, Operation };  // Struct: exceptions too

class Scope {
 public:
  Scope(ScopeKind k, Scope* p, ast::Declaration* o) : kind(k), parent(p), owner(o) {}

  const ScopeKind kind;
  Scope* const parent;                 // null for the root
  ast::Declaration* const owner;       // null for the root
  std::vector<const Scope*> bases;     // of an interface, valuetype or struct, direct ones

  // What is declared here itself.
  const Entry* find_own(std::string_view name) const;
  void add(Entry entry);
  // A declaration takes the place of a name declared before (a forward declaration's).
  void replace(std::string_view name, ast::Declaration* node, const source::Range& where);

  // Here and in base interfaces: what this scope redeclares hides what it inherits. Several
  // results: the name is ambiguous.
  std::vector<const Entry*> find(std::string_view name) const;

  // A name from outside that was used here and so may not be declared here any more.
  struct Introduced {
    std::string name;
    source::Range where;  // of the first use
  };
  const Introduced* find_introduced(std::string_view name) const;
  void introduce(std::string_view name, const source::Range& where);

  const std::deque<Entry>& entries() const { return entries_; }

 private:
  void find(const std::string& key, std::unordered_set<const Scope*>& visited,
            std::vector<const Entry*>& out) const;

  std::deque<Entry> entries_;  // in order of declaration
  std::unordered_map<std::string, Entry*> by_key_;
  std::unordered_map<std::string, Introduced> introduced_;
};

// `name` in lower case.
std::string fold(std::string_view name);

}  // namespace callis::idl::sema
