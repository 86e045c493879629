// SPDX-License-Identifier: Apache-2.0
// The grammar, the types of what it joins, and the limits.
#include <callis/base/text.h>
#include <services/constraints/parser.h>
#include <algorithm>

namespace callis::constraints {

namespace {

bool is_sequence(Type type) { return type >= Type::Booleans && type <= Type::Texts; }

Type sequence_of(Type type) {
  switch (type) {
    case Type::Boolean: return Type::Booleans;
    case Type::Number: return Type::Numbers;
    case Type::Text: return Type::Texts;
    default: return Type::Unknown;
  }
}

bool fits(Type type, Type wanted) { return type == wanted || type == Type::Unknown || wanted == Type::Unknown; }

std::optional<Operator> comparison_of(Word word) {
  switch (word) {
    case Word::Equal: return Operator::Equal;
    case Word::Unequal: return Operator::Unequal;
    case Word::Less: return Operator::Less;
    case Word::LessOrEqual: return Operator::LessOrEqual;
    case Word::Greater: return Operator::Greater;
    case Word::GreaterOrEqual: return Operator::GreaterOrEqual;
    default: return std::nullopt;
  }
}

}  // namespace

std::string_view to_words(Type type) {
  switch (type) {
    case Type::Unknown: return "of a type that is not known";
    case Type::Boolean: return "a boolean";
    case Type::Number: return "a number";
    case Type::Text: return "a text";
    case Type::Booleans: return "a sequence of booleans";
    case Type::Numbers: return "a sequence of numbers";
    case Type::Texts: return "a sequence of texts";
    case Type::Other: return "of a type that constraints cannot use but for `exist`";
  }
  return "";
}

// One level more.
class Parser::Deeper {
 public:
  explicit Deeper(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ > parser_.options_.limits.depth)
      throw Refused(parser_.text_, parser_.token_.at, parser_.token_.bytes,
                    concat({"it is nested deeper than ", Decimal(parser_.options_.limits.depth), " levels"}));
  }
  ~Deeper() { --parser_.depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  Parser& parser_;
};

Parser::Parser(std::string_view text, const ParseOptions& options)
    : text_(text), options_(options), lexer_(text, options.paths) {
  if (text.size() > options.limits.text_bytes)
    throw Refused(
        text, options.limits.text_bytes, 0,
        concat({"it is longer than ", Decimal(options.limits.text_bytes), " bytes: it has ", Decimal(text.size())}));
  tree_.text = text;
  skip();
}

void Parser::expect_end() {
  if (token_.word == Word::End) return;
  const bool compared = comparison_of(token_.word) || token_.word == Word::In || token_.word == Word::Matches;
  throw Refused(text_, token_.at, token_.bytes,
                token_.word == Word::Close ? "no parenthesis is open that this one closes"
                : compared                 ? "results of comparisons are compared only in parentheses"
                                           : "an operator was expected here, or the end");
}

void Parser::expression(Type wanted, std::string_view of) {
  const Part all = either();
  expect_end();
  need(all, wanted, of);
}

void Parser::refuse(const Part& part, std::string why) const {
  throw Refused(text_, part.begin, part.end - part.begin, std::move(why));
}

void Parser::need(const Part& part, Type wanted, std::string_view of) const {
  if (fits(type(part), wanted)) return;
  refuse(part, concat({of, " needs ", to_words(wanted), ", and this is ", to_words(type(part))}));
}

Parser::Part Parser::add(Operator op, Type type, std::uint32_t left, std::uint32_t right, std::size_t begin,
                         std::size_t end, Value literal) {
  if (tree_.nodes.size() >= options_.limits.nodes)
    throw Refused(text_, begin, end - begin,
                  concat({"it has more than ", Decimal(options_.limits.nodes), " operators, names and literals"}));
  tree_.nodes.push_back({op, type, left, right, literal});
  return {static_cast<std::uint32_t>(tree_.nodes.size() - 1), begin, end};
}

Parser::Part Parser::binary(Operator op, Type type, const Part& left, const Part& right) {
  return add(op, type, left.node, right.node, left.begin, right.end);
}

Token Parser::take(Word word, std::string_view what) {
  if (token_.word != word)
    throw Refused(
        text_, token_.at, token_.bytes,
        concat({what, token_.word == Word::End ? " was expected here, where the text ends" : " was expected here"}));
  Token out = std::move(token_);
  last_end_ = out.at + out.bytes;
  skip();
  return out;
}

Parser::Part Parser::either() {
  Part left = both();
  while (token_.word == Word::Or) {
    take(Word::Or, "or");
    const Part right = both();
    need(left, Type::Boolean, "`or`");
    need(right, Type::Boolean, "`or`");
    left = binary(Operator::Or, Type::Boolean, left, right);
  }
  return left;
}

Parser::Part Parser::both() {
  Part left = comparison();
  while (token_.word == Word::And) {
    take(Word::And, "and");
    const Part right = comparison();
    need(left, Type::Boolean, "`and`");
    need(right, Type::Boolean, "`and`");
    left = binary(Operator::And, Type::Boolean, left, right);
  }
  return left;
}

Parser::Part Parser::comparison() {
  const Part left = membership();
  const auto op = comparison_of(token_.word);
  if (!op) return left;
  take(token_.word, "");
  const Part right = membership();
  for (const Part& part : {left, right}) {
    if (type(part) == Type::Other || is_sequence(type(part)))
      refuse(part, concat({"this is ", to_words(type(part)), ", which cannot be compared",
                           is_sequence(type(part)) ? ": `in` looks for an element" : ""}));
  }
  if (!fits(type(left), type(right)))
    refuse({0, left.begin, right.end}, concat({to_words(type(left)), " is compared with ", to_words(type(right))}));
  return binary(*op, Type::Boolean, left, right);
}

Parser::Part Parser::membership() {
  const Part left = match();
  if (token_.word != Word::In) return left;
  take(Word::In, "in");
  const Token token = take(Word::Name, "the name of a sequence");
  const std::uint32_t sequence = number_of(token);
  const Type of = types_[sequence];
  const Part right{0, token.at, token.at + token.bytes};
  if (of != Type::Unknown && !is_sequence(of))
    refuse(right, concat({"`in` needs a sequence on its right, and this is ", to_words(of)}));
  if (type(left) == Type::Other || is_sequence(type(left)))
    refuse(left, concat({"`in` looks for a simple value, and this is ", to_words(type(left))}));
  if (of != Type::Unknown && type(left) != Type::Unknown && sequence_of(type(left)) != of)
    refuse({0, left.begin, right.end}, concat({to_words(type(left)), " is looked for in ", to_words(of)}));
  return add(Operator::In, Type::Boolean, left.node, sequence, left.begin, right.end);
}

Parser::Part Parser::match() {
  const Part left = sum();
  if (token_.word != Word::Matches) return left;
  take(Word::Matches, "~");
  const Part right = sum();
  need(left, Type::Text, "`~`");
  need(right, Type::Text, "`~`");
  return binary(Operator::Matches, Type::Boolean, left, right);
}

Parser::Part Parser::sum() {
  Part left = product();
  while (token_.word == Word::Plus || token_.word == Word::Minus) {
    const bool plus = take(token_.word, "").word == Word::Plus;
    const Part right = product();
    need(left, Type::Number, plus ? "`+`" : "`-`");
    need(right, Type::Number, plus ? "`+`" : "`-`");
    left = binary(plus ? Operator::Add : Operator::Subtract, Type::Number, left, right);
  }
  return left;
}

Parser::Part Parser::product() {
  Part left = negation();
  while (token_.word == Word::Times || token_.word == Word::Divide) {
    const bool times = take(token_.word, "").word == Word::Times;
    const Part right = negation();
    need(left, Type::Number, times ? "`*`" : "`/`");
    need(right, Type::Number, times ? "`*`" : "`/`");
    left = binary(times ? Operator::Multiply : Operator::Divide, Type::Number, left, right);
  }
  return left;
}

Parser::Part Parser::negation() {
  if (token_.word != Word::Not) return factor();
  const std::size_t begin = take(Word::Not, "not").at;
  const Part operand = factor();
  need(operand, Type::Boolean, "`not`, which binds closer than all operators,");
  return add(Operator::Not, Type::Boolean, operand.node, 0, begin, operand.end);
}

std::uint32_t Parser::number_of(const Token& token) {
  const auto found = numbers_.find(token.text);
  if (found != numbers_.end()) return found->second;
  if (tree_.names.size() >= options_.limits.names)
    throw Refused(text_, token.at, token.bytes,
                  concat({"it has more than ", Decimal(options_.limits.names), " different names"}));
  Type type = Type::Unknown;
  if (options_.type_of) {
    const auto known = options_.type_of(token.text);
    if (!known) throw Refused(text_, token.at, token.bytes, concat({"there is no property `", token.text, "`"}));
    type = *known;
  }
  const auto number = static_cast<std::uint32_t>(tree_.names.size());
  tree_.names.push_back(token.text);
  types_.push_back(type);
  numbers_.emplace(token.text, number);
  return number;
}

Parser::Part Parser::name() {
  const Token token = take(Word::Name, "a name");
  const std::uint32_t number = number_of(token);
  return add(Operator::Name, types_[number], number, 0, token.at, token.at + token.bytes);
}

Parser::Part Parser::factor() {
  const std::size_t begin = token_.at;
  switch (token_.word) {
    case Word::Name: return name();
    case Word::Exist: {
      take(Word::Exist, "exist");
      const Token token = take(Word::Name, "the name of a property");
      return add(Operator::Exist, Type::Boolean, number_of(token), 0, begin, last_end_);
    }
    case Word::True:
    case Word::False: {
      const bool is = take(token_.word, "").word == Word::True;
      return add(Operator::Literal, Type::Boolean, 0, 0, begin, last_end_, Value::boolean(is));
    }
    case Word::Number: {
      const Token token = take(Word::Number, "");
      return add(Operator::Literal, Type::Number, 0, 0, begin, last_end_, token.number);
    }
    case Word::Text: {
      tree_.texts.push_back(take(Word::Text, "").text);
      return add(Operator::Literal, Type::Text, 0, 0, begin, last_end_, Value::text(tree_.texts.back()));
    }
    case Word::Open: {
      const Deeper deeper(*this);
      take(Word::Open, "(");
      Part inner = either();
      take(Word::Close, "`)`");
      return {inner.node, begin, last_end_};
    }
    case Word::Minus: {
      const Deeper deeper(*this);
      take(Word::Minus, "-");
      if (token_.word != Word::Number && !options_.paths) take(Word::Number, "a number, behind `-`,");
      const Part operand = factor();
      need(operand, Type::Number, "`-`");
      return add(Operator::Negate, Type::Number, operand.node, 0, begin, operand.end);
    }
    case Word::Not: throw Refused(text_, token_.at, token_.bytes, "`not` stands once: not (not x) needs parentheses");
    case Word::End: throw Refused(text_, token_.at, 0, "an expression was expected here, where the text ends");
    case Word::Min:
    case Word::Max:
    case Word::With:
    case Word::Random:
    case Word::First:
      throw Refused(text_, token_.at, token_.bytes, "this word begins a preference; it is no name of a property");
    default: throw Refused(text_, token_.at, token_.bytes, "a name or a literal was expected here");
  }
}

}  // namespace callis::constraints
