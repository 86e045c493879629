// SPDX-License-Identifier: Apache-2.0
// Evaluation. Recursion is as deep as the text was nested, or as long as its longest chain of operators: within
// Limits::nodes.
#include <services/constraints/tree.h>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace callis::constraints {

namespace {

using Result = Value;

Relation relation(double a, double b) {
  if (a < b) return Relation::Less;
  if (a > b) return Relation::Greater;
  return a == b ? Relation::Equal : Relation::Unlike;
}

template<class T>
Relation order(T a, T b) {
  return a < b ? Relation::Less : a == b ? Relation::Equal : Relation::Greater;
}

// An integer beside a real, with no rounding of either.
Relation whole_and_real(const Value& whole, double d) {
  if (std::isnan(d)) return Relation::Unlike;
  if (whole.kind() == Kind::Integer) {
    if (d >= 0x1p63) return Relation::Less;
    if (d < -0x1p63) return Relation::Greater;
    const auto truncated = static_cast<std::int64_t>(d);
    if (whole.integer() != truncated) return order(whole.integer(), truncated);
    return relation(0, d - static_cast<double>(truncated));
  }
  if (d >= 0x1p64) return Relation::Less;
  if (d < 0x1p63) return Relation::Greater;
  return order(whole.bits(), static_cast<std::uint64_t>(d));
}

Relation turned(Relation r) {
  if (r == Relation::Less) return Relation::Greater;
  return r == Relation::Greater ? Relation::Less : r;
}

Relation numbers(const Value& a, const Value& b) {
  if (a.kind() == Kind::Integer && b.kind() == Kind::Integer) return order(a.integer(), b.integer());
  if (a.kind() == Kind::Real && b.kind() == Kind::Real) return relation(a.real(), b.real());
  if (b.kind() == Kind::Real) return whole_and_real(a, b.real());
  if (a.kind() == Kind::Real) return turned(whole_and_real(b, a.real()));
  if (a.kind() == Kind::Unsigned && b.kind() == Kind::Unsigned) return order(a.bits(), b.bits());
  return a.kind() == Kind::Unsigned ? Relation::Greater : Relation::Less;
}

Result of_real(double d) { return std::isfinite(d) ? Value::real(d) : Value::missing(); }

// Of a sum or product of 128 bits, which has not overflowed.
Result of_wide(__int128 n) {
  if (n > static_cast<__int128>(UINT64_MAX) || n < static_cast<__int128>(INT64_MIN)) return {};
  return n >= 0 ? Value::number(static_cast<std::uint64_t>(n)) : Value::integer(static_cast<std::int64_t>(n));
}

__int128 wide(const Value& v) {
  return v.kind() == Kind::Unsigned ? static_cast<__int128>(v.bits()) : static_cast<__int128>(v.integer());
}

Result arithmetic(Operator op, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return {};
  if (a.kind() == Kind::Real || b.kind() == Kind::Real) {
    const double x = a.as_real(), y = b.as_real();
    switch (op) {
      case Operator::Add: return of_real(x + y);
      case Operator::Subtract: return of_real(x - y);
      case Operator::Multiply: return of_real(x * y);
      default: return y == 0 ? Value::missing() : of_real(x / y);
    }
  }
  const __int128 x = wide(a), y = wide(b);
  switch (op) {
    case Operator::Add: return of_wide(x + y);
    case Operator::Subtract: return of_wide(x - y);
    case Operator::Multiply: {
      __int128 product = 0;
      return __builtin_mul_overflow(x, y, &product) ? Value::missing() : of_wide(product);
    }
    default: return y == 0 ? Value::missing() : of_wide(x / y);
  }
}

Result negated(const Value& v) {
  if (v.kind() == Kind::Real) return Value::real(-v.real());
  return v.is_number() ? of_wide(-wide(v)) : Value::missing();
}

Result compared(Operator op, const Value& a, const Value& b) {
  const Relation r = compare(a, b);
  if (r == Relation::Unlike) return {};
  switch (op) {
    case Operator::Equal: return Value::boolean(r == Relation::Equal);
    case Operator::Unequal: return Value::boolean(r != Relation::Equal);
    case Operator::Less: return Value::boolean(r == Relation::Less);
    case Operator::LessOrEqual: return Value::boolean(r != Relation::Greater);
    case Operator::Greater: return Value::boolean(r == Relation::Greater);
    default: return Value::boolean(r != Relation::Less);
  }
}

Result contains(const Value& sequence, const Value& sought, Work& work) {
  if (sequence.kind() != Kind::Sequence || sought.is_missing() || sought.kind() == Kind::Sequence ||
      sought.kind() == Kind::Other)
    return {};
  const Sequence& in = sequence.sequence();
  const std::size_t n = in.size();
  for (std::size_t i = 0; i < n; ++i) {
    work.spend(1);
    if (compare(in.at(i), sought) == Relation::Equal) return Value::boolean(true);
  }
  return Value::boolean(false);
}

Result matches(const Value& part, const Value& whole, Work& work) {
  if (part.kind() != Kind::Text || whole.kind() != Kind::Text) return {};
  // memmem() is linear for long parts (two-way search), which string_view::find() is not; for parts of up to
  // kShortPart bytes it may look at each byte of the whole as often as the part is long.
  constexpr std::size_t kShortPart = 256;
  const std::string_view in = whole.text(), sought = part.text();
  work.spend(in.size() / Work::kMatchBytes * (1 + std::min(sought.size(), kShortPart) / Work::kMatchBytes));
  if (sought.empty() || in.empty()) return Value::boolean(sought.empty());
  if (sought.size() <= Work::kMatchBytes)  // memmem() takes time to begin
    return Value::boolean(in.find(sought) != in.npos);
  return Value::boolean(::memmem(in.data(), in.size(), sought.data(), sought.size()) != nullptr);
}

class Evaluation {
 public:
  Evaluation(const Tree& tree, const Properties& properties, Work& work)
      : nodes_(tree.nodes.data()), properties_(properties), work_(work) {}

  Result of(std::uint32_t at) const {
    const Node& n = nodes_[at];
    work_.spend(1);
    switch (n.op) {
      case Operator::Literal: return n.literal;
      case Operator::Name: return properties_.get(n.left);
      case Operator::Exist: return Value::boolean(properties_.has(n.left));
      case Operator::And: return joined(n, false);
      case Operator::Or: return joined(n, true);
      case Operator::Not: {
        const Value v = of(n.left);
        return v.kind() == Kind::Boolean ? Value::boolean(!v.boolean()) : Value::missing();
      }
      case Operator::In: return contains(properties_.get(n.right), of(n.left), work_);
      case Operator::Matches: return matches(of(n.left), of(n.right), work_);
      case Operator::Negate: return negated(of(n.left));
      case Operator::Add:
      case Operator::Subtract:
      case Operator::Multiply:
      case Operator::Divide: return arithmetic(n.op, of(n.left), of(n.right));
      default: return compared(n.op, of(n.left), of(n.right));
    }
  }

 private:
  // `decides`: what one side alone makes of the whole: false for `and`, true for `or`.
  Result joined(const Node& n, bool decides) const {
    const Value left = of(n.left);
    if (left.kind() == Kind::Boolean && left.boolean() == decides) return left;
    const Value right = of(n.right);
    if (right.kind() != Kind::Boolean) return {};
    return right.boolean() == decides || left.kind() == Kind::Boolean ? right : Value::missing();
  }

  const Node* const nodes_;
  const Properties& properties_;
  Work& work_;
};

}  // namespace

Relation compare(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return numbers(a, b);
  if (a.kind() != b.kind()) return Relation::Unlike;
  if (a.kind() == Kind::Text) return order(a.text().compare(b.text()), 0);
  if (a.kind() == Kind::Boolean) return order<int>(a.boolean(), b.boolean());
  return Relation::Unlike;
}

void Work::go_on(std::uint64_t steps) {
  if (look_) look_();
  const std::uint64_t piece = std::min(later_, std::max(kPiece, steps - left_));
  left_ += piece;
  later_ -= piece;
  if (steps > left_) throw WorkExhausted();
}

Value evaluate(const Tree& tree, std::uint32_t node, const Properties& properties, Work& work) {
  return Evaluation(tree, properties, work).of(node);
}

}  // namespace callis::constraints
