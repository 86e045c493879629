// SPDX-License-Identifier: Apache-2.0
#include <idl/parse/parser.h>

namespace callis::idl::parse {

Body Parser::specification() {
  Body items;
  while (!at(TokenKind::End) && !diagnostics_.exhausted()) {
    body(items, false);
    if (at(TokenKind::RightBrace)) {
      diagnostics_.error(token_.where, "'}' closes nothing");
      advance();
      accept(TokenKind::Semicolon);
    }
  }
  flush(items);
  return items;
}

// Up to the `}` or the end.
void Parser::body(Body& items, bool in_interface) {
  for (;;) {
    flush(items);
    if (at(TokenKind::RightBrace) || at(TokenKind::End) || diagnostics_.exhausted()) {
      return;
    }
    item(items, in_interface);
  }
}

void Parser::item(Body& items, bool in_interface) {
  const std::size_t begin = token_.offset;
  defining_ = {};
  angles_ = 0;
  try {
    const Annotated annotated = annotations();
    if (!annotated.dangling && (at(TokenKind::RightBrace) || at(TokenKind::End))) {
      return;  // the definition of an annotation was the last
    }
    items.push_back(in_interface ? export_item() : definition());
    items.back()->stubs = annotated.stubs;
    items.back()->stubs_where = annotated.where;
  } catch (const SyntaxError&) {
    if (!defining_.text.empty()) {
      auto invalid = std::make_unique<InvalidItem>();
      invalid->name = std::move(defining_);
      items.push_back(std::move(invalid));
    }
    synchronize();
    if (token_.offset == begin && !at(TokenKind::RightBrace)) {
      advance();
    }
  }
  defining_ = {};
}

// What CORBA IDL has and callis-idl has not yet. Reads as far as the name, so that uses of it are
// not reported too.
void Parser::refuse_later_definitions() {
  const auto refuse = [this](std::string_view what, int words) {
    diagnostics_.error(token_.where, std::string(what) + " not supported yet");
    for (int i = 0; i < words; ++i) {
      advance();
    }
    if (at(TokenKind::Identifier)) {
      defining_ = expect_name("a name");
    }
    throw SyntaxError{};
  };
  if (!at(TokenKind::Keyword)) {
    return;
  }
  switch (token_.keyword) {
    case Keyword::Union: refuse("unions are", 1); break;
    case Keyword::ValueType: refuse("value types are", 1); break;
    case Keyword::Custom: refuse("custom value types are", 2); break;
    case Keyword::EventType: refuse("event types are", 1); break;
    case Keyword::Component: refuse("components are", 1); break;
    case Keyword::Home: refuse("component homes are", 1); break;
    case Keyword::Native: refuse("native types are", 1); break;
    case Keyword::Local: refuse("local interfaces are", 2); break;
    case Keyword::Abstract: refuse("abstract interfaces and value types are", 2); break;
    case Keyword::Import: refuse("import declarations are", 0); break;
    case Keyword::TypeId: refuse("typeid declarations are", 0); break;
    case Keyword::TypePrefix: refuse("typeprefix declarations are", 0); break;
    default: break;
  }
}

ItemPtr Parser::definition() {
  refuse_later_definitions();
  if (at(TokenKind::Keyword)) {
    switch (token_.keyword) {
      case Keyword::Module: return module_item();
      case Keyword::Interface: return interface_item();
      case Keyword::Struct: return struct_item();
      case Keyword::Exception: return exception_item();
      case Keyword::Enum: return enum_item();
      case Keyword::Typedef: return typedef_item();
      case Keyword::Const: return const_item();
      case Keyword::Attribute:
      case Keyword::Readonly: fail(token_.where, "an attribute belongs in an interface");
      case Keyword::Oneway:
      case Keyword::Void: fail(token_.where, "an operation belongs in an interface");
      default: break;
    }
  }
  if (at(TokenKind::Semicolon)) {
    fail(token_.where, "';' ends nothing");
  }
  fail_expected("a definition");
}

ItemPtr Parser::export_item() {
  refuse_later_definitions();
  if (at(TokenKind::Keyword)) {
    switch (token_.keyword) {
      case Keyword::Struct: return struct_item();
      case Keyword::Exception: return exception_item();
      case Keyword::Enum: return enum_item();
      case Keyword::Typedef: return typedef_item();
      case Keyword::Const: return const_item();
      case Keyword::Attribute:
      case Keyword::Readonly: return attribute_item();
      case Keyword::Module: fail(token_.where, "a module cannot stand in an interface");
      case Keyword::Interface: fail(token_.where, "an interface cannot stand in an interface");
      default: break;
    }
  }
  if (at(TokenKind::Semicolon)) {
    fail(token_.where, "';' ends nothing");
  }
  return operation_item();
}

ItemPtr Parser::module_item() {
  const Level level(*this);
  advance();
  auto item = std::make_unique<ModuleItem>();
  item->name = expect_name("the module's name");
  const source::Range open = token_.where;
  expect(TokenKind::LeftBrace, "after the module's name");
  if (at(TokenKind::RightBrace)) {
    diagnostics_.error(item->name.where, "module '" + item->name.text + "' is empty");
  }
  body(item->body, false);
  if (at(TokenKind::End)) {
    diagnostics_.error(token_.where, "module '" + item->name.text + "' is never closed");
    diagnostics_.note(open, "it opens here");
    return item;
  }
  if (!accept(TokenKind::RightBrace)) {
    return item;  // too many errors
  }
  expect_semicolon("after the module");
  return item;
}

ItemPtr Parser::interface_item() {
  const Level level(*this);
  advance();
  Name name = expect_name("the interface's name");
  defining_ = name;
  if (at(TokenKind::Semicolon)) {
    advance();
    auto forward = std::make_unique<ForwardItem>();
    forward->name = std::move(name);
    return forward;
  }
  auto item = std::make_unique<InterfaceItem>();
  item->name = std::move(name);
  if (accept(TokenKind::Colon)) {
    do {
      item->bases.push_back(scoped_name("a base interface"));
    } while (accept(TokenKind::Comma));
  }
  const source::Range open = token_.where;
  expect(TokenKind::LeftBrace, item->bases.empty() ? "or ';' after the interface's name"
                                                   : "after the base interfaces");
  body(item->body, true);
  if (at(TokenKind::End)) {
    diagnostics_.error(token_.where, "interface '" + item->name.text + "' is never closed");
    diagnostics_.note(open, "it opens here");
    return item;
  }
  if (!accept(TokenKind::RightBrace)) {
    return item;
  }
  expect_semicolon("after the interface");
  return item;
}

// The members of a struct or exception, after its `{`. False: some could not be read.
bool Parser::members(std::vector<MemberSpec>& out) {
  bool good = true;
  while (!at(TokenKind::RightBrace)) {
    if (at(TokenKind::End)) {
      fail_expected("'}'");
    }
    const std::size_t begin = token_.offset;
    angles_ = 0;
    try {
      MemberSpec member;
      skip_annotations();
      member.type = type_spec(TypeUse::Any);
      member.declarators = declarators("the member's name");
      expect_semicolon("after the member");
      out.push_back(std::move(member));
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
  }
  return good;
}

ItemPtr Parser::struct_item() {
  advance();
  Name name = expect_name("the struct's name");
  defining_ = name;
  if (accept(TokenKind::Semicolon)) {
    auto forward = std::make_unique<ForwardItem>();
    forward->is_struct = true;
    forward->name = std::move(name);
    return forward;
  }
  if (at(TokenKind::Colon)) {
    unsupported("struct inheritance is");
  }
  const Level level(*this);
  auto item = std::make_unique<StructItem>();
  item->name = std::move(name);
  expect(TokenKind::LeftBrace, "or ';' after the struct's name");
  item->damaged = !members(item->members);
  expect(TokenKind::RightBrace, "after the members");
  expect_semicolon("after the struct");
  return item;
}

ItemPtr Parser::exception_item() {
  const Level level(*this);
  advance();
  auto item = std::make_unique<ExceptionItem>();
  item->name = expect_name("the exception's name");
  defining_ = item->name;
  expect(TokenKind::LeftBrace, "after the exception's name");
  members(item->members);
  expect(TokenKind::RightBrace, "after the members");
  expect_semicolon("after the exception");
  return item;
}

ItemPtr Parser::enum_item() {
  advance();
  auto item = std::make_unique<EnumItem>();
  item->name = expect_name("the enum's name");
  defining_ = item->name;
  enumerators(*item);
  expect_semicolon("after the enum");
  return item;
}

// `{ a, b }`. After a fault the rest of the list is skipped, not the enum.
void Parser::enumerators(EnumItem& item) {
  expect(TokenKind::LeftBrace, "after the enum's name");
  try {
    do {
      skip_annotations();
      if (at(TokenKind::RightBrace)) {
        diagnostics_.error(previous_, item.enumerators.empty()
                                          ? "an enum needs at least one enumerator"
                                          : "',' before '}' has no enumerator after it");
        break;
      }
      item.enumerators.push_back(expect_name("an enumerator"));
      if (at(TokenKind::Equals)) {
        fail(token_.where, "enumerators have no values in IDL");
      }
    } while (accept(TokenKind::Comma));
    if (!at(TokenKind::RightBrace)) {
      fail_expected("'}'", "or ',' after an enumerator");
    }
  } catch (const SyntaxError&) {
    while (!at(TokenKind::RightBrace) && !at(TokenKind::Semicolon) && !at(TokenKind::End)) {
      advance();
    }
  }
  expect(TokenKind::RightBrace, "after the enumerators");
}

ItemPtr Parser::typedef_item() {
  advance();
  auto item = std::make_unique<TypedefItem>();
  item->type = type_spec(TypeUse::Any);
  if (at(TokenKind::Identifier)) {
    const std::string_view text = token_.text;
    defining_ = Name{std::string(text.substr(text.starts_with('_') ? 1 : 0)), token_.where};
  }
  item->declarators = declarators("the type's name");
  expect_semicolon("after the typedef");
  return item;
}

ItemPtr Parser::const_item() {
  advance();
  auto item = std::make_unique<ConstItem>();
  item->type = type_spec(TypeUse::Constant);
  item->name = expect_name("the constant's name");
  defining_ = item->name;
  expect(TokenKind::Equals, "after the constant's name");
  item->value = expression();
  expect_semicolon("after the constant");
  return item;
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
  if (at(TokenKind::LeftBracket)) {
    fail(token_.where, "an array must get its name by a typedef before it can be used here");
  }
  if (at(Keyword::Raises) || at(Keyword::GetRaises) || at(Keyword::SetRaises)) {
    unsupported("exceptions of attributes are");
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
  if (!at(TokenKind::RightParenthesis)) {
    do {
      item->parameters.push_back(parameter());
    } while (accept(TokenKind::Comma));
  }
  expect(TokenKind::RightParenthesis, "or ',' after a parameter");
  raises_clause(item->raises);
  if (at(Keyword::Context)) {
    unsupported("context clauses are");
  }
  expect_semicolon("after the operation");
  return item;
}

ParameterSpec Parser::parameter() {
  ParameterSpec out;
  skip_annotations();
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
  if (at(TokenKind::LeftBracket)) {
    fail(token_.where, "an array must get its name by a typedef before it can be used here");
  }
  return out;
}

void Parser::raises_clause(std::vector<ScopedName>& out) {
  if (!accept(Keyword::Raises)) {
    return;
  }
  expect(TokenKind::LeftParenthesis, "after 'raises'");
  do {
    out.push_back(scoped_name("an exception"));
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightParenthesis, "or ',' after an exception");
}

}  // namespace callis::idl::parse
