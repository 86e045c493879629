// SPDX-License-Identifier: Apache-2.0
// Messages as they are printed: lines, carets, notes, limits, order.
#include <idl/source/diagnostics.h>
#include <gtest/gtest.h>
#include <algorithm>

namespace callis::idl::source {
namespace {

class Reporting : public testing::Test {
 protected:
  Files files_;
  FileId file_ = files_.add("a.idl", "first line\n\tcaf\xC3\xA9 x = y;\n\x1B[31mred\n");
};

TEST_F(Reporting, ShowsTheLineAndMarksTheRange) {
  Diagnostics d(files_);
  d.error({{file_, 1, 7}, 4}, "wrong");
  EXPECT_EQ(d.text(), "a.idl:1:7: error: wrong\nfirst line\n      ^~~~\n");
}

TEST_F(Reporting, KeepsTabsAndCountsCharactersOfUtf8) {
  Diagnostics d(files_);
  d.warning({{file_, 2, 8}, 1}, "odd");
  EXPECT_EQ(d.text(), "a.idl:2:8: warning: odd\n\tcaf\xC3\xA9 x = y;\n\t     ^\n");
  EXPECT_FALSE(d.failed());
}

TEST_F(Reporting, MarksTheEndOfALine) {
  Diagnostics d(files_);
  d.error({{file_, 1, 11}, 1}, "missing");
  EXPECT_EQ(d.text(), "a.idl:1:11: error: missing\nfirst line\n          ^\n");
}

TEST_F(Reporting, SendsNoControlCharactersToTheTerminal) {
  Diagnostics d(files_);
  d.error({{file_, 3, 1}, 1}, "bad \x1B[0m name");
  EXPECT_EQ(d.text(), "a.idl:3:1: error: bad ?[0m name\n?[31mred\n^\n");
}

TEST_F(Reporting, NamesTheFilesThatIncludeThisOne) {
  const FileId b = files_.add("b.idl", "x\n", {file_, 1, 1});
  const FileId c = files_.add("c.idl", "y\n", {b, 1, 1});
  Diagnostics d(files_);
  d.error({{c, 1, 1}, 1}, "wrong");
  d.error({{c, 1, 1}, 1}, "again");
  EXPECT_EQ(d.text(),
            "In file included from b.idl:1:\n                 from a.idl:1:\n"
            "c.idl:1:1: error: wrong\ny\n^\nc.idl:1:1: error: again\ny\n^\n");
}

TEST_F(Reporting, StopsPrintingAtTheLimitAndGoesOnCounting) {
  Diagnostics d(files_, 2);
  for (int i = 0; i < 5; ++i) {
    d.error({{file_, 1, 1}, 1}, "e" + std::to_string(i));
    d.note({{file_, 1, 1}, 1}, "n" + std::to_string(i));
  }
  EXPECT_TRUE(d.exhausted());
  EXPECT_EQ(d.errors(), 5u);
  EXPECT_EQ(d.all().size(), 4u);  // two errors with their notes
  EXPECT_NE(d.text().find("too many errors (5)"), std::string::npos);
}

TEST_F(Reporting, SurvivesPlacesOutsideTheText) {
  Diagnostics d(files_);
  d.error({{file_, 99, 1}, 1}, "a");
  d.error({{file_, 1, 99}, 9}, "b");
  d.error({{file_, 0, 0}, 1}, "c");
  d.error({}, "d");
  EXPECT_EQ(d.text(),
            "a.idl: error: c\na.idl:1:99: error: b\na.idl:99:1: error: a\n\n^\ncallis-idl: error: d\n");
}

TEST_F(Reporting, PrintsInTheOrderOfLinesWithNotesBehindTheirErrors) {
  Diagnostics d(files_);
  d.error({{file_, 60, 1}, 1}, "late");
  d.note({{file_, 51, 1}, 1}, "of late");
  d.error({{file_, 50, 9}, 1}, "right");
  d.error({{file_, 50, 2}, 1}, "left");
  d.note({{file_, 70, 1}, 1}, "of left");
  std::vector<std::string> order;
  const std::string text = d.text();
  for (const char* each : {": left", ": of left", ": right", ": late", ": of late"})
    order.push_back(std::to_string(10'000 + text.find(each)));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << text;
}

}  // namespace
}  // namespace callis::idl::source
