// SPDX-License-Identifier: Apache-2.0
// Selection: which operations of a unit get compiled code.
//
// With --stubs=hybrid there are three sources: the command line, annotations and pragmas, a profile. The first of
// them that says something decides: about the operation itself, else about the interface that declares it, else
// that one of the types it passes, directly or as part of another, is compiled. `interpreted` for a type takes back
// what a later source says about that type. What nobody speaks of is interpreted.
#pragma once
#include <idl/ast/walk.h>
#include <idl/backends/backend.h>
#include <bitset>
#include <map>
#include <unordered_map>

namespace callis::idl::backends::classic {

class Selection {
 public:
  explicit Selection(const Options& options) : options_(options) {}
  bool compiled(const ast::WireOperation& op) const;

 private:
  static constexpr int kSources = 3;
  ast::StubStyle said(int source, const ast::Declaration& d) const;
  // For each source: whether it wants compiled what this is, itself or with a type that it is made of.
  using Wanted = std::bitset<kSources>;
  Wanted wanted(const ast::Declaration& d) const;
  Wanted by_type(const ast::Type& t) const;
  Wanted by_types(const ast::WireOperation& op) const;
  bool decide(const ast::WireOperation& op) const;

  const Options& options_;
  mutable std::map<const ast::Declaration*, bool> decided_;
  mutable std::unordered_map<const ast::Type*, Wanted> by_type_;
};

}  // namespace callis::idl::backends::classic
