// SPDX-License-Identifier: Apache-2.0
// Constraints: the grammar of annex B, what each operator means, types, limits, and what is said of wrong texts.
#include <gtest/gtest.h>
#include <services/constraints/constraint.h>
#include <services/constraints/testing/given.h>
#include <cmath>

namespace callis::constraints {
namespace {

const Given::All kOffer = {
    {"Cost", Value::integer(5)},          {"Rate", Value::real(2.5)},      {"Name", Value::text("laser printer")},
    {"Colour", Value::boolean(true)},     {"Zero", Value::integer(0)},     {"Huge", Value::number(UINT64_MAX)},
    {"Least", Value::integer(INT64_MIN)}, {"Thing", Value::other()},       {"NaN", Value::real(NAN)},
    {"Floors", Value::sequence(kFloors)}, {"Inks", Value::sequence(kInks)}};

bool matches(std::string_view text) {
  const Constraint c = Constraint::parse(text);
  Work work;
  return c.matches(Given(c.names(), kOffer), work);
}

// Neither it nor its negation holds.
bool undefined(const std::string& text) { return !matches(text) && !matches("not (" + text + ")"); }

std::string refusal(std::string_view text, const ParseOptions& options = {}) {
  try {
    (void)Constraint::parse(text, options);
  } catch (const Refused& e) {
    return e.what();
  }
  return "";
}

TEST(Constraint, IsTrueWhenEmpty) {
  EXPECT_TRUE(matches(""));
  EXPECT_TRUE(matches(" \t\n"));
  EXPECT_TRUE(Constraint().is_empty());
}

TEST(Constraint, ComparesNumbersOfAllKinds) {
  EXPECT_TRUE(matches("Cost == 5"));
  EXPECT_TRUE(matches("Cost == 5.0 and Cost == 5. and Cost == .5e1 and Cost == 50E-1"));
  EXPECT_TRUE(matches("Cost != 6 and Cost < 5.5 and Cost <= 5 and Cost > -1 and Cost >= 5"));
  EXPECT_FALSE(matches("Cost < 5 or Cost > 5 or Cost != 5"));
  EXPECT_TRUE(matches("Huge > 9223372036854775807 and Huge == 18446744073709551615"));
  EXPECT_TRUE(matches("Least < -9223372036854775807 and Least < Zero and Huge > Least"));
  EXPECT_TRUE(matches("9007199254740993 != 9007199254740992.0"));  // no rounding in between
  EXPECT_TRUE(matches("Huge < 1e30 and Least > -1e30 and Huge != 18446744073709551616.0"));
}

TEST(Constraint, ComparesTextsAndBooleans) {
  EXPECT_TRUE(matches("Name == 'laser printer' and Name > 'ink' and Name < 'laser printers'"));
  EXPECT_TRUE(matches("Colour and Colour == TRUE and FALSE < TRUE"));
  EXPECT_TRUE(matches("'it\\'s' == 'it\\'s' and 'a\\\\b' != 'ab'"));
}

TEST(Constraint, LooksForTextsAndElements) {
  EXPECT_TRUE(matches("'print' ~ Name"));
  EXPECT_FALSE(matches("Name ~ 'print'"));
  EXPECT_TRUE(matches("'' ~ Name"));
  EXPECT_TRUE(matches("2 in Floors and not (3 in Floors)"));
  EXPECT_TRUE(matches("'red' in Inks"));
  EXPECT_TRUE(matches("Cost - 3 in Floors"));
}

TEST(Constraint, CalculatesAsIntegersAndReals) {
  EXPECT_TRUE(matches("Cost + 1 == 6 and Cost - 7 == -2 and Cost * 2 == 10"));
  EXPECT_TRUE(matches("Cost / 2 == 2 and Cost / 2.0 == 2.5"));
  EXPECT_TRUE(matches("1 + 2 * 3 == 7 and (1 + 2) * 3 == 9 and 10 - 2 - 3 == 5 and 100 / 10 / 5 == 2"));
  EXPECT_TRUE(matches("Huge - 1 < Huge and Least + Huge > 0"));
}

TEST(Constraint, IsUndefinedWhereThereIsNoValue) {
  for (const char* text : {"Absent == 1", "Absent < 'x'", "1 / Zero == 1", "1 / 0.0 > 1", "Huge + 1 > 0",
                           "Least - 1 < 0", "1e308 * 10 > 0", "NaN == NaN", "NaN < 1", "Cost == 'x'", "Thing == 1",
                           "1 in Cost", "'x' in Absent", "Name ~ Cost", "Least / -1 * 3 < 0"})
    EXPECT_TRUE(undefined(text)) << text;
  EXPECT_TRUE(matches("Least / -1 == 9223372036854775808"));
}

TEST(Constraint, AsksWhetherAPropertyExists) {
  EXPECT_TRUE(matches("exist Cost and exist Thing and not exist Absent"));
  EXPECT_FALSE(matches("exist Absent"));
}

TEST(Constraint, NeedsOnlyTheSideThatDecides) {
  EXPECT_TRUE(matches("Absent == 1 or Cost == 5"));
  EXPECT_TRUE(matches("Cost == 5 or Absent == 1"));
  EXPECT_TRUE(matches("not (Absent == 1 and Cost == 6)"));
  EXPECT_TRUE(matches("not (Cost == 6 and Absent == 1)"));
  EXPECT_TRUE(undefined("Absent == 1 or Cost == 6"));
  EXPECT_TRUE(undefined("Absent == 1 and Cost == 5"));
}

TEST(Constraint, KeepsThePrecedenceOfAnnexB) {
  EXPECT_TRUE(matches("TRUE or FALSE and FALSE"));
  EXPECT_FALSE(matches("(TRUE or FALSE) and FALSE"));
  EXPECT_TRUE(matches("not FALSE and TRUE"));
  EXPECT_TRUE(matches("not Colour == FALSE"));  // (not Colour) == FALSE
  EXPECT_TRUE(matches("'er' ~ Name == TRUE"));  // ('er' ~ Name) == TRUE
}

TEST(Constraint, TellsTheNamesInTheirOrder) {
  const Constraint c = Constraint::parse("b < 1 and exist a or 'x' in c and b > 0");
  EXPECT_EQ(c.names(), (std::vector<std::string>{"b", "a", "c"}));
}

TEST(Constraint, TellsWhatHoldsOfAllThatMatches) {
  const Constraint c = Constraint::parse("a == 1 and (-2 < b and c) and 'x' ~ d and (e == 1 or f == 1) and 3 in g");
  const auto bounds = c.bounds();
  ASSERT_EQ(bounds.size(), 3u);
  EXPECT_EQ(c.names()[bounds[0].name], "a");
  EXPECT_EQ(bounds[0].comparison, Comparison::Equal);
  EXPECT_EQ(c.names()[bounds[1].name], "b");
  EXPECT_EQ(bounds[1].comparison, Comparison::Greater);
  EXPECT_EQ(bounds[1].literal.integer(), -2);
  EXPECT_EQ(c.names()[bounds[2].name], "c");
  std::string required;
  for (const std::size_t i : c.required()) required += c.names()[i];
  EXPECT_EQ(required, "abcdg");
  EXPECT_TRUE(Constraint::parse("(exist a) == FALSE and not exist b").required().empty());
}

TEST(Constraint, SaysWhereATextIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"Cost =", "1:6: `=` is no operator: `==` compares"},
      {"Cost == ", "1:9: an expression was expected here, where the text ends"},
      {"Cost ==\n 'x", "2:2: the text that begins here has no end: '...', \\' is a quote within it"},
      {"(Cost == 1", "1:11: `)` was expected here, where the text ends"},
      {"Cost == 1)", "1:10: no parenthesis is open that this one closes"},
      {"1 < Cost < 3", "1:10: results of comparisons are compared only in parentheses"},
      {"Cost 5", "1:6: an operator was expected here, or the end"},
      {"Cost + 'x' > 1", "1:8: `+` needs a number, and this is a text"},
      {"5 and TRUE", "1:1: `and` needs a boolean, and this is a number"},
      {"1 == 'x'", "1:1: a number is compared with a text"},
      {"Cost + 1", "1:1: a constraint needs a boolean, and this is a number"},
      {"exist 5", "1:7: the name of a property was expected here"},
      {"1 in (Cost)", "1:6: the name of a sequence was expected here"},
      {"not not TRUE", "1:5: `not` stands once: not (not x) needs parentheses"},
      {"- Cost == 1", "1:3: a number, behind `-`, was expected here"},
      {"max == 1", "1:1: this word begins a preference; it is no name of a property"},
      {"1e == 1", "1:2: an exponent needs digits: 1e6, 1E-6"},
      {"1e999 == 1", "1:1: this number is beyond what a double holds"},
      {"1x == 1", "1:2: a letter right behind a number"},
      {"'\\n' == 'x'", "1:2: behind \\ stands ' or \\"},
      {"$x == 1", "1:1: `$` belongs to the extended language, which is not read here"},
      {"\xff == 1", "1:1: no word of the language begins like this"}};
  for (const auto& [text, said] : cases) EXPECT_EQ(refusal(text), said) << text;
}

TEST(Constraint, ShowsThePlaceBelowTheLine) {
  try {
    (void)Constraint::parse("Cost == 1 and\nName + 'low' > 1");
    FAIL();
  } catch (const Refused& e) {
    EXPECT_EQ(e.shown(), "2:8: `+` needs a number, and this is a text\n  Name + 'low' > 1\n         ^~~~~");
  }
  try {
    (void)Constraint::parse(std::string(500, ' ') + "Cost # 1" + std::string(500, ' '));
    FAIL();
  } catch (const Refused& e) {
    EXPECT_LT(e.shown().size(), 400u);
    EXPECT_NE(e.shown().find("..."), std::string::npos);
  }
}

TEST(Constraint, ChecksDeclaredTypes) {
  ParseOptions options;
  options.type_of = [](std::string_view name) -> std::optional<Type> {
    if (name == "Cost") return Type::Number;
    if (name == "Name") return Type::Text;
    if (name == "Inks") return Type::Texts;
    if (name == "Thing") return Type::Other;
    return std::nullopt;
  };
  EXPECT_EQ(refusal("Cost < 5 and 'red' in Inks and exist Thing", options), "");
  EXPECT_EQ(refusal("Cots < 5", options), "1:1: there is no property `Cots`");
  EXPECT_EQ(refusal("Cost == Name", options), "1:1: a number is compared with a text");
  EXPECT_EQ(refusal("5 in Inks", options), "1:1: a number is looked for in a sequence of texts");
  EXPECT_EQ(refusal("5 in Cost", options), "1:6: `in` needs a sequence on its right, and this is a number");
  EXPECT_EQ(refusal("Inks == 'red'", options),
            "1:1: this is a sequence of texts, which cannot be compared: `in` looks for an element");
  EXPECT_EQ(refusal("Thing == 1", options),
            "1:1: this is of a type that constraints cannot use but for `exist`, which cannot be compared");
}

TEST(Constraint, BoundsWhatATextMayAskFor) {
  EXPECT_EQ(refusal(std::string(100, '(') + "TRUE" + std::string(100, ')')), "");
  EXPECT_EQ(refusal(std::string(101, '(') + "TRUE"), "1:101: it is nested deeper than 100 levels");
  EXPECT_EQ(refusal(std::string((16u << 10) + 1, ' ')), "1:16385: it is longer than 16384 bytes: it has 16385");
  std::string chain = "TRUE";
  for (int i = 0; i < 1000; ++i) chain += " or TRUE";
  EXPECT_EQ(refusal(chain), "1:1: it has more than 2000 operators, names and literals");
  std::string many = "exist a0";
  for (int i = 1; i <= 200; ++i) many += " or exist a" + std::to_string(i);
  EXPECT_NE(refusal(many).find("it has more than 200 different names"), std::string::npos);
}

TEST(Constraint, EndsWhereEvaluationTakesTooMuch) {
  const Constraint c = Constraint::parse("9 in Floors");
  Work work{3};
  EXPECT_THROW(c.matches(Given(c.names(), kOffer), work), WorkExhausted);
}

TEST(Constraint, ReadsPathsOfTheExtendedLanguage) {
  ParseOptions options;
  options.paths = true;
  const Constraint c = Constraint::parse("$.info.level > 3 and $list[2].x == -$n and exist $(a b)", options);
  EXPECT_EQ(c.names(), (std::vector<std::string>{"$.info.level", "$list[2].x", "$n", "$(a b)"}));
  EXPECT_EQ(refusal("$a[1 == 2", options), "1:3: '[' is not closed");
}

}  // namespace
}  // namespace callis::constraints
