// SPDX-License-Identifier: Apache-2.0
// Scope: the names declared in one module, interface, struct, exception or operation (IDL 4.2,
// 7.5.2). Names that differ only in case are the same name for every question asked here.
#pragma once
#include <idl/ast/declaration.h>
#include <idl/source/position.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callis::idl::sema {

struct Entry {
  std::string name;     // as declared
  source::Range where;  // of the declaration
  ast::Declaration* node = nullptr;  // null: declared, but wrong; uses are not reported again
};

enum class ScopeKind { Root, Module, Interface, Struct, Operation };  // Struct: exceptions too

// What looking names up in bases has cost, in all scopes of a unit. A step is a base that is visited or a result;
// entering a name into an index counts as 25. Beyond limits.h's kMaxLookupSteps bases are not looked into any more.
class Lookups {
 public:
  std::uint64_t steps() const { return steps_; }
  bool exhausted() const;

 private:
  friend class Scope;
  std::uint64_t steps_ = 0;
  std::uint64_t walks_ = 0;       // numbers them, so that a walk knows which scopes it has been to
  std::uint64_t generation_ = 0;  // of all indexes: those of another one are out of date
};

class Scope {
 public:
  // `lookups` is shared by the scopes of a unit and outlives them.
  Scope(ScopeKind k, Scope* p, ast::Declaration* o, Lookups& lookups);
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();

  const ScopeKind kind;
  Scope* const parent;                 // null for the root
  ast::Declaration* const owner;       // null for the root

  // Of an interface, valuetype or struct, direct ones, each once.
  const std::vector<const Scope*>& bases() const { return bases_; }
  void add_base(const Scope& base);
  void clear_bases();
  // All that are inherited from, each once, in the order of the bases, depth first.
  std::vector<const Scope*> all_bases() const;

  // What is declared here itself.
  const Entry* find_own(std::string_view name) const;
  void add(Entry entry);
  // A declaration takes the place of a name declared before (a forward declaration's).
  void replace(std::string_view name, ast::Declaration* node, const source::Range& where);

  // Here and in base interfaces: what this scope redeclares hides what it inherits. Several
  // results: the name is ambiguous. One declaration reached over several paths is one result.
  //
  // A scope that is asked more often than its bases are many makes an index of what it inherits, so that m questions
  // take some m + n steps and not m * n.
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
  struct Index;

  // Visits what this scope inherits from, each scope once, in the order of the bases, depth first. visit(const
  // Scope&) says whether to go on to the bases of that scope.
  template <class Visit>
  void each_base(Visit visit) const;
  std::vector<const Entry*> find_inherited(const std::string& key) const;
  void make_index() const;
  void changed();

  Lookups& lookups_;
  std::vector<const Scope*> bases_;
  std::deque<Entry> entries_;  // in order of declaration
  std::unordered_map<std::string, Entry*> by_key_;
  std::unordered_map<std::string, Introduced> introduced_;

  mutable std::unique_ptr<Index> index_;  // of what is inherited; null before it is worth while
  mutable std::uint64_t walked_ = 0;      // steps without an index
  mutable std::uint64_t visited_ = 0;     // the last walk that came here
  mutable bool indexed_ = false;          // what is declared here is in an index of another scope
};

// `name` in lower case.
std::string fold(std::string_view name);

}  // namespace callis::idl::sema
