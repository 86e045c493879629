// SPDX-License-Identifier: Apache-2.0
// The back end that docs/design/backend.md shows, run as the driver runs one; that the page shows it as it is.
#include <idl/backends/testing/outline.h>
#include <idl/driver/compile.h>
#include <gtest/gtest.h>

namespace callis::idl::driver {
namespace {

Compilation compile_texts(const std::map<std::string, std::string>& texts) {
  source::PreprocessOptions options;
  options.read_file = [&texts](const std::string& path) {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
  return compile("main.idl", options);
}

TEST(OutlineBackend, WritesTheOperationsOfTheMainFile) {
  const Compilation c =
      compile_texts({{"main.idl", "#include \"base.idl\"\nmodule M { interface A : Base { void f(); }; };\n"},
                     {"base.idl", "interface Base { attribute long level; };\n"}});
  ASSERT_EQ(c.diagnostics->text(), "");
  const auto outputs = backends::make_outline_backend()->generate(*c.unit, {}, *c.diagnostics);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "main.txt");
  EXPECT_EQ(outputs[0].text, "M::A._get_level: long\nM::A._set_level: long\nM::A.f: void\n");
}

TEST(OutlineBackend, RefusesWhatItCannotExpressAtItsPlace) {
  const Compilation c = compile_texts({{"main.idl", "interface A {\n  oneway void f();\n};\n"}});
  backends::make_outline_backend()->generate(*c.unit, {}, *c.diagnostics);
  EXPECT_TRUE(
      c.diagnostics->text().starts_with("main.idl:2:15: error: the outline mapping has no one-way operations\n"));
}

// The code in the page, a block of the file; blank lines apart nothing may differ.
TEST(OutlineBackend, IsWhatTheGuideShows) {
  const std::string root = CALLIS_SOURCE_DIR;
  const std::string page = source::read_from_disk(root + "/docs/design/backend.md").value_or("");
  const std::string code = source::read_from_disk(root + "/idl/backends/testing/outline.cpp").value_or("");
  const std::size_t begin = page.find("```cpp\n// SPDX");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t first = page.find('\n', begin) + 1;
  EXPECT_EQ(page.substr(first, page.find("```", first) - first), code);
}

}  // namespace
}  // namespace callis::idl::driver
