// SPDX-License-Identifier: Apache-2.0
// One run of the preprocessor: files, pragmas, messages.
#include <idl/source/built_in.h>
#include <idl/source/session.h>
#include <algorithm>
#include <cctype>
#include <filesystem>

namespace callis::idl::source {

namespace {

constexpr const char* kTooManyTokens = "macro expands to more than 100000 tokens";
constexpr const char* kTooManyBytes = "macro expands to more than 256 KB of text";
constexpr const char* kTooLongToken = "macro handles a word or literal of more than 32 KB";
constexpr std::string_view kBuiltInPath = "(built-in)/";

namespace fs = std::filesystem;

// Paths are compared as text, without `.` and `..`.
std::string normal(const fs::path& path) { return path.lexically_normal().string(); }

}  // namespace

Session::Session(Files& files, FileId main, const PreprocessOptions& options, const Repairs& repairs,
                 Diagnostics& diagnostics)
    : files_(files), main_(main), options_(options), repairs_(repairs), diagnostics_(diagnostics) {
  stack_.push_back(main);
  reached_ = use_ = {main, 1, 1};  // macros of the command line have no other place
  load(main);
}

FileId Session::id_of(std::string_view wave_name) {
  if (wave_name == last_name_) {
    return last_id_;
  }
  const auto known = by_wave_name_.find(std::string(wave_name));
  last_name_ = wave_name;
  last_id_ = known != by_wave_name_.end() ? known->second : main_;
  return last_id_;
}

void Session::name_file(std::string wave_name, FileId id) {
  by_wave_name_.insert_or_assign(std::move(wave_name), id);
  last_name_ = "\n";  // no file's name: forget
}

std::optional<FileId> Session::include(std::string_view operand, Position at) {
  const bool angled = operand.size() >= 2 && operand.front() == '<';
  const std::string spelled(operand.size() >= 2 ? operand.substr(1, operand.size() - 2) : "");
  const Range where = operand_range(operand, at);
  if (stack_.size() >= kMaxIncludeDepth) {
    diagnostics_.error(where, "files include each other more than " +
                                  std::to_string(kMaxIncludeDepth) + " deep");
    throw Stop{};
  }
  if (++includes_ > kMaxIncludes) {
    diagnostics_.error(where, "more than " + std::to_string(kMaxIncludes) + " includes");
    throw Stop{};
  }
  const auto found = find(spelled, angled, where.begin);
  if (!found) {
    report_missing(spelled, angled, where);
    return std::nullopt;
  }
  if (stack_.size() == 1 && !files_[*found].built_in) {
    record(IncludeDirective{spelled, angled, *found, where});
  }
  next_ = *found;
  return found;
}

bool Session::computed_include(Position at) {
  const std::string_view line = files_[at.file].line(at.line);
  const auto word = line.find("include");
  auto begin = word == line.npos ? line.npos : line.find_first_of(" \t", word);
  begin = begin == line.npos ? begin : line.find_first_not_of(" \t\r", begin);
  const bool name =
      begin != line.npos && (std::isalpha(static_cast<unsigned char>(line[begin])) || line[begin] == '_');
  if (!name || line.find('.', begin) != line.npos) {
    report(true, at, "#include needs \"name\" or <name>");
    return false;
  }
  return true;
}

// A file that guards itself is read once, however often it is included.
void Session::enter_file() {
  stack_.push_back(next_);
  count_input(next_);
  out.changes.push_back({out.text.size(), true, next_});
}

void Session::count_input(FileId id) {
  input_bytes_ += files_[id].text.size();
  directive_bytes_ += scans_.at(id).directive_bytes;
  if (input_bytes_ > kMaxInputBytes) {
    give_up({id, 1, 1}, "more than " + std::to_string(kMaxInputBytes >> 20) + " MB are included");
  }
  if (directive_bytes_ > kMaxDirectivesBytes) {
    give_up({id, 1, 1}, "directives of more than " + std::to_string(kMaxDirectivesBytes >> 20) + " MB in all");
  }
}

void Session::leave_file() {
  if (stack_.size() > 1) {
    stack_.pop_back();
    out.changes.push_back({out.text.size(), false, stack_.back()});
  }
}

void Session::report(bool is_error, Position at, std::string text) {
  const Range where{at, 1};
  if (!is_error) {
    diagnostics_.warning(where, std::move(text));
    return;
  }
  diagnostics_.error(where, std::move(text));
  if (++faults_ >= kMaxFaults) {
    throw Stop{};
  }
}

void Session::give_up(Position at, std::string text) const {
  diagnostics_.error(Range{at, 1}, std::move(text));
  throw Stop{};
}

bool Session::repairable(Position at) const {
  if (!at.known() || !in_directive(at)) {
    return false;
  }
  const auto known = repairs_.find(at.file);
  return known == repairs_.end() || !known->second.contains(at.line);
}

bool Session::in_directive(Position at) const {
  const auto scanned = scans_.find(at.file);
  return scanned != scans_.end() && scanned->second.is_directive(at.line);
}

void Session::begin_expansion(Position at, std::size_t name_length, bool pseudo,
                              std::size_t copies, const Amount& arguments) {
  if (expanding_.empty()) {
    expansions_of_use_ = 0;
    if (!pseudo && (in_condition_ || !in_directive(at))) {
      expanded_ = true;
      use_ = at;
      use_length_ = static_cast<std::uint32_t>(name_length);
    }
  }
  if (++expansions_ > kMaxExpansions || ++expansions_of_use_ > kMaxExpansionsOfUse) {
    give_up(use_, "macros expand without end");
  }
  if (expanding_.size() == kMaxExpansionDepth) {
    give_up(use_, "macros are nested more than " + std::to_string(kMaxExpansionDepth) + " deep");
  }
  expanding_.push_back({copies, arguments});
  check_size(expanding_.back());
}

// Before the arguments are copied into the body: that step multiplies.
void Session::check_size(const Expansion& expansion) const {
  if (expansion.copies == 0) {
    return;
  }
  if (expansion.arguments.tokens > kMaxExpansionTokens * 10 / expansion.copies) {
    give_up(use_, kTooManyTokens);
  }
  if (expansion.arguments.bytes > kMaxExpansionBytes * 10 / expansion.copies ||
      expansion.arguments.bytes > kMaxExpansionBytes) {
    give_up(use_, kTooManyBytes);
  }
  if (expansion.arguments.longest > kMaxMacroTokenBytes) {
    give_up(use_, kTooLongToken);
  }
}

void Session::substituted(const Amount& result) {
  expansion_tokens_ += result.tokens;
  if (result.tokens > kMaxExpansionTokens || expansion_tokens_ > kMaxExpansions * 4) {
    give_up(use_, kTooManyTokens);
  }
  if (result.bytes > kMaxExpansionBytes) {
    give_up(use_, kTooManyBytes);
  }
  if (result.longest > kMaxMacroTokenBytes) {
    give_up(use_, kTooLongToken);
  }
  if (!expanding_.empty()) {
    expanding_.back().copies = 0;  // what is expanded from here on is not copied
  }
}

void Session::end_expansion(const Amount& result) {
  if (expanding_.empty()) {
    return;
  }
  expanding_.pop_back();
  if (!expanding_.empty()) {
    expanding_.back().arguments += result;
    check_size(expanding_.back());
  }
}

void Session::defined(Position at, std::size_t tokens) {
  defined_tokens_ += tokens;
  if (defined_tokens_ > kMaxDefinedTokens) {
    give_up(at, "macros of more than " + std::to_string(kMaxDefinedTokens) + " tokens in all");
  }
}

void Session::begin_condition() {
  in_condition_ = true;
  condition_parentheses_ = 0;
}

void Session::condition_nesting(std::size_t count) {
  condition_parentheses_ += count;
  if (condition_parentheses_ > kMaxConditionDepth) {
    give_up(use_, "condition is nested too deep");
  }
}

void Session::token(std::string_view text, Position at, bool pseudo) {
  if (open_quote_ != 0 && at.line != open_quote_) {  // a literal ends with its line, closed or not
    out.text += '\n';
    open_quote_ = 0;
  }
  if (text == "\"" || text == "'") {
    open_quote_ = at.line;
  }
  if (pseudo || (expanded_ && in_directive(at))) {  // from a macro's body
    out.append(text, use_, std::max<std::uint32_t>(use_length_, 1), false);
    end_ = {};
  } else {
    out.append(text, at, 0, at == end_);
    reached_ = end_ = at;
    end_.column += static_cast<std::uint32_t>(text.size());
  }
  if (out.text.size() > kMaxOutputBytes) {
    give_up(at, "more than " + std::to_string(kMaxOutputBytes >> 20) + " MB of declarations");
  }
}

bool Session::pragma(Position at) {
  const File& file = files_[at.file];
  const auto line_start = static_cast<std::size_t>(file.line(at.line).data() - file.text.data());
  const std::vector<PragmaWord> words = pragma_words(file.text, line_start, at.line);
  if (!words.empty() && words.front().text == "once") {
    return false;
  }
  if (!out.text.empty() && out.text.back() != '\n') {
    out.text += '\n';
  }
  out.append("#pragma", at, 0, false);
  for (const PragmaWord& word : words) {
    out.append(word.text, {at.file, word.line, word.column}, 0, false);
  }
  out.text += '\n';
  end_ = {};
  return true;
}

void Session::load(FileId id) {
  if (wave_text_.contains(id)) {
    return;
  }
  const File& file = files_[id];
  Scan scanned = scan(file.text);
  for (ScanFault& fault : scanned.faults) {
    diagnostics_.error(Range{{id, fault.line, fault.column}, 1}, std::move(fault.text));
  }
  std::string text = scanned.faults.empty() ? file.text : std::string();
  for (const std::size_t blank : scanned.blanks) {
    if (blank < text.size()) {
      text[blank] = ' ';
    }
  }
  if (const auto repairs = repairs_.find(id); repairs != repairs_.end() && !text.empty()) {
    for (const auto& [line, repair] : repairs->second) {
      leave_out(text, line, repair);
    }
  }
  scans_.emplace(id, std::move(scanned));
  text += '\n';  // a last line without its end is no fault in IDL
  if (id != main_ && !file.built_in && fs::path(file.include_name).filename() == "orb.idl") {
    text += "#include <" + std::string(kNamesOfCorba) + ">\n";
  }
  wave_text_.emplace(id, std::move(text));
}

// The directive on `line`, with its continuation lines.
void Session::leave_out(std::string& text, std::uint32_t line, Repair repair) {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < line; ++n) {
    begin = text.find('\n', begin);
    if (begin++ == std::string::npos) {
      return;
    }
  }
  const std::size_t word = std::min(text.find_first_not_of("# \t", begin), text.size());
  const std::string_view name = std::string_view(text).substr(word);
  const std::string instead = repair.misplaced            ? ""
                              : name.starts_with("if")   ? "#if 0"
                              : name.starts_with("elif") ? "#elif 0"
                                                         : "";
  bool continued = false;
  for (std::size_t at = begin; at < text.size() && (text[at] != '\n' || continued); ++at) {
    continued = text[at] == '\\' || (continued && text[at] == '\r');
    text[at] = text[at] == '\n' ? '\n' : ' ';
  }
  text.insert(begin, instead);
}

std::optional<std::string> Session::read(const Found& found) const {
  if (!found.built_in) {
    return options_.read_file(found.path);
  }
  const auto text = built_in_file(found.include_name);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<FileId> Session::try_open(const Found& found, Position at) {
  std::optional<FileId> id = files_.find(found.path);
  if (!id && found.path == normal(files_[main_].path)) {
    id = main_;
  }
  if (!id) {
    auto text = read(found);
    if (!text) {
      return std::nullopt;
    }
    id = files_.add(found.path, std::move(*text), at);
    files_.set_include_name(*id, found.include_name, found.built_in);
  }
  load(*id);
  name_file(found.path, *id);
  return id;
}

std::optional<FileId> Session::find(const std::string& spelled, bool angled, Position at) {
  if (spelled.empty()) {
    return std::nullopt;
  }
  const fs::path name(spelled);
  if (name.is_absolute()) {
    return try_open({normal(spelled), name.filename().string()}, at);
  }
  if (!angled) {
    const File& includer = files_[stack_.back()];
    const std::string beside = normal(fs::path(includer.path).parent_path() / name);
    const std::string logical = normal(fs::path(includer.include_name).parent_path() / name);
    if (auto id = try_open({beside, logical}, at)) {
      return id;
    }
  }
  for (const std::string& dir : options_.include_dirs) {
    if (auto id = try_open({normal(fs::path(dir) / name), normal(name)}, at)) {
      return id;
    }
  }
  return try_open({std::string(kBuiltInPath) + spelled, spelled, true}, at);
}

Range Session::operand_range(std::string_view operand, Position at) const {
  const auto column = files_[at.file].line(at.line).find(operand);
  if (column == std::string_view::npos) {
    return {at, 1};
  }
  return {{at.file, at.line, static_cast<std::uint32_t>(column + 1)},
          static_cast<std::uint32_t>(operand.size())};
}

void Session::report_missing(const std::string& spelled, bool angled, const Range& where) {
  std::string looked;
  if (!angled) {
    looked = "the directory of " + files_[stack_.back()].path;
  }
  for (const std::string& dir : options_.include_dirs) {
    looked += (looked.empty() ? "" : ", ") + dir;
  }
  diagnostics_.error(where, "cannot find '" + spelled + "'");
  diagnostics_.note(where, looked.empty() ? "no -I directory is given: -I DIRECTORY says where to look"
                                          : "looked in " + looked + "; -I DIRECTORY adds another");
  if (++faults_ >= kMaxFaults) {
    throw Stop{};
  }
}

void Session::record(IncludeDirective directive) {
  for (const IncludeDirective& known : out.includes) {
    if (known.file == directive.file) {
      return;
    }
  }
  out.includes.push_back(std::move(directive));
}

}  // namespace callis::idl::source
