// SPDX-License-Identifier: Apache-2.0
// The table of keywords, and the names of words in messages.
#include <idl/parse/token.h>
#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

namespace callis::idl::parse {

namespace {

// In the order of the enumeration.
constexpr std::string_view kSpellings[] = {
    "abstract",  "any",       "attribute", "boolean",   "case",       "char",      "component",
    "const",     "consumes",  "context",   "custom",    "default",    "double",    "emits",
    "enum",      "eventtype", "exception", "factory",   "FALSE",      "finder",    "fixed",
    "float",     "getraises", "home",      "import",    "in",         "inout",     "interface",
    "local",     "long",      "manages",   "module",    "multiple",   "native",    "Object",
    "octet",     "oneway",    "out",       "primarykey", "private",   "provides",  "public",
    "publishes", "raises",    "readonly",  "sequence",  "setraises",  "short",     "string",
    "struct",    "supports",  "switch",    "TRUE",      "truncatable", "typedef",  "typeid",
    "typeprefix", "union",    "unsigned",  "uses",      "ValueBase",  "valuetype", "void",
    "wchar",     "wstring"};
static_assert(std::size(kSpellings) == static_cast<std::size_t>(Keyword::WString) + 1);

std::string lower(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::string_view spelling(Keyword keyword) { return kSpellings[static_cast<std::size_t>(keyword)]; }

bool is_late(Keyword keyword) {
  switch (keyword) {
    case Keyword::Abstract:
    case Keyword::Component:
    case Keyword::Consumes:
    case Keyword::Custom:
    case Keyword::Emits:
    case Keyword::EventType:
    case Keyword::Factory:
    case Keyword::Finder:
    case Keyword::GetRaises:
    case Keyword::Home:
    case Keyword::Import:
    case Keyword::Local:
    case Keyword::Manages:
    case Keyword::Multiple:
    case Keyword::Native:
    case Keyword::PrimaryKey:
    case Keyword::Private:
    case Keyword::Provides:
    case Keyword::Public:
    case Keyword::Publishes:
    case Keyword::SetRaises:
    case Keyword::Supports:
    case Keyword::Truncatable:
    case Keyword::TypeId:
    case Keyword::TypePrefix:
    case Keyword::Uses:
    case Keyword::ValueBase:
    case Keyword::ValueType: return true;
    default: return false;
  }
}

bool is_component_word(Keyword keyword) {
  switch (keyword) {
    case Keyword::Abstract:
    case Keyword::Custom:
    case Keyword::Factory:
    case Keyword::Local:
    case Keyword::Native:
    case Keyword::Private:
    case Keyword::Public:
    case Keyword::Supports:
    case Keyword::Truncatable:
    case Keyword::ValueBase:
    case Keyword::ValueType: return false;
    default: return is_late(keyword);
  }
}

std::optional<Keyword> find_keyword(std::string_view word) {
  static const auto* table = [] {
    auto* t = new std::unordered_map<std::string, Keyword>;
    for (std::size_t i = 0; i < std::size(kSpellings); ++i) {
      t->emplace(lower(kSpellings[i]), static_cast<Keyword>(i));
    }
    return t;
  }();
  const auto found = table->find(lower(word));
  return found == table->end() ? std::nullopt : std::optional(found->second);
}

std::string_view describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::End: return "the end of the file";
    case TokenKind::Identifier: return "a name";
    case TokenKind::Keyword: return "a keyword";
    case TokenKind::Integer: return "an integer";
    case TokenKind::Floating: return "a floating-point number";
    case TokenKind::Fixed: return "a fixed-point number";
    case TokenKind::Character: return "a character";
    case TokenKind::WideCharacter: return "a wide character";
    case TokenKind::String: return "a string";
    case TokenKind::WideString: return "a wide string";
    case TokenKind::Pragma: return "a #pragma";
    case TokenKind::Semicolon: return "';'";
    case TokenKind::Colon: return "':'";
    case TokenKind::Scope: return "'::'";
    case TokenKind::Comma: return "','";
    case TokenKind::Equals: return "'='";
    case TokenKind::LeftBrace: return "'{'";
    case TokenKind::RightBrace: return "'}'";
    case TokenKind::LeftParenthesis: return "'('";
    case TokenKind::RightParenthesis: return "')'";
    case TokenKind::LeftBracket: return "'['";
    case TokenKind::RightBracket: return "']'";
    case TokenKind::Less: return "'<'";
    case TokenKind::Greater: return "'>'";
    case TokenKind::ShiftLeft: return "'<<'";
    case TokenKind::ShiftRight: return "'>>'";
    case TokenKind::Plus: return "'+'";
    case TokenKind::Minus: return "'-'";
    case TokenKind::Star: return "'*'";
    case TokenKind::Slash: return "'/'";
    case TokenKind::Percent: return "'%'";
    case TokenKind::Tilde: return "'~'";
    case TokenKind::Pipe: return "'|'";
    case TokenKind::Caret: return "'^'";
    case TokenKind::Ampersand: return "'&'";
    case TokenKind::At: return "'@'";
  }
  return "a token";
}

}  // namespace callis::idl::parse
