// SPDX-License-Identifier: Apache-2.0
// JSON, read by the events of nlohmann's parser: its own values would turn numbers that are large into doubles.
#include <callis/base/text.h>
#include <tools/call/json.h>
#include <nlohmann/json.hpp>
#include <set>

namespace callis::tools {

Json Json::boolean(bool value) {
  Json out;
  out.kind = Kind::Boolean;
  out.truth = value;
  return out;
}

Json Json::number(std::string digits) {
  Json out;
  out.kind = Kind::Number;
  out.text = std::move(digits);
  return out;
}

Json Json::string(std::string characters) {
  Json out;
  out.kind = Kind::String;
  out.text = std::move(characters);
  return out;
}

Json Json::array() {
  Json out;
  out.kind = Kind::Array;
  return out;
}

Json Json::object() {
  Json out;
  out.kind = Kind::Object;
  return out;
}

Json& Json::add(Json item) {
  items.push_back(std::move(item));
  return items.back();
}

Json& Json::add(std::string name, Json item) {
  names.push_back(std::move(name));
  return add(std::move(item));
}

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

namespace {

// Cut between characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string describe(const Json& json) {
  switch (json.kind) {
    case Json::Kind::Null: return "null";
    case Json::Kind::Boolean: return json.truth ? "true" : "false";
    case Json::Kind::Number: return "the number " + shortened(json.text);
    case Json::Kind::String:
      return "the string " + std::string(Printable(to_text(Json::string(shortened(json.text)), false)));
    case Json::Kind::Array: return "an array of " + std::to_string(json.items.size());
    default: return json.items.empty() ? "an empty object" : "an object";
  }
}

namespace {

using Parser = nlohmann::json;

class Reader final : public nlohmann::json_sax<Parser> {
 public:
  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(Json::boolean(value)); }
  bool number_integer(number_integer_t value) override { return put(Json::number(std::to_string(value))); }
  bool number_unsigned(number_unsigned_t value) override { return put(Json::number(std::to_string(value))); }
  bool number_float(number_float_t, const string_t& digits) override { return put(Json::number(digits)); }
  bool string(string_t& value) override { return put(Json::string(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!open_.back().seen.insert(name).second) {
      error =
          "the member " + std::string(Printable(to_text(Json::string(name), false))) + " stands twice in an object";
      return false;
    }
    open_.back().name = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    const std::string_view what = e.what();
    const std::size_t end = what.find("] ");
    std::string text(end == std::string_view::npos ? what : what.substr(end + 2));
    const std::string_view prefix = "parse error at ";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    // Of numbers beyond a double.
    if (e.id == 406) text += ": write it as a string";
    error = Printable(text);
    return false;
  }

  Json result;
  std::string error;

 private:
  struct Open {
    Json json;
    std::string name;  // of the member to come
    std::set<std::string> seen;
  };

  bool put(Json value) {
    if (open_.empty()) {
      result = std::move(value);
    } else if (Open& in = open_.back(); in.json.kind == Json::Kind::Object) {
      in.json.add(std::move(in.name), std::move(value));
    } else {
      in.json.add(std::move(value));
    }
    return true;
  }
  bool open(Json value) {
    if (open_.size() == kMostJsonLevels) {
      error = "more than " + std::to_string(kMostJsonLevels) + " arrays and objects in each other";
      return false;
    }
    open_.push_back({std::move(value), {}, {}});
    return true;
  }
  bool close() {
    Json done = std::move(open_.back().json);
    open_.pop_back();
    return put(std::move(done));
  }

  std::vector<Open> open_;
};

void put_string(std::string& to, const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  to += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (c == '"' || c == '\\') {
      to += '\\';
      to += static_cast<char>(c);
    } else if (c == '\n') {
      to += "\\n";
    } else if (c == '\t') {
      to += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      to += std::string("\\u00") + kDigits[c >> 4] + kDigits[c & 15];
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // controls of ISO 6429
      to += std::string("\\u00") + kDigits[next >> 4] + kDigits[next & 15];
      ++i;
    } else {
      to += static_cast<char>(c);
    }
  }
  to += '"';
}

void put(std::string& to, const Json& json, bool pretty, std::size_t level) {
  const auto line = [&](std::size_t n) {
    if (pretty) to += "\n" + std::string(2 * n, ' ');
  };
  switch (json.kind) {
    case Json::Kind::Null: to += "null"; return;
    case Json::Kind::Boolean: to += json.truth ? "true" : "false"; return;
    case Json::Kind::Number: to += json.text; return;
    case Json::Kind::String: put_string(to, json.text); return;
    default: break;
  }
  const bool object = json.kind == Json::Kind::Object;
  to += object ? '{' : '[';
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    if (i != 0) to += ',';
    line(level + 1);
    if (object) {
      put_string(to, json.names[i]);
      to += pretty ? ": " : ":";
    }
    put(to, json.items[i], pretty, level + 1);
  }
  if (!json.items.empty()) line(level);
  to += object ? '}' : ']';
}

}  // namespace

std::variant<Json, JsonError> parse_json(std::string_view text) {
  Reader reader;
  if (Parser::sax_parse(text.begin(), text.end(), &reader)) return std::move(reader.result);
  return JsonError{reader.error.empty() ? "not JSON" : reader.error};
}

std::string to_text(const Json& json, bool pretty) {
  std::string out;
  put(out, json, pretty, 0);
  return out;
}

}  // namespace callis::tools
