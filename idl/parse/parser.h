// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the parser's state and rules. One .cpp file for each group of rules.
#pragma once
#include <idl/parse/lexer.h>
#include <idl/parse/parse.h>
#include <idl/parse/tree.h>

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

  // annotations.cpp
  struct Annotated {
    StubStyle stubs = StubStyle::Unsaid;
    source::Range where;
    bool dangling = false;  // something must follow
  };
  Annotated annotations();
  std::string annotation_name();
  void skip_annotations();
  void annotation_definition();
  void skip_arguments();
  StubStyle stubs_argument();
  [[noreturn]] void unsupported(std::string_view what);
  void enter_level();
  void synchronize();
  std::string found() const;
  bool starts_definition() const;

  // definitions.cpp
  void body(Body& items, bool in_interface);
  void item(Body& items, bool in_interface);
  ItemPtr definition();
  ItemPtr export_item();
  ItemPtr module_item();
  ItemPtr interface_item();
  ItemPtr struct_item();
  ItemPtr exception_item();
  ItemPtr enum_item();
  void enumerators(EnumItem& item);
  ItemPtr typedef_item();
  ItemPtr const_item();
  ItemPtr attribute_item();
  ItemPtr operation_item();
  bool members(std::vector<MemberSpec>& out);
  ParameterSpec parameter();
  void raises_clause(std::vector<ScopedName>& out);
  void refuse_later_definitions();

  // types.cpp
  enum class TypeUse { Any, Parameter, Element, Constant };
  TypeSpec type_spec(TypeUse use);
  TypeSpec keyword_type(TypeUse use);
  BasicType long_type();
  BasicType unsigned_type();
  TypeSpec string_type();
  TypeSpec sequence_type();
  TypeSpec inline_type();
  ScopedName scoped_name(std::string_view what);
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
  Token token_;           // the lookahead
  source::Range previous_;  // of the token before it
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
