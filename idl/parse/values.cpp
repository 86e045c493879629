// SPDX-License-Identifier: Apache-2.0
// Valuetypes and boxed values (IDL 4.2, 7.4.5 and 7.4.7).
#include <idl/parse/parser.h>

namespace callis::idl::parse {

// From `abstract`, `custom` or `valuetype`.
ItemPtr Parser::value_item() {
  const Level level(*this);
  auto item = std::make_unique<ValueItem>();
  item->is_abstract = accept(Keyword::Abstract);
  item->custom_where = token_.where;
  item->custom = accept(Keyword::Custom);
  if (item->custom && at(Keyword::Abstract)) {
    fail(token_.where, "a valuetype is either custom or abstract");
  }
  if (item->is_abstract && item->custom) {
    fail(item->custom_where, "a valuetype is either custom or abstract");
  }
  if (!accept(Keyword::ValueType)) {
    refuse_components();
    fail_expected(item->is_abstract ? "'interface' or 'valuetype'" : "'valuetype'",
                  item->is_abstract ? "after 'abstract'" : "after 'custom'");
  }
  item->name = expect_name("the valuetype's name");
  defining_ = item->name;
  if (accept(TokenKind::Semicolon)) {
    if (item->custom) {
      diagnostics_.error(item->custom_where, "'custom' belongs to the definition, not to a declaration");
    }
    auto forward = std::make_unique<ForwardItem>();
    forward->what = ForwardItem::What::Value;
    forward->is_abstract = item->is_abstract;
    forward->name = std::move(item->name);
    return forward;
  }
  if (!at(TokenKind::Colon) && !at(Keyword::Supports) && !at(TokenKind::LeftBrace)) {
    if (item->is_abstract || item->custom) {
      fail_expected("'{', ':' or 'supports'", "after the valuetype's name");
    }
    return value_box_item(std::move(item->name));
  }
  value_bases(*item);
  const source::Range open = token_.where;
  expect(TokenKind::LeftBrace, "after what the valuetype inherits from and supports");
  body(item->body, Place::Value);
  close_body(item->name, "valuetype", open);
  return item;
}

ItemPtr Parser::value_box_item(Name name) {
  auto item = std::make_unique<ValueBoxItem>();
  item->name = std::move(name);
  item->type = type_spec(TypeUse::Any);
  if (at(TokenKind::LeftBracket)) {
    fail(token_.where, "an array must get its name by a typedef before it can be boxed");
  }
  expect_semicolon("after the boxed type");
  return item;
}

void Parser::value_bases(ValueItem& item) {
  if (accept(TokenKind::Colon)) {
    item.truncatable_where = token_.where;
    item.truncatable = accept(Keyword::Truncatable);
    do {
      if (at(Keyword::Truncatable)) {
        fail(token_.where, "'truncatable' goes before the first base");
      }
      item.bases.push_back(scoped_name("a base valuetype"));
    } while (accept(TokenKind::Comma));
  }
  if (accept(Keyword::Supports)) {
    do {
      item.supports.push_back(scoped_name("an interface"));
    } while (accept(TokenKind::Comma));
  }
  if (at(TokenKind::Colon)) {
    fail(token_.where, "base valuetypes go before 'supports'");
  }
}

ItemPtr Parser::value_element() {
  if (at(Keyword::Public) || at(Keyword::Private)) {
    return state_item();
  }
  return at(Keyword::Factory) ? initializer_item() : export_item();
}

ItemPtr Parser::state_item() {
  auto item = std::make_unique<StateItem>();
  item->where = token_.where;
  item->is_public = at(Keyword::Public);
  advance();
  item->member = member();
  return item;
}

ItemPtr Parser::initializer_item() {
  advance();
  auto item = std::make_unique<InitializerItem>();
  item->name = expect_name("the factory's name");
  expect(TokenKind::LeftParenthesis, "after the factory's name");
  parameters(item->parameters);
  raises_clause(item->raises);
  expect_semicolon("after the factory");
  return item;
}

}  // namespace callis::idl::parse
