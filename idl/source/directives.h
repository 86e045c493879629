// SPDX-License-Identifier: Apache-2.0
// Private to this folder: one run of the preprocessor. Reads the files, carries out their directives, leaves out what
// conditions exclude, and puts the output together.
#pragma once
#include <idl/source/condition.h>
#include <idl/source/expansion.h>
#include <idl/source/includes.h>
#include <idl/source/macros.h>
#include <idl/source/preprocess.h>
#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace callis::idl::source {

class Preprocessor final : private PpSource {
 public:
  Preprocessor(Files& files, FileId main, const PreprocessOptions& options, Diagnostics& diagnostics);

  // Once. Where something was reported: what could be read.
  Preprocessed run();

 private:
  struct Directive {
    PpToken hash;
    PpToken name;
    PpReading reading;
    bool first_in_file;

    Range where() const { return join(hash.where(), name.where()); }
  };
  // From #if to #endif.
  struct Group {
    Range where;
    std::string_view name;          // of the directive that begins it
    bool taken = false;             // one of its parts was taken, or none may be
    bool taking = false;            // the part that is being read is taken
    std::optional<Range> else_at{};  // its #else
    std::string_view guard{};        // the macro, if this may be the #ifndef that guards the file
  };
  struct OpenFile {
    FileId id;
    PpLexer lexer;
    std::vector<Group> groups{};
    bool only_blanks = true;          // have been read so far
    std::string_view guard{};          // its #endif was the last that has been read
    bool adds_names_of_corba = false;  // at its end

    bool skipping() const { return !groups.empty() && !groups.back().taking; }
  };

  // Files and tokens (preprocess.cpp).
  PpToken next_token(PpReading reading) override;
  void put_back(const PpToken& token) override { held_ = token; }
  std::string built_in(BuiltInMacro macro, const PpToken& use) override;
  void define(std::string_view text, const std::string& what);
  void define_options();
  void enter(FileId id);
  void enter_included(std::string_view operand, const Range& where);
  bool leave();
  void put(const PpToken& token);
  void put_pragma(const Directive& d, const std::vector<PpToken>& words);

  // Directives (directives.cpp).
  void directive(const PpToken& hash, PpReading reading);
  std::optional<PpToken> carry_out(OpenFile& file, const Directive& d);
  std::vector<PpToken> rest_of_line(OpenFile& file, const Directive& d);
  bool conditional(OpenFile& file, const Directive& d);
  void begin_group(OpenFile& file, const Directive& d);
  void next_part(OpenFile& file, const Directive& d);
  bool evaluate(OpenFile& file, const Directive& d, std::string_view* guard);
  std::optional<PpToken> one_name(OpenFile& file, const Directive& d);
  std::optional<PpToken> include(OpenFile& file, const Directive& d);
  std::optional<PpToken> computed_include(const Directive& d, const std::vector<PpToken>& line);
  void pragma(OpenFile& file, const Directive& d);

  Files& files_;
  FileId main_;
  const PreprocessOptions& options_;
  Faults faults_;
  TextStore store_;
  Macros macros_;
  IncludeFiles includes_;
  Expander expander_;

  std::deque<OpenFile> open_;    // main file first
  std::optional<PpToken> held_;  // has been read and put back
  std::size_t directive_begin_ = 0;
  std::size_t include_count_ = 0;
  std::size_t input_bytes_ = 0;
  std::size_t directive_bytes_ = 0;

  Preprocessed out_;
  std::unordered_set<FileId> recorded_;  // in out_.includes
  Position end_;                         // just after the last token, if that stands in a file as it is
};

}  // namespace callis::idl::source
