// SPDX-License-Identifier: Apache-2.0
// Texts as constraints and preferences; the first byte says which, with which types declared, and whether in the
// extended language. What is accepted is evaluated, is accepted again, and means the same; what the constraint says
// of all that matches holds of what has matched.
#include <services/constraints/preference.h>
#include <services/constraints/testing/given.h>
#include "target.h"

namespace {

using namespace callis;
using namespace callis::constraints;

constexpr const char* kSeeds[] = {
    "Cost < 10 and 'red' in Inks or not exist Name",
    "Name == 'a\\'b\\\\' and 'x' ~ Name",
    "(Cost + 1) * 2.5e-3 / (Cost - .5) >= -3",
    "max Cost * 2",
    "min 0 - Cost",
    "with Cost in Floors",
    "random",
    "first",
    "$.a.b[2] > -$x and $(a b) == TRUE",
    "18446744073709551615 * 18446744073709551615 > 0",
    "((((((((((Flag))))))))))",
};

std::vector<Byte> seed(std::size_t i) {
  const std::string_view text = kSeeds[i % std::size(kSeeds)];
  std::vector<Byte> bytes = {static_cast<Byte>(i / std::size(kSeeds))};
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

const Given::All kOffer = {
    {"Cost", Value::integer(5)}, {"Name", Value::text("laser")},       {"Flag", Value::boolean(true)},
    {"Rate", Value::real(0.5)},  {"Floors", Value::sequence(kFloors)}, {"Inks", Value::sequence(kInks)},
    {"Thing", Value::other()}};

std::optional<Type> declared(std::string_view name) {
  if (name == "Cost" || name == "Rate") return Type::Number;
  if (name == "Name") return Type::Text;
  if (name == "Flag") return Type::Boolean;
  if (name == "Floors") return Type::Numbers;
  if (name == "Inks") return Type::Texts;
  if (name == "Thing") return Type::Other;
  return name.size() > 6 ? std::optional<Type>() : Type::Unknown;
}

void try_constraint(std::string_view text, const ParseOptions& options) {
  const Constraint c = Constraint::parse(text, options);
  const Given given(c.names(), kOffer);
  Work work{1'000'000};
  const bool matches = c.matches(given, work);
  const Constraint again = Constraint::parse(c.text(), options);
  Work second{1'000'000};
  require(again.matches(given, second) == matches && second.left == work.left, "not the same again");
  if (!matches) return;
  for (const std::size_t name : c.required()) require(given.has(name), "it matches without what it requires");
  for (const Bound& b : c.bounds()) {
    const Relation r = compare(given.get(b.name), b.literal);
    const bool holds = b.comparison == Comparison::Equal         ? r == Relation::Equal
                       : b.comparison == Comparison::Unequal     ? r == Relation::Less || r == Relation::Greater
                       : b.comparison == Comparison::Less        ? r == Relation::Less
                       : b.comparison == Comparison::LessOrEqual ? r == Relation::Less || r == Relation::Equal
                       : b.comparison == Comparison::Greater     ? r == Relation::Greater
                                                                 : r == Relation::Greater || r == Relation::Equal;
    require(holds, "it matches beyond its bounds");
  }
}

void try_preference(std::string_view text, const ParseOptions& options) {
  const Preference p = Preference::parse(text, options);
  std::vector<Value> ranks;
  Work work{1'000'000};
  for (const auto& property : kOffer) ranks.push_back(p.rank(Given(p.names(), {property}), work));
  std::uint64_t next = 7;
  auto order = p.order(ranks.size(), ranks, [&] { return next *= 31; });
  std::vector<bool> seen(order.size());
  for (const std::size_t i : order) seen[i] = true;
  for (const bool s : seen) require(s, "an order without one of its parts");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  callis::fuzz::write_seeds(*argc, *argv, 8 * std::size(kSeeds), seed);
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  ParseOptions options;
  options.paths = (data[0] & 1) != 0;
  if ((data[0] & 2) != 0) options.type_of = declared;
  try {
    if ((data[0] & 4) != 0) {
      try_preference(text, options);
    } else {
      try_constraint(text, options);
    }
  } catch (const Refused& e) {
    require(e.at() <= text.size() && e.shown().size() < 1000, "a refusal of a place that is not there");
  } catch (const WorkExhausted&) {}
}
