// SPDX-License-Identifier: Apache-2.0
// The component model and template modules (IDL 4.2, 7.4.8 to 7.4.12): known by name, refused by name, read over.
#include <idl/parse/parser.h>

namespace callis::idl::parse {

namespace {

struct Refused {
  std::string_view what;
  bool named;  // a name follows
};

Refused refused(Keyword keyword) {
  switch (keyword) {
    case Keyword::Component: return {"components", true};
    case Keyword::Home: return {"component homes", true};
    case Keyword::EventType: return {"event types", true};
    case Keyword::Provides:
    case Keyword::Uses:
    case Keyword::Publishes:
    case Keyword::Emits:
    case Keyword::Consumes: return {"component ports", false};
    case Keyword::Manages:
    case Keyword::PrimaryKey:
    case Keyword::Finder: return {"component homes", false};
    default: return {};
  }
}

}  // namespace

// Reads as far as the name, so that uses of it are not reported too.
void Parser::refuse_components() {
  Refused what;
  if (at(TokenKind::Keyword)) {
    what = refused(token_.keyword);
    if ((at(Keyword::Custom) || at(Keyword::Abstract)) && peek().is(Keyword::EventType)) {
      advance();
      what = refused(Keyword::EventType);
    }
  } else if (at_word("porttype") || at_word("connector")) {  // names in IDL for CORBA, unless a definition follows
    const bool definition = peek().is(TokenKind::Identifier) &&
                            (peek(2).is(TokenKind::LeftBrace) || peek(2).is(TokenKind::Semicolon) ||
                             peek(2).is(TokenKind::Colon));
    what = definition ? Refused{at_word("porttype") ? "port types" : "connectors", true} : Refused{};
  }
  if (what.what.empty()) {
    return;
  }
  diagnostics_.error(token_.where, std::string(what.what) +
                                       " are not supported: they belong to the CORBA Component Model");
  advance();
  if (what.named && at(TokenKind::Identifier)) {
    defining_ = expect_name("a name");
  }
  throw SyntaxError{};
}

}  // namespace callis::idl::parse
