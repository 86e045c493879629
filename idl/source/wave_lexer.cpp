// SPDX-License-Identifier: Apache-2.0
#include <idl/source/wave_lexer.h>
#include <algorithm>
#include <string>
#include <boost/wave/token_ids.hpp>
// For the lexer alone: the tokens' memory pools are of other types without threads.
#undef BOOST_WAVE_SUPPORT_THREADING
#define BOOST_WAVE_SUPPORT_THREADING 0
#include <boost/wave/cpplexer/re2clex/cpp_re2c_lexer.hpp>

namespace callis::idl::source {

namespace {

using boost::wave::language_support;

// One number as one token.
class Number final : public boost::wave::cpplexer::lex_input_interface_generator<WaveToken> {
 public:
  Number(const WaveText& text, const WavePosition& at)
      : number_(boost::wave::T_INTLIT, std::string(text.begin, text.end).c_str(), at) {}
  WaveToken& get(WaveToken& result) override {
    result = read_ ? WaveToken(boost::wave::T_EOF, "", number_.get_position()) : number_;
    read_ = true;
    return result;
  }
  void set_position(const WavePosition& at) override { number_.set_position(at); }
#if BOOST_WAVE_SUPPORT_PRAGMA_ONCE != 0
  bool has_include_guards(std::string&) const override { return false; }
#endif

 private:
  WaveToken number_;
  bool read_ = false;
};

// Whether all of it is what a preprocessor takes for a number.
bool is_number(const WaveText& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const char* const first = text.begin;
  return first != text.end && (digit(*first) || (*first == '.' && text.end - first > 1 && digit(first[1]))) &&
         std::all_of(first, text.end, [&](char c) {
           return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+' ||
                  c == '-';
         });
}

}  // namespace

}  // namespace callis::idl::source

namespace boost::wave::cpplexer {

namespace source = callis::idl::source;

// The main text, those of included files, words that `##` made, numbers, and texts of macros that have no file. Only
// numbers, for the last time, come without the option of preprocessing numbers.
template <>
lex_input_interface<source::WaveToken>*
new_lexer_gen<source::WaveText, source::WavePosition, source::WaveToken>::new_lexer(const source::WaveText& text,
                                                                                    const source::WaveText&,
                                                                                    const source::WavePosition& at,
                                                                                    language_support language) {
  if (!need_prefer_pp_numbers(language) && source::is_number(text)) return new source::Number(text, at);
  return new re2clex::lex_functor<const char*, source::WavePosition, source::WaveToken>(text.begin, text.end, at,
                                                                                        language);
}

}  // namespace boost::wave::cpplexer
