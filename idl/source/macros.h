// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the macros that are defined, and #define (ISO 14882, 16.3). The rest of the arguments may
// have a name, as with GNU's preprocessor: `args...`.
#pragma once
#include <idl/source/pp_lexer.h>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace callis::idl::source {

// Macros without a definition.
enum class BuiltInMacro : std::uint8_t { None, Line, File, BaseFile, Date, Time, IncludeLevel, Defined };

struct Macro {
  struct Word {
    PpToken token;
    std::int32_t parameter = -1;  // its index; below 0: the word is none
    bool stringize = false;       // `#` stands before the parameter
    bool pastes = false;          // `##` stands behind
  };

  PpToken name;  // of the definition; a place that is not known: the command line
  BuiltInMacro built_in = BuiltInMacro::None;
  bool function_like = false;
  bool variadic = false;  // the last parameter takes all arguments that are left
  bool active = false;    // what is being read came out of it
  std::vector<std::string_view> parameters;
  std::vector<Word> body;
};

class Macros {
 public:
  explicit Macros(Faults& faults);

  Macro* find(std::string_view name) const {
    const auto found = defined_.find(name);
    return found == defined_.end() ? nullptr : found->second;
  }
  bool is_defined(std::string_view name) const {
    const Macro* const macro = find(name);
    return macro != nullptr && macro->built_in != BuiltInMacro::Defined;
  }

  // What stands behind `what` ("#define", "-D N=1"), which stands at `where`. A macro that is there already in
  // another way is a warning, one for each place.
  void define(const std::vector<PpToken>& line, const std::string& what, const Range& where);
  void undefine(const PpToken& name);

 private:
  // The index of what stands behind them, or nothing after a report.
  std::optional<std::size_t> read_parameters(const std::vector<PpToken>& line, Macro& macro);
  // False after a report.
  bool read_body(const std::vector<PpToken>& line, std::size_t from, Macro& macro);
  void warn_of_redefinition(const Macro& before, const Macro& now);

  Faults& faults_;
  std::deque<Macro> all_;  // also those that are no longer defined: their words may be being read
  std::unordered_map<std::string_view, Macro*> defined_;
  std::unordered_map<std::string_view, std::int32_t> parameter_index_;  // of the macro being read
  std::unordered_set<std::uint64_t> warned_of_;                         // places
  std::size_t words_ = 0;                                               // of all bodies
};

}  // namespace callis::idl::source
