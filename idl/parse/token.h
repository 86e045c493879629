// SPDX-License-Identifier: Apache-2.0
// Token and Keyword: the words of IDL (IDL 4.2, 7.2; the keywords are those of CORBA 3.3, so that
// files written for CORBA may use later keywords such as `port` or `map` as names).
#pragma once
#include <idl/source/position.h>
#include <cstddef>
#include <optional>
#include <string_view>

namespace callis::idl::parse {

enum class TokenKind {
  End,
  Identifier,
  Keyword,
  Integer,
  Floating,
  Fixed,
  Character,
  WideCharacter,
  String,
  WideString,
  Pragma,  // a whole #pragma line
  // Punctuation
  Semicolon,
  Colon,
  Scope,  // ::
  Comma,
  Equals,
  LeftBrace,
  RightBrace,
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  RightBracket,
  Less,
  Greater,
  ShiftLeft,
  ShiftRight,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Tilde,
  Pipe,
  Caret,
  Ampersand,
  At,
};

enum class Keyword {
  Abstract,
  Any,
  Attribute,
  Boolean,
  Case,
  Char,
  Component,
  Const,
  Consumes,
  Context,
  Custom,
  Default,
  Double,
  Emits,
  Enum,
  EventType,
  Exception,
  Factory,
  False,
  Finder,
  Fixed,
  Float,
  GetRaises,
  Home,
  Import,
  In,
  InOut,
  Interface,
  Local,
  Long,
  Manages,
  Module,
  Multiple,
  Native,
  Object,
  Octet,
  Oneway,
  Out,
  PrimaryKey,
  Private,
  Provides,
  Public,
  Publishes,
  Raises,
  Readonly,
  Sequence,
  SetRaises,
  Short,
  String,
  Struct,
  Supports,
  Switch,
  True,
  Truncatable,
  Typedef,
  TypeId,
  TypePrefix,
  Union,
  Unsigned,
  Uses,
  ValueBase,
  ValueType,
  Void,
  WChar,
  WString,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Keyword keyword{};      // for Keyword; of an Identifier, the one it differs from in case
  std::string_view text;  // as written; lives as long as the preprocessed text
  std::size_t offset = 0;
  source::Range where;
  bool unclosed = false;  // a literal that took in the rest of its line, reported already

  bool is(TokenKind k) const { return kind == k; }
  bool is(Keyword k) const { return kind == TokenKind::Keyword && keyword == k; }
};

// "';'", "an identifier", … as used in diagnostics.
std::string_view describe(TokenKind kind);
// The keyword as spelled: "interface".
std::string_view spelling(Keyword keyword);

// Became a keyword with values, local interfaces or the component model (CORBA 2.3 to 3.0).
bool is_late(Keyword keyword);

// Is a keyword only for components and repositories (CORBA 3): where a name must stand it may still be one, as in
// files from before.
bool is_component_word(Keyword keyword);

// The keyword that `word` is when case is ignored: it may then not be a name (IDL 4.2, 7.2.4).
std::optional<Keyword> find_keyword(std::string_view word);

}  // namespace callis::idl::parse
