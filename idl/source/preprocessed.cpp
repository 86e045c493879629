// SPDX-License-Identifier: Apache-2.0
// Preprocessed text, and the places that it came from.
#include <idl/source/limits.h>
#include <idl/source/preprocess.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

namespace callis::idl::source {

std::optional<std::string> read_from_disk(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;
  }
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || size > kMaxFileBytes || !in) {
    return std::nullopt;
  }
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
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

namespace {

// Tokens put at the lines they come from.
class LinePrinter {
 public:
  explicit LinePrinter(const Files& files) : files_(files) {}

  // `piece` begins at `at`; `after_blank`: it was not adjacent to the last.
  void put(std::string_view piece, Position at, bool after_blank) {
    const bool ends_line = piece.ends_with('\n');  // a #pragma ends here
    while (piece.ends_with(' ') || piece.ends_with('\n')) {
      piece.remove_suffix(1);
    }
    if (!in_pragma_) {
      go_to(at);
    }
    in_pragma_ = (in_pragma_ || piece == "#pragma") && !ends_line;
    if (at_line_start_) {
      out_.append(at.column == 0 ? 0 : std::min<std::size_t>(at.column - 1, 80), ' ');
    } else if (after_blank) {
      out_ += ' ';
    }
    out_ += piece;
    at_line_start_ = false;
  }

  std::string take() {
    end_line();
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kMostEmptyLines = 8;

  void end_line() {
    if (!at_line_start_) {
      out_ += '\n';
      at_line_start_ = true;
    }
  }

  void go_to(Position at) {
    if (at.file != file_ || at.line < line_ || at.line > line_ + kMostEmptyLines) {
      end_line();
      out_ += "#line " + std::to_string(at.line) + " \"" + files_[at.file].path + "\"\n";
    } else {
      for (; line_ < at.line; ++line_) {
        out_ += '\n';
        at_line_start_ = true;
      }
    }
    file_ = at.file;
    line_ = at.line;
  }

  const Files& files_;
  std::string out_;
  FileId file_ = kNoFile;
  std::uint32_t line_ = 0;
  bool at_line_start_ = true;
  bool in_pragma_ = false;
};

}  // namespace

std::string Preprocessed::lines(const Files& files) const {
  LinePrinter printer(files);
  const std::string_view all = text;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const std::size_t begin = segments_[i].offset;
    const std::size_t end = i + 1 < segments_.size() ? segments_[i + 1].offset : all.size();
    const bool after_blank = begin != 0 && all[begin - 1] == ' ';
    printer.put(all.substr(begin, end - begin), segments_[i].at, after_blank);
  }
  return printer.take();
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
