// SPDX-License-Identifier: Apache-2.0
// JsonWriter: JSON text, indented, in ASCII. The caller opens and closes in order, and gives a key before each value
// in an object. Objects of a few plain values can be kept on one line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::driver {

class JsonWriter {
 public:
  enum class Layout { Lines, OneLine };  // OneLine: so is everything inside

  void open_object(Layout layout = Layout::Lines) { open('{', layout); }
  void close_object() { close('}'); }
  void open_array(Layout layout = Layout::Lines) { open('[', layout); }
  void close_array() { close(']'); }
  JsonWriter& key(std::string_view name);

  // Bytes are taken as UTF-8 where they are, else each byte as a character of ISO 8859-1.
  void text(std::string_view value);
  void text(std::u32string_view value);
  void number(std::int64_t value) { raw(std::to_string(value)); }
  void number(std::uint64_t value) { raw(std::to_string(value)); }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  void raw(std::string_view json);

  // All of it, with an end of line.
  std::string take() { return std::move(out_) + "\n"; }

 private:
  struct Level {
    bool one_line = false;
    bool empty = true;
  };
  void open(char bracket, Layout layout);
  void close(char bracket);
  void begin_value();
  void new_line();

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// With its quotes, in ASCII.
std::string json_string(std::u32string_view text);
// The characters of valid UTF-8; of anything else, those of ISO 8859-1.
std::u32string characters(std::string_view bytes);

}  // namespace callis::idl::driver
