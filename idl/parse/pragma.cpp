// SPDX-License-Identifier: Apache-2.0
// The pragmas of repository ids (CORBA 3.3 part 1, 14.7.5), and `#pragma callis stubs Name compiled` (or
// interpreted). Others are not for us: they are skipped, as that clause asks, with a warning where one of ours
// seems to be meant.
#include <idl/parse/literal.h>
#include <idl/parse/parser.h>
#include <string>

namespace callis::idl::parse {

namespace {

class PragmaReader {
 public:
  PragmaReader(const source::Preprocessed& text, const Token& pragma,
               source::Diagnostics& diagnostics)
      : lexer_(text, pragma.offset + 7, pragma.offset + pragma.text.size(), diagnostics),
        pragma_(pragma),
        diagnostics_(diagnostics) {}

  // `what` has been recognised by its first word, which is skipped here.
  ItemPtr read(PragmaItem::What what) {
    auto item = std::make_unique<PragmaItem>();
    item->what = what;
    lexer_.next();
    token_ = lexer_.next();
    bool good = true;
    switch (what) {
      case PragmaItem::What::Prefix: good = text(*item); break;
      case PragmaItem::What::Id: good = target(*item) && text(*item); break;
      case PragmaItem::What::Version: good = target(*item) && version(*item); break;
      case PragmaItem::What::Stubs: good = word("stubs") && target(*item) && style(*item); break;
    }
    if (good && token_.is(TokenKind::Semicolon)) {
      diagnostics_.warning(token_.where, "a pragma ends without ';'");
      token_ = lexer_.next();
    }
    if (good && !token_.is(TokenKind::End)) {
      diagnostics_.error(token_.where, "unexpected text after the pragma");
      good = false;
    }
    return good ? std::move(item) : nullptr;
  }

 private:
  bool wrong(std::string_view expected) {
    const source::Range where = token_.is(TokenKind::End) ? pragma_.where : token_.where;
    diagnostics_.error(where, "expected " + std::string(expected) + " in this pragma");
    return false;
  }

  bool target(PragmaItem& item) {
    item.target.where = token_.where;
    item.target.absolute = token_.is(TokenKind::Scope);
    if (item.target.absolute) {
      token_ = lexer_.next();
    }
    for (;;) {
      if (!token_.is(TokenKind::Identifier) && !token_.is(TokenKind::Keyword)) {
        return wrong("a name");
      }
      std::string_view name = token_.text;
      name.remove_prefix(name.starts_with('_') ? 1 : 0);
      item.target.parts.push_back({std::string(name), token_.where});
      item.target.where = source::join(item.target.where, token_.where);
      token_ = lexer_.next();
      if (!token_.is(TokenKind::Scope)) {
        return true;
      }
      token_ = lexer_.next();
    }
  }

  bool text(PragmaItem& item) {
    if (!token_.is(TokenKind::String)) {
      return wrong("a string");
    }
    const auto decoded = decode_string(token_, diagnostics_);
    if (!decoded) {
      return false;
    }
    item.text = *decoded;
    item.text_where = token_.where;
    token_ = lexer_.next();
    return true;
  }

  static bool number(std::string_view digits, std::uint32_t& out) {
    if (digits.empty() || digits.size() > 5) {
      return false;
    }
    out = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') {
        return false;
      }
      out = out * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return out <= 65'535;
  }

  bool version(PragmaItem& item) {
    const std::string_view text = token_.text;
    const std::size_t dot = text.find('.');
    if (!token_.is(TokenKind::Floating) || dot == std::string_view::npos ||
        !number(text.substr(0, dot), item.major) || !number(text.substr(dot + 1), item.minor)) {
      return wrong("a version such as 1.2, both parts at most 65535,");
    }
    item.text_where = token_.where;
    token_ = lexer_.next();
    return true;
  }

  bool word(std::string_view expected) {
    if (token_.text != expected) {
      return wrong("'" + std::string(expected) + "'");
    }
    token_ = lexer_.next();
    return true;
  }

  bool style(PragmaItem& item) {
    item.stubs = token_.text == "compiled"      ? StubStyle::Compiled
                 : token_.text == "interpreted" ? StubStyle::Interpreted
                                                : StubStyle::Unsaid;
    if (item.stubs == StubStyle::Unsaid) {
      return wrong("'compiled' or 'interpreted'");
    }
    item.stubs_where = token_.where;
    token_ = lexer_.next();
    return true;
  }

  Lexer lexer_;
  const Token& pragma_;
  source::Diagnostics& diagnostics_;
  Token token_;
};

std::string_view first_word(std::string_view text) {
  text.remove_prefix(7);  // "#pragma"
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(" \t\"<("));
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

ItemPtr read_pragma(const source::Preprocessed& text, const Token& pragma,
                    source::Diagnostics& diagnostics) {
  static constexpr std::pair<std::string_view, PragmaItem::What> kOurs[] = {
      {"prefix", PragmaItem::What::Prefix},
      {"ID", PragmaItem::What::Id},
      {"version", PragmaItem::What::Version},
      {"callis", PragmaItem::What::Stubs}};
  const std::string_view word = first_word(pragma.text);
  for (const auto& [name, what] : kOurs) {
    if (word == name) {
      return PragmaReader(text, pragma, diagnostics).read(what);
    }
    if (same_but_for_case(word, name)) {
      diagnostics.warning(pragma.where, "#pragma " + std::string(word) +
                                            " is skipped; did you mean '" + std::string(name) +
                                            "'?");
    }
  }
  return nullptr;
}

}  // namespace callis::idl::parse
