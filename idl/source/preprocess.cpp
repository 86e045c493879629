// SPDX-License-Identifier: Apache-2.0
// A run of the preprocessor: the files that are open, their tokens, and the output.
#include <idl/source/built_in.h>
#include <idl/source/directives.h>
#include <ctime>
#include <filesystem>
#include <utility>

namespace callis::idl::source {

namespace {

constexpr std::string_view kNoPragmaOperator = "the operator _Pragma is not supported; use #pragma";
// As far as it is a C preprocessor: what files of IDL ask for.
constexpr std::string_view kPredefined[] = {"__CALLIS_IDL__ 1", "__STDC__ 1", "__STDC_HOSTED__ 0",
                                            "__STDC_VERSION__ 199901L"};

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' || c == '\\' ? "\\" : "";
    out += c;
  }
  return out + '"';
}

std::string literal_of_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  localtime_r(&now, &parts);
  return literal({text, std::strftime(text, sizeof text, format, &parts)});
}

}  // namespace

Preprocessor::Preprocessor(Files& files, FileId main, const PreprocessOptions& options, Diagnostics& diagnostics)
    : files_(files),
      main_(main),
      options_(options),
      faults_(diagnostics),
      macros_(faults_),
      includes_(files, main, options, faults_),
      expander_(macros_, *this, store_, faults_) {}

Preprocessed Preprocessor::run() {
  try {
    define_options();
    enter(main_);
    for (PpToken token = expander_.next(); token.kind != PpKind::End; token = expander_.next()) {
      put(token);
    }
  } catch (const Stop&) {
    // Has been reported.
  }
  return std::move(out_);
}

// `text`: as behind #define.
void Preprocessor::define(std::string_view text, const std::string& what) {
  PpLexer lexer(store_.keep(text), kNoFile, store_, faults_);
  lexer.begin_directive();
  std::vector<PpToken> line;
  for (PpToken token = lexer.next(); token.kind != PpKind::End; token = lexer.next()) {
    line.push_back(token);
  }
  macros_.define(line, what, {});
}

void Preprocessor::define_options() {
  for (const std::string_view macro : kPredefined) {
    define(macro, "#define");
  }
  for (const std::string& macro : options_.defines) {
    std::string text = macro;
    const auto equals = text.find('=');
    equals == std::string::npos ? text += " 1" : text.replace(equals, 1, " ");
    define(text, "-D " + macro);
  }
  for (const std::string& macro : options_.undefines) {
    PpToken name;
    name.text = macro;
    macros_.undefine(name);
  }
}

std::string Preprocessor::built_in(BuiltInMacro macro, const PpToken& use) {
  switch (macro) {
    case BuiltInMacro::Line: return std::to_string(use.at.line);
    case BuiltInMacro::File: return literal(files_[use.at.known() ? use.at.file : main_].path);
    case BuiltInMacro::BaseFile: return literal(files_[main_].path);
    case BuiltInMacro::Date: return literal_of_now("%b %e %Y");
    case BuiltInMacro::Time: return literal_of_now("%H:%M:%S");
    case BuiltInMacro::IncludeLevel: return std::to_string(open_.size() - 1);
    case BuiltInMacro::None:
    case BuiltInMacro::Defined: break;
  }
  return "0";
}

// Files -------------------------------------------------------------------------------------------------------------

void Preprocessor::enter(FileId id) {
  const File& file = files_[id];
  input_bytes_ += file.text.size();
  if (input_bytes_ > kMaxInputBytes) {
    faults_.give_up(Range{{id, 1, 1}, 1},
                    "more than " + std::to_string(kMaxInputBytes >> 20) + " MB are included");
  }
  if (!open_.empty()) {
    out_.changes.push_back({out_.text.size(), true, id});
  }
  open_.push_back({id, PpLexer(file.text, id, store_, faults_)});
  open_.back().adds_names_of_corba =
      id != main_ && !file.built_in && std::filesystem::path(file.include_name).filename() == "orb.idl";
}

void Preprocessor::enter_included(std::string_view operand, const Range& where) {
  if (open_.size() >= kMaxIncludeDepth) {
    faults_.give_up(where, "files include each other more than " + std::to_string(kMaxIncludeDepth) + " deep");
  }
  if (++include_count_ > kMaxIncludes) {
    faults_.give_up(where, "more than " + std::to_string(kMaxIncludes) + " includes");
  }
  const auto found = includes_.find(operand, open_.back().id, where);
  if (!found) {
    return;
  }
  if (open_.size() == 1 && !files_[*found].built_in && recorded_.insert(*found).second) {
    const std::string spelled(operand.substr(1, operand.size() - 2));
    out_.includes.push_back({spelled, operand.front() == '<', *found, where});
  }
  if (!includes_.is_once(*found) && !macros_.is_defined(includes_.guard(*found))) {
    enter(*found);
  }
}

// False: that was the main file.
bool Preprocessor::leave() {
  OpenFile& file = open_.back();
  for (const Group& group : file.groups) {
    faults_.error(group.where, "#" + std::string(group.name) + " has no #endif");
  }
  file.groups.clear();
  if (std::exchange(file.adds_names_of_corba, false)) {
    enter_included("<" + std::string(kNamesOfCorba) + ">", Range{file.lexer.position(), 1});
    return true;
  }
  if (!file.guard.empty()) {
    includes_.set_guard(file.id, file.guard);
  }
  if (open_.size() == 1) {
    return false;
  }
  open_.pop_back();
  out_.changes.push_back({out_.text.size(), false, open_.back().id});
  return true;
}

PpToken Preprocessor::next_token(PpReading reading) {
  for (;;) {
    OpenFile& file = open_.back();
    const PpToken token = held_ ? *held_ : file.lexer.next();
    held_.reset();
    if (token.kind == PpKind::End) {
      if (reading != PpReading::Text || !leave()) {
        return token;
      }
    } else if (token.first_on_line && (token.is("#") || token.is("%:"))) {
      if (reading == PpReading::Parenthesis) {
        return token;
      }
      directive(token, reading);
    } else if (!file.skipping()) {
      file.only_blanks = false;
      if (file.groups.empty()) {
        file.guard = {};
      }
      return token;
    }
  }
}

// Output ------------------------------------------------------------------------------------------------------------

void Preprocessor::put(const PpToken& token) {
  if (token.is(PpKind::Identifier, "_Pragma")) {
    faults_.error(token.where(), std::string(kNoPragmaOperator));
  }
  out_.append(token.text, token.at, token.use_length, token.use_length == 0 && token.at == end_);
  end_ = {};
  if (token.kind == PpKind::Open) {
    out_.text += '\n';  // so that it ends there for the lexer, too
  } else if (token.use_length == 0) {
    end_ = token.at;
    end_.column += static_cast<std::uint32_t>(token.text.size());
  }
  if (out_.text.size() > kMaxOutputBytes) {
    faults_.give_up(token.where(), "more than " + std::to_string(kMaxOutputBytes >> 20) + " MB of declarations");
  }
}

void Preprocessor::put_pragma(const Directive& d, const std::vector<PpToken>& words) {
  if (!out_.text.empty() && out_.text.back() != '\n') {
    out_.text += '\n';
  }
  out_.append("#pragma", d.hash.at, 0, false);
  for (const PpToken& word : words) {
    const bool first = &word == &words.front();
    out_.append(word.text, word.at, 0, !first && !word.blank_before);
  }
  out_.text += '\n';
  end_ = {};
}

Preprocessed preprocess(Files& files, FileId main, const PreprocessOptions& options, Diagnostics& diagnostics) {
  return Preprocessor(files, main, options, diagnostics).run();
}

}  // namespace callis::idl::source
