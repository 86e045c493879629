// SPDX-License-Identifier: Apache-2.0
// Joined texts, numbers, printable texts, distances.
#include <callis/base/text.h>
#include <gtest/gtest.h>

namespace callis {
namespace {

TEST(Concat, PutsPartsAndNumbersTogether) {
  EXPECT_EQ(concat({}), "");
  EXPECT_EQ(concat({"a", std::string_view("\0b", 2), "", std::string("c")}), std::string("a\0bc", 4));
  EXPECT_EQ(concat({"port ", Decimal(0), "/", Decimal(65535)}), "port 0/65535");
  EXPECT_EQ(std::string_view(Decimal(~std::uint64_t{0})), "18446744073709551615");
}

TEST(ParseDecimal, TakesNothingButDigitsUpToTheMaximum) {
  std::uint64_t n = 7;
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "0x1", "65536", "99999999999999999999999999"})
    EXPECT_FALSE(parse_decimal(bad, 65535, n)) << bad;
  EXPECT_EQ(n, 7u);
  EXPECT_TRUE(parse_decimal("65535", 65535, n));
  EXPECT_EQ(n, 65535u);
  EXPECT_FALSE(parse_decimal("9", 5, n));
  EXPECT_TRUE(parse_decimal("0009", 9, n));
  EXPECT_EQ(n, 9u);
  EXPECT_TRUE(parse_decimal("18446744073709551615", ~std::uint64_t{0}, n));
  EXPECT_EQ(n, ~std::uint64_t{0});
  EXPECT_FALSE(parse_decimal("18446744073709551616", ~std::uint64_t{0}, n));
}

[[gnu::noinline]] std::string repeated(std::size_t n, char c) { return std::string(n, c); }
[[gnu::noinline]] std::string printed(std::string_view text) {
  return std::string(std::string_view(Printable(text)));
}

TEST(Printable, LeavesPlainTextAndUtf8AsTheyAre) {
  for (const char* text : {"", "10.1.2.3:4711", "C:\\x y~", "Grüße, 世界 𝄞", "\u00a0\u0100"})
    EXPECT_EQ(printed(text), text);
}

TEST(Printable, EscapesWhatControlsTerminalsAndLines) {
  EXPECT_EQ(printed("a\nb\r\t\x1b[31m\x7f"), "a\\x0ab\\x0d\\x09\\x1b[31m\\x7f");
  EXPECT_EQ(printed(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(printed("\u009b"), "\\xc2\\x9b") << "the C1 form of an escape sequence";
  EXPECT_EQ(printed("\u2028"), "\\xe2\\x80\\xa8");
  EXPECT_EQ(printed("\u202egnp"), "\\xe2\\x80\\xaegnp") << "right to left";
  EXPECT_EQ(printed("\u2066\u200b\ufeff\U000e0041"),
            "\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\xf3\\xa0\\x81\\x81");
}

// Of lines of the log; texts of exceptions, which are made printable by server and client, stay as they are.
TEST(Printable, EscapesBackslashesThatMayBeginAnEscapeIfTold) {
  const auto logged = [](std::string_view text) {
    return std::string(std::string_view(Printable(text, Printable::Backslashes::Escape)));
  };
  EXPECT_EQ(logged("a\\x0ab"), "a\\x5cx0ab") << "four characters of the peer's, not the end of a line";
  EXPECT_EQ(logged("\\\\x1b\x1b"), "\\\\x5cx1b\\x1b");
  EXPECT_EQ(logged("\\x5cx1b"), "\\x5cx5cx1b");
  EXPECT_EQ(logged("C:\\xampp\\bin\\x"), "C:\\x5cxampp\\bin\\x5cx");
  for (const char* text : {"\\", "\\\\", "\\n", "C:\\bin", "x\\"})
    EXPECT_EQ(logged(text), text);
  EXPECT_EQ(printed(printed("a\\x0a\xff")), "a\\x0a\\xff");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printed("\xff"), "\\xff");
  EXPECT_EQ(printed("\x80z"), "\\x80z");
  EXPECT_EQ(printed("\xc0\xaf"), "\\xc0\\xaf") << "longer than needed";
  EXPECT_EQ(printed("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");
  EXPECT_EQ(printed("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
  EXPECT_EQ(printed("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printed("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
  for (const char* cut : {"\xc3", "\xe4\xb8", "\xf0\x9d\x84"})
    EXPECT_EQ(printed(cut).size(), 4 * std::string_view(cut).size());
}

TEST(Printable, IsBoundedAndEndsInDotsWhenCut) {
  const auto most = Printable::kMost;
  EXPECT_EQ(printed(repeated(most, 'a')), repeated(most, 'a'));
  EXPECT_EQ(printed(repeated(most + 1, 'a')), repeated(most, 'a') + "...");
  EXPECT_EQ(printed(repeated(most / 4, '\n')).size(), most);
  for (std::size_t before = 0; before < 9; ++before)
    for (const char* unit : {"\n", "ä", "世", "𝄞", "\xff"})
      for (std::size_t n = most / 4 - 8; n < most; n += n < most / 4 + 8 ? 1 : 97) {
        std::string text = repeated(before, 'a');
        for (std::size_t i = 0; i < n; ++i) text += unit;
        const std::string shown = printed(text);
        EXPECT_LE(shown.size(), most + 3);
        EXPECT_TRUE(shown == text || shown.find('\\') != shown.npos || shown.ends_with("..."));
      }
}

TEST(EditDistance, CountsLettersPutInTakenOutAndChanged) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ab", "ba"), 2u);
  const std::string a(63, 'a'), b(63, 'b');
  EXPECT_EQ(edit_distance(a, b), 63u);
  EXPECT_GT(edit_distance(a + "a", ""), 64u);
  EXPECT_GT(edit_distance("", a + "a"), 64u);
}

}  // namespace
}  // namespace callis
