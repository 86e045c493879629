// SPDX-License-Identifier: Apache-2.0
// Who is let in, and what types look like to the page.
#include <gtest/gtest.h>
#include <tools/browse/gate.h>
#include <tools/browse/page.h>
#include <tools/browse/roots.h>
#include <tools/browse/type_json.h>
#include <tools/call/types.h>
#include <cstdio>
#include <fstream>

namespace callis::tools {
namespace {

TEST(Gate, tokens_are_long_and_differ) {
  EXPECT_EQ(Gate::new_token().size(), 32u);
  EXPECT_NE(Gate::new_token(), Gate::new_token());
}

TEST(Gate, admits_this_machine_by_its_two_names_only) {
  const Gate gate("secret", 80);
  EXPECT_TRUE(gate.admits({"127.0.0.1:80", "", ""}));
  EXPECT_TRUE(gate.admits({"localhost:80", "http://localhost:80", "same-origin"}));
  EXPECT_TRUE(gate.admits({"127.0.0.1:80", "", "none"}));
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:81", "evil.example:80", "127.0.0.1:80.evil.example", "LOCALHOST:80"})
    EXPECT_FALSE(gate.admits({host, "", ""})) << host;
  for (const char* origin :
       {"null", "http://evil.example", "https://127.0.0.1:80", "http://localhost:80", "http://127.0.0.1:8"})
    EXPECT_FALSE(gate.admits({"127.0.0.1:80", origin, ""})) << origin;
  for (const char* site : {"cross-site", "same-site"}) EXPECT_FALSE(gate.admits({"127.0.0.1:80", "", site})) << site;
}

TEST(Gate, knows_its_token) {
  const Gate gate("secret", 80);
  std::string_view rest;
  EXPECT_TRUE(gate.below("/secret/", rest));
  EXPECT_EQ(rest, "");
  EXPECT_TRUE(gate.below("/secret/api/look", rest));
  EXPECT_EQ(rest, "api/look");
  for (const char* path :
       {"", "/", "/secret", "/secreT/", "/secre/", "/secrets/", "xsecret/", "//secret/", "/%73ecret/"})
    EXPECT_FALSE(gate.below(path, rest)) << path;
}

TEST(Page, has_its_files) {
  ASSERT_NE(find_page_file(""), nullptr);
  EXPECT_TRUE(find_page_file("")->content.starts_with("<!DOCTYPE html>"));
  ASSERT_NE(find_page_file("app.js"), nullptr);
  EXPECT_STREQ(find_page_file("app.js")->type, "text/javascript");
  EXPECT_STREQ(find_page_file("style.css")->type, "text/css");
  EXPECT_EQ(find_page_file("../api.h"), nullptr);
}

// What would let a server's text become markup or code.
TEST(Page, makes_no_markup_of_texts) {
  for (const char* name : {"app.js", "tree.js", "form.js"}) {
    const std::string_view text = find_page_file(name)->content;
    for (const char* word : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                             "new Function", "setAttribute(\"on", ".href", "srcdoc"})
      EXPECT_EQ(text.find(word), std::string_view::npos) << name << ": " << word;
  }
  const std::string_view page = find_page_file("")->content;
  for (const char* word : {"http:", "https:", "//", "<style", "onclick", "style="})
    EXPECT_EQ(page.find(word), std::string_view::npos) << word;
}

TEST(Roots, are_references_or_files_of_some) {
  std::vector<Root> roots;
  std::string problem;
  EXPECT_TRUE(read_roots("corbaloc::127.0.0.1:9/a", roots, problem));
  const std::string name = ::testing::TempDir() + "callis_roots";
  std::ofstream(name) << "# ours\ncorbaloc::127.0.0.1:9/b\n\nIOR:00 the till\nIOR:01\nnothing\n";
  EXPECT_TRUE(read_roots(name, roots, problem));
  EXPECT_FALSE(read_roots("no such file", roots, problem));
  EXPECT_NE(problem.find("no such file"), std::string::npos);
  std::remove(name.c_str());
  ASSERT_EQ(roots.size(), 4u);
  EXPECT_EQ(roots[0].name, "corbaloc::127.0.0.1:9/a");
  EXPECT_EQ(roots[1].name, "corbaloc::127.0.0.1:9/b");
  EXPECT_EQ(roots[2].name, "the till");
  EXPECT_EQ(roots[2].reference, "IOR:00");
  EXPECT_EQ(roots[3].name, name);
}

struct Types_ : ::testing::Test {
  Types types;
  Json of(const char* interface) {
    std::string diagnostics;
    EXPECT_TRUE(types.load(CALLIS_SOURCE_DIR "/tools/browse/testing/shop.idl", {}, diagnostics)) << diagnostics;
    return interface_json(*types.find_interface(interface));
  }
};

TEST_F(Types_, say_what_a_form_needs) {
  const Json till = of("Shop::Till");
  EXPECT_EQ(till.find("id")->text, "IDL:Shop/Till:1.0");
  const Json& operations = *till.find("operations");
  ASSERT_EQ(operations.items.size(), 7u);
  EXPECT_EQ(to_text(*operations.items[1].find("words"), false), R"(["set","title"])");
  EXPECT_EQ(operations.items[1].find("name")->text, "_set_title");
  const Json& order = operations.items[3];
  EXPECT_EQ(order.find("signature")->text,
            "Shop::Items order(in Shop::Items all, in Shop::Payment by, inout long count) raises (Shop::SoldOut)");
  const Json& types_ = *till.find("types");
  EXPECT_EQ(
      to_text(*types_.find("IDL:Shop/Item:1.0"), false),
      R"({"is":"struct","members":[{"name":"name","type":{"is":"string","bound":0,"idl":"string"}},)"
      R"({"name":"number","type":{"is":"integer","least":"-9223372036854775808",)"
      R"("most":"9223372036854775807","idl":"long long"}},)"
      R"({"name":"measure","type":{"is":"enum","members":["small","large"],"idl":"Shop::Size"}}]})");
  EXPECT_NE(to_text(*types_.find("IDL:Shop/Payment:1.0"), false).find(R"({"labels":["small"],"name":"cash")"),
            std::string::npos);
  EXPECT_NE(types_.find("IDL:Shop/Tree:1.0"), nullptr) << "which leads to itself";
}

}  // namespace
}  // namespace callis::tools
