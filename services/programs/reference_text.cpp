// SPDX-License-Identifier: Apache-2.0
#include <services/programs/reference_text.h>
#include <services/programs/usage.h>
#include <strings.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace callis::programs {

namespace {

constexpr std::size_t kMostBytes = 4u << 20;  // of a file

bool begins_with(std::string_view text, std::string_view scheme) {
  return text.size() >= scheme.size() && ::strncasecmp(text.data(), scheme.data(), scheme.size()) == 0;
}

}  // namespace

bool read_reference(const std::string& argument, std::string& text, std::string& problem) {
  if (looks_like_reference(argument)) {
    text = argument;
    return true;
  }
  std::ifstream file;
  const std::string name = argument.starts_with('@') ? argument.substr(1) : argument;
  if (argument != "-") {
    file.open(name, std::ios::binary);
    if (!file) {
      problem = "'" + escaped(name) +
                "' is neither a reference (IOR:, corbaloc:, corbaname:) nor a file: " + std::strerror(errno);
      return false;
    }
  }
  std::istream& in = argument == "-" ? std::cin : file;
  text.resize(kMostBytes + 1);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) {
    problem = "'" + escaped(name) + "' has more than 4 MiB: no file with a reference";
    return false;
  }
  const std::string line(find_reference(text));
  if (!looks_like_reference(line)) {
    problem = "no line of " + (argument == "-" ? "the standard input" : "'" + escaped(name) + "'") +
              " begins with IOR:, corbaloc: or corbaname:";
    return false;
  }
  text = line;
  return true;
}

std::string error_text(std::string_view text, const ior::TextError& error) {
  constexpr std::size_t kAround = 50;
  const std::size_t at = std::min(error.offset, text.size());
  const std::size_t from = at > kAround ? at - kAround : 0;
  const std::string before = escaped(text.substr(from, at - from));
  std::string after = escaped(text.substr(at, kAround));
  const std::string_view dots = from != 0 ? "..." : "";
  std::string out = error.text();
  out.append("\n  ").append(dots).append(before).append(after).append(text.size() - at > kAround ? "..." : "");
  out.append("\n  ").append(dots.size() + before.size(), ' ').append("^\n");
  return out;
}

bool looks_like_reference(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return begins_with(text, "IOR:") || begins_with(text, "corbaloc:") || begins_with(text, "corbaname:");
}

std::string_view find_reference(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (looks_like_reference(line)) return line;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

}  // namespace callis::programs
