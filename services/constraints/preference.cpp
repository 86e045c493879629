// SPDX-License-Identifier: Apache-2.0
#include <services/constraints/parser.h>
#include <services/constraints/preference.h>
#include <algorithm>
#include <numeric>

namespace callis::constraints {

namespace {

// Values that ranks may have, in one order: what cannot be ranked is last, and NaN is among it.
int group(const Value& v) {
  if (v.is_missing()) return 2;
  return v.kind() == Kind::Real && v.real() != v.real() ? 1 : 0;
}

}  // namespace

Preference::Preference() : Preference(Kind::First, std::make_shared<const Tree>()) {}
Preference::Preference(Kind kind, std::shared_ptr<const Tree> tree) : kind_(kind), tree_(std::move(tree)) {}

Preference Preference::parse(std::string_view text, const ParseOptions& options) {
  Parser parser(text, options);
  const Word first = parser.token().word;
  if (first == Word::End) return {Kind::First, parser.tree()};
  Kind kind = Kind::First;
  switch (first) {
    case Word::First: break;
    case Word::Random: kind = Kind::Random; break;
    case Word::Min: kind = Kind::Min; break;
    case Word::Max: kind = Kind::Max; break;
    case Word::With: kind = Kind::With; break;
    default:
      throw Refused(
          text, parser.token().at, parser.token().bytes,
          "a preference is `max` or `min` with a number, `with` a constraint, `random`, `first`, or nothing");
  }
  parser.skip();
  if (kind == Kind::With) {
    parser.expression(Type::Boolean, "`with`");
  } else if (kind == Kind::Min || kind == Kind::Max) {
    parser.expression(Type::Number, kind == Kind::Min ? "`min`" : "`max`");
  } else {
    parser.expect_end();
  }
  return {kind, parser.tree()};
}

const std::vector<std::string>& Preference::names() const { return tree_->names; }
const std::string& Preference::text() const { return tree_->text; }

Value Preference::rank(const Properties& properties, Work& work) const {
  if (tree_->nodes.empty()) return {};
  const Value v = evaluate(*tree_, static_cast<std::uint32_t>(tree_->nodes.size() - 1), properties, work);
  const bool fits = kind_ == Kind::With ? v.kind() == constraints::Kind::Boolean : v.is_number();
  return fits ? v : Value::missing();
}

bool Preference::before(const Value& a, const Value& b) const {
  const int of_a = group(a), of_b = group(b);
  if (of_a != 0 || of_b != 0) return of_a < of_b;
  return compare(a, b) == (kind_ == Kind::Min ? Relation::Less : Relation::Greater);
}

std::vector<std::size_t> Preference::order(std::size_t count, const std::vector<Value>& ranks,
                                           const std::function<std::uint64_t()>& random, std::size_t most) const {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  most = std::min(most, count);
  if (kind_ == Kind::Random) {
    for (std::size_t i = 0; i < most; ++i)
      std::swap(out[i], out[i + static_cast<std::size_t>(random() % (count - i))]);
  } else if (needs_ranks()) {
    std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most), out.end(),
                      [&](std::size_t a, std::size_t b) {
                        if (before(ranks[a], ranks[b])) return true;
                        return !before(ranks[b], ranks[a]) && a < b;
                      });
  }
  out.resize(most);
  return out;
}

}  // namespace callis::constraints
