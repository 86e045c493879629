// SPDX-License-Identifier: Apache-2.0
// Private to this folder: macros put in place of their names (ISO 14882, 16.3.1 to 16.3.4).
//
// What a macro yields is a list of tokens that is read before anything else, for it may hold macros again: a stack of
// such lists, over the text. While a list is on the stack its macro is active, and a name of that macro that is met
// is painted. A list goes when a token is wanted from below it, as in GCC's preprocessor: in
//   #define f(a) a*g
//   #define g(a) f(a)
//   f(2)(9)
// the standard lets the compiler choose, and here, too, it becomes 2*9*g.
#pragma once
#include <idl/source/macros.h>
#include <optional>
#include <string>
#include <vector>

namespace callis::idl::source {

// What the tokens that are wanted from the text are for.
enum class PpReading {
  Text,
  Parenthesis,  // may be the `(` behind a macro's name: a directive and the end of a file are none
  Arguments,    // of a macro: they end with the file
};

// The text below the macros. Carries out the directives that it meets.
class PpSource {
 public:
  virtual ~PpSource() = default;
  virtual PpToken next_token(PpReading reading) = 0;
  virtual void put_back(const PpToken& token) = 0;
  // What the macro stands for at `use`: a number or a literal.
  virtual std::string built_in(BuiltInMacro macro, const PpToken& use) = 0;
};

class Expander {
 public:
  Expander(Macros& macros, PpSource& source, TextStore& store, Faults& faults)
      : macros_(macros), source_(source), store_(store), faults_(faults) {}

  // The next token of the text. No name of a macro, unless it is painted or lacks its arguments.
  PpToken next();
  // The same of the tokens of a directive. In a condition the operand of `defined` is left as it is.
  std::vector<PpToken> expand(const std::vector<PpToken>& line, bool condition);

 private:
  // What a macro yields, or tokens behind which nothing may be read: an argument, a directive.
  struct List {
    std::vector<PpToken> tokens;
    std::size_t next = 0;
    Macro* macro = nullptr;  // nullptr: an argument or directive
  };
  struct Arguments {
    std::vector<PpToken> tokens;
    std::vector<std::size_t> ends;  // in `tokens`
    bool omitted = false;           // there is none for `...`
    struct Stretch {
      std::size_t begin, end;
      bool known;
    };
    std::vector<Stretch> stretches;  // in `expanded`
    std::vector<PpToken> expanded;
  };
  struct Yield {  // what has come out of macros
    std::size_t tokens = 0;
    std::size_t bytes = 0;
  };
  enum class Call { None, Faulty, Good };
  class Substitution;

  PpToken read(PpReading reading);
  PpToken read_unexpanded(PpReading reading);
  void put_back(const PpToken& token);
  PpToken get(PpReading reading);
  Macro* macro_of(PpToken& token) const;

  // False: a function-like macro without arguments; its name stays.
  bool enter(Macro& macro, const PpToken& name);
  Call read_arguments(const Macro& macro, const PpToken& name, Arguments& out);
  bool check_count(const Macro& macro, const PpToken& name, Arguments& arguments);
  std::vector<PpToken> substitute(const Macro& macro, const PpToken& name, Arguments& arguments);
  void expand_into(std::vector<PpToken>& out, std::vector<PpToken> tokens, bool condition);

  std::string_view keep(std::string_view text, const PpToken& use);
  std::optional<PpToken> make(std::string_view text, const PpToken& use);
  std::optional<PpToken> paste(const PpToken& left, const PpToken& right, const PpToken& use);
  PpToken stringize(const PpToken* begin, const PpToken* end, const PpToken& use);

  void begin(const PpToken& name);
  void count(std::size_t tokens, const PpToken& use);
  void count_yield(Yield& yield, const PpToken& token);
  void check_size(const Yield& yield, const PpToken& use);

  Macros& macros_;
  PpSource& source_;
  TextStore& store_;
  Faults& faults_;
  std::vector<List> lists_;
  bool blank_pending_ = false;  // white space before a macro that yielded nothing

  std::size_t depth_ = 0;       // macros being expanded
  std::size_t expansions_ = 0;  // in all, as the next two
  std::size_t tokens_ = 0;
  std::size_t made_bytes_ = 0;
  struct Use {  // of a macro that stands in the text
    std::size_t expansions = 0;
    Yield yield;
  };
  Use use_;
};

}  // namespace callis::idl::source
