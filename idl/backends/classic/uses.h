// SPDX-License-Identifier: Apache-2.0
// What a unit's own declarations spell, for includes: a generated header includes what it uses and no more. What
// stands in an included IDL file is in the header of that file.
#pragma once
#include <idl/ast/unit.h>
#include <bitset>
#include <functional>

namespace callis::idl::backends::classic {

// Calls visit for each type that d spells: "sequence<fixed<5, 2>>" is two types. Typedefs are not looked through, but
// for the type of a constant; nested declarations are not d's.
void for_each_type(const ast::Declaration& d, const std::function<void(const ast::Type&)>& visit);

// CORBA::OctetSeq and its kin of the built-in orb.idl: their header comes with those of sequences and of any.
bool is_basic_sequence(const ast::Declaration& d);

class Uses {
 public:
  explicit Uses(const ast::Unit& unit);

  bool type(ast::TypeKind k) const { return types_[static_cast<std::size_t>(k)]; }
  bool declares(ast::DeclarationKind k) const { return declarations_[static_cast<std::size_t>(k)]; }
  // Declares or announces an abstract interface.
  bool abstract_interface() const { return abstract_interface_; }
  bool any_or_type_code() const { return type(ast::TypeKind::Any) || type(ast::TypeKind::TypeCode); }
  // Declares a type, which has a TypeCode.
  bool declares_type() const { return declares_type_; }
  // Has an operation with a context clause.
  bool contexts() const { return contexts_; }
  // Names something that the runtime declares in module CORBA, sequences of basic types aside, or in PortableServer.
  bool standard_names() const { return standard_names_; }
  bool portable_server() const { return portable_server_; }
  // Of unconstrained or local interfaces.
  bool other_interface() const { return other_interface_; }

 private:
  void name(const ast::Declaration& d);
  void declaration(const ast::Declaration& d);

  std::bitset<64> types_;
  std::bitset<64> declarations_;  // a forward declaration counts as what it announces
  bool abstract_interface_ = false;
  bool other_interface_ = false;
  bool declares_type_ = false;
  bool contexts_ = false;
  bool standard_names_ = false;
  bool portable_server_ = false;
};

// The lines `#include <callis/...>` of a unit's header; `any`: with TypeCodes and operators of Any.
std::vector<std::string> runtime_headers(const Uses& uses, bool any);

}  // namespace callis::idl::backends::classic
