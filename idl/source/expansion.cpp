// SPDX-License-Identifier: Apache-2.0
// The expansion of macros. Recursion: for an argument that is expanded by itself, at most kMaxExpansionDepth deep.
#include <idl/source/expansion.h>
#include <algorithm>
#include <span>
#include <utility>

namespace callis::idl::source {

namespace {

PpToken in_place_of(PpToken token, const PpToken& use) {
  const Range where = use.where();
  token.at = where.begin;
  token.use_length = where.length;
  return token;
}

bool is_literal(const PpToken& token) {
  return token.kind == PpKind::String || token.kind == PpKind::Character || token.kind == PpKind::Open;
}

}  // namespace

// Bounds ------------------------------------------------------------------------------------------------------------

void Expander::begin(const PpToken& name) {
  if (++expansions_ > kMaxExpansions || ++use_.expansions > kMaxExpansionsOfUse) {
    faults_.give_up(name.where(), "macros expand without end");
  }
  if (depth_ == kMaxExpansionDepth) {
    faults_.give_up(name.where(), "macros are nested more than " + std::to_string(kMaxExpansionDepth) + " deep");
  }
}

void Expander::count(std::size_t tokens, const PpToken& use) {
  tokens_ += tokens;
  if (tokens_ > kMaxExpandedTokens) {
    faults_.give_up(use.where(), "macros handle more than " + std::to_string(kMaxExpandedTokens) + " tokens in all");
  }
}

void Expander::check_size(const Yield& yield, const PpToken& use) {
  if (yield.tokens > kMaxExpansionTokens) {
    faults_.give_up(use.where(), "macro expands to more than " + std::to_string(kMaxExpansionTokens) + " tokens");
  }
  if (yield.bytes > kMaxExpansionBytes) {
    faults_.give_up(use.where(),
                    "macro expands to more than " + std::to_string(kMaxExpansionBytes >> 10) + " KB of text");
  }
}

// Reading -----------------------------------------------------------------------------------------------------------

PpToken Expander::read(PpReading reading) {
  PpToken token;
  for (;;) {
    if (lists_.empty()) {
      if (reading == PpReading::Text) {
        use_ = {};
      }
      token = source_.next_token(reading);
      break;
    }
    List& list = lists_.back();
    if (list.next < list.tokens.size()) {
      token = list.tokens[list.next++];
      break;
    }
    if (list.macro == nullptr) {
      blank_pending_ = false;
      return {};
    }
    list.macro->active = false;
    --depth_;
    lists_.pop_back();
  }
  if (std::exchange(blank_pending_, false)) {
    token.blank_before = true;
  }
  return token;
}

PpToken Expander::read_unexpanded(PpReading reading) {
  PpToken token = read(reading);
  macro_of(token);
  return token;
}

// `token` is what was read last.
void Expander::put_back(const PpToken& token) {
  if (token.kind == PpKind::End) {
    return;
  }
  if (lists_.empty()) {
    source_.put_back(token);
  } else {
    lists_.back().tokens[--lists_.back().next] = token;
  }
}

// The macro that `token` names; nullptr where it names none that may be expanded. Paints.
Macro* Expander::macro_of(PpToken& token) const {
  if (token.kind != PpKind::Identifier || token.painted) {
    return nullptr;
  }
  Macro* const macro = macros_.find(token.text);
  if (macro == nullptr || macro->built_in == BuiltInMacro::Defined) {
    return nullptr;
  }
  if (macro->active) {
    token.painted = true;
    return nullptr;
  }
  return macro;
}

PpToken Expander::get(PpReading reading) {
  for (;;) {
    PpToken token = read(reading);
    Macro* const macro = macro_of(token);
    if (macro == nullptr) {
      return token;
    }
    if (macro->built_in != BuiltInMacro::None) {
      return *make(source_.built_in(macro->built_in, token), token);
    }
    if (!enter(*macro, token)) {
      return token;
    }
  }
}

PpToken Expander::next() {
  const PpToken token = get(PpReading::Text);
  count_yield(use_.yield, token);
  return token;
}

void Expander::count_yield(Yield& yield, const PpToken& token) {
  if (!lists_.empty() && lists_.back().macro != nullptr) {
    ++yield.tokens;
    yield.bytes += token.text.size();
    check_size(yield, token);
  }
}

std::vector<PpToken> Expander::expand(const std::vector<PpToken>& line, bool condition) {
  std::vector<PpToken> out;
  const Use outer = std::exchange(use_, {});
  expand_into(out, line, condition);
  use_ = outer;
  return out;
}

void Expander::expand_into(std::vector<PpToken>& out, std::vector<PpToken> tokens, bool condition) {
  Yield yield;
  lists_.push_back({std::move(tokens)});
  for (;;) {
    PpToken token = get(PpReading::Text);
    if (token.kind == PpKind::End) {
      break;
    }
    count_yield(yield, token);
    out.push_back(token);
    if (condition && token.is(PpKind::Identifier, "defined")) {
      out.push_back(read(PpReading::Text));
      if (out.back().is("(")) {
        out.push_back(read(PpReading::Text));
      }
      while (out.back().kind == PpKind::End) {
        out.pop_back();
      }
    }
  }
  lists_.pop_back();
}

// A use of a macro --------------------------------------------------------------------------------------------------

bool Expander::enter(Macro& macro, const PpToken& name) {
  begin(name);
  ++depth_;
  Arguments arguments;
  const Call call = macro.function_like ? read_arguments(macro, name, arguments) : Call::Good;
  std::vector<PpToken> result;
  if (call == Call::Good) {
    result = substitute(macro, name, arguments);
  }
  if (result.empty()) {
    --depth_;
    blank_pending_ = blank_pending_ || (call != Call::None && name.blank_before);
    return call != Call::None;
  }
  count(result.size(), name);
  result.front().blank_before |= name.blank_before;
  macro.active = true;
  lists_.push_back({std::move(result), 0, &macro});
  return true;
}

Expander::Call Expander::read_arguments(const Macro& macro, const PpToken& name, Arguments& out) {
  const PpToken parenthesis = read_unexpanded(PpReading::Parenthesis);
  if (!parenthesis.is("(")) {
    put_back(parenthesis);
    return Call::None;
  }
  for (std::size_t open = 1;;) {
    const PpToken token = read_unexpanded(PpReading::Arguments);
    count(1, name);
    if (token.kind == PpKind::End) {
      faults_.error(name.where(), "arguments of a macro are never closed: missing ')'");
      return Call::Faulty;
    }
    open = open + token.is("(") - token.is(")");
    const bool separates = open == 1 && token.is(",") &&
                           !(macro.variadic && out.ends.size() + 1 == macro.parameters.size());
    if (separates || open == 0) {
      out.ends.push_back(out.tokens.size());
    } else {
      out.tokens.push_back(token);
    }
    if (open == 0) {
      return check_count(macro, name, out) ? Call::Good : Call::Faulty;
    }
  }
}

bool Expander::check_count(const Macro& macro, const PpToken& name, Arguments& arguments) {
  const std::size_t wanted = macro.parameters.size();
  const bool nothing = arguments.ends.size() == 1 && arguments.tokens.empty();
  const std::size_t given = nothing && wanted == 0 ? 0 : arguments.ends.size();
  arguments.omitted = macro.variadic && (given + 1 == wanted || (wanted == 1 && nothing));
  if (arguments.omitted && given + 1 == wanted) {
    arguments.ends.push_back(arguments.tokens.size());
  } else if (given != wanted) {
    faults_.error(name.where(), std::string(given < wanted ? "too few" : "too many") +
                                    " macro arguments: " + std::string(name.text));
    return false;
  }
  arguments.stretches.resize(wanted);
  return true;
}

// The body with its parameters replaced. Appends to the result; joins to its last token what stands behind `##`.
class Expander::Substitution {
 public:
  Substitution(Expander& expander, const PpToken& use) : expander_(expander), use_(use) {}

  bool joins() const { return joins_; }
  // GNU's `, ## __VA_ARGS__`: without arguments the comma goes, else they stand behind it as they are.
  void put_behind_comma(std::span<const PpToken> tokens, bool omitted, bool pastes) {
    if (omitted) {
      out_.pop_back();
    }
    joins_ = pastes;
    left_is_empty_ = tokens.empty();
    for (const PpToken& token : tokens) {
      add(token);
    }
  }
  bool ends_with_comma() const { return !left_is_empty_ && !out_.empty() && out_.back().is(","); }

  // A word's tokens, behind which `##` may stand. White space: before a parameter counts, before what it yields not.
  void put(std::span<const PpToken> tokens, bool blank_before, bool pastes) {
    const bool joins = joins_ && !left_is_empty_;
    blank_ = blank_ || (blank_before && !joins_);
    joins_ = pastes;
    if (!joins) {
      left_is_empty_ = tokens.empty();  // a placemarker, 16.3.3
    } else if (!tokens.empty() && join(tokens.front())) {
      tokens = tokens.subspan(1);
    }
    for (const PpToken& token : tokens) {
      add(token);
      if (!joins && &token == &tokens.front()) {
        out_.back().blank_before = std::exchange(blank_, false);
      }
    }
  }

  std::vector<PpToken> take() { return std::move(out_); }

 private:
  void add(const PpToken& token) {
    out_.push_back(token);
    yield_.tokens = out_.size();
    yield_.bytes += token.text.size();
    expander_.check_size(yield_, use_);
  }

  bool join(const PpToken& right) {
    PpToken& left = out_.back();
    const auto word = expander_.paste(left, right, use_);
    if (word) {
      yield_.bytes += right.text.size();
      left = *word;
    }
    return word.has_value();
  }

  Expander& expander_;
  const PpToken& use_;
  std::vector<PpToken> out_;
  Yield yield_;
  bool joins_ = false;          // `##` stands before what comes
  bool left_is_empty_ = false;  // of that `##`
  bool blank_ = false;          // white space before parameters that yielded nothing
};

std::vector<PpToken> Expander::substitute(const Macro& macro, const PpToken& name, Arguments& arguments) {
  Substitution substitution(*this, name);
  for (const Macro::Word& word : macro.body) {
    const bool blank = word.token.blank_before;
    if (word.parameter < 0) {
      const PpToken token = in_place_of(word.token, name);
      substitution.put({&token, 1}, blank, word.pastes);
      continue;
    }
    const auto index = static_cast<std::size_t>(word.parameter);
    const PpToken* const begin = arguments.tokens.data() + (index == 0 ? 0 : arguments.ends[index - 1]);
    const PpToken* const end = arguments.tokens.data() + arguments.ends[index];
    if (word.stringize) {
      const PpToken token = stringize(begin, end, name);
      substitution.put({&token, 1}, blank, word.pastes);
    } else if (substitution.joins() || word.pastes) {
      const bool is_rest = macro.variadic && index + 1 == macro.parameters.size();
      if (is_rest && substitution.joins() && substitution.ends_with_comma()) {
        substitution.put_behind_comma({begin, end}, arguments.omitted, word.pastes);
      } else {
        substitution.put({begin, end}, blank, word.pastes);
      }
    } else {
      Arguments::Stretch& stretch = arguments.stretches[index];
      if (!stretch.known) {
        const std::size_t first = arguments.expanded.size();
        expand_into(arguments.expanded, std::vector<PpToken>(begin, end), false);
        count(arguments.expanded.size() - first, name);
        stretch = {first, arguments.expanded.size(), true};
      }
      const PpToken* const expanded = arguments.expanded.data();
      substitution.put({expanded + stretch.begin, expanded + stretch.end}, blank, word.pastes);
    }
  }
  return substitution.take();
}

// Words that macros make --------------------------------------------------------------------------------------------

std::string_view Expander::keep(std::string_view text, const PpToken& use) {
  if (text.size() > kMaxMacroTokenBytes) {
    faults_.give_up(use.where(), "macro handles a word or literal of more than " +
                                     std::to_string(kMaxMacroTokenBytes >> 10) + " KB");
  }
  made_bytes_ += text.size();
  if (made_bytes_ > kMaxMadeBytes) {
    faults_.give_up(use.where(), "macros make more than " + std::to_string(kMaxMadeBytes >> 20) +
                                     " MB of words and literals in all");
  }
  return store_.keep(text);
}

// Nothing where the text is not one token.
std::optional<PpToken> Expander::make(std::string_view text, const PpToken& use) {
  const std::string_view kept = keep(text, use);
  if (kept.starts_with("//") || kept.starts_with("/*")) {
    return std::nullopt;
  }
  PpLexer lexer(kept, kNoFile, store_, faults_);
  lexer.set_quiet(true);
  PpToken token = lexer.next();
  token.blank_before = use.blank_before;
  token.first_on_line = false;
  return lexer.offset() == kept.size() ? std::optional(in_place_of(token, use)) : std::nullopt;
}

// 16.3.3. The word is said to stand where its left part does. Where there is no such word both stay what they are.
std::optional<PpToken> Expander::paste(const PpToken& left, const PpToken& right, const PpToken& use) {
  auto word = make(std::string(left.text).append(right.text), use);
  if (word) {
    word = in_place_of(*word, left);
    word->blank_before = left.blank_before;
  } else {
    constexpr std::size_t kShown = 40;  // bytes of each
    faults_.warning(use.where(), "'##' makes no word of '" + std::string(left.text.substr(0, kShown)) + "' and '" +
                                     std::string(right.text.substr(0, kShown)) + "'; both stay as they are");
  }
  return word;
}

// 16.3.2.
PpToken Expander::stringize(const PpToken* begin, const PpToken* end, const PpToken& use) {
  std::string text = "\"";
  std::size_t backslashes = 0;  // at the end
  for (const PpToken* token = begin; token != end && text.size() <= kMaxMacroTokenBytes; ++token) {
    if (token != begin && token->blank_before) {
      text += ' ';
      backslashes = 0;
    }
    for (const char c : token->text) {
      if ((c == '"' || c == '\\') && is_literal(*token)) {
        text += '\\';
      }
      text += c;
      backslashes = c == '\\' && !is_literal(*token) ? backslashes + 1 : 0;
    }
  }
  if (backslashes % 2 != 0) {
    text.pop_back();  // it would hide the quote
  }
  text += '"';
  PpToken literal = in_place_of({}, use);
  literal.kind = PpKind::String;
  literal.text = keep(text, use);
  return literal;
}

}  // namespace callis::idl::source
