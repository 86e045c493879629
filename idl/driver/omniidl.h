// SPDX-License-Identifier: Apache-2.0
// The command line of omniORB's omniidl in callis-idl's own words, for makefiles that were written for omniORB.
#pragma once
#include <string>
#include <vector>

namespace callis::idl::driver {

// Whether the words are omniidl's: -b names a back end, or the program is called by the name omniidl.
bool is_for_omniidl(const std::string& program, const std::vector<std::string>& words);

// Puts callis-idl's options in place of omniidl's, with the same meaning. Options without a meaning here are taken
// out; each gives a line for the user. Words that are nobody's stay, so that they are refused.
std::vector<std::string> from_omniidl(std::vector<std::string>& words);

}  // namespace callis::idl::driver
