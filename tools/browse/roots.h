// SPDX-License-Identifier: Apache-2.0
// What the tree of callis browse begins with.
#pragma once
#include <string>
#include <vector>

namespace callis::tools {

struct Root {
  std::string name;
  std::string reference;
};

// Of a word of the command line: a reference, or a file that has some: each line that begins with one, what follows
// it is its name. False, and why: there is none. 1000 of a file at most.
bool read_roots(const std::string& word, std::vector<Root>& roots, std::string& problem);

}  // namespace callis::tools
