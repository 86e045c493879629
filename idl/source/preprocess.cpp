// SPDX-License-Identifier: Apache-2.0
// The only file that sees Boost.Wave. Wave's lexer splits a file into C tokens; the lexer of IDL
// reads their text again, so nothing of Wave's idea of a token leaves this file.
//
// Wave throws for its faults, asserts on its own invariants, and expands whatever it is given: each
// exception becomes a diagnostic, asserts are turned into exceptions, and the hooks below bound the
// work that a hostile file can cause.
#define BOOST_ENABLE_ASSERT_HANDLER
#include <idl/source/preprocess.h>
#include <idl/source/scan.h>
#include <boost/wave.hpp>
#include <boost/wave/cpplexer/cpp_lex_iterator.hpp>
#include <filesystem>
#include <stdexcept>
#include <unordered_map>

namespace boost {

void assertion_failed(char const* expr, char const*, char const*, long) {
  throw std::logic_error(std::string("the preprocessor lost its way at: ") + expr);
}
void assertion_failed_msg(char const* expr, char const*, char const*, char const*,
                                       long) {
  throw std::logic_error(std::string("the preprocessor lost its way at: ") + expr);
}

}  // namespace boost

namespace callis::idl::source {

namespace {

namespace wave = boost::wave;

constexpr std::size_t kMaxIncludeDepth = 100;
constexpr std::size_t kMaxIncludes = 20'000;
constexpr std::size_t kMaxInputBytes = 256u << 20;  // all files, each time it is included
constexpr std::size_t kMaxExpansions = 1'000'000;
constexpr std::size_t kMaxExpansionDepth = 200;
constexpr std::size_t kMaxExpansionTokens = 100'000;  // of one macro use
constexpr std::size_t kMaxOutputBytes = 512u << 20;
constexpr std::size_t kMaxFaults = 20;

// Thrown through Wave to end preprocessing; the reason has been reported.
struct Stop {};

// Names of files that Wave makes up for what has no place in a file.
bool is_pseudo_file(std::string_view name) { return name.empty() || name.front() == '<'; }

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// What one run knows; the hooks and the input policy reach it through a pointer.
class Session {
 public:
  Session(Files& files, FileId main, const PreprocessOptions& options, Diagnostics& diagnostics)
      : files_(files), main_(main), options_(options), diagnostics_(diagnostics) {
    stack_.push_back(main);
    reached_ = use_ = {main, 1, 1};  // macros of the command line have no other place
    load(main);
  }

  Preprocessed out;

  const std::string& wave_text(FileId id) const { return wave_text_.at(id); }
  FileId id_of(std::string_view wave_name) {
    if (wave_name == last_name_) {
      return last_id_;
    }
    const auto known = by_wave_name_.find(std::string(wave_name));
    last_name_ = wave_name;
    last_id_ = known != by_wave_name_.end() ? known->second : main_;
    return last_id_;
  }
  void name_file(std::string wave_name, FileId id) {
    by_wave_name_.insert_or_assign(std::move(wave_name), id);
    last_name_ = "\n";  // no file's name: forget
  }
  const std::string& path_of(FileId id) const { return files_[id].path; }

  // Files -------------------------------------------------------------------------------------

  // An #include directive with operand `"x"` or `<x>` at `at`. The file to read, or nothing after
  // reporting why not.
  std::optional<FileId> include(std::string_view operand, Position at) {
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
    if (stack_.size() == 1) {
      record(IncludeDirective{spelled, angled, *found, where});
    }
    next_ = *found;
    return found;
  }

  FileId next_include() const { return next_; }

  void enter_file() {
    stack_.push_back(next_);
    out.changes.push_back({out.text.size(), true, next_});
  }
  void leave_file() {
    if (stack_.size() > 1) {
      stack_.pop_back();
      out.changes.push_back({out.text.size(), false, stack_.back()});
    }
  }

  // Faults ------------------------------------------------------------------------------------

  void report(bool is_error, Position at, std::string text) {
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
  [[noreturn]] void give_up(Position at, std::string text) {
    diagnostics_.error(Range{at, 1}, std::move(text));
    throw Stop{};
  }

  // Macros ------------------------------------------------------------------------------------

  bool in_directive(Position at) const {
    const auto scanned = scans_.find(at.file);
    return scanned != scans_.end() && scanned->second.is_directive(at.line);
  }

  void begin_expansion(Position at, std::size_t name_length, bool pseudo) {
    if (!pseudo && expansion_depth_ == 0 && !in_directive(at)) {
      expanded_ = true;
      use_ = at;
      use_length_ = static_cast<std::uint32_t>(name_length);
    }
    if (++expansions_ > kMaxExpansions) {
      give_up(use_, "macros expand without end");
    }
    if (++expansion_depth_ > kMaxExpansionDepth) {
      give_up(use_, "macros are nested more than " + std::to_string(kMaxExpansionDepth) + " deep");
    }
  }
  void substituted(std::size_t tokens) {
    expansion_tokens_ += tokens;
    if (tokens > kMaxExpansionTokens || expansion_tokens_ > kMaxExpansions * 4) {
      give_up(use_, "macro expands to more than " + std::to_string(kMaxExpansionTokens) +
                        " tokens");
    }
  }
  [[noreturn]] void give_up_expansion(std::string_view text) { give_up(use_, std::string(text)); }
  void end_expansion() {
    if (expansion_depth_ > 0) {
      --expansion_depth_;
    }
  }
  void begin_condition() {
    in_condition_ = true;
    condition_parentheses_ = 0;
  }
  void end_condition() { in_condition_ = false; }
  bool in_condition() const { return in_condition_; }
  void condition_nesting(std::size_t count) {
    condition_parentheses_ += count;
    if (condition_parentheses_ > kMaxConditionDepth) {
      give_up(use_, "condition is nested too deep");
    }
  }

  // Output ------------------------------------------------------------------------------------

  // Where the run has come to; a fault without a place is given this one.
  void reached(Position at) { reached_ = at; }
  Range reached() const { return {reached_, 1}; }

  void token(std::string_view text, Position at, bool pseudo) {
    if (pseudo || (expanded_ && in_directive(at))) {  // from a macro's body
      out.append(text, use_, std::max<std::uint32_t>(use_length_, 1), false);
      end_ = {};
    } else {
      out.append(text, at, 0, at == end_);
      reached_ = end_ = at;
      end_.column += static_cast<std::uint32_t>(text.size());
    }
    if (out.text.size() > kMaxOutputBytes) {
      give_up(at, "more text than callis-idl can take in");
    }
  }

  // A #pragma on the line of `at`. Its words go to the output as they stand in the file: Wave's own
  // handling expands macros in them, and cannot take a pragma without any. False: `#pragma once`,
  // which is Wave's.
  bool pragma(Position at) {
    const std::vector<PragmaWord> words = pragma_words(files_[at.file].text, at.line);
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

 private:
  // Scans the file and makes the text Wave reads.
  void load(FileId id) {
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
    scans_.emplace(id, std::move(scanned));
    text += '\n';  // a last line without its end is no fault in IDL
    wave_text_.emplace(id, std::move(text));
  }

  std::optional<FileId> try_open(const std::string& path, Position at) {
    std::optional<FileId> id = files_.find(path);
    if (!id) {
      auto text = options_.read_file(path);
      if (!text) {
        return std::nullopt;
      }
      id = files_.add(path, std::move(*text), at);
    }
    load(*id);
    input_bytes_ += files_[*id].text.size();
    if (input_bytes_ > kMaxInputBytes) {
      give_up(at, "more text is included than callis-idl can take in");
    }
    name_file(path, *id);
    return id;
  }

  std::optional<FileId> find(const std::string& spelled, bool angled, Position at) {
    if (spelled.empty()) {
      return std::nullopt;
    }
    const std::filesystem::path name(spelled);
    if (name.is_absolute()) {
      return try_open(normal(spelled), at);
    }
    if (!angled) {
      const auto beside = std::filesystem::path(files_[stack_.back()].path).parent_path() / name;
      if (auto id = try_open(normal(beside.string()), at)) {
        return id;
      }
    }
    for (const std::string& dir : options_.include_dirs) {
      if (auto id = try_open(normal((std::filesystem::path(dir) / name).string()), at)) {
        return id;
      }
    }
    return std::nullopt;
  }

  // The place of `operand` on the line of its directive; at the directive where it is not found.
  Range operand_range(std::string_view operand, Position at) const {
    const auto column = files_[at.file].line(at.line).find(operand);
    if (column == std::string_view::npos) {
      return {at, 1};
    }
    return {{at.file, at.line, static_cast<std::uint32_t>(column + 1)},
            static_cast<std::uint32_t>(operand.size())};
  }

  void report_missing(const std::string& spelled, bool angled, const Range& where) {
    std::string looked;
    if (!angled) {
      looked = "the directory of " + files_[stack_.back()].path;
    }
    for (const std::string& dir : options_.include_dirs) {
      looked += (looked.empty() ? "" : ", ") + dir;
    }
    diagnostics_.error(where, "cannot find '" + spelled + "'");
    diagnostics_.note(where, looked.empty() ? "no -I directory is given" : "looked in " + looked);
    if (++faults_ >= kMaxFaults) {
      throw Stop{};
    }
  }

  void record(IncludeDirective directive) {
    for (const IncludeDirective& known : out.includes) {
      if (known.file == directive.file) {
        return;
      }
    }
    out.includes.push_back(std::move(directive));
  }

  Files& files_;
  FileId main_;
  const PreprocessOptions& options_;
  Diagnostics& diagnostics_;

  std::unordered_map<FileId, std::string> wave_text_;
  std::unordered_map<FileId, Scan> scans_;
  std::unordered_map<std::string, FileId> by_wave_name_;
  std::string last_name_ = "\n";
  FileId last_id_{};
  std::vector<FileId> stack_;  // of open includes, main file first
  FileId next_{};
  std::size_t includes_ = 0;
  std::size_t input_bytes_ = 0;
  std::size_t faults_ = 0;

  bool expanded_ = false;  // any macro so far
  Position use_;           // of the outermost macro being expanded
  std::uint32_t use_length_ = 1;
  std::size_t expansions_ = 0;
  std::size_t expansion_depth_ = 0;
  std::size_t expansion_tokens_ = 0;
  bool in_condition_ = false;
  std::size_t condition_parentheses_ = 0;

  Position reached_;
  Position end_;  // just after the last token that stands in a file as it is
};

using Token = wave::cpplexer::lex_token<>;
using Lexer = wave::cpplexer::lex_iterator<Token>;

template <class P>
Position position_of(Session& session, const P& at) {
  return {session.id_of({at.get_file().c_str(), at.get_file().size()}),
          static_cast<std::uint32_t>(at.get_line()), static_cast<std::uint32_t>(at.get_column())};
}

template <class P>
bool is_pseudo(const P& at) {
  return is_pseudo_file({at.get_file().c_str(), at.get_file().size()});
}

// Gives Wave the texts of the files this session has loaded.
struct LoadFromSession {
  template <class IterContext>
  class inner {
   public:
    template <class P>
    static void init_iterators(IterContext& iteration, P const&, wave::language_support language) {
      Session& session = *iteration.ctx.get_hooks().session;
      const std::string& text = session.wave_text(session.next_include());
      iteration.instring.assign(text.begin(), text.end());
      iteration.first = typename IterContext::iterator_type(
          iteration.instring.begin(), iteration.instring.end(), P(iteration.filename), language);
      iteration.last = typename IterContext::iterator_type();
    }

   private:
    std::string instring;
  };
};

class Hooks : public wave::context_policies::eat_whitespace<Token> {
 public:
  explicit Hooks(Session* s = nullptr) : session(s) {}
  Session* session;

  // Includes.
  template <class Context>
  bool found_include_directive(Context const& ctx, std::string const& operand, bool) {
    return !session->include(operand, position_of(*session, ctx.get_main_pos()));
  }
  template <class Context>
  bool locate_include_file(Context&, std::string& file_path, bool, char const*,
                           std::string& dir_path, std::string& native_name) {
    native_name = file_path = dir_path = session->path_of(session->next_include());
    return true;
  }
  template <class Context>
  void opened_include_file(Context const&, std::string const&, std::string const&, bool) {
    session->enter_file();
  }
  template <class Context>
  void returning_from_include_file(Context const&) {
    session->leave_file();
  }

  // Macros.
  template <class Context, class T, class Container, class Iterator>
  bool expanding_function_like_macro(Context const&, T const&, std::vector<T> const&,
                                     Container const&, T const& use,
                                     std::vector<Container> const&, Iterator const&,
                                     Iterator const&) {
    begin(use);
    return false;
  }
  template <class Context, class T, class Container>
  bool expanding_object_like_macro(Context const&, T const&, Container const&, T const& use) {
    begin(use);
    return false;
  }
  template <class Context, class Container>
  void expanded_macro(Context const&, Container const& result) {
    session->substituted(result.size());
    for (const auto& token : result) {  // scan() has refused it elsewhere
      if (token.get_value() == "_Pragma") {
        session->give_up_expansion(kNoPragmaOperator);
      }
    }
  }
  template <class Context, class Container>
  void rescanned_macro(Context const&, Container const& result) {
    session->substituted(result.size());
    session->end_expansion();
    if (session->in_condition()) {
      std::size_t nesting = 0;
      for (const auto& token : result) {
        const auto& text = token.get_value();
        nesting += text == "(" || text == "!" || text == "~" || text == "-" || text == "?";
      }
      session->condition_nesting(nesting);
    }
  }

  // Directives.
  template <class Context, class T>
  bool found_directive(Context const&, T const& directive) {
    const wave::token_id id(directive);
    session->reached(position_of(*session, directive.get_position()));
    if (id == wave::T_PP_IF || id == wave::T_PP_ELIF) {
      session->begin_condition();
    }
    if (id == wave::T_PP_PRAGMA) {
      return session->pragma(position_of(*session, directive.get_position()));
    }
    if (id == wave::T_PP_LINE) {
      return true;  // faults are reported where they stand in the files that were read
    }
    if (id == wave::T_PP_INCLUDE || id == wave::T_PP_INCLUDE_NEXT) {
      session->report(true, position_of(*session, directive.get_position()),
                      "#include needs \"name\" or <name>; a macro is not supported here");
      return true;
    }
    return false;
  }
  template <class Context, class T, class Container>
  bool evaluated_conditional_expression(Context const&, T const&, Container const&, bool) {
    session->end_condition();
    return false;
  }
  template <class Context, class Container>
  bool found_warning_directive(Context const& ctx, Container const& message) {
    session->report(false, position_of(*session, ctx.get_main_pos()),
                    "#warning " + words(message));
    return true;
  }
  template <class Context, class Container>
  bool found_error_directive(Context const& ctx, Container const& message) {
    session->report(true, position_of(*session, ctx.get_main_pos()), "#error " + words(message));
    return true;
  }

  // Every fault of Wave's comes through here, and ends the run: whatever Wave calls recoverable, it
  // drops text, reports the same fault for ever or loses its way after some of them.
  template <class Context, class Fault>
  void throw_exception(Context const&, Fault const& fault) {
    using E = wave::preprocess_exception;
    const int severity = fault.get_severity();
    if (fault.get_errorcode() == E::last_line_not_terminated ||
        severity == wave::util::severity_remark) {
      return;
    }
    report_fault(fault);
    throw Stop{};
  }

  // Wave's description, "ill formed preprocessor directive: #x", with its beginning replaced.
  static std::string in_our_words(int code, std::string text) {
    using E = wave::preprocess_exception;
    for (const std::string_view severity : {"error: ", "warning: ", "fatal error: "}) {
      if (text.starts_with(severity)) {
        text.erase(0, severity.size());
      }
    }
    static constexpr std::pair<int, std::string_view> kTexts[] = {
        {E::ill_formed_directive, "unknown or malformed directive"},
        {E::ill_formed_expression, "malformed condition"},
        {E::bad_include_statement, "malformed #include"},
        {E::bad_define_statement, "malformed #define"},
        {E::macro_redefinition, "macro is already defined in another way"},
        {E::improperly_terminated_macro, "arguments of a macro are never closed"},
        {E::invalid_concat, "'##' does not make a word of these two"},
    };
    for (const auto& [known, ours] : kTexts) {
      if (known != code) {
        continue;
      }
      const std::string theirs = E::error_text(code);
      const auto at = text.find(theirs);
      if (at == std::string::npos) {
        return std::string(ours);
      }
      return std::string(ours) + text.substr(at + theirs.size());
    }
    return text;
  }

  template <class Fault>
  void report_fault(Fault const& fault) {
    const std::string_view file = fault.file_name();
    const Position at =
        is_pseudo_file(file)
            ? session->reached().begin
            : Position{session->id_of(file), static_cast<std::uint32_t>(fault.line_no()),
                       static_cast<std::uint32_t>(fault.column_no())};
    std::string text = in_our_words(fault.get_errorcode(), fault.description());
    session->report(true, at, std::move(text));
  }

 private:
  void begin(Token const& use) {
    session->begin_expansion(position_of(*session, use.get_position()), use.get_value().size(),
                             is_pseudo(use.get_position()));
  }
  template <class Container>
  static std::string words(Container const& tokens) {
    std::string text;
    for (const auto& token : tokens) {
      text.append(token.get_value().c_str(), token.get_value().size());
    }
    const auto first = text.find_first_not_of(" \t\r\n");
    const auto last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
  }
};

using Context = wave::context<std::string::const_iterator, Lexer, LoadFromSession, Hooks>;

void configure(Context& context, const PreprocessOptions& options) {
  context.set_language(static_cast<wave::language_support>(
      wave::support_c99 | wave::support_option_include_guard_detection |
      wave::support_option_no_character_validation));
  context.set_max_include_nesting_depth(kMaxIncludeDepth + 10);
  context.add_macro_definition(std::string("__CALLIS_IDL__=1"));
  for (const std::string& macro : options.defines) {
    context.add_macro_definition(macro);
  }
  for (const std::string& macro : options.undefines) {
    context.remove_macro_definition(macro, true);
  }
}

void take(Session& session, const Token& token) {
  const wave::token_id id(token);
  if (IS_CATEGORY(token, wave::WhiteSpaceTokenType) || IS_CATEGORY(token, wave::EOLTokenType) ||
      IS_CATEGORY(token, wave::EOFTokenType) || id == wave::T_PLACEHOLDER) {
    return;
  }
  const std::string_view text(token.get_value().c_str(), token.get_value().size());
  session.token(text, position_of(session, token.get_position()),
                is_pseudo(token.get_position()));
}

void run(Session& session, FileId main, const PreprocessOptions& options) {
  const std::string& text = session.wave_text(main);
  // Wave wants an absolute name to derive directories from, which it then never uses.
  const std::string name = "/main";
  session.name_file(name, main);
  Context context(text.begin(), text.end(), name.c_str(), Hooks(&session));
  configure(context, options);
  const auto end = context.end();
  for (auto it = context.begin(); it != end; ++it) {
    take(session, *it);
  }
}

}  // namespace

Preprocessed preprocess(Files& files, FileId main, const PreprocessOptions& options,
                        Diagnostics& diagnostics) {
  Session session(files, main, options, diagnostics);
  try {
    try {
      run(session, main, options);
    } catch (const wave::cpp_exception& fault) {
      Hooks(&session).report_fault(fault);
    } catch (const wave::cpplexer::lexing_exception& fault) {
      Hooks(&session).report_fault(fault);
    }
  } catch (const Stop&) {
    if (!diagnostics.failed()) {
      diagnostics.error(session.reached(), "preprocessing failed");
    }
  } catch (const std::exception& fault) {
    diagnostics.error(session.reached(), std::string("preprocessing failed; ") + fault.what());
  }
  return std::move(session.out);
}

}  // namespace callis::idl::source
