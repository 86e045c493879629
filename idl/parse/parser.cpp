// SPDX-License-Identifier: Apache-2.0
// The parser's state, and the rules that have no file of their own.
#include <idl/parse/parser.h>
#include <idl/source/limits.h>
#include <string>

namespace callis::idl::parse {

Body parse(const source::Preprocessed& text, source::Diagnostics& diagnostics) {
  return Parser(text, diagnostics).specification();
}

void Parser::advance() {
  previous_ = token_.where;
  previous_end_ = token_.offset + token_.text.size();
  previous_unclosed_ = token_.unclosed;
  for (;;) {
    if (ahead_.empty()) {
      token_ = lexer_.next();
    } else {
      token_ = ahead_.front();
      ahead_.pop_front();
    }
    collect_file_changes(token_.offset);
    if (!at(TokenKind::Pragma)) {
      return;
    }
    if (auto item = read_pragma(source_, token_, diagnostics_)) {
      pending_.push_back(std::move(item));
    }
  }
}

const Token& Parser::peek(std::size_t distance) {
  for (std::size_t i = 0;; ++i) {
    if (i == ahead_.size()) {
      ahead_.push_back(lexer_.next());
    }
    if ((!ahead_[i].is(TokenKind::Pragma) && --distance == 0) || ahead_[i].is(TokenKind::End)) {
      return ahead_[i];
    }
  }
}

void Parser::collect_file_changes(std::size_t offset) {
  while (next_change_ < source_.changes.size() &&
         source_.changes[next_change_].offset <= offset) {
    auto item = std::make_unique<FileChangeItem>();
    item->enter = source_.changes[next_change_].enter;
    item->file = source_.changes[next_change_].file;
    pending_.push_back(std::move(item));
    ++next_change_;
  }
}

void Parser::flush(Body& body) {
  for (ItemPtr& item : pending_) {
    body.push_back(std::move(item));
  }
  pending_.clear();
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) {
    return false;
  }
  advance();
  return true;
}

bool Parser::accept(Keyword keyword) {
  if (!at(keyword)) {
    return false;
  }
  advance();
  return true;
}

std::string Parser::found() const {
  switch (token_.kind) {
    case TokenKind::End: return "the end of the file";
    case TokenKind::Keyword: return "the keyword '" + std::string(token_.text) + "'";
    case TokenKind::Identifier:
    case TokenKind::Integer:
    case TokenKind::Floating:
    case TokenKind::Fixed: return "'" + std::string(token_.text) + "'";
    default: return std::string(describe(token_.kind));
  }
}

void Parser::fail(const source::Range& where, std::string text) {
  diagnostics_.error(where, std::move(text));
  throw SyntaxError{};
}

void Parser::fail_expected(std::string_view what, std::string_view context) {
  std::string text = "expected " + std::string(what);
  if (!context.empty()) {
    text += " " + std::string(context);
  }
  fail(token_.where, text + ", found " + found());
}

void Parser::expect(TokenKind kind, std::string_view after) {
  if (!accept(kind)) {
    fail_expected(describe(kind), after);
  }
}

// A missing `;` is reported where it belongs, and does no more harm when a definition follows.
void Parser::expect_semicolon(std::string_view after) {
  if (accept(TokenKind::Semicolon)) {
    return;
  }
  if (!previous_unclosed_) {  // else it is in the literal
    source::Range behind = previous_;
    behind.begin.column += behind.length;
    behind.length = 1;
    const bool reported = !diagnostics_.all().empty() && diagnostics_.all().back().where.begin == behind.begin;
    if (!reported) {  // else a stray character stands there
      diagnostics_.error(behind, "expected ';' " + std::string(after));
    }
  }
  if (!starts_definition() && !at(TokenKind::RightBrace) && !at(TokenKind::End)) {
    throw SyntaxError{};
  }
}

void Parser::expect_greater() {
  if (at(TokenKind::ShiftRight)) {  // `sequence<sequence<long>>`: the first half
    token_.kind = TokenKind::Greater;
    token_.where.length = 1;
    previous_ = token_.where;
    token_.where.begin.column += 1;
    return;
  }
  if (!accept(TokenKind::Greater)) {
    fail_expected(describe(TokenKind::Greater));
  }
}

Name Parser::expect_name(std::string_view what) {
  if (at(TokenKind::Identifier)) {
    std::string_view text = token_.text;
    if (text.front() == '_') {
      text.remove_prefix(1);
      if (text.empty() || text.front() == '_' || (text.front() >= '0' && text.front() <= '9')) {
        diagnostics_.error(token_.where, "a name begins with a letter, after one '_' at most");
        text = text.empty() ? "_" : text;
      }
    }
    Name name{std::string(text), token_.where};
    advance();
    return name;
  }
  if (at(TokenKind::Keyword) && is_component_word(token_.keyword)) {
    Name name{std::string(token_.text), token_.where};
    diagnostics_.warning(token_.where, "'" + name.text + "' is a keyword since CORBA 3; as a name it is written '_" +
                                           name.text + "'");
    advance();
    return name;
  }
  if (at(TokenKind::Keyword)) {
    fail(token_.where, "expected " + std::string(what) + ", found " + found() +
                           "; as a name it is written '_" + std::string(token_.text) + "'");
  }
  fail_expected(what);
}

void Parser::enter_level() {
  if (++nesting_ > kMaxNesting) {
    --nesting_;
    fail(token_.where,
         "nested more than " + std::to_string(kMaxNesting) + " deep");
  }
}

bool Parser::starts_definition() const {
  if (!at(TokenKind::Keyword)) {
    return false;
  }
  switch (token_.keyword) {
    case Keyword::Abstract:
    case Keyword::Attribute:
    case Keyword::Component:
    case Keyword::Const:
    case Keyword::Custom:
    case Keyword::Enum:
    case Keyword::EventType:
    case Keyword::Exception:
    case Keyword::Home:
    case Keyword::Import:
    case Keyword::Interface:
    case Keyword::Local:
    case Keyword::Module:
    case Keyword::Native:
    case Keyword::Oneway:
    case Keyword::Private:
    case Keyword::Public:
    case Keyword::Readonly:
    case Keyword::Struct:
    case Keyword::Typedef:
    case Keyword::TypeId:
    case Keyword::TypePrefix:
    case Keyword::Union:
    case Keyword::ValueType:
    case Keyword::Void: return true;
    default: return false;
  }
}

// To behind the `;` that ends what is wrong, or to the `}` that ends what encloses it.
void Parser::synchronize() {
  int depth = 0;
  while (!at(TokenKind::End)) {
    if (at(TokenKind::LeftBrace)) {
      ++depth;
    } else if (at(TokenKind::RightBrace)) {
      if (depth == 0) {
        return;
      }
      --depth;
      if (depth == 0) {
        advance();
        if (accept(TokenKind::Semicolon) || starts_definition() || at(TokenKind::RightBrace)) {
          return;
        }
        continue;
      }
    } else if (at(TokenKind::Semicolon) && depth == 0) {
      advance();
      return;
    }
    advance();
  }
}

}  // namespace callis::idl::parse
