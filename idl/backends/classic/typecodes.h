// SPDX-License-Identifier: Apache-2.0
// TypeCodes of a unit (C++ mapping 1.3, 4.28): a constant _tc_X for every type, and the table that describes them
// (callis/typecode/table.h has its format). A TypeCode of an included file is named by its constant; anonymous types
// are in the table of each unit that spells them.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/ast/unit.h>
#include <idl/backends/classic/nested.h>
#include <idl/backends/classic/text.h>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace callis::idl::backends::classic {

// Struct, union, enum, typedef, exception, interface, value, box, native.
bool has_type_code(const ast::Declaration& d);
// "::M::_tc_X"
std::string type_code(const ast::Declaration& d);
// `extern const ::CORBA::TypeCode_ptr _tc_X;`, in a class `static`.
void print_type_code_declaration(Text& to, const ast::Declaration& d, bool in_class);

class TypeCodes {
 public:
  // Those of the main file.
  explicit TypeCodes(const ast::Unit& unit);

  bool empty() const { return cells_.empty(); }
  // The table, for the unit's namespace.
  void print(Text& to) const;
  // The definitions of the constants.
  void print_constants(Text& to, const std::string& unit_namespace) const;

 private:
  struct Cell {
    std::size_t at = 0;
  };
  struct Line {
    std::string text, comment;
  };
  using Words = std::vector<std::string>;

  std::string type(const ast::Type& t);
  std::string declared(const ast::Declaration& d);
  std::string anonymous(const Words& words);
  std::size_t define(const ast::Declaration& d);
  Words words_of(const ast::Declaration& d);
  void fill(std::size_t cell, const Words& words, const std::string& comment);
  Words head(const char* kind, const ast::Declaration& d, const std::string& link = {});
  void members(Words& w, const std::vector<const ast::Member*>& list);
  Words union_words(const ast::Union& u);
  Words value_words(const ast::ValueType& v);
  std::string text(const std::string& s);
  std::string texts(const std::vector<std::string>& list);
  std::string link(const std::string& expression);

  std::vector<Cell> cells_;
  std::vector<Line> lines_;
  std::size_t words_ = 0;
  std::map<const ast::Declaration*, std::size_t> declared_;
  std::map<Words, std::string> anonymous_;
  std::vector<std::string> pool_;
  std::map<std::string, std::size_t> offsets_;
  std::size_t pool_size_ = 0;
  Nested<std::pair<std::size_t, const ast::Declaration*>> cells_to_fill_;
  // Expressions, each once, in order.
  struct Expressions {
    std::vector<std::string> list;
    std::unordered_map<std::string, std::size_t> known;
    std::size_t index_of(const std::string& expression);
  };
  Expressions links_, others_;
  std::vector<std::pair<const ast::Declaration*, std::size_t>> constants_;
};

}  // namespace callis::idl::backends::classic
