// SPDX-License-Identifier: Apache-2.0
// Conditions: a parser by precedence that computes as it goes. It recurses for parentheses, unary operators and `?`,
// at most kMaxConditionDepth deep.
#include <idl/source/condition.h>
#include <algorithm>
#include <array>
#include <limits>

namespace callis::idl::source {

namespace {

constexpr std::size_t kMaxShownCondition = 100;  // bytes, in messages

struct PpValue {
  std::uint64_t bits = 0;
  bool is_unsigned = false;

  bool negative() const { return !is_unsigned && (bits >> 63) != 0; }
};

PpValue boolean(bool value) { return {value ? 1u : 0u, false}; }

// Also the words that ISO 14882, 2.5 has for operators.
enum class PpOperator {
  None, Or, And, BitOr, BitXor, BitAnd, Equal, Unequal, Less, Greater, LessEqual, GreaterEqual,
  ShiftLeft, ShiftRight, Plus, Minus, Times, Divide, Remainder, Not, Complement
};

struct OperatorWord {
  std::string_view text;
  PpOperator value;
  int precedence;  // of a binary operator; more binds tighter
};

constexpr OperatorWord kOperators[] = {
    {"||", PpOperator::Or, 1},          {"or", PpOperator::Or, 1},         {"&&", PpOperator::And, 2},
    {"and", PpOperator::And, 2},        {"|", PpOperator::BitOr, 3},       {"bitor", PpOperator::BitOr, 3},
    {"^", PpOperator::BitXor, 4},       {"xor", PpOperator::BitXor, 4},    {"&", PpOperator::BitAnd, 5},
    {"bitand", PpOperator::BitAnd, 5},  {"==", PpOperator::Equal, 6},      {"!=", PpOperator::Unequal, 6},
    {"not_eq", PpOperator::Unequal, 6}, {"<", PpOperator::Less, 7},        {">", PpOperator::Greater, 7},
    {"<=", PpOperator::LessEqual, 7},   {">=", PpOperator::GreaterEqual, 7}, {"<<", PpOperator::ShiftLeft, 8},
    {">>", PpOperator::ShiftRight, 8},  {"+", PpOperator::Plus, 9},        {"-", PpOperator::Minus, 9},
    {"*", PpOperator::Times, 10},       {"/", PpOperator::Divide, 10},     {"%", PpOperator::Remainder, 10},
    {"!", PpOperator::Not, 0},          {"not", PpOperator::Not, 0},       {"~", PpOperator::Complement, 0},
    {"compl", PpOperator::Complement, 0}};

const OperatorWord& operator_of(const PpToken& token) {
  static constexpr OperatorWord kNone{"", PpOperator::None, 0};
  if (token.kind == PpKind::Punctuator || token.kind == PpKind::Identifier) {
    for (const OperatorWord& each : kOperators) {
      if (each.text == token.text) {
        return each;
      }
    }
  }
  return kNone;
}

// Of a digit in any base up to 16; 99 of another character.
int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : 99;
}

class Condition {
 public:
  Condition(const std::vector<PpToken>& tokens, const Macros& macros, Faults& faults)
      : tokens_(tokens), macros_(macros), faults_(faults) {}

  bool run() {
    const PpValue value = conditional(0);
    if (!failed_ && at_ < tokens_.size()) {
      malformed();
    }
    return !failed_ && value.bits != 0;
  }

 private:
  const PpToken& current() const {
    static const PpToken kEnd;
    return failed_ || at_ >= tokens_.size() ? kEnd : tokens_[at_];
  }
  bool take(std::string_view punctuator) {
    const bool there = current().is(punctuator);
    at_ += there ? 1u : 0u;
    return there;
  }

  // Reports once. Nothing is read afterwards.
  PpValue fail(const Range& where, const std::string& text) {
    if (!failed_) {
      faults_.error(where, text);
    }
    failed_ = true;
    return {};
  }
  // The condition ends too soon, or goes on where it should have ended.
  PpValue malformed() {
    Range where = tokens_[std::min(at_, tokens_.size() - 1)].where();
    if (at_ >= tokens_.size() && tokens_.back().use_length == 0) {
      where = {where.begin, 1};
      where.begin.column += static_cast<std::uint32_t>(tokens_.back().text.size());
    }
    return fail(where, "malformed condition: " + shown());
  }
  std::string shown() const { return spelled(tokens_, kMaxShownCondition); }
  PpValue check(bool good, const PpToken& at, const char* text) {
    if (!good && !skipping_) {
      fail(at.where(), std::string(text) + ": " + shown());
    }
    return {};
  }

  bool too_deep(std::size_t depth) {
    if (depth > kMaxConditionDepth) {
      fail(current().where(), "condition is nested too deep");
    }
    return failed_;
  }

  // a ? b : c
  PpValue conditional(std::size_t depth) {
    const PpValue condition = binary(1, depth);
    if (!take("?")) {
      return condition;
    }
    if (too_deep(depth + 1)) {
      return {};
    }
    const bool outer = skipping_;
    const bool first = condition.bits != 0;
    skipping_ = outer || !first;
    const PpValue yes = conditional(depth + 1);
    if (!take(":")) {
      return malformed();
    }
    skipping_ = outer || first;
    const PpValue no = conditional(depth + 1);
    skipping_ = outer;
    return {first ? yes.bits : no.bits, yes.is_unsigned || no.is_unsigned};
  }

  PpValue binary(int least, std::size_t depth) {
    PpValue left = unary(depth);
    for (;;) {
      const PpToken& token = current();
      const OperatorWord& word = operator_of(token);
      if (word.precedence < least || word.precedence == 0) {
        return left;
      }
      ++at_;
      const bool outer = skipping_;
      const bool decided = (word.value == PpOperator::Or && left.bits != 0) ||
                           (word.value == PpOperator::And && left.bits == 0);
      skipping_ = outer || decided;
      const PpValue right = binary(word.precedence + 1, depth);
      skipping_ = outer;
      left = compute(word.value, left, right, token);
    }
  }

  PpValue unary(std::size_t depth) {
    const PpToken& token = current();
    const PpOperator unary_operator = operator_of(token).value;
    switch (unary_operator) {
      case PpOperator::Not:
      case PpOperator::Complement:
      case PpOperator::Plus:
      case PpOperator::Minus: break;
      default: return primary(depth);
    }
    if (too_deep(depth + 1)) {
      return {};
    }
    ++at_;
    const PpValue value = unary(depth + 1);
    switch (unary_operator) {
      case PpOperator::Not: return boolean(value.bits == 0);
      case PpOperator::Complement: return {~value.bits, value.is_unsigned};
      case PpOperator::Minus: return compute(PpOperator::Minus, {0, value.is_unsigned}, value, token);
      default: return value;
    }
  }

  PpValue primary(std::size_t depth) {
    const PpToken& token = current();
    switch (token.kind) {
      case PpKind::Number: ++at_; return number(token);
      case PpKind::Character: ++at_; return character(token);
      case PpKind::Identifier:
        if (operator_of(token).value != PpOperator::None) {
          return malformed();
        }
        ++at_;
        return token.text == "defined" ? defined() : boolean(token.text == "true");
      default: break;
    }
    if (!token.is("(")) {
      return malformed();
    }
    if (too_deep(depth + 1)) {
      return {};
    }
    ++at_;
    const PpValue value = conditional(depth + 1);
    return take(")") ? value : malformed();
  }

  PpValue defined() {
    const bool parenthesis = take("(");
    const PpToken& name = current();
    if (name.kind != PpKind::Identifier) {
      return malformed();
    }
    ++at_;
    return parenthesis && !take(")") ? malformed() : boolean(macros_.is_defined(name.text));
  }

  // 2.13.1, with LL. A decimal number that no signed integer holds is unsigned.
  PpValue number(const PpToken& token) {
    std::string_view digits = token.text;
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const std::uint64_t base = hexadecimal ? 16 : digits.starts_with('0') ? 8 : 10;
    digits.remove_prefix(hexadecimal ? 2 : 0);
    const std::string_view suffix = digits.substr(std::min(digits.find_first_of("uUlL"), digits.size()));
    digits.remove_suffix(suffix.size());
    static constexpr std::string_view kSuffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
    std::string lower(suffix);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c < 'a' ? c + 32 : c; });
    bool good = !digits.empty() && suffix.find("lL") == suffix.npos && suffix.find("Ll") == suffix.npos &&
                std::find(std::begin(kSuffixes), std::end(kSuffixes), lower) != std::end(kSuffixes);
    std::uint64_t value = 0;
    bool fits = true;
    for (const char c : digits) {
      const auto digit = static_cast<std::uint64_t>(digit_of(c));
      good = good && digit < base;
      fits = fits && value <= (std::numeric_limits<std::uint64_t>::max() - digit) / base;
      value = value * base + digit;
    }
    if (!good) {
      --at_;
      return malformed();
    }
    check(fits, token, "integer too large in this condition");
    return {value, lower.find('u') != lower.npos || (value >> 63) != 0};
  }

  // 2.13.2. Of several characters each takes 8 bits, as with GCC.
  PpValue character(const PpToken& token) {
    const bool wide = token.text.front() == 'L';
    std::string_view rest = token.text.substr(wide ? 2 : 1);
    rest.remove_suffix(1);
    if (rest.empty()) {
      --at_;
      return malformed();
    }
    std::uint64_t value = 0;
    const bool one = rest.size() == 1 || rest.front() == '\\';
    std::size_t count = 0;
    for (; !rest.empty(); ++count) {
      const std::uint64_t next = character_at(rest);
      value = wide ? next : value << 8 | (next & 0xFF);
    }
    if (!wide && one && count == 1) {
      return {static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<signed char>(value))), false};
    }
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value))), false};
  }

  // Takes one character or escape sequence.
  static std::uint64_t character_at(std::string_view& rest) {
    const auto take_digits = [&](std::size_t most, int base) {
      std::uint64_t value = 0;
      for (; most > 0 && !rest.empty() && digit_of(rest.front()) < base; --most, rest.remove_prefix(1)) {
        value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit_of(rest.front()));
      }
      return value;
    };
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\' || rest.empty()) {
      return static_cast<unsigned char>(c);
    }
    if (digit_of(rest.front()) < 8) {
      return take_digits(3, 8);
    }
    const char escape = rest.front();
    rest.remove_prefix(1);
    constexpr std::string_view kLetters = "abtnvfr";
    if (const auto index = kLetters.find(escape); index != kLetters.npos) {
      return 7 + index;  // in the order of ASCII
    }
    return escape == 'x' ? take_digits(rest.size(), 16) : static_cast<unsigned char>(escape);
  }

  PpValue compute(PpOperator op, PpValue a, PpValue b, const PpToken& at) {
    const bool both_unsigned = a.is_unsigned || b.is_unsigned;
    const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
    const auto arithmetic = [&](std::uint64_t bits, bool overflows) {
      check(both_unsigned || !overflows, at, "integer overflow in preprocessor expression");
      return PpValue{bits, both_unsigned};
    };
    std::int64_t result = 0;
    const bool less = both_unsigned ? a.bits < b.bits : sa < sb;
    switch (op) {
      case PpOperator::Or: return boolean(a.bits != 0 || b.bits != 0);
      case PpOperator::And: return boolean(a.bits != 0 && b.bits != 0);
      case PpOperator::BitOr: return {a.bits | b.bits, both_unsigned};
      case PpOperator::BitXor: return {a.bits ^ b.bits, both_unsigned};
      case PpOperator::BitAnd: return {a.bits & b.bits, both_unsigned};
      case PpOperator::Equal: return boolean(a.bits == b.bits);
      case PpOperator::Unequal: return boolean(a.bits != b.bits);
      case PpOperator::Less: return boolean(less);
      case PpOperator::GreaterEqual: return boolean(!less);
      case PpOperator::LessEqual: return boolean(less || a.bits == b.bits);
      case PpOperator::Greater: return boolean(!less && a.bits != b.bits);
      case PpOperator::ShiftLeft: return shift(a, b, true);
      case PpOperator::ShiftRight: return shift(a, b, false);
      case PpOperator::Plus: return arithmetic(a.bits + b.bits, __builtin_add_overflow(sa, sb, &result));
      case PpOperator::Minus: return arithmetic(a.bits - b.bits, __builtin_sub_overflow(sa, sb, &result));
      case PpOperator::Times: return arithmetic(a.bits * b.bits, __builtin_mul_overflow(sa, sb, &result));
      case PpOperator::Divide:
      case PpOperator::Remainder: break;
      default: return {};
    }
    if (b.bits == 0) {
      return check(false, at, "division by zero in preprocessor expression");
    }
    const bool divide = op == PpOperator::Divide;
    if (both_unsigned) {
      return {divide ? a.bits / b.bits : a.bits % b.bits, true};
    }
    if (sa == std::numeric_limits<std::int64_t>::min() && sb == -1) {
      return arithmetic(divide ? a.bits : 0, true);
    }
    return {static_cast<std::uint64_t>(divide ? sa / sb : sa % sb), false};
  }

  // Of the left operand's type. By a negative number: to the other side, as with GCC.
  static PpValue shift(PpValue a, PpValue by, bool left) {
    if (by.negative()) {
      left = !left;
      by = {0 - by.bits, true};
    }
    const bool all = by.bits >= 64;
    if (left) {
      return {all ? 0 : a.bits << by.bits, a.is_unsigned};
    }
    const std::uint64_t sign = a.negative() ? ~std::uint64_t{0} : 0;
    if (all || by.bits == 0) {
      return {all ? sign : a.bits, a.is_unsigned};
    }
    return {a.bits >> by.bits | sign << (64 - by.bits), a.is_unsigned};
  }

  const std::vector<PpToken>& tokens_;
  const Macros& macros_;
  Faults& faults_;
  std::size_t at_ = 0;
  bool failed_ = false;
  bool skipping_ = false;  // an operand that does not count: no faults of arithmetic
};

}  // namespace

bool evaluate_condition(const std::vector<PpToken>& tokens, const Macros& macros, std::string_view directive,
                        const Range& where, Faults& faults) {
  if (tokens.empty()) {
    faults.error(where, "#" + std::string(directive) + " needs a condition");
    return false;
  }
  return Condition(tokens, macros, faults).run();
}

}  // namespace callis::idl::source
