// SPDX-License-Identifier: Apache-2.0
// Annotations (IDL 4.2, 7.4.15) may stand before definitions, members, enumerators and parameters. One means
// something to callis, `@callis::stubs(compiled)` or `(interpreted)`, short `@stubs(…)`. Others are skipped: those
// of IDL 4.2 that leave CORBA as it is in silence, all others with a warning.
#include <idl/parse/parser.h>
#include <algorithm>
#include <string>

namespace callis::idl::parse {

namespace {

bool is_harmless(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "ami",     "appendable", "autoid", "default", "default_literal", "extensibility",   "final",
      "hashid",  "id",         "key",    "max",     "min",             "must_understand", "mutable",
      "nested",  "position",   "range",  "service", "topic",           "try_construct",   "unit",
      "verbatim"};
  return std::binary_search(std::begin(kNames), std::end(kNames), name);
}

}  // namespace

Parser::Annotated Parser::annotations() {
  Annotated out;
  while (at(TokenKind::At)) {
    const source::Range where = token_.where;
    advance();
    if (at(TokenKind::Identifier) && token_.text == "annotation") {
      annotation_definition();
      continue;
    }
    const source::Range named = token_.where;
    const std::string text = annotation_name();
    out.dangling = true;
    if (text == "callis::stubs" || text == "::callis::stubs" || text == "stubs") {
      out.stubs = stubs_argument();
      out.where = source::join(where, previous_);
      continue;
    }
    if (!is_harmless(text)) {
      diagnostics_.warning(named, "annotation '@" + text + "' is not known and has no effect");
    }
    skip_arguments();
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

// Where none of ours can stand.
void Parser::skip_annotations() {
  const Annotated annotated = annotations();
  if (annotated.stubs != StubStyle::Unsaid) {
    diagnostics_.warning(annotated.where,
                         "'@stubs' has no effect here; it belongs before a type, an interface or an operation");
  }
}

// `annotation name { … };`, all of it.
void Parser::annotation_definition() {
  advance();
  expect_name("the annotation's name");
  expect(TokenKind::LeftBrace, "after the annotation's name");
  for (int depth = 1; depth > 0; advance()) {
    if (at(TokenKind::End)) {
      fail_expected("'}'");
    }
    depth += at(TokenKind::LeftBrace) ? 1 : at(TokenKind::RightBrace) ? -1 : 0;
  }
  expect_semicolon("after the annotation");
}

// `(…)`, when there is one.
void Parser::skip_arguments() {
  if (!at(TokenKind::LeftParenthesis)) {
    return;
  }
  int depth = 0;
  do {
    if (at(TokenKind::End) || at(TokenKind::Semicolon) || at(TokenKind::LeftBrace)) {
      fail_expected("')'");
    }
    depth += at(TokenKind::LeftParenthesis) ? 1 : at(TokenKind::RightParenthesis) ? -1 : 0;
    advance();
  } while (depth > 0);
}

// `(compiled)`, `("compiled")`, `(value = compiled)`.
StubStyle Parser::stubs_argument() {
  static constexpr std::string_view kExpected = "'compiled' or 'interpreted'";
  expect(TokenKind::LeftParenthesis, "after '@stubs'");
  if (at(TokenKind::Identifier) && token_.text == "value") {
    advance();
    expect(TokenKind::Equals, "after 'value'");
  }
  if (!at(TokenKind::Identifier) && !at(TokenKind::String)) {
    fail_expected(kExpected);
  }
  const std::string_view text = token_.text;
  const StubStyle style = text == "compiled" || text == "\"compiled\""         ? StubStyle::Compiled
                          : text == "interpreted" || text == "\"interpreted\"" ? StubStyle::Interpreted
                                                                               : StubStyle::Unsaid;
  if (style == StubStyle::Unsaid) {
    fail_expected(kExpected);
  }
  advance();
  expect(TokenKind::RightParenthesis, "after the style");
  return style;
}

}  // namespace callis::idl::parse
