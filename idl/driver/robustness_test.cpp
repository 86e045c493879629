// SPDX-License-Identifier: Apache-2.0
// Mutated IDL through preprocessor, parser and sema: whatever the bytes are, compilation ends
// soon, does not crash (the sanitizer builds look closer), and each fault has a place. The
// mutations follow from the seed. After a crash the input is in the file that CALLIS_KEEP_CASE
// names, where that is set.
#include <idl/driver/compile.h>
#include <idl/driver/dump.h>
#include <idl/driver/json.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace callis::idl::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kSeeds = 8;
constexpr int kCasesOfASeed = 250;
constexpr auto kLongestCase = std::chrono::seconds(5);

const std::vector<std::string>& corpus() {
  static const auto* texts = [] {
    std::vector<fs::path> paths;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(CALLIS_SOURCE_DIR) / "idl" / "testdata")) {
      if (entry.path().extension() == ".idl" && entry.file_size() < 10'000) {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
    auto* out = new std::vector<std::string>;
    for (const fs::path& path : paths) {
      out->push_back(source::read_from_disk(path.string()).value_or(""));
    }
    return out;
  }();
  return *texts;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string text = corpus()[below(corpus().size())];
    const std::size_t rounds = 1 + below(4);
    for (std::size_t i = 0; i < rounds; ++i) {
      mutate(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t n) {
    return n == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  void mutate(std::string& text) {
    static constexpr std::string_view kWords[] = {"{",
                                                  "}",
                                                  ";",
                                                  "::",
                                                  "<",
                                                  ">",
                                                  "(",
                                                  ")",
                                                  "\"",
                                                  "'",
                                                  "/*",
                                                  "*/",
                                                  "//",
                                                  "\\",
                                                  "\n",
                                                  "#",
                                                  "#define ",
                                                  "#if ",
                                                  "#endif\n",
                                                  "#include \"",
                                                  "#pragma ID ",
                                                  "##",
                                                  "module ",
                                                  "interface ",
                                                  "struct ",
                                                  "sequence<",
                                                  "typedef ",
                                                  "const long X = ",
                                                  "union ",
                                                  "switch (",
                                                  "case 1: ",
                                                  "default: ",
                                                  "valuetype ",
                                                  " supports ",
                                                  "abstract ",
                                                  "local ",
                                                  "custom ",
                                                  "truncatable ",
                                                  "public ",
                                                  "factory ",
                                                  "fixed<",
                                                  "typeid ",
                                                  "typeprefix ",
                                                  "import ",
                                                  "map<",
                                                  "bitset B { bitfield<",
                                                  "bitmask ",
                                                  "@range(",
                                                  "native ",
                                                  "any ",
                                                  "1.5d",
                                                  "CORBA::TypeCode ",
                                                  "getraises (",
                                                  "context (",
                                                  "#pragma prefix \"",
                                                  "component ",
                                                  ":",
                                                  "L\"",
                                                  "0x",
                                                  "1e",
                                                  "~",
                                                  ">>",
                                                  "_",
                                                  "@",
                                                  "\xff",
                                                  "\0",
                                                  "\xef\xbb\xbf"};
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:  // flip bits of one byte
        if (at < text.size()) {
          text[at] = static_cast<char>(text[at] ^ static_cast<char>(1 + below(255)));
        }
        break;
      case 1: text.resize(at); break;
      case 2: {  // repeat a piece
        const std::string piece = text.substr(at, below(80));
        text.insert(below(text.size() + 1), piece);
        break;
      }
      case 3: text.erase(at, below(40)); break;
      case 4: text.insert(at, kWords[below(std::size(kWords))]); break;
      default: {  // a piece of another file
        const std::string& other = corpus()[below(corpus().size())];
        text.insert(at, other.substr(below(other.size() + 1), below(200)));
        break;
      }
    }
  }

  std::mt19937 random_;
};

class Mutated : public testing::TestWithParam<int> {};

TEST_P(Mutated, EndsSoonAndEveryFaultHasAPlace) {
  Mutator mutator(static_cast<unsigned>(GetParam()));
  for (int i = 0; i < kCasesOfASeed; ++i) {
    const std::string text = mutator.next();
    if (const char* keep = std::getenv("CALLIS_KEEP_CASE")) {
      std::ofstream(keep, std::ios::binary) << text;
    }
    source::PreprocessOptions options;
    const fs::path data = fs::path(CALLIS_SOURCE_DIR) / "idl" / "testdata";
    options.include_dirs = {(data / "include").string()};
    options.read_file = [&](const std::string& path) {
      return path == "mutated.idl" ? std::optional(text) : source::read_from_disk(path);
    };
    const auto begin = std::chrono::steady_clock::now();
    const Compilation c = compile("mutated.idl", options);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took, kLongestCase) << "case " << i << ":\n" << text;
    for (const source::Diagnostic& d : c.diagnostics->all()) {
      EXPECT_TRUE(d.where.begin.known() && d.where.begin.line != 0)
          << "case " << i << ": " << d.text << "\n" << text;
    }
    if (!c.diagnostics->failed()) {
      EXPECT_NE(c.unit, nullptr) << "case " << i;
      JsonWriter json;
      write_json(json, *c.unit);
      EXPECT_FALSE(json.take().empty());
      EXPECT_EQ(dump(*c.unit), dump(*c.unit));
    }
    Compilation again;
    const std::string lines = preprocess("mutated.idl", options, again);
    EXPECT_LT(lines.size(), 1u << 24) << "case " << i;
    EXPECT_LT(c.diagnostics->text().size(), 1u << 20);
    if (HasFailure()) {
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Idl, Mutated, testing::Range(1, kSeeds + 1));

}  // namespace
}  // namespace callis::idl::driver
