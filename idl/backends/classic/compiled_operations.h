// SPDX-License-Identifier: Apache-2.0
// CompiledOperations: straight-line code for the operations that the Selection chose: what stands in x.cpp in place
// of their descriptors, and the skeletons' Serve functions.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/classic/compiled_types.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/selection.h>

namespace callis::idl::backends::classic {

class CompiledOperations {
 public:
  CompiledOperations(const ast::Unit& unit, const Selection& selection, CompiledTypes& types);

  bool has(const ast::WireOperation& op) const { return selection_.compiled(op); }
  // Whether a stub or skeleton of the unit is compiled.
  bool any() const { return any_; }

  // ---- x.cpp, in unit_namespace() ----
  // The orb::CompiledOperation of an operation of the unit.
  std::string name(const ast::WireOperation& op) const;
  void print_coders(Text& to, Descriptors& descriptors) const;

  // ---- x_skel.cpp ----
  // Prints the operation's function and returns its name.
  std::string print_serve(Text& to, const ast::Interface& i, const ast::WireOperation& op) const;
  // The expression of the operation's list of exceptions; empty for none.
  std::string raises(const ast::WireOperation& op) const;
  // Of what the functions use from x.cpp; to be asked last.
  void print_declarations(Text& to) const;

 private:
  void print_raises(Text& to) const;
  void print_operation(Text& to, const ast::WireOperation& op, Descriptors& descriptors) const;

  const ast::Unit& unit_;
  const std::string shared_;  // unit_namespace()
  const Selection& selection_;
  CompiledTypes& types_;
  bool any_ = false;
  std::vector<ast::WireOperation> raising_;  // compiled ones that a skeleton of the unit serves
};

}  // namespace callis::idl::backends::classic
