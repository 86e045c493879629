// SPDX-License-Identifier: Apache-2.0
// Golden files, one test a file:
//   idl/testdata/bad/x.idl    the diagnostics must be those of x.diag, and there must be an error
//   idl/testdata/good/x.idl   no diagnostics; the dump of the AST must be that of x.ast
//   idl/testdata/json/x.idl   no diagnostics; the JSON of the AST must be that of x.json
//   idl/testdata/classic/x.idl   good IDL that the classic mapping refuses; the diagnostics must be those of x.diag
// A new case is an .idl file. Refresh the expected texts, then read what has changed:
//   CALLIS_REFRESH_GOLDEN=1 build/dev/bin/idl_golden_test && git diff idl/testdata
#include <idl/backends/registry.h>
#include <idl/driver/compile.h>
#include <idl/driver/dump.h>
#include <idl/driver/json.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace callis::idl::driver {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(CALLIS_SOURCE_DIR) / "idl" / "testdata";

std::vector<std::string> stems(const char* folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(kData / folder)) {
    if (entry.path().extension() == ".idl") {
      out.push_back(entry.path().stem().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Paths in diagnostics are relative to idl/testdata, wherever the tree is.
Compilation compile_data(const std::string& relative) {
  source::PreprocessOptions options;
  options.include_dirs = {"include"};
  options.read_file = [](const std::string& path) {
    return source::read_from_disk((kData / path).string());
  };
  return compile(relative, options);
}

void expect_golden(const fs::path& path, const std::string& actual) {
  if (std::getenv("CALLIS_REFRESH_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(actual, read(path)) << path << " is not what comes out; see the head of this file";
}

class Bad : public testing::TestWithParam<std::string> {};

TEST_P(Bad, IsReported) {
  const Compilation c = compile_data("bad/" + GetParam() + ".idl");
  EXPECT_TRUE(c.diagnostics->failed());
  expect_golden(kData / "bad" / (GetParam() + ".diag"), c.diagnostics->text());
}

INSTANTIATE_TEST_SUITE_P(Idl, Bad, testing::ValuesIn(stems("bad")),
                         [](const auto& i) { return i.param; });

class Classic : public testing::TestWithParam<std::string> {};

TEST_P(Classic, RefusesThis) {
  const Compilation c = compile_data("classic/" + GetParam() + ".idl");
  ASSERT_FALSE(c.diagnostics->failed()) << c.diagnostics->text();
  EXPECT_TRUE(backends::make_backend("classic")->generate(*c.unit, {}, *c.diagnostics).empty());
  expect_golden(kData / "classic" / (GetParam() + ".diag"), c.diagnostics->text());
}

INSTANTIATE_TEST_SUITE_P(Idl, Classic, testing::ValuesIn(stems("classic")),
                         [](const auto& i) { return i.param; });

class Good : public testing::TestWithParam<std::string> {};

TEST_P(Good, HasThisMeaning) {
  const Compilation c = compile_data("good/" + GetParam() + ".idl");
  ASSERT_EQ(c.diagnostics->text(), "");
  expect_golden(kData / "good" / (GetParam() + ".ast"), dump(*c.unit));
}

INSTANTIATE_TEST_SUITE_P(Idl, Good, testing::ValuesIn(stems("good")),
                         [](const auto& i) { return i.param; });

class Json : public testing::TestWithParam<std::string> {};

TEST_P(Json, TellsThis) {
  const Compilation c = compile_data("json/" + GetParam() + ".idl");
  ASSERT_EQ(c.diagnostics->text(), "");
  JsonWriter to;
  write_json(to, *c.unit);
  expect_golden(kData / "json" / (GetParam() + ".json"), to.take());
}

INSTANTIATE_TEST_SUITE_P(Idl, Json, testing::ValuesIn(stems("json")),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace callis::idl::driver
