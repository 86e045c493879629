// SPDX-License-Identifier: Apache-2.0
// JSON text: nesting, commas.
#include <callis/base/json_text.h>
#include <idl/driver/json_writer.h>

namespace callis::idl::driver {

std::u32string characters(std::string_view bytes) {
  std::u32string out;
  for (std::string_view rest = bytes; !rest.empty();) {
    const Utf8Character c = first_character(rest);
    if (c.bytes == 0) {
      out.clear();
      for (const char b : bytes) {
        out += static_cast<unsigned char>(b);
      }
      return out;
    }
    out += c.value;
    rest.remove_prefix(c.bytes);
  }
  return out;
}

std::string json_string(std::u32string_view text) {
  std::string out = "\"";
  for (const char32_t c : text) {
    out += JsonCharacter(c, JsonCharacter::Beyond::Escaped);
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
