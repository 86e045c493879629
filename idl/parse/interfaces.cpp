// SPDX-License-Identifier: Apache-2.0
// Interfaces, operations and attributes (IDL 4.2, 7.4.3, 7.4.4 and 7.4.6).
#include <idl/parse/parser.h>

namespace callis::idl::parse {

ItemPtr Parser::export_item() {
  if (ItemPtr item = anywhere()) {
    return item;
  }
  if (at(TokenKind::Keyword)) {
    switch (token_.keyword) {
      case Keyword::Attribute:
      case Keyword::Readonly: return attribute_item();
      case Keyword::Module: fail(token_.where, "a module cannot stand in an interface or valuetype");
      case Keyword::Local:
      case Keyword::Interface: fail(token_.where, "an interface cannot stand in an interface or valuetype");
      case Keyword::Abstract:
      case Keyword::Custom:
      case Keyword::ValueType: fail(token_.where, "a valuetype cannot stand in an interface or valuetype");
      case Keyword::Public:
      case Keyword::Private: fail(token_.where, "a state member belongs in a valuetype");
      case Keyword::Factory: fail(token_.where, "a factory belongs in a valuetype");
      default: break;
    }
  }
  if (at(TokenKind::Semicolon)) {
    fail(token_.where, "';' ends nothing");
  }
  return operation_item();
}

ItemPtr Parser::interface_item(InterfaceFlavor flavor) {
  const Level level(*this);
  if (flavor != InterfaceFlavor::Unconstrained) {
    advance();
  }
  if (!accept(Keyword::Interface)) {
    fail_expected("'interface'", "after 'local'");
  }
  Name name = expect_name("the interface's name");
  defining_ = name;
  if (at(TokenKind::Semicolon)) {
    advance();
    auto forward = std::make_unique<ForwardItem>();
    forward->flavor = flavor;
    forward->name = std::move(name);
    return forward;
  }
  auto item = std::make_unique<InterfaceItem>();
  item->flavor = flavor;
  item->name = std::move(name);
  if (accept(TokenKind::Colon)) {
    do {
      item->bases.push_back(scoped_name("a base interface"));
    } while (accept(TokenKind::Comma));
  }
  const source::Range open = token_.where;
  expect(TokenKind::LeftBrace, item->bases.empty() ? "or ';' after the interface's name"
                                                   : "after the base interfaces");
  body(item->body, Place::Interface);
  close_body(item->name, "interface", open);
  return item;
}

void Parser::array_without_name() {
  if (at(TokenKind::LeftBracket)) {
    fail(token_.where, "an array must get its name by a typedef before it can be used here");
  }
}

ItemPtr Parser::attribute_item() {
  auto item = std::make_unique<AttributeItem>();
  item->readonly = accept(Keyword::Readonly);
  if (!accept(Keyword::Attribute)) {
    fail_expected("'attribute'", "after 'readonly'");
  }
  item->type = type_spec(TypeUse::Parameter);
  do {
    item->names.push_back(expect_name("the attribute's name"));
  } while (accept(TokenKind::Comma));
  array_without_name();
  if (at(Keyword::Raises)) {
    if (!item->readonly) {
      fail(token_.where, "'raises' is for readonly attributes; this one has 'getraises' and 'setraises'");
    }
    raises_clause(item->get_raises);
  }
  if (item->readonly && (at(Keyword::GetRaises) || at(Keyword::SetRaises))) {
    fail(token_.where, "a readonly attribute has 'raises' only");
  }
  if (accept(Keyword::GetRaises)) {
    names_in_parentheses(item->get_raises, "after 'getraises'");
  }
  if (accept(Keyword::SetRaises)) {
    names_in_parentheses(item->set_raises, "after 'setraises'");
    if (at(Keyword::GetRaises)) {
      fail(token_.where, "'getraises' goes before 'setraises'");
    }
  }
  if (item->names.size() > 1 && (!item->get_raises.empty() || !item->set_raises.empty())) {
    diagnostics_.error(item->names[1].where, "a declaration with exceptions has one attribute");
  }
  expect_semicolon("after the attribute");
  return item;
}

ItemPtr Parser::operation_item() {
  auto item = std::make_unique<OperationItem>();
  item->oneway = accept(Keyword::Oneway);
  if (at(Keyword::Void)) {
    item->result.value = BasicType::Void;
    item->result.where = token_.where;
    advance();
  } else {
    item->result = type_spec(TypeUse::Parameter);
  }
  item->name = expect_name("the operation's name");
  expect(TokenKind::LeftParenthesis, "after the operation's name");
  parameters(item->parameters);
  raises_clause(item->raises);
  context_clause(*item);
  if (at(Keyword::Raises)) {
    fail(token_.where, "'raises' goes before 'context', once");
  }
  expect_semicolon("after the operation");
  return item;
}

// Up to and including the `)`.
void Parser::parameters(std::vector<ParameterSpec>& out) {
  if (!at(TokenKind::RightParenthesis)) {
    do {
      out.push_back(parameter());
    } while (accept(TokenKind::Comma));
  }
  expect(TokenKind::RightParenthesis, "or ',' after a parameter");
}

ParameterSpec Parser::parameter() {
  ParameterSpec out;
  out.annotations = annotations();
  if (accept(Keyword::In)) {
    out.mode = ParameterSpec::Mode::In;
  } else if (accept(Keyword::Out)) {
    out.mode = ParameterSpec::Mode::Out;
  } else if (accept(Keyword::InOut)) {
    out.mode = ParameterSpec::Mode::InOut;
  } else if (at(TokenKind::RightParenthesis) || at(TokenKind::Comma)) {
    fail_expected("a parameter");
  } else {
    diagnostics_.error(token_.where, "a parameter begins with 'in', 'out' or 'inout'");
  }
  out.type = type_spec(TypeUse::Parameter);
  out.name = expect_name("the parameter's name");
  array_without_name();
  return out;
}

void Parser::names_in_parentheses(std::vector<ScopedName>& out, std::string_view after) {
  expect(TokenKind::LeftParenthesis, after);
  do {
    out.push_back(scoped_name("an exception"));
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightParenthesis, "or ',' after an exception");
}

void Parser::raises_clause(std::vector<ScopedName>& out) {
  if (accept(Keyword::Raises)) {
    names_in_parentheses(out, "after 'raises'");
  }
}

void Parser::context_clause(OperationItem& item) {
  if (!accept(Keyword::Context)) {
    return;
  }
  expect(TokenKind::LeftParenthesis, "after 'context'");
  do {
    OperationItem::Context context;
    context.text = plain_string("a string", context.where);
    item.contexts.push_back(std::move(context));
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightParenthesis, "or ',' after a string");
}

}  // namespace callis::idl::parse
