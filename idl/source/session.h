// SPDX-License-Identifier: Apache-2.0
// Private to this folder: what one run of the preprocessor knows, apart from Wave. Finds and reads
// included files, reports faults, bounds the work, and puts the output together. Wave's hooks in
// preprocess.cpp call it as they meet things.
#pragma once
#include <idl/source/limits.h>
#include <idl/source/preprocess.h>
#include <idl/source/scan.h>
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callis::idl::source {

// Thrown through Wave to end preprocessing; the reason has been reported.
struct Stop {};

// Names of files that Wave makes up for what has no place in a file.
inline bool is_pseudo_file(std::string_view name) { return name.empty() || name.front() == '<'; }

// Lines whose directives Wave could not read: they are left out of a further run, so that it finds what is wrong
// after them. An #if or #elif becomes one that is false, unless its place is what is wrong.
struct Repair {
  bool misplaced = false;
};
using Repairs = std::map<FileId, std::map<std::uint32_t, Repair>>;

// Of tokens that macros handle. `##` and `#` make few tokens of many bytes.
struct Amount {
  std::size_t tokens = 0;
  std::size_t bytes = 0;
  std::size_t longest = 0;  // bytes of one
  Amount& operator+=(const Amount& more) {
    tokens += more.tokens;
    bytes += more.bytes;
    longest = std::max(longest, more.longest);
    return *this;
  }
};

class Session {
 public:
  Session(Files& files, FileId main, const PreprocessOptions& options, const Repairs& repairs,
          Diagnostics& diagnostics);

  Preprocessed out;

  // The text Wave is to read; `id` has been loaded.
  const std::string& wave_text(FileId id) const { return wave_text_.at(id); }
  // Wave knows files by names; the main file for a name that is none.
  FileId id_of(std::string_view wave_name);
  void name_file(std::string wave_name, FileId id);
  const std::string& path_of(FileId id) const { return files_[id].path; }

  // Files -------------------------------------------------------------------------------------

  // An #include directive with operand `"x"` or `<x>` at `at`. The file to read, or nothing after
  // reporting why not.
  std::optional<FileId> include(std::string_view operand, Position at);

  // An #include whose operand is not a name in quotes or brackets. True if macros may yield one, else it is reported.
  bool computed_include(Position at);

  FileId next_include() const { return next_; }  // the result of the last include()
  void enter_file();
  void enter_main_file() { count_input(main_); }
  void leave_file();

  // Faults ------------------------------------------------------------------------------------

  // give_up() and, after many errors, report() throw Stop.
  void report(bool is_error, Position at, std::string text);
  [[noreturn]] void give_up(Position at, std::string text) const;
  // A directive stands there, and has not been left out.
  bool repairable(Position at) const;

  // Macros ------------------------------------------------------------------------------------

  // Whether `at` is on the line of a directive: a token from there comes out of a macro's body.
  bool in_directive(Position at) const;
  // Expansions nest; the outermost use is the place of what comes out.
  // Each goes begin, (arguments are expanded), substituted, (the result is expanded), end.
  // `copies`: at most so often does the body name a parameter.
  void begin_expansion(Position at, std::size_t name_length, bool pseudo, std::size_t copies,
                       const Amount& arguments);
  void substituted(const Amount& result);
  void end_expansion(const Amount& result);
  // A macro gets a body of so many tokens.
  void defined(Position at, std::size_t tokens);
  [[noreturn]] void give_up_expansion(std::string_view text) { give_up(use_, std::string(text)); }
  // Between the two the tokens of a condition are expanded.
  void begin_condition();
  void end_condition() { in_condition_ = false; }
  bool in_condition() const { return in_condition_; }
  void condition_nesting(std::size_t count);

  // Output ------------------------------------------------------------------------------------

  // Where the run has come to; a fault without a place is given this one.
  void reached(Position at) { reached_ = at; }
  Range reached() const { return {reached_, 1}; }

  void token(std::string_view text, Position at, bool pseudo);

  // A #pragma on the line of `at`. Its words go to the output as they stand in the file: Wave's own
  // handling expands macros in them, and cannot take a pragma without any. False: `#pragma once`,
  // which is Wave's.
  bool pragma(Position at);

 private:
  struct Expansion {
    std::size_t copies;
    Amount arguments;
  };

  // Scans the file and makes the text Wave reads.
  void load(FileId id);
  static void leave_out(std::string& text, std::uint32_t line, Repair repair);

  void count_input(FileId id);
  void check_size(const Expansion& expansion) const;
  // Takes the file in; its text is read() at the first time.
  struct Found {
    std::string path;
    std::string include_name;
    bool built_in = false;
  };
  std::optional<FileId> try_open(const Found& found, Position at);
  std::optional<std::string> read(const Found& found) const;
  std::optional<FileId> find(const std::string& spelled, bool angled, Position at);

  // The place of `operand` on the line of its directive; at the directive where it is not found.
  Range operand_range(std::string_view operand, Position at) const;
  void report_missing(const std::string& spelled, bool angled, const Range& where);
  void record(IncludeDirective directive);

  Files& files_;
  FileId main_;
  const PreprocessOptions& options_;
  const Repairs& repairs_;
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
  std::size_t directive_bytes_ = 0;
  std::size_t faults_ = 0;

  bool expanded_ = false;  // any macro so far
  Position use_;           // of the outermost macro being expanded
  std::uint32_t use_length_ = 1;
  std::size_t defined_tokens_ = 0;
  std::size_t expansions_ = 0;         // in all
  std::size_t expansions_of_use_ = 0;  // since the outermost macro that is being expanded began
  std::vector<Expansion> expanding_;  // outermost first
  std::size_t expansion_tokens_ = 0;
  bool in_condition_ = false;
  std::size_t condition_parentheses_ = 0;

  Position reached_;
  std::uint32_t open_quote_ = 0;  // line of a literal that is not closed
  Position end_;                  // just after the last token that stands in a file as it is
};

}  // namespace callis::idl::source
