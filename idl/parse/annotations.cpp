// SPDX-License-Identifier: Apache-2.0
// Annotations (IDL 4.2, 7.4.15) may stand before definitions, members, enumerators and parameters. They are kept as
// written; sema knows what they mean. Of definitions of annotations only the name is: they say nothing about CORBA.
#include <idl/parse/parser.h>

namespace callis::idl::parse {

Annotations Parser::annotations() {
  Annotations out;
  while (at(TokenKind::At)) {
    advance();
    if (at_word("annotation")) {
      annotation_definition();
    } else {
      out.push_back(annotation());
    }
  }
  return out;
}

AnnotationSpec Parser::annotation() {
  AnnotationSpec out;
  const source::Range begin = token_.where;
  out.name.text = annotation_name();
  out.name.where = source::join(begin, previous_);
  if (accept(TokenKind::LeftParenthesis)) {
    const Level level(*this);
    annotation_arguments(out);
  }
  return out;
}

// Some are named like keywords: `@default`.
std::string Parser::annotation_name() {
  if (at(TokenKind::Keyword)) {
    const std::string text(token_.text);
    advance();
    return text;
  }
  return to_string(scoped_name("the annotation's name"));
}

// `value)` or `name = value, name = value)`.
void Parser::annotation_arguments(AnnotationSpec& out) {
  if (accept(TokenKind::RightParenthesis)) {
    return;
  }
  const int outer = angles_;
  angles_ = 0;
  do {
    AnnotationSpec::Argument argument;
    const bool named = (at(TokenKind::Identifier) || at(TokenKind::Keyword)) && peek().is(TokenKind::Equals);
    if (named) {
      argument.name = {std::string(token_.text), token_.where};
      advance();
      advance();
    }
    const std::size_t begin = token_.offset;
    argument.value = expression();
    argument.text = source_.text.substr(begin, previous_end_ - begin);
    out.arguments.push_back(std::move(argument));
  } while (accept(TokenKind::Comma));
  angles_ = outer;
  expect(TokenKind::RightParenthesis, "after the annotation's value");
}

// `annotation name { … };`, all of it.
void Parser::annotation_definition() {
  advance();
  auto item = std::make_unique<AnnotationDefinitionItem>();
  item->name = expect_name("the annotation's name");
  expect(TokenKind::LeftBrace, "after the annotation's name");
  for (int depth = 1; depth > 0; advance()) {
    if (at(TokenKind::End)) {
      fail_expected("'}'");
    }
    depth += at(TokenKind::LeftBrace) ? 1 : at(TokenKind::RightBrace) ? -1 : 0;
  }
  expect_semicolon("after the annotation");
  pending_.push_back(std::move(item));
}

}  // namespace callis::idl::parse
