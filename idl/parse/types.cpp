// SPDX-License-Identifier: Apache-2.0
#include <idl/parse/parser.h>

namespace callis::idl::parse {

TypeSpec Parser::type_spec(TypeUse use) {
  const Level level(*this);
  const source::Range begin = token_.where;
  TypeSpec out;
  if (at(TokenKind::Identifier) || at(TokenKind::Scope)) {
    out.value = scoped_name("a type");
  } else if (at(TokenKind::Keyword)) {
    out = keyword_type(use);
  } else {
    fail_expected("a type");
  }
  out.where = source::join(begin, previous_);
  return out;
}

TypeSpec Parser::keyword_type(TypeUse use) {
  TypeSpec out;
  const auto basic = [&](BasicType type) {
    advance();
    out.value = type;
  };
  // Known, but not ours yet: the rest of the declaration is read, its type is nothing.
  const auto later = [&](std::string_view what) {
    diagnostics_.error(token_.where, std::string(what) + " not supported yet");
    advance();
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
    case Keyword::Object:
      if (use == TypeUse::Constant) {
        fail(token_.where, "a constant cannot be an object reference");
      }
      basic(BasicType::Object);
      break;
    case Keyword::String:
    case Keyword::WString: return string_type();
    case Keyword::Sequence:
      if (use == TypeUse::Parameter || use == TypeUse::Constant) {
        fail(token_.where, use == TypeUse::Constant
                               ? "a constant cannot be a sequence"
                               : "a sequence must get its name by a typedef before it can be used here");
      }
      return sequence_type();
    case Keyword::Struct:
    case Keyword::Enum:
      if (use != TypeUse::Any) {
        fail(token_.where, "a type cannot be defined here");
      }
      return inline_type();
    case Keyword::Any: later("type 'any' is"); break;
    case Keyword::ValueBase: later("type 'ValueBase' is"); break;
    case Keyword::Fixed: unsupported("fixed-point types are");
    case Keyword::Union: unsupported("unions are");
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

// `struct X { … }` or `enum X { … }` as the type of a member or typedef.
TypeSpec Parser::inline_type() {
  const Name outer = defining_;
  TypeSpec::Inline in_place;
  if (at(Keyword::Enum)) {
    advance();
    auto item = std::make_unique<EnumItem>();
    item->name = expect_name("the enum's name");
    enumerators(*item);
    in_place.definition = std::move(item);
  } else {
    advance();
    auto item = std::make_unique<StructItem>();
    item->name = expect_name("the struct's name");
    expect(TokenKind::LeftBrace, "after the struct's name");
    item->damaged = !members(item->members);
    expect(TokenKind::RightBrace, "after the members");
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

std::vector<Declarator> Parser::declarators(std::string_view what) {
  std::vector<Declarator> out;
  do {
    Declarator declarator;
    declarator.name = expect_name(what);
    while (accept(TokenKind::LeftBracket)) {
      if (at(TokenKind::RightBracket)) {
        fail(token_.where, "an array needs a size");
      }
      declarator.dimensions.push_back(expression());
      expect(TokenKind::RightBracket, "after the array's size");
    }
    out.push_back(std::move(declarator));
  } while (accept(TokenKind::Comma));
  return out;
}

}  // namespace callis::idl::parse
