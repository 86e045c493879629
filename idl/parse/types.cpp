// SPDX-License-Identifier: Apache-2.0
// The parser's rules for types.
#include <idl/parse/parser.h>

namespace callis::idl::parse {

TypeSpec Parser::type_spec(TypeUse use) {
  const Level level(*this);
  const source::Range begin = token_.where;
  TypeSpec out;
  skip_corba();
  skip_std();
  if (at_word("map") && peek().is(TokenKind::Less)) {
    if (use == TypeUse::Parameter) {
      fail(token_.where, "a map must get its name by a typedef before it can be used here");
    }
    out = map_type();
  } else if (at(TokenKind::Identifier) || at(TokenKind::Scope) || at_component_name()) {
    ScopedName name = scoped_name("a type");
    if (name.parts.front().text == "std" && at(TokenKind::Less)) {
      const bool list = name.parts.back().text == "vector" || name.parts.back().text == "list";
      fail(name.where, "IDL has no '" + to_string(name) + "'; " +
                           (list ? "use 'sequence<T>', which gets its name by a typedef"
                                 : "it has 'sequence<T>', arrays, structs and unions"));
    }
    out.value = std::move(name);
  } else if (at(TokenKind::Keyword)) {
    out = keyword_type(use);
  } else {
    fail_expected("a type");
  }
  out.where = source::join(begin, previous_);
  return out;
}

// A word of the component model that can only be the name of a type: `home x;`.
bool Parser::at_component_name() {
  if (!at(TokenKind::Keyword) || !is_component_word(token_.keyword)) {
    return false;
  }
  const Token next = peek();
  return next.is(TokenKind::Scope) || next.is(TokenKind::Greater) || next.is(TokenKind::Comma) ||
         (next.is(TokenKind::Identifier) && !peek(2).is(TokenKind::Identifier));
}

// `CORBA::` before a keyword: older compilers took it (IDL 4.2, 7.4.6.4.7, has it as an example of a fault).
void Parser::skip_corba() {
  const std::size_t scope = at(TokenKind::Scope) ? 1 : 0;
  const Token& name = scope == 0 ? token_ : peek();
  if (!name.is(TokenKind::Identifier) || name.text != "CORBA" || !peek(scope + 1).is(TokenKind::Scope)) {
    return;
  }
  const Token& last = peek(scope + 2);
  if (last.is(Keyword::Object) || last.is(Keyword::ValueBase)) {
    diagnostics_.warning(last.where, "'" + std::string(last.text) + "' is a keyword and written without 'CORBA::'");
    for (std::size_t i = 0; i < scope + 2; ++i) {
      advance();
    }
  }
}

// `std::` before `string` or `wstring`, as in C++: said, and passed over.
void Parser::skip_std() {
  const std::size_t scope = at(TokenKind::Scope) ? 1 : 0;
  const Token& name = scope == 0 ? token_ : peek();
  if (!name.is(TokenKind::Identifier) || name.text != "std" || !peek(scope + 1).is(TokenKind::Scope)) {
    return;
  }
  const Token& last = peek(scope + 2);
  if (last.is(Keyword::String) || last.is(Keyword::WString)) {
    const std::string text(last.text);
    diagnostics_.error(source::join(token_.where, last.where),
                       "IDL has no 'std::" + text + "'; write '" + text + "'");
    for (std::size_t i = 0; i < scope + 2; ++i) {
      advance();
    }
  }
}

TypeSpec Parser::keyword_type(TypeUse use) {
  TypeSpec out;
  const auto basic = [&](BasicType type) {
    advance();
    out.value = type;
  };
  const auto no_constant = [&](std::string_view what) {
    if (use == TypeUse::Constant) {
      fail(token_.where, "a constant cannot be " + std::string(what));
    }
  };
  switch (token_.keyword) {
    case Keyword::Boolean: basic(BasicType::Boolean); break;
    case Keyword::Octet: basic(BasicType::Octet); break;
    case Keyword::Char: basic(BasicType::Char); break;
    case Keyword::WChar: basic(BasicType::WChar); break;
    case Keyword::Short: basic(BasicType::Short); break;
    case Keyword::Float: basic(BasicType::Float); break;
    case Keyword::Double: basic(BasicType::Double); break;
    case Keyword::Long: out.value = long_type(); break;
    case Keyword::Unsigned: out.value = unsigned_type(); break;
    case Keyword::Any: no_constant("an any"); basic(BasicType::Any); break;
    case Keyword::Object: no_constant("an object reference"); basic(BasicType::Object); break;
    case Keyword::ValueBase: no_constant("a value"); basic(BasicType::ValueBase); break;
    case Keyword::String:
    case Keyword::WString: return string_type();
    case Keyword::Fixed: return fixed_type(use);
    case Keyword::Sequence:
      no_constant("a sequence");
      if (use == TypeUse::Parameter) {
        fail(token_.where, "a sequence must get its name by a typedef before it can be used here");
      }
      return sequence_type();
    case Keyword::Struct:
    case Keyword::Union:
    case Keyword::Enum: return inline_type(use);
    case Keyword::Void: fail(token_.where, "'void' can only be the result of an operation");
    default: fail_expected("a type");
  }
  return out;
}

BasicType Parser::long_type() {
  advance();
  if (accept(Keyword::Long)) {
    return BasicType::LongLong;
  }
  return accept(Keyword::Double) ? BasicType::LongDouble : BasicType::Long;
}

BasicType Parser::unsigned_type() {
  advance();
  if (accept(Keyword::Short)) {
    return BasicType::UShort;
  }
  if (accept(Keyword::Long)) {
    return accept(Keyword::Long) ? BasicType::ULongLong : BasicType::ULong;
  }
  fail_expected("'short' or 'long'", "after 'unsigned'");
}

TypeSpec Parser::string_type() {
  TypeSpec out;
  TypeSpec::String string;
  string.wide = at(Keyword::WString);
  advance();
  if (accept(TokenKind::Less)) {
    ++angles_;
    string.bound = expression();
    expect_greater();
    --angles_;
  }
  out.value = std::move(string);
  return out;
}

TypeSpec Parser::sequence_type() {
  TypeSpec out;
  advance();
  expect(TokenKind::Less, "after 'sequence'");
  ++angles_;
  TypeSpec::Sequence sequence;
  sequence.element = std::make_unique<TypeSpec>(type_spec(TypeUse::Element));
  if (accept(TokenKind::Comma)) {
    sequence.bound = expression();
  }
  expect_greater();
  --angles_;
  out.value = std::move(sequence);
  return out;
}

// `fixed<5,2>`; as the type of a constant it has no parameters.
TypeSpec Parser::fixed_type(TypeUse use) {
  TypeSpec out;
  const source::Range begin = token_.where;
  advance();
  TypeSpec::Fixed fixed;
  if (!at(TokenKind::Less)) {
    if (use != TypeUse::Constant) {
      fail_expected("'<'", "after 'fixed'");
    }
  } else {
    if (use == TypeUse::Parameter) {
      fail(begin, "a fixed-point type must get its name by a typedef before it can be used here");
    }
    advance();
    ++angles_;
    fixed.digits = expression();
    if (accept(TokenKind::Comma)) {
      fixed.scale = expression();
    }
    expect_greater();
    --angles_;
  }
  out.value = std::move(fixed);
  return out;
}

TypeSpec Parser::map_type() {
  TypeSpec out;
  advance();
  advance();
  ++angles_;
  TypeSpec::Map map;
  map.key = std::make_unique<TypeSpec>(type_spec(TypeUse::Element));
  expect(TokenKind::Comma, "after the type of a map's keys");
  map.element = std::make_unique<TypeSpec>(type_spec(TypeUse::Element));
  if (accept(TokenKind::Comma)) {
    map.bound = expression();
  }
  expect_greater();
  --angles_;
  out.value = std::move(map);
  return out;
}

// `struct X { … }`, `union X switch (…) { … }` or `enum X { … }` as the type of a member or typedef. Before a
// name alone the word is one of C: `struct X` where `X` is meant.
TypeSpec Parser::inline_type(TypeUse use) {
  const Keyword keyword = token_.keyword;
  if (peek().is(TokenKind::Identifier) && !peek(2).is(TokenKind::LeftBrace) && !peek(2).is(TokenKind::Colon) &&
      !peek(2).is(Keyword::Switch)) {
    fail(token_.where, "a type is used by its name alone, without '" + std::string(spelling(keyword)) + "'");
  }
  if (use != TypeUse::Any) {
    fail(token_.where, "a type cannot be defined here");
  }
  const Name outer = defining_;
  TypeSpec::Inline in_place;
  advance();
  if (keyword == Keyword::Enum) {
    auto item = std::make_unique<EnumItem>();
    item->name = expect_name("the enum's name");
    enumerators(item->enumerators, "an enum", "enumerator");
    in_place.definition = std::move(item);
  } else if (keyword == Keyword::Union) {
    auto item = std::make_unique<UnionItem>();
    item->name = expect_name("the union's name");
    union_rest(*item);
    in_place.definition = std::move(item);
  } else {
    auto item = std::make_unique<StructItem>();
    item->name = expect_name("the struct's name");
    struct_rest(*item);
    in_place.definition = std::move(item);
  }
  defining_ = outer;
  TypeSpec out;
  out.value = std::move(in_place);
  return out;
}

ScopedName Parser::scoped_name(std::string_view what) {
  ScopedName out;
  const source::Range begin = token_.where;
  out.absolute = accept(TokenKind::Scope);
  do {
    out.parts.push_back(expect_name(what));
  } while (accept(TokenKind::Scope));
  out.where = source::join(begin, previous_);
  return out;
}

Declarator Parser::declarator(std::string_view what) {
  Declarator out;
  out.name = expect_name(what);
  while (accept(TokenKind::LeftBracket)) {
    if (at(TokenKind::RightBracket)) {
      fail(token_.where, "an array needs a size");
    }
    out.dimensions.push_back(expression());
    expect(TokenKind::RightBracket, "after the array's size");
  }
  return out;
}

std::vector<Declarator> Parser::declarators(std::string_view what) {
  std::vector<Declarator> out;
  do {
    out.push_back(declarator(what));
  } while (accept(TokenKind::Comma));
  return out;
}

}  // namespace callis::idl::parse
