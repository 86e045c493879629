// SPDX-License-Identifier: Apache-2.0
// Boost.Wave's lexer, compiled here for the sake of time. Wave makes a lexer for each number that it puts out, and for each word
// that `##` makes. In the archive of a distribution, which is built for threads, each of them makes the table of keywords and
// operators anew: 18 us for a number. Here all lexers share one table, as callis-idl has one thread; and a number stays the
// word it is, since the lexer of IDL reads its text again.
#include <algorithm>
#include <string>
#include <boost/wave/wave_config.hpp>
#include <boost/wave/token_ids.hpp>
#include <boost/wave/language_support.hpp>
#include <boost/wave/cpplexer/cpp_lex_token.hpp>
#include <boost/wave/cpplexer/cpp_lex_iterator.hpp>
// For the lexer alone: the tokens' memory pools are of other types without threads.
#undef BOOST_WAVE_SUPPORT_THREADING
#define BOOST_WAVE_SUPPORT_THREADING 0
#include <boost/wave/cpplexer/re2clex/cpp_re2c_lexer.hpp>

namespace boost::wave::cpplexer {

namespace {

using Position = boost::wave::util::file_position_type;
using Token = lex_token<Position>;
using Input = lex_input_interface<Token>;

// One number as one token.
class Number final : public lex_input_interface_generator<Token> {
 public:
  Number(const std::string& text, const Position& at) : number_(T_INTLIT, text.c_str(), at) {}
  Token& get(Token& result) override {
    result = read_ ? Token(T_EOF, "", number_.get_position()) : number_;
    read_ = true;
    return result;
  }
  void set_position(const Position& at) override { number_.set_position(at); }
#if BOOST_WAVE_SUPPORT_PRAGMA_ONCE != 0
  bool has_include_guards(std::string&) const override { return false; }
#endif

 private:
  Token number_;
  bool read_ = false;
};

template <class Iterator>
Input* make_lexer(const Iterator& first, const Iterator& last, const Position& at, language_support language) {
  return new re2clex::lex_functor<Iterator, Position, Token>(first, last, at, language);
}

// Whether all of it is what a preprocessor takes for a number.
bool is_number(const std::string::iterator& first, const std::string::iterator& last) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return first != last && (digit(*first) || (*first == '.' && last - first > 1 && digit(first[1]))) &&
         std::all_of(first, last, [&](char c) {
           return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+' || c == '-';
         });
}

}  // namespace

// The two that preprocess.cpp uses. The linker finds these before the archive's.
template <>
Input* new_lexer_gen<std::string::const_iterator, Position, Token>::new_lexer(const std::string::const_iterator& first,
                                                                              const std::string::const_iterator& last,
                                                                              const Position& at, language_support language) {
  return make_lexer(first, last, at, language);
}

// Numbers, words that `##` made, and texts of macros that have no file. Only numbers, for the last time, come without that
// option.
template <>
Input* new_lexer_gen<std::string::iterator, Position, Token>::new_lexer(const std::string::iterator& first,
                                                                        const std::string::iterator& last, const Position& at,
                                                                        language_support language) {
  if (!need_prefer_pp_numbers(language) && is_number(first, last)) {
    return new Number(std::string(first, last), at);
  }
  return make_lexer(first, last, at, language);
}

}  // namespace boost::wave::cpplexer
