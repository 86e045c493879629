// SPDX-License-Identifier: Apache-2.0
// Descriptors: collects a unit (callis/marshal/descriptor.h: words, names, links) and prints it. The other parts of
// the back end ask for the words of types and the entries of operations.
//
// Equal types share an entry. A struct or union may contain itself.
#pragma once
#include <callis/marshal/descriptor.h>
#include <idl/ast/nodes.h>
#include <idl/ast/walk.h>
#include <idl/backends/classic/nested.h>
#include <idl/backends/classic/text.h>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace callis::idl::backends::classic {

// A word: its C++ expression and its value.
struct Term {
  std::string text;
  marshal::Word value;
};

class Descriptors {
 public:
  // The word of a type.
  Term type(const ast::Type& t, ast::Parameter::Mode mode = ast::Parameter::Mode::In);
  // The index of an operation's entry; made on the first call. An entry of a compiled operation has name and
  // flags only.
  std::size_t operation(const ast::WireOperation& op, bool compiled);
  // Where its name stands among the unit's: offset << 8 | length; nothing for long ones, whose entry says it.
  std::string name_word(const ast::WireOperation& op);

  // The word of a valuetype's own state.
  Term state(const ast::ValueType& v);

  // Expressions for Unit::links, each once.
  std::size_t link(const std::string& expression);
  // Exceptions of operations, in order: each needs an ExceptionLink called exception_link_name().
  const std::vector<const ast::Exception*>& exceptions() const { return exceptions_; }
  static std::string exception_link_name(const ast::Exception& e);

  bool empty() const { return words_.empty(); }
  // Notes an interpreted operation that the unit's stubs call, or that its skeletons serve.
  void called(std::size_t operation) { stubs_.insert(operation); }
  void served(std::size_t operation) { skeletons_.insert(operation); }
  // Why the unit cannot be described (a table index beyond its bits), or empty.
  std::string overflow() const;
  // Tables, mostly in an unnamed namespace, and the definition of `unit`, with the plans of stubs.
  void print(Text& to) const;
  // The Unit of the skeletons, with their plans, in the namespace of print(); what it takes from there is declared.
  // Another name of `unit` if skeletons serve no interpreted operation.
  void print_skeleton_unit(Text& to) const;

 private:
  std::vector<marshal::Word> words() const;
  void print_side(Text& to, const std::set<std::size_t>& chosen, const std::string& side, const std::string& unit,
                  const std::string& cells) const;
  void print_unit(Text& to, const std::string& name, const std::string& cells) const;

  using Terms = std::vector<Term>;
  struct Line {
    std::size_t words;
    Terms terms;
    std::string comment;
  };

  std::size_t add(std::size_t words, Terms terms, std::string comment = {});
  std::size_t shared(Terms entry, const std::string& comment);
  std::size_t structure(const ast::Struct& s);
  std::size_t union_entry(const ast::Union& u);
  // Writes the entry that stands in that line.
  void fill(std::size_t line, const ast::Type& t);
  Terms terms_of(const ast::Struct& s);
  Terms terms_of(const ast::Union& u);
  std::size_t exception(const ast::Exception& e);
  std::size_t name_offset(const std::string& name);

  std::vector<Line> words_;
  std::size_t size_ = 0;
  std::map<std::string, std::size_t> shared_;
  std::map<const ast::Type*, std::size_t> structs_;  // and unions
  Nested<std::pair<std::size_t, const ast::Type*>> entries_;  // theirs, by lines
  std::map<const ast::Exception*, std::size_t> exception_entries_;
  std::map<const void*, std::size_t> operations_[2];  // [is_setter]
  std::vector<const ast::Exception*> exceptions_;
  std::vector<std::string> links_;
  std::unordered_map<std::string, std::size_t> link_indices_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> name_offsets_;
  std::size_t names_size_ = 0;
  std::size_t cells_ = 0;
  std::vector<std::size_t> cell_operations_;  // by cell
  std::set<std::size_t> stubs_, skeletons_;
  bool extended_ = false;  // the unit needs marshal::kExtension
  std::size_t most_parameters_ = 0, longest_name_ = 0;
};

}  // namespace callis::idl::backends::classic
