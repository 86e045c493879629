// SPDX-License-Identifier: Apache-2.0
// The words of every program about itself: --help, --version, and errors of its command line; and how a program shows
// bytes that are not its own.
#pragma once
#include <span>
#include <string>
#include <string_view>

// Where help names a page of the guide, which no package installs.
#define CALLIS_GUIDE(page) "docs/guide/" page " in the source of callis"

namespace callis::programs {

// "callis 1.2.3".
std::string version();

// Whether the only word is --help, -h or --version. Prints then what it asks for, and the program's exit status is 0.
bool answers(int argc, char** argv, std::string_view usage);

// Prints to the standard error "COMMAND: PROBLEM", and how to get help. Where the problem is that a word is unknown
// (unknown_word(), or "there is no command 'WORD'"), offers the nearest option or command of the usage.
// Returns the exit status, 2.
int wrong_usage(std::string_view command, std::string_view problem, std::string_view usage);

// "what is 'WORD'?"; the word is printable.
std::string unknown_word(std::string_view word);

// The only name that begins with the word, or else the most similar name; empty: nothing is near.
std::string nearest(std::string_view wrong, std::span<const std::string> names);

// Bytes as text: printable ASCII as it is, but the backslash, and everything else as \xNN.
std::string escaped(std::string_view text);

}  // namespace callis::programs
