// SPDX-License-Identifier: Apache-2.0
// The command line of TAO's tao_idl in callis-idl's own words, for makefiles that were written for TAO.
#pragma once
#include <string>
#include <vector>

namespace callis::idl::driver {

// Whether the words are tao_idl's: --tao is among them, or the program is called by the name tao_idl.
bool is_for_tao_idl(const std::string& program, const std::vector<std::string>& words);

// Puts callis-idl's options in place of tao_idl's, with the same meaning. Options without a meaning here are taken
// out; each gives a line for the user. Words that are nobody's stay, so that they are refused.
std::vector<std::string> from_tao_idl(std::vector<std::string>& words);

}  // namespace callis::idl::driver
