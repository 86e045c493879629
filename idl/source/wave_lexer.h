// SPDX-License-Identifier: Apache-2.0
// The lexer that the preprocessor is made with: Boost.Wave's own, chosen by the type of the iterators as Wave
// provides for. Wave makes a lexer for each number that it puts out, and for each word that `##` makes. The lexers in
// the archive of a distribution, which is built for threads, make the table of keywords and operators anew each time:
// 18 us for a number. Here all lexers share one table, as callis-idl has one thread; and a number stays the word it
// is, since the lexer of IDL reads its text again.
#pragma once
#include <boost/wave/wave_config.hpp>
#include <boost/wave/cpplexer/cpp_lex_iterator.hpp>
#include <boost/wave/cpplexer/cpp_lex_token.hpp>
#include <boost/wave/language_support.hpp>
#include <memory>

namespace callis::idl::source {

using WaveToken = boost::wave::cpplexer::lex_token<>;
using WavePosition = WaveToken::position_type;

// What a lexer reads.
struct WaveText {
  const char* begin;
  const char* end;
};

}  // namespace callis::idl::source

namespace boost::wave::cpplexer {

// In wave_lexer.cpp.
template<>
lex_input_interface<callis::idl::source::WaveToken>*
new_lexer_gen<callis::idl::source::WaveText, callis::idl::source::WavePosition,
              callis::idl::source::WaveToken>::new_lexer(const callis::idl::source::WaveText& text,
                                                         const callis::idl::source::WaveText& end,
                                                         const callis::idl::source::WavePosition& at,
                                                         language_support language);

}  // namespace boost::wave::cpplexer

namespace callis::idl::source {

// Wave's iterator over tokens, whose lexers read a WaveText. Its grammars are instantiated in wave_grammars.cpp.
class WaveLexer : public boost::wave::cpplexer::lex_iterator<WaveToken> {
  using Base = boost::wave::cpplexer::lex_iterator<WaveToken>;

 public:
  WaveLexer() = default;
  template<class Iterator>
  WaveLexer(const Iterator& first, const Iterator& last, const WavePosition& at,
            boost::wave::language_support language)
      : Base(WaveText{std::to_address(first), std::to_address(last)}, WaveText{}, at, language) {}
};

}  // namespace callis::idl::source
