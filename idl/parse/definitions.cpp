// SPDX-License-Identifier: Apache-2.0
// Bodies, and the definitions that may stand in a module (IDL 4.2, 7.4.1 and 7.4.6).
#include <idl/parse/literal.h>
#include <idl/parse/parser.h>

namespace callis::idl::parse {

Body Parser::specification() {
  Body items;
  while (!at(TokenKind::End) && !diagnostics_.exhausted()) {
    body(items, Place::Module);
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
void Parser::body(Body& items, Place place) {
  for (;;) {
    flush(items);
    if (at(TokenKind::RightBrace) || at(TokenKind::End) || diagnostics_.exhausted()) {
      return;
    }
    item(items, place);
  }
}

// The `};` of a body.
void Parser::close_body(const Name& name, std::string_view kind, const source::Range& open) {
  if (at(TokenKind::End)) {
    diagnostics_.error(token_.where, std::string(kind) + " '" + name.text + "' is never closed");
    diagnostics_.note(open, "it opens here");
  } else if (accept(TokenKind::RightBrace)) {  // else there were too many errors
    expect_semicolon("after the " + std::string(kind));
  }
}

void Parser::item(Body& items, Place place) {
  const std::size_t begin = token_.offset;
  defining_ = {};
  angles_ = 0;
  try {
    Annotations annotated = annotations();
    flush(items);
    if (annotated.empty() && (at(TokenKind::RightBrace) || at(TokenKind::End))) {
      return;  // the definition of an annotation was the last
    }
    items.push_back(place == Place::Module      ? definition()
                    : place == Place::Interface ? export_item()
                                                : value_element());
    items.back()->annotations = std::move(annotated);
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

// What may stand in a module and in an interface; null where something else follows.
ItemPtr Parser::anywhere() {
  refuse_components();
  if (starts_bitset()) {
    return token_.text == "bitset" ? bitset_item() : bitmask_item();
  }
  if (!at(TokenKind::Keyword)) {
    return nullptr;
  }
  switch (token_.keyword) {
    case Keyword::Struct: return struct_item();
    case Keyword::Union: return union_item();
    case Keyword::Exception: return exception_item();
    case Keyword::Enum: return enum_item();
    case Keyword::Typedef: return typedef_item();
    case Keyword::Native: return native_item();
    case Keyword::Const: return const_item();
    case Keyword::TypeId: return type_id_item();
    case Keyword::TypePrefix: return type_prefix_item();
    case Keyword::Import: return import_item();
    default: return nullptr;
  }
}

ItemPtr Parser::definition() {
  if (ItemPtr item = anywhere()) {
    return item;
  }
  if (at(TokenKind::Keyword)) {
    switch (token_.keyword) {
      case Keyword::Module: return module_item();
      case Keyword::Interface: return interface_item(InterfaceFlavor::Unconstrained);
      case Keyword::Local: return interface_item(InterfaceFlavor::Local);
      case Keyword::Abstract:
        return peek().is(Keyword::Interface) ? interface_item(InterfaceFlavor::Abstract) : value_item();
      case Keyword::Custom:
      case Keyword::ValueType: return value_item();
      case Keyword::Attribute:
      case Keyword::Readonly: fail(token_.where, "an attribute belongs in an interface");
      case Keyword::Oneway:
      case Keyword::Void: fail(token_.where, "an operation belongs in an interface");
      case Keyword::Public:
      case Keyword::Private: fail(token_.where, "a state member belongs in a valuetype");
      case Keyword::Factory: fail(token_.where, "a factory belongs in a valuetype");
      default: break;
    }
  }
  if (at(TokenKind::Semicolon)) {
    fail(token_.where, "';' ends nothing");
  }
  fail_expected("a definition");
}

ItemPtr Parser::module_item() {
  const Level level(*this);
  advance();
  auto item = std::make_unique<ModuleItem>();
  item->name = expect_name("the module's name");
  if (at(TokenKind::Less)) {
    defining_ = item->name;
    fail(item->name.where, "template module '" + item->name.text + "': template modules are not supported");
  }
  const source::Range open = token_.where;
  expect(TokenKind::LeftBrace, "after the module's name");
  if (at(TokenKind::RightBrace)) {
    diagnostics_.error(item->name.where, "module '" + item->name.text + "' is empty");
  }
  body(item->body, Place::Module);
  close_body(item->name, "module", open);
  return item;
}

ItemPtr Parser::typedef_item() {
  advance();
  auto item = std::make_unique<TypedefItem>();
  const auto defines = [this] {
    if (at(TokenKind::Identifier)) {
      const std::string_view text = token_.text;
      defining_ = Name{std::string(text.substr(text.starts_with('_') ? 1 : 0)), token_.where};
    }
  };
  try {
    item->type = type_spec(TypeUse::Any);
  } catch (const SyntaxError&) {  // the name is the last word before the `;`
    while (!at(TokenKind::Semicolon) && !at(TokenKind::LeftBrace) && !at(TokenKind::RightBrace) &&
           !at(TokenKind::End) && !starts_definition()) {
      defines();
      advance();
    }
    throw;
  }
  defines();
  item->declarators = declarators("the type's name");
  expect_semicolon("after the typedef");
  return item;
}

ItemPtr Parser::native_item() {
  advance();
  auto item = std::make_unique<NativeItem>();
  item->name = expect_name("the native type's name");
  defining_ = item->name;
  expect_semicolon("after the native type");
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

// A string literal, adjacent ones joined.
std::string Parser::plain_string(std::string_view what, source::Range& where) {
  if (!at(TokenKind::String)) {
    fail_expected(what);
  }
  where = token_.where;
  std::string out;
  while (at(TokenKind::String)) {
    out += decode_string(token_, diagnostics_).value_or("");
    where = source::join(where, token_.where);
    advance();
  }
  return out;
}

ItemPtr Parser::type_id_item() {
  advance();
  auto item = std::make_unique<TypeIdItem>();
  item->target = scoped_name("the name of a definition");
  item->text = plain_string("a repository id in quotes", item->text_where);
  expect_semicolon("after the repository id");
  return item;
}

ItemPtr Parser::type_prefix_item() {
  advance();
  auto item = std::make_unique<TypePrefixItem>();
  if (at(TokenKind::Scope) && peek().is(TokenKind::String)) {
    item->target.absolute = true;
    item->target.where = token_.where;
    advance();
  } else {
    item->target = scoped_name("the name of a module, interface or valuetype");
  }
  item->text = plain_string("a prefix in quotes", item->text_where);
  if (!accept(TokenKind::Semicolon)) {  // the OMG's own orb.idl has none
    diagnostics_.warning(item->text_where, "expected ';' after the prefix");
  }
  return item;
}

ItemPtr Parser::import_item() {
  auto item = std::make_unique<ImportItem>();
  item->where = token_.where;
  advance();
  if (at(TokenKind::String)) {
    item->text = plain_string("a repository id", item->where);
  } else {
    item->target = scoped_name("a scoped name or a repository id in quotes");
    item->where = item->target->where;
  }
  expect_semicolon("after the import");
  return item;
}

}  // namespace callis::idl::parse
