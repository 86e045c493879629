// SPDX-License-Identifier: Apache-2.0
#include <idl/source/preprocess.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace callis::idl::source {

std::optional<std::string> read_from_disk(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) ||
      std::filesystem::file_size(path, ignored) > kMaxFileBytes) {
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return std::nullopt;
  }
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return in.bad() ? std::nullopt : std::optional(std::move(text));
}

void Preprocessed::append(std::string_view token, Position at, std::uint32_t use_length,
                          bool glued) {
  if (!glued && !text.empty() && text.back() != '\n') {
    text += ' ';
  }
  segments_.push_back({text.size(), at, use_length});
  text += token;
}

Range Preprocessed::range(std::size_t offset, std::size_t length) const {
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), offset,
                                      [](std::size_t o, const Segment& s) { return o < s.offset; });
  if (after == segments_.begin()) {
    return {};
  }
  const Segment& s = *std::prev(after);
  if (s.use_length != 0) {
    return {s.at, s.use_length};
  }
  Range r{s.at, static_cast<std::uint32_t>(std::max<std::size_t>(length, 1))};
  r.begin.column += static_cast<std::uint32_t>(offset - s.offset);
  return r;
}

}  // namespace callis::idl::source
