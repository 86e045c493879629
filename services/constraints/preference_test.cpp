// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <services/constraints/preference.h>
#include <services/constraints/testing/given.h>
#include <cmath>

namespace callis::constraints {
namespace {

// The order of offers whose Cost is each of the costs.
std::vector<std::size_t> order(const char* text, const std::vector<Value>& costs, std::size_t most = 100) {
  const Preference p = Preference::parse(text);
  std::vector<Value> ranks;
  Work work;
  for (const Value& cost : costs) ranks.push_back(p.rank(Given(p.names(), {{"Cost", cost}}), work));
  std::uint64_t next = 2;
  return p.order(
      costs.size(), ranks, [&] { return next++; }, most);
}

using Order = std::vector<std::size_t>;
const std::vector<Value> kCosts = {Value::integer(3), Value(), Value::real(7.5), Value::integer(1),
                                   Value::integer(3)};

TEST(Preference, LeavesThemAsTheyComeByDefault) {
  EXPECT_EQ(order("", kCosts), (Order{0, 1, 2, 3, 4}));
  EXPECT_EQ(order("first", kCosts, 2), (Order{0, 1}));
}

TEST(Preference, PutsTheGreatestOrTheLeastFirst) {
  EXPECT_EQ(order("max Cost", kCosts), (Order{2, 0, 4, 3, 1}));
  EXPECT_EQ(order("min Cost * 2", kCosts), (Order{3, 0, 4, 2, 1}));
  EXPECT_EQ(order("max Cost", kCosts, 1), (Order{2}));
}

TEST(Preference, PutsThoseThatFulfilAConstraintFirst) {
  EXPECT_EQ(order("with Cost < 5", kCosts), (Order{0, 3, 4, 2, 1}));
  EXPECT_EQ(order("with exist Cost", kCosts), (Order{0, 2, 3, 4, 1}));
}

TEST(Preference, OrdersThoseThatCannotBeRankedLast) {
  EXPECT_EQ(order("max Cost", {Value::text("x"), Value::real(NAN), Value::integer(1)}), (Order{2, 1, 0}));
}

TEST(Preference, ShufflesEachExactlyOnce) {
  Order all = order("random", std::vector<Value>(50, Value::integer(1)));
  EXPECT_NE(all, order("first", std::vector<Value>(50, Value::integer(1))));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, order("first", std::vector<Value>(50, Value::integer(1))));
}

TEST(Preference, SaysWhereATextIsWrong) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      (void)Preference::parse(text);
    } catch (const Refused& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("max"), "1:4: an expression was expected here, where the text ends");
  EXPECT_EQ(refusal("max 'x'"), "1:5: `max` needs a number, and this is a text");
  EXPECT_EQ(refusal("with 5"), "1:6: `with` needs a boolean, and this is a number");
  EXPECT_EQ(refusal("random 5"), "1:8: an operator was expected here, or the end");
  EXPECT_EQ(refusal("best Cost"),
            "1:1: a preference is `max` or `min` with a number, `with` a constraint, `random`, `first`, or nothing");
}

}  // namespace
}  // namespace callis::constraints
