// SPDX-License-Identifier: Apache-2.0
// Bytes read as an IDL file by everything in callis-idl that has no files: preprocessor, parser, rules, its outputs
// as text and JSON, and the C++ of both kinds of stubs. No file but the input can be opened. Each fault has a place;
// what is accepted is written the same way twice. The seeds are those of run.py: idl/testdata, and the small files of
// tests/hostile_idl.
#include "target.h"
#include <idl/backends/classic/classic.h>
#include <idl/driver/compile.h>
#include <idl/driver/dump.h>
#include <idl/driver/json.h>
#include <optional>

namespace {

using namespace callis::idl;

void require(bool ok, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: not as it must be\n", __FILE__, line);
  std::abort();
}

void check_places(const source::Diagnostics& diagnostics) {
  for (const source::Diagnostic& d : diagnostics.all())
    require(d.where.begin.known() && d.where.begin.line != 0 && !d.text.empty());
  require(diagnostics.text().size() < 1u << 20);
}

void generate(const driver::Compilation& c, backends::Stubs stubs) {
  backends::Options options;
  options.stubs = stubs;
  try {
    const auto outputs = backends::make_classic_backend()->generate(*c.unit, options, *c.diagnostics);
    for (const backends::Output& o : outputs) require(!o.name.empty());
  } catch (const backends::TooMuchText&) {
    // The driver reports it, with the name of the file.
  }
  check_places(*c.diagnostics);
}

}  // namespace

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  constexpr const char* kName = "itself.idl";
  const std::string text(reinterpret_cast<const char*>(data), size);
  source::PreprocessOptions options;
  options.read_file = [&](const std::string& path) { return path == kName ? std::optional(text) : std::nullopt; };
  const driver::Compilation c = driver::compile(kName, options);
  check_places(*c.diagnostics);
  if (c.diagnostics->failed()) return;
  require(c.unit != nullptr);
  driver::JsonWriter first, second;
  driver::write_json(first, *c.unit);
  driver::write_json(second, *c.unit);
  require(first.take() == second.take() && driver::dump(*c.unit) == driver::dump(*c.unit));
  driver::Compilation lines;
  require(driver::preprocess(kName, options, lines).size() < 1u << 24);
  for (const backends::Stubs stubs : {backends::Stubs::Interpreted, backends::Stubs::Compiled}) generate(c, stubs);
}
