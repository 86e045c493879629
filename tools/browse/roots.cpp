// SPDX-License-Identifier: Apache-2.0
#include <tools/browse/roots.h>
#include <services/programs/reference_text.h>
#include <fstream>
#include <sstream>

namespace callis::tools {

namespace {

constexpr std::size_t kMostRoots = 1000;
constexpr std::size_t kMostBytes = 4u << 20;

// Of a reference that has no name of its own.
std::string name_of(const std::string& reference, const std::string& word) {
  return reference.starts_with("IOR:") ? (word == reference ? "object" : word) : reference;
}

}  // namespace

bool read_roots(const std::string& word, std::vector<Root>& roots, std::string& problem) {
  std::string first;
  if (!programs::read_reference(word, first, problem)) return false;
  std::ifstream file(word.starts_with('@') ? word.substr(1) : word, std::ios::binary);
  if (programs::looks_like_reference(word) || word == "-" || !file) {
    roots.push_back({name_of(first, word), first});
    return true;
  }
  std::string text(kMostBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::istringstream lines(text);
  std::vector<Root> found;
  for (std::string line; std::getline(lines, line) && found.size() < kMostRoots;) {
    std::istringstream parts(line);
    std::string reference, name;
    parts >> reference >> std::ws;
    std::getline(parts, name);
    if (programs::looks_like_reference(reference)) found.push_back({name, reference});
  }
  for (Root& r : found) {
    if (r.name.empty()) r.name = name_of(r.reference, word);
    roots.push_back(std::move(r));
  }
  return true;
}

}  // namespace callis::tools
