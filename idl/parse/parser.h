// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the parser's state and rules. One .cpp file for each group of rules.
#pragma once
#include <idl/parse/lexer.h>
#include <idl/parse/parse.h>
#include <idl/parse/tree.h>
#include <deque>

namespace callis::idl::parse {

class Parser {
 public:
  Parser(const source::Preprocessed& text, source::Diagnostics& diagnostics)
      : source_(text), diagnostics_(diagnostics), lexer_(text, diagnostics) {
    advance();
  }

  Body specification();

 private:
  // Thrown after a report; caught where the parser can go on.
  struct SyntaxError {};

  // Counts one level of nesting for the life of the object.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { parser_.enter_level(); }
    ~Level() { --parser_.nesting_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // parser.cpp: tokens, faults, recovery.
  void advance();
  void collect(const Token& pragma);
  void collect_file_changes(std::size_t offset);
  void flush(Body& body);
  bool at(TokenKind kind) const { return token_.is(kind); }
  bool at(Keyword keyword) const { return token_.is(keyword); }
  bool accept(TokenKind kind);
  bool accept(Keyword keyword);
  void expect(TokenKind kind, std::string_view after);
  void expect_semicolon(std::string_view after);
  void expect_greater();
  Name expect_name(std::string_view what);
  [[noreturn]] void fail(const source::Range& where, std::string text);
  [[noreturn]] void fail_expected(std::string_view what, std::string_view context = {});

  // Without taking it: the token `distance` places after token_, pragmas left out.
  const Token& peek(std::size_t distance = 1);
  bool at_word(std::string_view word) const { return at(TokenKind::Identifier) && token_.text == word; }
  void enter_level();
  void synchronize();
  std::string found() const;
  bool starts_definition() const;

  // annotations.cpp
  Annotations annotations();
  AnnotationSpec annotation();
  std::string annotation_name();
  void annotation_arguments(AnnotationSpec& out);
  void annotation_definition();

  // definitions.cpp: what may stand in modules.
  enum class Place { Module, Interface, Value };
  void body(Body& items, Place place);
  void item(Body& items, Place place);
  void close_body(const Name& name, std::string_view kind, const source::Range& open);
  ItemPtr anywhere();
  ItemPtr definition();
  ItemPtr module_item();
  ItemPtr typedef_item();
  ItemPtr native_item();
  ItemPtr const_item();
  ItemPtr type_id_item();
  ItemPtr type_prefix_item();
  ItemPtr import_item();
  std::string plain_string(std::string_view what, source::Range& where);

  // constructed.cpp
  ItemPtr struct_item();
  void struct_rest(StructItem& item);
  ItemPtr union_item();
  void union_rest(UnionItem& item);
  template <class Spec>
  bool all(std::vector<Spec>& out, Body& after, Spec (Parser::*one)());
  CaseSpec one_case();
  bool members(std::vector<MemberSpec>& out, Body& after);
  MemberSpec member();
  ItemPtr exception_item();
  ItemPtr enum_item();
  void enumerators(std::vector<EnumItem::Enumerator>& out, std::string_view list, std::string_view one);
  bool starts_bitset();
  ItemPtr bitset_item();
  BitsetItem::Field bitfield();
  ItemPtr bitmask_item();

  // interfaces.cpp
  ItemPtr export_item();
  ItemPtr interface_item(InterfaceFlavor flavor);
  ItemPtr attribute_item();
  ItemPtr operation_item();
  void parameters(std::vector<ParameterSpec>& out);
  ParameterSpec parameter();
  void names_in_parentheses(std::vector<ScopedName>& out, std::string_view after);
  void raises_clause(std::vector<ScopedName>& out);
  void context_clause(OperationItem& item);
  void array_without_name();

  // values.cpp
  ItemPtr value_item();
  ItemPtr value_box_item(Name name);
  void value_bases(ValueItem& item);
  ItemPtr value_element();
  ItemPtr state_item();
  ItemPtr initializer_item();

  // refused.cpp: components and what else CORBA has no use for without them.
  void refuse_components();

  // types.cpp
  enum class TypeUse { Any, Parameter, Element, Constant };
  TypeSpec type_spec(TypeUse use);
  bool at_component_name();
  void skip_corba();
  void skip_std();
  TypeSpec keyword_type(TypeUse use);
  BasicType long_type();
  BasicType unsigned_type();
  TypeSpec string_type();
  TypeSpec sequence_type();
  TypeSpec fixed_type(TypeUse use);
  TypeSpec map_type();
  TypeSpec inline_type(TypeUse use);
  ScopedName scoped_name(std::string_view what);
  Declarator declarator(std::string_view what);
  std::vector<Declarator> declarators(std::string_view what);

  // expressions.cpp
  ExpressionPtr expression();
  ExpressionPtr binary(int level);
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr string_literal();
  std::optional<Operator> binary_operator(int level);

  const source::Preprocessed& source_;
  source::Diagnostics& diagnostics_;
  Lexer lexer_;
  Token token_;                // the lookahead
  std::deque<Token> ahead_;    // what peek() has read behind it
  source::Range previous_;     // of the token before it
  std::size_t previous_end_ = 0;  // where its text ends in the source
  bool previous_unclosed_ = false;
  std::size_t next_change_ = 0;
  Body pending_;  // pragmas and file changes met since the last flush
  int nesting_ = 0;
  std::size_t operators_ = 0;
  int angles_ = 0;  // open `<` around the token, outside parentheses
  Name defining_;  // the definition being read, once its name is known
};

// pragma.cpp: the item a #pragma line stands for; null for pragmas that are not IDL's.
ItemPtr read_pragma(const source::Preprocessed& text, const Token& pragma,
                    source::Diagnostics& diagnostics);

}  // namespace callis::idl::parse
