// SPDX-License-Identifier: Apache-2.0
// Text: collects lines of C++ with indentation; cat() joins strings and numbers.
#pragma once
#include <idl/backends/backend.h>
#include <idl/source/limits.h>
#include <cstdint>
#include <string>
#include <string_view>

namespace callis::idl::backends::classic {

inline void append(std::string& to, std::string_view s) { to += s; }
inline void append(std::string& to, const std::string& s) { to += s; }
inline void append(std::string& to, const char* s) { to += s; }
inline void append(std::string& to, char c) { to += c; }
template <class N>
  requires std::is_arithmetic_v<N>
void append(std::string& to, N n) {
  to += std::to_string(n);
}

template <class... Parts>
std::string cat(const Parts&... parts) {
  std::string s;
  (append(s, parts), ...);
  return s;
}

class Text {
 public:
  explicit Text(int depth = 0) : depth_(depth) {}

  // One line at the current depth; an empty one has no blanks.
  template <class... Parts>
  void line(const Parts&... parts) {
    put(cat(parts...), 0);
  }
  // `class X {`, and everything after it is deeper until close().
  template <class... Parts>
  void open(const Parts&... parts) {
    put(cat(parts...), 0);
    ++depth_;
  }
  template <class... Parts>
  void close(const Parts&... parts) {
    --depth_;
    put(cat(parts...), 0);
  }
  // `public:` and the like: one blank deeper than what encloses it.
  void label(std::string_view s) { put(std::string(s), -1); }
  void blank() {
    if (!text_.ends_with("\n\n")) text_ += '\n';
  }
  // Lines that are complete already.
  void raw(std::string_view s) {
    text_ += s;
    check_size();
  }

  // Whether what is printed here gets TypeCodes and operators of Any.
  bool any = false;

  bool empty() const { return text_.empty(); }
  const std::string& str() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void put(const std::string& s, int shift) {
    if (!s.empty()) {
      std::size_t blanks = static_cast<std::size_t>(2 * depth_);
      if (shift < 0) --blanks;
      text_.append(blanks, ' ');
      text_ += s;
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
