// SPDX-License-Identifier: Apache-2.0
// Stringified names (Naming Service 1.3, 2.4).
#include <services/naming/name.h>
#include <gtest/gtest.h>

namespace callis::naming {
namespace {

using Parts = std::vector<OwnedName::Part>;

Parts parts(std::string_view text) {
  OwnedName out;
  EXPECT_TRUE(parse_name(text, out)) << text;
  return out.parts;
}
bool is_name(std::string_view text) {
  OwnedName out;
  return parse_name(text, out);
}

TEST(StringifiedName, has_components_of_id_and_kind) {
  EXPECT_EQ(parts("a"), (Parts{{"a", ""}}));
  EXPECT_EQ(parts("a.b"), (Parts{{"a", "b"}}));
  EXPECT_EQ(parts("a.b/c/.d/."), (Parts{{"a", "b"}, {"c", ""}, {"", "d"}, {"", ""}}));
}

TEST(StringifiedName, has_a_backslash_before_what_would_mean_something) {
  EXPECT_EQ(parts("a\\.b.c\\/d/e\\\\f"), (Parts{{"a.b", "c/d"}, {"e\\f", ""}}));
  EXPECT_FALSE(is_name("a\\b"));
  EXPECT_FALSE(is_name("a\\"));
}

TEST(StringifiedName, has_no_empty_component_and_no_empty_kind_behind_an_id) {
  for (const char* text : {"", "/", "a/", "/a", "a//b", "a.", "a.b.c", "a./b", ".."})
    EXPECT_FALSE(is_name(text)) << text;
}

TEST(StringifiedName, comes_back_from_every_name) {
  const Parts all[] = {{{"", ""}}, {{"a/b", ".\\"}, {"", "k"}}, {{" ", "\n"}, {"\xe4\xff", ""}, {"", ""}}};
  for (const Parts& each : all) {
    const OwnedName name{each};
    EXPECT_EQ(parts(to_text(name.components())), each);
  }
}

TEST(StringifiedName, in_a_URL_has_escapes) {
  EXPECT_EQ(escape_for_url("a/b.c"), "a/b.c");
  EXPECT_EQ(escape_for_url("a\\.b %\xe4"), "a%5c.b%20%25%e4");
}

}  // namespace
}  // namespace callis::naming
