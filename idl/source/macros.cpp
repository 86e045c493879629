// SPDX-License-Identifier: Apache-2.0
// Definitions of macros: reading one, and comparing it with the one that is there.
#include <idl/source/macros.h>
#include <algorithm>

namespace callis::idl::source {

namespace {

constexpr std::pair<std::string_view, BuiltInMacro> kBuiltIns[] = {
    {"__LINE__", BuiltInMacro::Line},
    {"__FILE__", BuiltInMacro::File},
    {"__BASE_FILE__", BuiltInMacro::BaseFile},
    {"__DATE__", BuiltInMacro::Date},
    {"__TIME__", BuiltInMacro::Time},
    {"__INCLUDE_LEVEL__", BuiltInMacro::IncludeLevel},
    {"defined", BuiltInMacro::Defined}};

// 16.3, 2 and 3: the same words, and white space in the same places.
bool same_definition(const Macro& a, const Macro& b) {
  return a.function_like == b.function_like && a.variadic == b.variadic && a.parameters == b.parameters &&
         std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                    [](const Macro::Word& x, const Macro::Word& y) {
                      return x.token.text == y.token.text && x.stringize == y.stringize && x.pastes == y.pastes &&
                             x.token.blank_before == y.token.blank_before;
                    });
}

}  // namespace

Macros::Macros(Faults& faults) : faults_(faults) {
  for (const auto& [name, built_in] : kBuiltIns) {
    Macro& macro = all_.emplace_back();
    macro.name.text = name;
    macro.built_in = built_in;
    defined_.emplace(name, &macro);
  }
}

void Macros::define(const std::vector<PpToken>& line, const std::string& what, const Range& where) {
  if (line.empty() || line.front().kind != PpKind::Identifier) {
    faults_.error(line.empty() ? where : line.front().where(),
                  what + " needs a name; its parameters are names in parentheses");
    return;
  }
  Macro macro;
  macro.name = line.front();
  Macro* const before = find(macro.name.text);
  if (before != nullptr && before->built_in != BuiltInMacro::None) {
    faults_.error(macro.name.where(),
                  "this predefined name may not be redefined: " + std::string(macro.name.text));
    return;
  }
  std::size_t next = 1;
  if (line.size() > 1 && !line[1].blank_before) {
    if (line[1].is("(")) {
      macro.function_like = true;
      const auto behind = read_parameters(line, macro);
      if (!behind) {
        return;
      }
      next = *behind;
    } else {
      faults_.warning(line[1].where(), "white space is missing behind the macro's name");
    }
  }
  if (!read_body(line, next, macro)) {
    return;
  }
  if (before != nullptr) {
    if (same_definition(*before, macro)) {
      return;
    }
    warn_of_redefinition(*before, macro);
  }
  words_ += macro.body.size();
  if (words_ > kMaxDefinedTokens) {
    faults_.give_up(where, "macros of more than " + std::to_string(kMaxDefinedTokens) + " tokens in all");
  }
  all_.push_back(std::move(macro));
  defined_.insert_or_assign(all_.back().name.text, &all_.back());
}

void Macros::warn_of_redefinition(const Macro& before, const Macro& now) {
  const Position& at = now.name.at;
  if (at.known() && !warned_of_.insert(std::uint64_t{static_cast<std::uint32_t>(at.file)} << 32 | at.line).second) {
    return;
  }
  const std::string name = "'" + std::string(now.name.text) + "'";
  faults_.warning(now.name.where(), "macro " + name + " is defined again in another way");
  if (before.name.at.known()) {
    faults_.note(before.name.where(), name + " was defined here");
  } else {
    faults_.note({}, name + " was defined by an option or is predefined");
  }
}

void Macros::undefine(const PpToken& name) {
  const Macro* const macro = find(name.text);
  if (macro != nullptr && macro->built_in != BuiltInMacro::None) {
    faults_.error(name.where(), "#undef may not be used on this predefined name: " + std::string(name.text));
    return;
  }
  defined_.erase(name.text);
}

// line[1] is the parenthesis.
std::optional<std::size_t> Macros::read_parameters(const std::vector<PpToken>& line, Macro& macro) {
  parameter_index_.clear();
  const auto refuse = [&](std::size_t at) {
    faults_.error(line[std::min(at, line.size() - 1)].where(),
                  "#define needs a name; its parameters are names in parentheses");
    return std::nullopt;
  };
  const auto is = [&](std::size_t at, std::string_view text) { return at < line.size() && line[at].is(text); };
  std::size_t at = 2;
  if (is(at, ")")) {
    return at + 1;
  }
  for (;; ++at) {
    std::string_view name = "__VA_ARGS__";
    if (at < line.size() && line[at].kind == PpKind::Identifier) {
      name = line[at].text;
      macro.variadic = is(at + 1, "...");
    } else if (is(at, "...")) {
      macro.variadic = true;
    } else {
      return refuse(at);
    }
    if (!parameter_index_.emplace(name, static_cast<std::int32_t>(macro.parameters.size())).second) {
      faults_.error(line[at].where(), "duplicate macro parameter name: " + std::string(name));
      return std::nullopt;
    }
    macro.parameters.push_back(name);
    at += macro.variadic && !is(at, "...") ? 2u : 1u;
    if (is(at, ")")) {
      return at + 1;
    }
    if (!is(at, ",") || macro.variadic) {
      return refuse(at);
    }
  }
}

bool Macros::read_body(const std::vector<PpToken>& line, std::size_t from, Macro& macro) {
  const auto refuse = [&](const PpToken& at, const char* text) {
    faults_.error(at.where(), text);
    return false;
  };
  bool stringize = false;
  for (std::size_t i = from; i < line.size(); ++i) {
    const PpToken& token = line[i];
    if (token.is("##")) {
      if (macro.body.empty() || i + 1 == line.size()) {
        return refuse(token, "'##' needs a word on each side");
      }
      macro.body.back().pastes = true;
      continue;
    }
    if (macro.function_like && token.is("#")) {
      const bool before_parameter = i + 1 < line.size() && line[i + 1].kind == PpKind::Identifier &&
                                    parameter_index_.contains(line[i + 1].text);
      if (!before_parameter) {
        return refuse(token, "'#' needs a parameter of the macro behind it");
      }
      stringize = true;
      continue;
    }
    Macro::Word& word = macro.body.emplace_back();
    word.token = token;
    if (macro.function_like && token.kind == PpKind::Identifier) {
      const auto parameter = parameter_index_.find(token.text);
      word.parameter = parameter == parameter_index_.end() ? -1 : parameter->second;
    }
    if (stringize) {
      word.stringize = true;
      word.token.blank_before = line[i - 1].blank_before;
      stringize = false;
    }
  }
  if (!macro.body.empty()) {
    macro.body.front().token.blank_before = false;  // the white space before the macro's name counts
  }
  return true;
}

}  // namespace callis::idl::source
