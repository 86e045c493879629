// SPDX-License-Identifier: Apache-2.0
// Decimal numbers: texts, conversions, operations, rounding.
#include <callis/classic/exception.h>
#include <callis/classic/fixed.h>
#include <gtest/gtest.h>
#include <clocale>
#include <limits>
#include <sstream>

namespace {

using CORBA::Fixed;
template <CORBA::UShort D, CORBA::UShort S>
using Point = callis::classic::FixedPoint<D, S>;

constexpr const char* kMost = "9999999999999999999999999999999";  // 31 nines

TEST(Fixed, IsZeroAtFirst) {
  EXPECT_EQ(Fixed().to_string(), "0");
  EXPECT_EQ(Fixed().fixed_digits(), 1);
  EXPECT_EQ(Fixed().fixed_scale(), 0);
  EXPECT_TRUE(!Fixed());
}

TEST(Fixed, KeepsDigitsAndScaleOfItsText) {
  const Fixed f("-0012.50d");
  EXPECT_EQ(f.to_string(), "-12.50");
  EXPECT_EQ(f.fixed_digits(), 4);
  EXPECT_EQ(f.fixed_scale(), 2);
  EXPECT_EQ(Fixed(".05").fixed_digits(), 2);
  EXPECT_EQ(Fixed("+7.").to_string(), "7");
  EXPECT_EQ(Fixed("-0.0"), 0);
  EXPECT_EQ(Fixed(kMost).to_string(), kMost);
  constexpr Fixed constant("1.5");
  EXPECT_EQ(constant.fixed_scale(), 1);
}

TEST(Fixed, TextThatIsNoNumberIsADataConversion) {
  for (const char* text : {"", ".", "-", "1.2.3", "1x", "x", "1 ", "12345678901234567890123456789012"})
    EXPECT_THROW(Fixed{text}, CORBA::DATA_CONVERSION) << text;
}

TEST(Fixed, ConvertsFromAndToIntegers) {
  EXPECT_EQ(Fixed(INT64_MIN).to_string(), "-9223372036854775808");
  EXPECT_EQ(Fixed(UINT64_MAX).to_string(), "18446744073709551615");
  EXPECT_EQ(static_cast<CORBA::LongLong>(Fixed(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(static_cast<CORBA::ULongLong>(Fixed(UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(static_cast<int>(Fixed("-3.99")), -3);
  const CORBA::Long implicit = Fixed("41.5");
  EXPECT_EQ(implicit, 41);
  EXPECT_THROW((void)static_cast<CORBA::Octet>(Fixed(256)), CORBA::DATA_CONVERSION);
  EXPECT_THROW((void)static_cast<CORBA::ULong>(Fixed(-1)), CORBA::DATA_CONVERSION);
  EXPECT_THROW((void)static_cast<CORBA::LongLong>(Fixed("9223372036854775808")), CORBA::DATA_CONVERSION);
  EXPECT_THROW((void)static_cast<CORBA::LongLong>(Fixed(kMost)), CORBA::DATA_CONVERSION);
}

TEST(Fixed, ConvertsFromAndToFloatingPoint) {
  EXPECT_EQ(Fixed(0.1).to_string(), "0.1");
  EXPECT_EQ(Fixed(-2.5).to_string(), "-2.5");
  EXPECT_EQ(Fixed(1e20).to_string(), "100000000000000000000");
  EXPECT_EQ(Fixed(1e-40).to_string(), "0");
  EXPECT_EQ(Fixed(0.25f).to_string(), "0.25");
  EXPECT_EQ(static_cast<double>(Fixed("12.375")), 12.375);
  EXPECT_EQ(static_cast<long double>(Fixed("-0.5")), -0.5L);
  EXPECT_THROW(Fixed{1e32}, CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed{0.0 / (Fixed(0) == 0 ? 0.0 : 1.0)}, CORBA::DATA_CONVERSION);
}

TEST(Fixed, SumsHaveThePlacesOfTheOperandWithMore) {
  EXPECT_EQ((Fixed("1.5") + Fixed("2.25")).to_string(), "3.75");
  EXPECT_EQ((Fixed("1.50") - Fixed("2")).to_string(), "-0.50");
  EXPECT_EQ((Fixed("-1") + Fixed("-2")).to_string(), "-3");
  EXPECT_EQ((Fixed("5") - Fixed("5.000")).to_string(), "0.000");
  EXPECT_EQ((Fixed(3) + 4).to_string(), "7");
  EXPECT_EQ((1 - Fixed("0.25")).to_string(), "0.75");
}

TEST(Fixed, ProductsHaveThePlacesOfBoth) {
  EXPECT_EQ((Fixed("1.50") * Fixed("-2.0")).to_string(), "-3.000");
  EXPECT_EQ((Fixed("0.1") * Fixed("0.1")).to_string(), "0.01");
  EXPECT_EQ((Fixed("123456789012345.6") * 10).to_string(), "1234567890123456.0");
}

TEST(Fixed, QuotientsHaveAsManyPlacesAsCount) {
  EXPECT_EQ((Fixed(1) / 8).to_string(), "0.125");
  EXPECT_EQ((Fixed(10) / 5).to_string(), "2");
  EXPECT_EQ((Fixed("1.0") / Fixed("-0.4")).to_string(), "-2.5");
  EXPECT_EQ((Fixed(1) / 3).to_string(), "0.3333333333333333333333333333333");
  EXPECT_EQ((Fixed(20) / 3).to_string(), "6.666666666666666666666666666666");
  EXPECT_EQ((Fixed("0.0000001") / Fixed("1000")).to_string(), "0.0000000001");
  EXPECT_EQ((Fixed(1000) / Fixed("0.001")).to_string(), "1000000");
  EXPECT_EQ((Fixed(0) / 7).to_string(), "0");
  EXPECT_THROW(Fixed(1) / Fixed("0.00"), CORBA::DATA_CONVERSION);
}

TEST(Fixed, OnlyPlacesAreLostBeyond31Digits) {
  const Fixed half("0.5");
  EXPECT_EQ((Fixed(kMost) + half).to_string(), kMost);
  EXPECT_THROW(Fixed(kMost) + 1, CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(kMost) * Fixed(kMost), CORBA::DATA_CONVERSION);
  // The product has 62 digits, 50 of them places: the first 31 are exact.
  const Fixed p = Fixed("999999.9999999999999999999999999") * Fixed("999999.9999999999999999999999999");
  EXPECT_EQ(p.to_string(), "999999999999.9999999999999999998");
  EXPECT_THROW(Fixed(kMost) / Fixed("0.001"), CORBA::DATA_CONVERSION);
}

TEST(Fixed, ComparesByNumberNotByScale) {
  EXPECT_EQ(Fixed("1.50"), Fixed("1.5"));
  EXPECT_LT(Fixed("-2"), Fixed("-1.99"));
  EXPECT_GT(Fixed("0.01"), Fixed("-0.01"));
  EXPECT_NE(Fixed(1), Fixed("1.0000000000000000000000000001"));
  EXPECT_TRUE(Fixed(3) >= 3 && 3 <= Fixed(3) && Fixed(3) < 3.5);
}

TEST(Fixed, RoundsHalvesAwayFromZeroAndTruncatesTowardsIt) {
  EXPECT_EQ(Fixed("2.345").round(2).to_string(), "2.35");
  EXPECT_EQ(Fixed("-2.345").round(2).to_string(), "-2.35");
  EXPECT_EQ(Fixed("2.344").round(2).to_string(), "2.34");
  EXPECT_EQ(Fixed("9.99").round(1).to_string(), "10.0");
  EXPECT_EQ(Fixed("0.5").round(0).to_string(), "1");
  EXPECT_EQ(Fixed("2.349").truncate(2).to_string(), "2.34");
  EXPECT_EQ(Fixed("-0.9").truncate(0), 0);
  EXPECT_EQ(Fixed("1.5").round(4).to_string(), "1.5");
}

TEST(Fixed, GivesUpMorePlacesThanItHasDigits) {
  for (const char* text : {"0.00", "0.012", "0.000000", "0.0000000000000000000000000000001"}) {
    SCOPED_TRACE(text);
    const Fixed f(text);
    EXPECT_EQ(static_cast<int>(f), 0);
    EXPECT_EQ(static_cast<int>(-f), 0);
    EXPECT_EQ(f.truncate(0).to_string(), "0");
    EXPECT_EQ((-f).truncate(1).to_string(), "0.0");
    EXPECT_EQ(f.round(0).to_string(), "0");
    EXPECT_EQ((Point<9, 1>(f).to_string()), "0.0");
    EXPECT_EQ((f / 7 * 0).to_string().substr(0, 1), "0");
    EXPECT_EQ((f * f).truncate(0), 0);
    EXPECT_EQ((f - f).to_string(), "0." + std::string(f.fixed_scale(), '0'));
  }
  EXPECT_EQ(Fixed("0.012").truncate(2).to_string(), "0.01");
  EXPECT_EQ(Fixed("0.05").round(1).to_string(), "0.1");
  EXPECT_EQ(Fixed("0.005").round(1).to_string(), "0.0");
  EXPECT_EQ(Fixed("-0.05").round(1).to_string(), "-0.1");
  EXPECT_EQ((Fixed("0.00") / Fixed("0.001")).to_string(), "0");
}

TEST(Fixed, ResultsOfMoreThan31PlacesAreCutOff) {
  const Fixed small("0.0000000000000000000000000000001");
  EXPECT_EQ((small * small).to_string(), "0." + std::string(31, '0'));
  EXPECT_EQ((small / 10).to_string(), "0");
  EXPECT_EQ((small * Fixed("0.9")).fixed_scale(), 31);
  EXPECT_FALSE((-small * small).callis_value().negative);
}

TEST(Fixed, ValuesThatBreakTheirRulesAreRefused) {
  callis::marshal::FixedValue v{{1, 0}, 31, 65535, false};
  EXPECT_THROW(Fixed(v) + 1, CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(v).truncate(0), CORBA::DATA_CONVERSION);
  v = {{~0ull, ~0ull}, 31, 0, false};
  EXPECT_THROW(Fixed(v) * 1, CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(v).fitted(31, 0), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(1).fitted(32, 0), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(1).fitted(5, 65535), CORBA::DATA_CONVERSION);
  v = {{0, 0}, 5, 2, true};
  EXPECT_EQ(Fixed(v).to_string(), "0.00");
  EXPECT_EQ(Fixed(v), 0);
}

TEST(Fixed, TextOfAnyLengthIsRead) {
  EXPECT_EQ(Fixed((std::string(100'000, '0') + "1.5").c_str()).to_string(), "1.5");
  EXPECT_THROW(Fixed(("0." + std::string(70'000, '0')).c_str()), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Fixed(std::string(70'000, '9').c_str()), CORBA::DATA_CONVERSION);
}

TEST(Fixed, FloatingPointDoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // Where no locale with a comma is installed there is nothing to see.
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  EXPECT_EQ(Fixed(12.375).to_string(), "12.375");
  EXPECT_EQ(static_cast<double>(Fixed("12.375")), 12.375);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Fixed, TheNearestFloatingPointNumberIsFoundAtOnce) {
  // By way of a long double this would be rounded twice.
  EXPECT_EQ(static_cast<float>(Fixed("1.000000059604644775390625000001")), 0x1.000002p0f);
  EXPECT_EQ(static_cast<double>(Fixed("9007199254740993.0000000000001")), 9007199254740994.0);
  EXPECT_EQ(Fixed(1e31).to_string(), "9999999999999999635896294965248");
  if constexpr (std::numeric_limits<long double>::digits10 >= 18) {
    EXPECT_EQ(Fixed(0.999999999999999999L).to_string(), "0.999999999999999999");
  }
}

TEST(Fixed, CountsUpAndDown) {
  Fixed f("0.5");
  EXPECT_EQ(f++, Fixed("0.5"));
  EXPECT_EQ(++f, Fixed("2.5"));
  EXPECT_EQ(--f, Fixed("1.5"));
  EXPECT_EQ(-f, Fixed("-1.5"));
  f += 1, f -= 2, f *= 3, f /= 2;
  EXPECT_EQ(f, Fixed("0.75"));
}

TEST(Fixed, IsReadFromAndWrittenToStreams) {
  std::stringstream s("-12.5 x");
  Fixed f;
  s >> f;
  EXPECT_EQ(f, Fixed("-12.5"));
  std::ostringstream out;
  out << f << ' ' << Point<5, 2>("1");
  EXPECT_EQ(out.str(), "-12.5 1.00");
}

TEST(FixedPoint, HasItsTypesDigitsAndScale) {
  Point<5, 2> p("1.5");
  EXPECT_EQ(p.to_string(), "1.50");
  EXPECT_EQ(p.fixed_digits(), 5);
  EXPECT_EQ(p.fixed_scale(), 2);
  p = Fixed("-123.456");
  EXPECT_EQ(p.to_string(), "-123.45");
  p += 1;
  EXPECT_EQ(p, Fixed("-122.45"));
  p = p * 2;
  EXPECT_EQ(p.to_string(), "-244.90");
  EXPECT_EQ((++p).to_string(), "-243.90");
  EXPECT_EQ((Point<5, 2>().fixed_scale()), 2);
}

TEST(FixedPoint, TooManyDigitsInFrontAreADataConversion) {
  EXPECT_THROW((Point<5, 2>("1000")), CORBA::DATA_CONVERSION);
  Point<5, 2> p("999.99");
  EXPECT_THROW(p += Fixed("0.01"), CORBA::DATA_CONVERSION);
  EXPECT_EQ(p.to_string(), "999.99");
  EXPECT_EQ((Point<31, 31>("0.5").to_string().size()), 33u);
  EXPECT_THROW((Point<31, 31>(1)), CORBA::DATA_CONVERSION);
}

TEST(FixedPoint, LiesInMemoryAsTheEngineExpects) {
  static_assert(sizeof(Point<9, 3>) == sizeof(callis::marshal::FixedValue));
  static_assert(std::is_trivially_copyable_v<Point<9, 3>> && std::is_standard_layout_v<Point<9, 3>>);
  const Point<9, 3> p("-1.5");
  EXPECT_EQ(p.callis_value().magnitude[0], 1500u);
  EXPECT_EQ(p.callis_value().digits, 9);
  EXPECT_EQ(p.callis_value().scale, 3);
  EXPECT_TRUE(p.callis_value().negative);
}

}  // namespace
