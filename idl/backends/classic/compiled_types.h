// SPDX-License-Identifier: Apache-2.0
// CompiledTypes: the write_ and read_ functions of --stubs=compiled, one pair for every struct, union, sequence,
// array and interface that an operation of the unit marshals.
//
// put() and get() return a C++ statement for a value at hand and remember which functions it needs; print()
// prints those, declarations() what another file needs to call them. They live in unit_namespace().
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>
#include <map>
#include <string>
#include <vector>

namespace callis::idl::backends::classic {

class CompiledTypes {
 public:
  // For the expression of a value: a member, a variable, a dereferenced pointer; of arrays the array or a pointer
  // to a slice. _e and _d are the encoder and decoder.
  std::string put(const ast::Type& t, const std::string& value);
  std::string get(const ast::Type& t, const std::string& value);
  // The same where it is known beforehand whose the value will be: its receiver's, or the request's.
  std::string get_owned(const ast::Type& t, const std::string& value);
  std::string get_borrowed(const ast::Type& t, const std::string& value);

  bool empty() const { return functions_.empty(); }
  void print(Text& to);
  void declarations(Text& to) const;

 private:
  struct Function {
    std::string suffix;   // write_<suffix>, read_<suffix>
    std::string type;     // of the value; of an array's innermost elements
    bool array;
    const ast::Type* of;
  };

  static std::string get_string(const char* how, const ast::Type& t, const std::string& value);
  // The suffix of the functions of a struct, sequence, array or interface.
  std::string function(const ast::Type& t);
  void body(Text& to, const Function& f, bool encode);
  void union_body(Text& to, const ast::Union& u, bool encode);
  void struct_body(Text& to, const ast::Struct& s, bool encode);
  // The statement for a struct, sequence, array or reference.
  std::string composite(const ast::Type& t, const std::string& value, bool encode);
  std::string sequence_statement(const ast::SequenceType& s, const std::string& value, bool encode);
  void array_body(Text& to, const ast::ArrayType& a, bool encode);

  std::vector<Function> functions_;
  std::map<std::string, std::string> known_;  // C++ type and shape -> suffix
};

}  // namespace callis::idl::backends::classic
