// SPDX-License-Identifier: Apache-2.0
// Texts of references: where programs take one from, and what is wrong with it.
#pragma once
#include <callis/ior/text.h>
#include <string>
#include <string_view>

namespace callis::programs {

// The text of a reference: the argument itself, or the first line that looks like one of a file (FILE or @FILE) or of
// the standard input (-). False: there is none, and `problem` says why.
bool read_reference(const std::string& argument, std::string& text, std::string& problem);

// Says in three lines what is wrong, with the place in the text underlined.
std::string error_text(std::string_view text, const ior::TextError& error);

// Whether text begins as a reference does: IOR:, corbaloc:, corbaname:, in any case, behind blanks.
bool looks_like_reference(std::string_view text);

// The first line of a file that looks like a reference; the whole text if none does.
std::string_view find_reference(std::string_view text);

}  // namespace callis::programs
