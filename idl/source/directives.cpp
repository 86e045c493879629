// SPDX-License-Identifier: Apache-2.0
// Directives (ISO 14882, 16): conditions, #include, #define, #pragma and the others.
#include <idl/source/directives.h>

namespace callis::idl::source {

namespace {

constexpr const char* kIncludeNeedsName = "#include needs \"name\" or <name>";
constexpr std::size_t kMaxShownLine = 400;  // bytes of a line, in messages

// X of the condition !defined(X), or of !defined X.
std::string_view guard_of(const std::vector<PpToken>& condition) {
  const bool parentheses = condition.size() == 5 && condition[2].is("(") && condition[4].is(")");
  const bool negates = condition.size() > 2 && condition[0].is("!") &&
                       condition[1].is(PpKind::Identifier, "defined") && (parentheses || condition.size() == 3);
  return negates ? condition[parentheses ? 3 : 2].text : std::string_view();
}

}  // namespace

void Preprocessor::directive(const PpToken& hash, PpReading reading) {
  OpenFile& file = open_.back();
  directive_begin_ = file.lexer.offset();
  file.lexer.begin_directive();
  const Directive d{hash, file.lexer.next(), reading, std::exchange(file.only_blanks, false)};
  if (file.groups.empty()) {
    file.guard = {};
  }
  const std::optional<PpToken> included = carry_out(file, d);
  file.lexer.end_directive();
  const std::size_t bytes = file.lexer.offset() - directive_begin_;
  directive_bytes_ += bytes;
  if (bytes > kMaxDirectiveBytes) {
    faults_.give_up(d.where(), "directive of more than " + std::to_string(kMaxDirectiveBytes >> 10) + " KB");
  }
  if (directive_bytes_ > kMaxDirectivesBytes) {
    faults_.give_up(d.where(), "directives of more than " + std::to_string(kMaxDirectivesBytes >> 20) + " MB in all");
  }
  if (included) {
    enter_included(included->text, included->where());
  }
}

// The operand of an #include that is to be entered.
std::optional<PpToken> Preprocessor::carry_out(OpenFile& file, const Directive& d) {
  const std::string_view name = d.name.text;
  if (conditional(file, d) || file.skipping()) {
    return std::nullopt;
  }
  // `#` alone; `# 3 "x.idl"`, as other preprocessors leave it: faults are reported where they stand in the files that
  // are read.
  const bool without_effect = d.name.kind == PpKind::End || d.name.kind == PpKind::Number || name == "line" ||
                              name == "ident";
  if (without_effect) {
    return std::nullopt;
  }
  if (name == "include") {
    return include(file, d);
  }
  if (name == "define") {
    macros_.define(rest_of_line(file, d), "#define", d.where());
  } else if (name == "undef") {
    if (const auto macro = one_name(file, d)) {
      macros_.undefine(*macro);
    }
  } else if (name == "pragma") {
    pragma(file, d);
  } else if (name == "error" || name == "warning") {
    const std::vector<PpToken> words = rest_of_line(file, d);
    const std::string text = "#" + std::string(name) + (words.empty() ? "" : " ") + spelled(words, kMaxShownLine);
    name == "error" ? faults_.error(d.where(), text) : faults_.warning(d.where(), text);
  } else {
    faults_.error(d.where(), "unknown directive #" + std::string(name.substr(0, kMaxShownLine)));
  }
  return std::nullopt;
}

std::vector<PpToken> Preprocessor::rest_of_line(OpenFile& file, const Directive& d) {
  std::vector<PpToken> line;
  for (PpToken token = file.lexer.next(); token.kind != PpKind::End; token = file.lexer.next()) {
    line.push_back(token);
    if (file.lexer.offset() - directive_begin_ > kMaxDirectiveBytes) {
      faults_.give_up(d.where(), "directive of more than " + std::to_string(kMaxDirectiveBytes >> 10) + " KB");
    }
  }
  return line;
}

// Conditions --------------------------------------------------------------------------------------------------------

// False: the directive is another one.
bool Preprocessor::conditional(OpenFile& file, const Directive& d) {
  const std::string_view name = d.name.text;
  if (name == "if" || name == "ifdef" || name == "ifndef") {
    begin_group(file, d);
  } else if (name == "elif" || name == "else") {
    next_part(file, d);
  } else if (name == "endif") {
    if (file.groups.empty()) {
      faults_.error(d.where(), "#endif has no #if");
    } else {
      const std::string_view guard = file.groups.back().guard;
      file.groups.pop_back();
      file.guard = file.groups.empty() ? guard : std::string_view();
    }
  } else {
    return false;
  }
  file.lexer.set_quiet(file.skipping());
  return true;
}

void Preprocessor::begin_group(OpenFile& file, const Directive& d) {
  Group group{d.where(), d.name.text};
  if (file.skipping()) {
    group.taken = true;
  } else if (d.name.text == "if") {
    group.taking = group.taken = evaluate(file, d, &group.guard);
  } else if (const auto macro = one_name(file, d)) {
    const bool wanted = d.name.text == "ifdef";
    group.taking = group.taken = macros_.is_defined(macro->text) == wanted;
    group.guard = wanted ? std::string_view() : macro->text;
  }
  if (!d.first_in_file) {
    group.guard = {};
  }
  file.groups.push_back(group);
}

// #else and #elif. One that is misplaced changes nothing.
void Preprocessor::next_part(OpenFile& file, const Directive& d) {
  const std::string name = "#" + std::string(d.name.text);
  if (file.groups.empty()) {
    faults_.error(d.where(), name + " has no #if");
    return;
  }
  Group& group = file.groups.back();
  if (group.else_at) {
    faults_.error(d.where(), name + " stands behind #else");
    faults_.note(*group.else_at, "which is here");
    return;
  }
  group.guard = {};
  group.taking = false;
  if (d.name.text == "else") {
    group.else_at = d.where();
    group.taking = !group.taken;
  } else if (!group.taken) {
    group.taking = evaluate(file, d, nullptr);
  }
  group.taken = group.taken || group.taking;
}

bool Preprocessor::evaluate(OpenFile& file, const Directive& d, std::string_view* guard) {
  file.lexer.set_quiet(false);
  const std::vector<PpToken> line = rest_of_line(file, d);
  if (guard != nullptr) {
    *guard = guard_of(line);
  }
  return evaluate_condition(expander_.expand(line, true), macros_, d.name.text, d.where(), faults_);
}

std::optional<PpToken> Preprocessor::one_name(OpenFile& file, const Directive& d) {
  const std::vector<PpToken> line = rest_of_line(file, d);
  const bool has_name = !line.empty() && line.front().kind == PpKind::Identifier;
  if (line.size() == 1 && has_name) {
    return line.front();
  }
  faults_.error(line.empty() ? d.where() : line[has_name ? 1 : 0].where(),
                "#" + std::string(d.name.text) + " needs one name");
  return std::nullopt;
}

// #include, #pragma -------------------------------------------------------------------------------------------------

std::optional<PpToken> Preprocessor::include(OpenFile& file, const Directive& d) {
  if (d.reading == PpReading::Arguments) {
    faults_.error(d.where(), "#include stands among the arguments of a macro");
    return std::nullopt;
  }
  auto operand = file.lexer.header_name();
  const std::vector<PpToken> line = rest_of_line(file, d);
  if (!operand) {
    operand = computed_include(d, line);
  } else if (operand->kind == PpKind::Header && !line.empty()) {
    faults_.error(line.front().where(), std::string(kIncludeNeedsName) + ", and nothing behind it");
    return std::nullopt;
  }
  if (operand && (operand->kind == PpKind::Open || operand->text.size() < 3)) {
    faults_.error(operand->where(), kIncludeNeedsName);
    return std::nullopt;
  }
  return operand;
}

// The operand that the macros of `line` yield.
std::optional<PpToken> Preprocessor::computed_include(const Directive& d, const std::vector<PpToken>& line) {
  const bool may_be_macro = !line.empty() && line.front().kind == PpKind::Identifier &&
                            (line.size() == 1 || macros_.is_defined(line.front().text));
  if (!may_be_macro) {
    faults_.error(line.empty() ? d.where() : join(line.front().where(), line.back().where()), kIncludeNeedsName);
    return std::nullopt;
  }
  const std::vector<PpToken> yield = expander_.expand(line, false);
  PpToken operand = line.front();
  operand.use_length = join(line.front().where(), line.back().where()).length;
  if (yield.size() == 1 && yield.front().kind == PpKind::String && yield.front().text.front() == '"') {
    operand.text = yield.front().text;
  } else if (yield.size() > 1 && yield.front().is("<") && yield.back().is(">")) {
    operand.text = store_.keep(spelled(yield, kMaxDirectiveBytes));
  } else {
    faults_.error(operand.where(),
                  "no \"name\" or <name> comes of this #include: " + spelled(yield, kMaxShownLine));
    return std::nullopt;
  }
  operand.kind = PpKind::Header;
  return operand;
}

void Preprocessor::pragma(OpenFile& file, const Directive& d) {
  if (d.reading == PpReading::Arguments) {
    faults_.error(d.where(), "#pragma stands among the arguments of a macro");
    return;
  }
  const std::vector<PpToken> words = rest_of_line(file, d);
  if (!words.empty() && words.front().is(PpKind::Identifier, "once")) {
    includes_.set_once(file.id);
  } else {
    put_pragma(d, words);
  }
}

}  // namespace callis::idl::source
