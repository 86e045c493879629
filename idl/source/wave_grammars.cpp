// SPDX-License-Identifier: Apache-2.0
// The grammars of directives that Boost.Wave needs for each type of lexer, compiled here for the sake of time.
#include <idl/source/wave_lexer.h>
#include <boost/wave/grammars/cpp_defined_grammar.hpp>
#include <boost/wave/grammars/cpp_grammar.hpp>
#include <boost/wave/grammars/cpp_has_include_grammar.hpp>
#include <boost/wave/grammars/cpp_predef_macros_grammar.hpp>
#include <list>

namespace boost::wave::grammars {

using callis::idl::source::WaveLexer;
using callis::idl::source::WaveToken;

// As wave::context names it.
using Tokens = std::list<WaveToken, boost::fast_pool_allocator<WaveToken>>;

template struct cpp_grammar_gen<WaveLexer, Tokens>;
template struct defined_grammar_gen<WaveLexer>;
template struct has_include_grammar_gen<WaveLexer>;
template struct predefined_macros_grammar_gen<WaveLexer>;

}  // namespace boost::wave::grammars
