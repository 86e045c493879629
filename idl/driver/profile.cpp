// SPDX-License-Identifier: Apache-2.0
// The reading of profiles.
#include <idl/driver/profile.h>
#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace callis::idl::driver {

namespace {

constexpr std::string_view kHead = "callis-profile 1";

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

// Cuts the first word off, blanks behind it too.
std::string_view word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view first = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return first;
}

bool number(std::string_view& line, std::uint64_t& out) {
  const std::string_view text = word(line);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// "%20" becomes a blank.
bool decoded(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2) {
      return false;
    }
    out += static_cast<char>(value);
    i += 2;
  }
  return !out.empty();
}

bool read_operation(std::string_view line, ProfiledOperation& out) {
  if (!number(line, out.calls) || !number(line, out.bytes) || !decoded(word(line), out.name)) {
    return false;
  }
  while (!line.empty()) {
    if (!decoded(word(line), out.ids.emplace_back())) {
      return false;
    }
  }
  return true;
}

bool read_type(std::string_view line) {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  return number(line, calls) && number(line, bytes) && !line.empty();
}

const std::string& first_id(const ProfiledOperation& op) {
  static const std::string none;
  return op.ids.empty() ? none : op.ids.front();
}

void add(const ProfiledOperation& op, std::vector<ProfiledOperation>& out) {
  for (ProfiledOperation& known : out) {
    if (known.name != op.name || first_id(known) != first_id(op)) {
      continue;
    }
    known.calls = capped_sum(known.calls, op.calls);
    known.bytes = capped_sum(known.bytes, op.bytes);
    if (known.ids.size() < op.ids.size()) {
      known.ids = op.ids;
    }
    return;
  }
  out.push_back(op);
}

std::uint64_t weight(const ProfiledOperation& op) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t calls = op.calls > kMost / kBytesPerCall ? kMost : op.calls * kBytesPerCall;
  return op.calls == 0 ? 0 : capped_sum(op.bytes, calls);
}

}  // namespace

std::string read_profile(std::string_view text, std::vector<ProfiledOperation>& out) {
  std::size_t number_of_line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number_of_line;
    if (number_of_line == 1) {
      if (line != kHead) {
        return "line 1: expected '" + std::string(kHead) + "'";
      }
      continue;
    }
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const std::string_view kind = word(line);
    ProfiledOperation op;
    if (kind == "op" ? !read_operation(line, op) : kind != "type" || !read_type(line)) {
      return "line " + std::to_string(number_of_line) +
             " is not 'op CALLS BYTES NAME ID...' or 'type CALLS BYTES TYPE'";
    }
    if (kind == "op") {
      add(op, out);
    }
  }
  return number_of_line == 0 ? "the file is empty" : "";
}

std::vector<ProfiledOperation> heaviest(std::vector<ProfiledOperation> operations, unsigned share) {
  std::erase_if(operations, [](const ProfiledOperation& op) { return weight(op) == 0; });
  std::sort(operations.begin(), operations.end(), [](const ProfiledOperation& a, const ProfiledOperation& b) {
    if (weight(a) != weight(b)) {
      return weight(a) > weight(b);
    }
    return std::tie(a.name, first_id(a)) < std::tie(b.name, first_id(b));
  });
  long double total = 0;
  for (const ProfiledOperation& op : operations) {
    total += static_cast<long double>(weight(op));
  }
  long double taken = 0;
  std::size_t n = 0;
  while (n < operations.size() && taken * 100 < total * static_cast<long double>(share)) {
    taken += static_cast<long double>(weight(operations[n++]));
  }
  operations.resize(n);
  return operations;
}

}  // namespace callis::idl::driver
