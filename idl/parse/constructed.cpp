// SPDX-License-Identifier: Apache-2.0
// Structs, unions, exceptions, enums, bitsets and bitmasks (IDL 4.2, 7.4.1.4.4.4 and 7.4.13).
#include <idl/parse/parser.h>

namespace callis::idl::parse {

MemberSpec Parser::member() {
  MemberSpec out;
  out.annotations = annotations();
  out.type = type_spec(TypeUse::Any);
  out.declarators = declarators("the member's name");
  expect_semicolon("after the member");
  return out;
}

// What stands between braces, after the `{`, one by one. False: some could not be read.
template <class Spec>
bool Parser::all(std::vector<Spec>& out, Body& after, Spec (Parser::*one)()) {
  bool good = true;
  flush(after);  // what follows a fault is kept for the next one
  while (!at(TokenKind::RightBrace)) {
    if (at(TokenKind::End)) {
      fail_expected("'}'");
    }
    const std::size_t begin = token_.offset;
    angles_ = 0;
    try {
      out.push_back((this->*one)());
      out.back().before = std::move(after);
      after.clear();
    } catch (const SyntaxError&) {
      good = false;
      synchronize();
      if (token_.offset == begin && !at(TokenKind::RightBrace)) {
        advance();
      }
    }
    if (diagnostics_.exhausted()) {
      throw SyntaxError{};
    }
    flush(after);
  }
  return good;
}

// The members of a struct or exception.
bool Parser::members(std::vector<MemberSpec>& out, Body& after) { return all(out, after, &Parser::member); }

ItemPtr Parser::struct_item() {
  advance();
  Name name = expect_name("the struct's name");
  defining_ = name;
  if (accept(TokenKind::Semicolon)) {
    auto forward = std::make_unique<ForwardItem>();
    forward->what = ForwardItem::What::Struct;
    forward->name = std::move(name);
    return forward;
  }
  auto item = std::make_unique<StructItem>();
  item->name = std::move(name);
  struct_rest(*item);
  expect_semicolon("after the struct");
  return item;
}

// What follows its name.
void Parser::struct_rest(StructItem& item) {
  const Level level(*this);
  if (accept(TokenKind::Colon)) {
    item.base = scoped_name("the base struct");
  }
  expect(TokenKind::LeftBrace, item.base ? "after the base struct" : "or ';' after the struct's name");
  item.damaged = !members(item.members, item.after);
  expect(TokenKind::RightBrace, "after the members");
}

ItemPtr Parser::union_item() {
  advance();
  Name name = expect_name("the union's name");
  defining_ = name;
  if (accept(TokenKind::Semicolon)) {
    auto forward = std::make_unique<ForwardItem>();
    forward->what = ForwardItem::What::Union;
    forward->name = std::move(name);
    return forward;
  }
  auto item = std::make_unique<UnionItem>();
  item->name = std::move(name);
  union_rest(*item);
  expect_semicolon("after the union");
  return item;
}

// What follows its name.
void Parser::union_rest(UnionItem& item) {
  const Level level(*this);
  if (!accept(Keyword::Switch)) {
    fail_expected("'switch'", "or ';' after the union's name");
  }
  expect(TokenKind::LeftParenthesis, "after 'switch'");
  annotations();
  item.discriminator = type_spec(TypeUse::Any);
  expect(TokenKind::RightParenthesis, "after the discriminator's type");
  expect(TokenKind::LeftBrace, "after the discriminator");
  item.damaged = !all(item.cases, item.after, &Parser::one_case);
  expect(TokenKind::RightBrace, "after the cases");
}

CaseSpec Parser::one_case() {
  CaseSpec out;
  while (at(Keyword::Case) || at(Keyword::Default)) {
    CaseSpec::Label label;
    label.where = token_.where;
    const bool is_default = at(Keyword::Default);
    advance();
    if (!is_default) {
      label.value = expression();
      label.where = label.value->where;
    }
    expect(TokenKind::Colon, is_default ? "after 'default'" : "after the label");
    out.labels.push_back(std::move(label));
  }
  if (out.labels.empty()) {
    fail_expected("'case' or 'default'");
  }
  out.annotations = annotations();
  out.type = type_spec(TypeUse::Any);
  out.declarator = declarator("the member's name");
  if (at(TokenKind::Comma)) {
    fail(token_.where, "a case has one member");
  }
  expect_semicolon("after the member");
  return out;
}

ItemPtr Parser::exception_item() {
  const Level level(*this);
  advance();
  auto item = std::make_unique<ExceptionItem>();
  item->name = expect_name("the exception's name");
  defining_ = item->name;
  expect(TokenKind::LeftBrace, "after the exception's name");
  members(item->members, item->after);
  expect(TokenKind::RightBrace, "after the members");
  expect_semicolon("after the exception");
  return item;
}

ItemPtr Parser::enum_item() {
  advance();
  auto item = std::make_unique<EnumItem>();
  item->name = expect_name("the enum's name");
  defining_ = item->name;
  enumerators(item->enumerators, "an enum", "enumerator");
  expect_semicolon("after the enum");
  return item;
}

// `{ a, b }`. After a fault the rest of the list is skipped, not the enum.
void Parser::enumerators(std::vector<EnumItem::Enumerator>& out, std::string_view list, std::string_view one) {
  const std::string each(one);
  expect(TokenKind::LeftBrace, "after " + std::string(list == "an enum" ? "the enum" : "the bitmask") + "'s name");
  try {
    do {
      EnumItem::Enumerator next;
      next.annotations = annotations();
      if (at(TokenKind::RightBrace)) {
        diagnostics_.error(previous_, out.empty() ? std::string(list) + " needs at least one " + each
                                                  : "',' before '}' has no " + each + " after it");
        break;
      }
      next.name = expect_name((one == "enumerator" ? "an " : "a ") + each);
      out.push_back(std::move(next));
      if (at(TokenKind::Equals)) {
        fail(token_.where, each + "s have no values in IDL");
      }
    } while (accept(TokenKind::Comma));
    if (!at(TokenKind::RightBrace)) {
      fail_expected("'}'", (one == "enumerator" ? "or ',' after an " : "or ',' after a ") + each);
    }
  } catch (const SyntaxError&) {
    while (!at(TokenKind::RightBrace) && !at(TokenKind::Semicolon) && !at(TokenKind::End)) {
      advance();
    }
  }
  expect(TokenKind::RightBrace, "after the " + each + "s");
}

// The words are names in IDL for CORBA: only what follows tells.
bool Parser::starts_bitset() {
  return (at_word("bitset") || at_word("bitmask")) && peek().is(TokenKind::Identifier) &&
         (peek(2).is(TokenKind::LeftBrace) || peek(2).is(TokenKind::Colon));
}

ItemPtr Parser::bitset_item() {
  advance();
  auto item = std::make_unique<BitsetItem>();
  item->name = expect_name("the bitset's name");
  defining_ = item->name;
  if (accept(TokenKind::Colon)) {
    item->base = scoped_name("the base bitset");
  }
  expect(TokenKind::LeftBrace, "after the bitset's name");
  while (!at(TokenKind::RightBrace)) {
    if (at(TokenKind::End) || diagnostics_.exhausted()) {
      fail_expected("'}'");
    }
    const std::size_t begin = token_.offset;
    angles_ = 0;
    try {
      item->fields.push_back(bitfield());
    } catch (const SyntaxError&) {
      synchronize();
      if (token_.offset == begin && !at(TokenKind::RightBrace)) {
        advance();
      }
    }
  }
  expect(TokenKind::RightBrace, "after the bit fields");
  expect_semicolon("after the bitset");
  return item;
}

// `bitfield<3, short> a b;`
BitsetItem::Field Parser::bitfield() {
  BitsetItem::Field out;
  out.annotations = annotations();
  if (!at_word("bitfield")) {
    fail_expected("'bitfield'");
  }
  out.where = token_.where;
  advance();
  expect(TokenKind::Less, "after 'bitfield'");
  ++angles_;
  out.bits = expression();
  if (accept(TokenKind::Comma)) {
    out.type = type_spec(TypeUse::Constant);
  }
  expect_greater();
  --angles_;
  while (at(TokenKind::Identifier)) {
    out.names.push_back(expect_name("the bit field's name"));
  }
  expect_semicolon("after the bit field");
  return out;
}

ItemPtr Parser::bitmask_item() {
  advance();
  auto item = std::make_unique<BitmaskItem>();
  item->name = expect_name("the bitmask's name");
  defining_ = item->name;
  enumerators(item->flags, "a bitmask", "flag");
  expect_semicolon("after the bitmask");
  return item;
}

}  // namespace callis::idl::parse
