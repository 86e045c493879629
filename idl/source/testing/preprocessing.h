// SPDX-License-Identifier: Apache-2.0
// For the tests of this folder: the preprocessor over files in memory.
#pragma once
#include <gtest/gtest.h>
#include <idl/source/pp_lexer.h>
#include <idl/source/preprocess.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace callis::idl::source::testing {

// The text of each token.
inline std::vector<std::string> words(std::string_view text) {
  const Files files;
  Diagnostics diagnostics(files);
  Faults faults(diagnostics);
  TextStore store;
  PpLexer lexer(text, kNoFile, store, faults);
  std::vector<std::string> out;
  for (PpToken token = lexer.next(); token.kind != PpKind::End; token = lexer.next()) {
    out.emplace_back(token.text);
  }
  return out;
}

class Preprocessing : public ::testing::Test {
 protected:
  // The output for a main file dir/main.idl, with each run of blanks as one. Main files of further runs have other
  // names.
  std::string run(std::string text) {
    options_.read_file = [this](const std::string& path) -> std::optional<std::string> {
      const auto found = disk_.find(path);
      return found == disk_.end() ? std::nullopt : std::optional(found->second);
    };
    main_ = files_.add("dir/main" + std::string(runs_++, '_') + ".idl", std::move(text));
    out_ = preprocess(files_, main_, options_, diagnostics_);
    std::string squeezed;
    for (const char c : out_.text) {
      if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ')) {
        squeezed += c;
      }
    }
    return squeezed;
  }

  // Where `word` of the output was written: "file:line:column+length".
  std::string place(std::string_view word) const {
    return place(out_.range(out_.text.find(word), word.size()));
  }

  // All that was reported: "error 1:2+3 text", a line each. With the file where that is not the main file.
  std::string said() const {
    static constexpr const char* kNames[] = {"error", "warning", "note"};
    std::string all;
    for (const Diagnostic& d : diagnostics_.all()) {
      std::string where = place(d.where);
      where.erase(0, where.starts_with("dir/main.idl:") ? 13 : 0);
      all += std::string(all.empty() ? "" : "\n") + kNames[static_cast<int>(d.severity)] + " " + where + " " + d.text;
    }
    return all;
  }

  std::map<std::string, std::string> disk_;
  PreprocessOptions options_;
  Files files_;
  FileId main_{};
  Diagnostics diagnostics_{files_};
  Preprocessed out_;

 private:
  std::size_t runs_ = 0;

  std::string place(const Range& range) const {
    const Position& at = range.begin;
    return (at.known() ? files_[at.file].path : "-") + ":" + std::to_string(at.line) + ":" +
           std::to_string(at.column) + "+" + std::to_string(range.length);
  }
};

}  // namespace callis::idl::source::testing
