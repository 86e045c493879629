// SPDX-License-Identifier: Apache-2.0
// The only file that sees Boost.Wave, but for its lexer and grammars (wave_lexer.h). Wave's lexer splits a file into
// C tokens; the lexer of IDL reads their text again, so nothing of Wave's idea of a token leaves this file.
//
// Wave throws for its faults, asserts on its own invariants, and expands whatever it is given: each
// exception becomes a diagnostic, asserts are turned into exceptions, and the hooks below bound the
// work that a hostile file can cause.
#define BOOST_ENABLE_ASSERT_HANDLER
#include <idl/source/preprocess.h>
#include <idl/source/scan.h>
#include <idl/source/session.h>
#include <idl/source/wave_lexer.h>
#include <boost/wave.hpp>
#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

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

using Token = WaveToken;

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

// A directive that Wave could not read.
struct Unread {
  Position at;
  Repair repair;
};

class Hooks : public wave::context_policies::eat_whitespace<Token> {
 public:
  explicit Hooks(Session* s = nullptr, std::optional<Unread>* u = nullptr) : session(s), unread(u) {}
  Session* session;
  std::optional<Unread>* unread;

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
  bool expanding_function_like_macro(Context const&, T const&, std::vector<T> const& parameters,
                                     Container const& body, T const& use,
                                     std::vector<Container> const& arguments, Iterator const&,
                                     Iterator const&) {
    Amount amount;
    for (const Container& argument : arguments) {
      amount += amount_of(argument);
    }
    begin(use, parameters.empty() ? 0 : body.size(), amount);
    return false;
  }
  template <class Context, class T, class Parameters, class Definition>
  void defined_macro(Context const&, T const& name, bool, Parameters const&, Definition const& body, bool) {
    session->defined(is_pseudo(name.get_position()) ? Position{} : position_of(*session, name.get_position()),
                     body.size());
  }
  template <class Context, class T, class Container>
  bool expanding_object_like_macro(Context const&, T const&, Container const&, T const& use) {
    begin(use, 0, {});
    return false;
  }
  template <class Context, class Container>
  void expanded_macro(Context const&, Container const& result) {
    session->substituted(amount_of(result));
    for (const auto& token : result) {  // scan() has refused it elsewhere
      if (token.get_value() == "_Pragma") {
        session->give_up_expansion(kNoPragmaOperator);
      }
    }
  }
  template <class Context, class Container>
  void rescanned_macro(Context const&, Container const& result) {
    const Amount amount = amount_of(result);
    session->substituted(amount);
    session->end_expansion(amount);
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
      return !session->computed_include(position_of(*session, directive.get_position()));
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

  // `text`: the directive.
  static std::string about_directive(const std::string& text) {
    const auto begin = text.find_first_not_of("# \t");
    const auto end = std::min(text.find_first_of(" \t\r\n(\"<", begin), text.size());
    const std::string name = begin == std::string::npos ? "" : text.substr(begin, end - begin);
    if (name.starts_with("include")) {
      return "#include needs \"name\" or <name>, and nothing behind it";
    }
    if (name == "ifdef" || name == "ifndef" || name == "undef") {
      return "#" + name + " needs one name";
    }
    if (name == "if" || name == "elif") {
      return "#" + name + " needs a condition";
    }
    if (name == "define") {
      return "#define needs a name; its parameters are names in parentheses";
    }
    static constexpr std::string_view kKnown[] = {"else", "endif", "line", "error", "warning", "pragma"};
    const bool known = std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
    return (known ? "malformed directive #" : "unknown directive #") + name;
  }

  // Wave's description, "ill formed preprocessor directive: #x", with its beginning replaced.
  static std::string in_our_words(int code, std::string text) {
    using E = wave::preprocess_exception;
    for (const std::string_view severity : {"error: ", "warning: ", "fatal error: ", "command line error: "}) {
      if (text.starts_with(severity)) {
        text.erase(0, severity.size());
      }
    }
    if (code == E::ill_formed_directive) {
      return about_directive(text.substr(std::min(text.find('#'), text.size())));
    }
    static constexpr std::pair<int, std::string_view> kTexts[] = {
        {E::missing_matching_if, "has no #if, or stands behind #else"},
        {E::ill_formed_expression, "malformed condition"},
        {E::bad_include_statement, "no \"name\" or <name> comes of this #include"},
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
      const std::string rest = at == std::string::npos ? "" : text.substr(at + theirs.size());
      if (code == E::missing_matching_if && rest.starts_with(": ")) {
        return rest.substr(2) + " " + std::string(ours);
      }
      return std::string(ours) + rest;
    }
    return text;
  }

  template <class Fault>
  void report_fault(Fault const& fault) {
    const std::string_view file = fault.file_name();
    const Position at =
        is_pseudo_file(file)
            ? (file == "<command line>" ? Position{} : session->reached().begin)
            : Position{session->id_of(file), static_cast<std::uint32_t>(fault.line_no()),
                       static_cast<std::uint32_t>(fault.column_no())};
    if (session->repairable(at)) {
      *unread = Unread{at, {fault.get_errorcode() == wave::preprocess_exception::missing_matching_if}};
    }
    std::string text = in_our_words(fault.get_errorcode(), fault.description());
    session->report(true, at, std::move(text));
  }

 private:
  void begin(Token const& use, std::size_t copies, const Amount& arguments) {
    session->begin_expansion(position_of(*session, use.get_position()), use.get_value().size(),
                             is_pseudo(use.get_position()), copies, arguments);
  }
  template <class Container>
  static Amount amount_of(Container const& tokens) {
    Amount amount;
    for (const auto& token : tokens) {
      const std::size_t bytes = token.get_value().size();
      amount += {1, bytes, bytes};
    }
    return amount;
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

using Context = wave::context<std::string::const_iterator, WaveLexer, LoadFromSession, Hooks>;

void configure(Context& context, const PreprocessOptions& options) {
  context.set_language(static_cast<wave::language_support>(
      wave::support_c99 | wave::support_option_include_guard_detection |
      wave::support_option_no_character_validation));
  context.set_max_include_nesting_depth(kMaxIncludeDepth + 10);  // the session counts first
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

void run(Session& session, const Hooks& hooks, FileId main, const PreprocessOptions& options) {
  session.enter_main_file();
  const std::string& text = session.wave_text(main);
  // Wave wants an absolute name to derive directories from, which it then never uses.
  const std::string name = "/<main>";
  session.name_file(name, main);
  Context context(text.begin(), text.end(), name.c_str(), hooks);
  configure(context, options);
  const auto end = context.end();
  for (auto it = context.begin(); it != end; ++it) {
    take(session, *it);
  }
}

// One run over everything; a directive that Wave could not read goes to `unread`.
Preprocessed attempt(Files& files, FileId main, const PreprocessOptions& options, const Repairs& repairs,
                     Diagnostics& diagnostics, std::optional<Unread>& unread) {
  Session session(files, main, options, repairs, diagnostics);
  Hooks hooks(&session, &unread);
  try {
    try {
      run(session, hooks, main, options);
    } catch (const wave::cpp_exception& fault) {
      hooks.report_fault(fault);
    } catch (const wave::cpplexer::lexing_exception& fault) {
      hooks.report_fault(fault);
    }
  } catch (const Stop&) {
    if (!diagnostics.failed()) {
      diagnostics.error(session.reached(), "preprocessing failed");
    }
  } catch (const std::bad_alloc&) {
    diagnostics.error(session.reached(), "the preprocessor runs out of memory here");
  } catch (const std::exception& fault) {
    diagnostics.error(session.reached(), std::string("preprocessing failed; ") + fault.what());
  }
  return std::move(session.out);
}

void pass_on(const std::vector<Diagnostic>& found, Diagnostics& to) {
  for (const Diagnostic& d : found) {
    switch (d.severity) {
      case Severity::Error: to.error(d.where, d.text); break;
      case Severity::Warning: to.warning(d.where, d.text); break;
      case Severity::Note: to.note(d.where, d.text); break;
    }
  }
}

}  // namespace

// Wave cannot go on after a faulty directive. So it starts again without that one, to find what else is wrong; each
// run reports the same up to there.
Preprocessed preprocess(Files& files, FileId main, const PreprocessOptions& options,
                        Diagnostics& diagnostics) {
  constexpr std::size_t kMaxRuns = 10;
  Repairs repairs;
  std::size_t read = 0;  // bytes, in all runs
  std::vector<std::pair<std::size_t, Diagnostic>> unread_directives;  // with the number of reports before it
  for (std::size_t n = 1;; ++n) {
    Diagnostics found(files);
    std::optional<Unread> unread;
    Preprocessed out = attempt(files, main, options, repairs, found, unread);
    for (std::size_t i = 0; i < files.size(); ++i) {
      read += files[static_cast<FileId>(i)].text.size();
    }
    if (unread && n < kMaxRuns && read < kMaxRepairedBytes) {
      unread_directives.emplace_back(found.all().size() - 1, found.all().back());
      repairs[unread->at.file][unread->at.line] = unread->repair;
      continue;
    }
    std::vector<Diagnostic> all = found.all();
    for (std::size_t i = 0; i < unread_directives.size(); ++i) {
      const auto& [before, diagnostic] = unread_directives[i];
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(std::min(before + i, all.size())), diagnostic);
    }
    pass_on(all, diagnostics);
    return out;
  }
}

}  // namespace callis::idl::source
