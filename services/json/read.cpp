// SPDX-License-Identifier: Apache-2.0
// Values from the events of nlohmann's parser. Its events tell no places and its numbers are doubles, so a cursor
// steps over the tokens of the text beside it.
#include <callis/base/json_text.h>
#include <callis/base/text.h>
#include <services/json/json.h>
#include <nlohmann/json.hpp>
#include <algorithm>
#include <set>

namespace callis::json {

namespace {

using Parser = nlohmann::json;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Only tokens are taken that the parser has found good.
class Cursor final {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    if (text.starts_with(kByteOrderMark)) at_ = line_begin_ = kByteOrderMark.size();
  }

  // Where the next token begins, or the text ends.
  std::size_t next() {
    for (; at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos; ++at_)
      if (text_[at_] == '\n') begin_line();
    return at_;
  }
  std::string_view take() {
    const std::size_t begin = next();
    switch (text_[begin]) {
      case '{': case '}': case '[': case ']': ++at_; break;
      case 't': case 'n': at_ += 4; break;
      case 'f': at_ += 5; break;
      case '"': take_string(); break;
      default: take_number();
    }
    return text_.substr(begin, at_ - begin);
  }
  // offset: within the line of the next token.
  Place place(std::size_t offset) const { return {line_, offset - line_begin_ + 1}; }

 private:
  void begin_line() {
    ++line_;
    line_begin_ = at_ + 1;
  }
  void take_string() {
    for (++at_; text_[at_] != '"';) at_ += text_[at_] == '\\' ? 2u : 1u;
    ++at_;
  }
  // The next byte may be no blank, but the beginning of something wrong.
  void take_number() {
    take_any_of("-");
    if (!take_any_of("0")) take_digits();
    if (take_any_of(".")) take_digits();
    if (!take_any_of("eE")) return;
    take_any_of("+-");
    take_digits();
  }
  bool take_any_of(std::string_view characters) {
    const bool is_there = at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos;
    at_ += is_there;
    return is_there;
  }
  void take_digits() {
    while (take_any_of("0123456789")) {}
  }

  const std::string_view text_;
  std::size_t at_ = 0, line_ = 1, line_begin_ = 0;
};

class Reader final : public nlohmann::json_sax<Parser> {
 public:
  Reader(std::string_view text, const JsonLimits& limits) : text_(text), cursor_(text), limits_(limits) {}

  bool null() override { return put({}); }
  bool boolean(bool value) override { return put(Json::boolean(value)); }
  bool number_integer(number_integer_t) override { return put(Json::number({})); }
  bool number_unsigned(number_unsigned_t) override { return put(Json::number({})); }
  bool number_float(number_float_t, const string_t&) override { return put(Json::number({})); }
  bool string(string_t& value) override { return put(Json::string(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Open& in = open_.back();
    if (!in.seen.insert(name).second)
      return refuse(cursor_.next(),
                    concat({"the member ", Printable(json_string(name)), " stands twice in an object"}));
    const Place where = cursor_.place(cursor_.next());
    cursor_.take();
    in.json.names.push_back({std::move(name), where});
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
    const std::string_view what = e.what();  // "[NAME] parse error at line 1, column 5: TEXT", "[NAME] TEXT"
    std::size_t begin = what.find("] ");
    begin = begin == std::string_view::npos ? 0 : begin + 2;
    constexpr std::string_view kBeforePlace = "parse error at ", kBehindPlace = ": ";
    if (what.substr(begin).starts_with(kBeforePlace)) begin = what.find(kBehindPlace, begin) + kBehindPlace.size();
    std::string text(what.substr(begin));
    constexpr int kNumberBeyondDouble = 406;
    if (e.id == kNumberBeyondDouble) text += ": write it as a string";
    const std::size_t token = cursor_.next();
    // The parser tells where what it read last ends: of a token that is good, but not here, the beginning is wanted.
    std::size_t at = std::clamp(position, std::size_t{1}, text_.size() + 1) - 1;
    if (e.id == kNumberBeyondDouble || text.find(" - unexpected ") != std::string::npos) at = token;
    if (text.find("UTF-8") != std::string::npos) {
      text += ": save the file as UTF-8";
      at = token;
      while (const std::size_t bytes = first_character(text_.substr(at)).bytes) at += bytes;
    }
    return refuse(at, Printable(text));
  }

  std::variant<Json, JsonError> result() && {
    if (error_.text.empty()) return std::move(result_);
    return std::move(error_);
  }

 private:
  struct Open {
    Json json;
    std::set<std::string> seen;
  };

  bool refuse(std::size_t at, std::string_view text) {
    error_ = {cursor_.place(at), std::string(text)};
    return false;
  }
  // Its beginning, with the limits kept.
  bool begin(Json& value) {
    if (++values_ > limits_.values)
      return refuse(cursor_.next(), concat({"more than ", Decimal(limits_.values), " values"}));
    value.where = cursor_.place(cursor_.next());
    const std::string_view token = cursor_.take();
    if (value.kind == Json::Kind::Number) value.text = token;
    return true;
  }
  bool put(Json value) {
    if (!begin(value)) return false;
    add(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == limits_.levels)
      return refuse(cursor_.next(),
                    concat({"more than ", Decimal(limits_.levels), " arrays and objects in each other"}));
    if (!begin(value)) return false;
    open_.push_back({std::move(value), {}});
    return true;
  }
  bool close() {
    cursor_.take();
    Json done = std::move(open_.back().json);
    open_.pop_back();
    add(std::move(done));
    return true;
  }
  void add(Json value) {
    if (open_.empty())
      result_ = std::move(value);
    else
      open_.back().json.items.push_back(std::move(value));
  }

  const std::string_view text_;
  Cursor cursor_;
  const JsonLimits& limits_;
  std::size_t values_ = 0;
  std::vector<Open> open_;
  Json result_;
  JsonError error_;
};

}  // namespace

std::string JsonError::said() const {
  return concat({"line ", Decimal(where.line), ", column ", Decimal(where.column), ": ", text});
}

std::variant<Json, JsonError> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    return JsonError{{}, concat({Decimal(text.size()), " bytes; ", Decimal(limits.bytes), " are allowed"})};
  Reader reader(text, limits);
  Parser::sax_parse(text.begin(), text.end(), &reader);
  return std::move(reader).result();
}

}  // namespace callis::json
