// SPDX-License-Identifier: Apache-2.0
// Values of JSON: made, looked at and written.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/json/json.h>

namespace callis::json {

namespace {

Json of_kind(Json::Kind kind, std::string text = {}) {
  Json out;
  out.kind = kind;
  out.text = std::move(text);
  return out;
}

// Cut between characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

void put(std::string& to, const Json& json, bool pretty, std::size_t level) {
  const auto line = [&](std::size_t n) {
    if (pretty) to += "\n" + std::string(2 * n, ' ');
  };
  switch (json.kind) {
    case Json::Kind::Null: to += "null"; return;
    case Json::Kind::Boolean: to += json.truth ? "true" : "false"; return;
    case Json::Kind::Number: to += json.text; return;
    case Json::Kind::String: to += json_string(json.text); return;
    default: break;
  }
  const bool object = json.kind == Json::Kind::Object;
  to += object ? '{' : '[';
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    if (i != 0) to += ',';
    line(level + 1);
    if (object) {
      to += json_string(json.names[i].text);
      to += pretty ? ": " : ":";
    }
    put(to, json.items[i], pretty, level + 1);
  }
  if (!json.items.empty()) line(level);
  to += object ? '}' : ']';
}

}  // namespace

Json Json::boolean(bool value) {
  Json out = of_kind(Kind::Boolean);
  out.truth = value;
  return out;
}
Json Json::number(std::string digits) { return of_kind(Kind::Number, std::move(digits)); }
Json Json::string(std::string characters) { return of_kind(Kind::String, std::move(characters)); }
Json Json::array() { return of_kind(Kind::Array); }
Json Json::object() { return of_kind(Kind::Object); }

Json& Json::add(Json item) {
  items.push_back(std::move(item));
  return items.back();
}

Json& Json::add(std::string name, Json item) {
  names.push_back({std::move(name), {}});
  return add(std::move(item));
}

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].text == name) return &items[i];
  return nullptr;
}

std::string_view kind_word(Json::Kind kind) {
  constexpr std::string_view kWords[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string describe(const Json& json) {
  switch (json.kind) {
    case Json::Kind::Null: return "null";
    case Json::Kind::Boolean: return json.truth ? "true" : "false";
    case Json::Kind::Number: return "the number " + shortened(json.text);
    case Json::Kind::String: return concat({"the string ", Printable(json_string(shortened(json.text)))});
    case Json::Kind::Array: return "an array of " + std::to_string(json.items.size());
    default: return json.items.empty() ? "an empty object" : "an object";
  }
}

std::string to_text(const Json& json, bool pretty) {
  std::string out;
  put(out, json, pretty, 0);
  return out;
}

}  // namespace callis::json
