// SPDX-License-Identifier: Apache-2.0
// JSON text: nesting, commas, escapes.
#include <idl/driver/json_writer.h>
#include <cstdio>
#include <optional>

namespace callis::idl::driver {

namespace {

// The character at `at`, which is moved behind it; nothing where it is not UTF-8.
std::optional<char32_t> next_character(std::string_view bytes, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) {
    ++at;
    return lead;
  }
  const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4 || at + more >= bytes.size()) {
    return std::nullopt;
  }
  char32_t c = lead & (0x3Fu >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if ((byte(at + i) & 0xC0u) != 0x80u) {
      return std::nullopt;
    }
    c = c << 6 | (byte(at + i) & 0x3Fu);
  }
  static constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  if (c < kLeast[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) {
    return std::nullopt;
  }
  at += more + 1;
  return c;
}

void append_escape(std::string& out, unsigned unit) {
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", unit & 0xFFFFu);
  out += text;
}

}  // namespace

std::u32string characters(std::string_view bytes) {
  std::u32string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto c = next_character(bytes, at);
    if (!c) {
      out.clear();
      for (const char b : bytes) {
        out += static_cast<unsigned char>(b);
      }
      return out;
    }
    out += *c;
  }
  return out;
}

std::string json_string(std::u32string_view text) {
  std::string out = "\"";
  for (const char32_t c : text) {
    if (c == U'"' || c == U'\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c >= 0x20 && c < 0x7F) {
      out += static_cast<char>(c);
    } else if (c < 0x10000) {
      append_escape(out, c);
    } else {
      append_escape(out, 0xD800u + ((c - 0x10000u) >> 10));
      append_escape(out, 0xDC00u + ((c - 0x10000u) & 0x3FFu));
    }
  }
  return out + '"';
}

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(levels_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) {
    return;
  }
  Level& level = levels_.back();
  if (!level.empty) {
    out_ += level.one_line ? ", " : ",";
  }
  level.empty = false;
  if (!level.one_line) {
    new_line();
  }
}

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  out_ += json_string(characters(name)) + ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::open(char bracket, Layout layout) {
  begin_value();
  out_ += bracket;
  const bool inside_line = !levels_.empty() && levels_.back().one_line;
  levels_.push_back({inside_line || layout == Layout::OneLine, true});
}

void JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) {
    new_line();
  }
  out_ += bracket;
}

void JsonWriter::text(std::string_view value) { raw(json_string(characters(value))); }
void JsonWriter::text(std::u32string_view value) { raw(json_string(value)); }

void JsonWriter::raw(std::string_view json) {
  begin_value();
  out_ += json;
}

}  // namespace callis::idl::driver
