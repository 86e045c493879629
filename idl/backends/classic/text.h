// SPDX-License-Identifier: Apache-2.0
// Text: collects lines of C++ with indentation; cat() joins strings and numbers.
#pragma once
#include <idl/backends/backend.h>
#include <idl/source/limits.h>
#include <algorithm>
#include <string>
#include <string_view>

namespace callis::idl::backends::classic {

// What a part of a line is as text: strings are looked at, numbers are written out.
inline std::string_view text_of(std::string_view s) { return s; }
inline std::string_view text_of(const char& c) { return {&c, 1}; }
template <class N>
  requires std::is_arithmetic_v<N>
std::string text_of(N n) {
  return std::to_string(n);
}

// Room for all is made once: files of megabytes are written so.
template <class... Texts>
void append_all(std::string& to, const Texts&... texts) {
  const std::size_t size = to.size() + (std::size_t{0} + ... + texts.size());
  if (size > to.capacity()) to.reserve(std::max(size, 2 * to.capacity()));
  (to.append(texts), ...);
}

template <class... Parts>
std::string cat(const Parts&... parts) {
  std::string s;
  append_all(s, text_of(parts)...);
  return s;
}

class Text {
 public:
  explicit Text(int depth = 0) : depth_(depth) {}

  // One line at the current depth; an empty one has no blanks.
  template <class... Parts>
  void line(const Parts&... parts) {
    put(0, text_of(parts)...);
  }
  // `class X {`, and everything after it is deeper until close().
  template <class... Parts>
  void open(const Parts&... parts) {
    put(0, text_of(parts)...);
    ++depth_;
  }
  template <class... Parts>
  void close(const Parts&... parts) {
    --depth_;
    put(0, text_of(parts)...);
  }
  // `public:` and the like: one blank deeper than what encloses it.
  void label(std::string_view s) { put(-1, s); }
  void blank() {
    if (!text_.ends_with("\n\n")) text_ += '\n';
  }
  // Lines that are complete already.
  void raw(std::string_view s) {
    text_ += s;
    check_size();
  }

  // The same of another text, in whose room this one is put where that is larger.
  void raw(Text&& lines) {
    std::string& all = lines.text_;
    if (all.size() > text_.size() && all.capacity() - all.size() >= text_.size()) {
      all.insert(0, text_);
      text_ = std::move(all);
      check_size();
    } else {
      raw(all);
    }
  }

  // Whether what is printed here gets TypeCodes and operators of Any.
  bool any = false;
  // Whether it has the members that TAO's has beyond the mapping.
  bool for_tao = false;

  bool empty() const { return text_.empty(); }
  const std::string& str() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  template <class... Texts>
  void put(int shift, const Texts&... texts) {
    if ((... || !texts.empty())) {
      std::size_t blanks = static_cast<std::size_t>(2 * depth_);
      if (shift < 0) --blanks;
      text_.append(blanks, ' ');
      append_all(text_, texts...);
    }
    text_ += '\n';
    check_size();
  }
  void check_size() const {
    if (text_.size() > kMaxGeneratedBytes) throw backends::TooMuchText();
  }

  std::string text_;
  int depth_;
};

}  // namespace callis::idl::backends::classic
