// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/compile.h>
#include <idl/driver/imports.h>
#include <idl/parse/parse.h>
#include <idl/sema/sema.h>
#include <optional>

namespace callis::idl::driver {

namespace {

struct Read {
  source::FileId main{};
  source::Preprocessed preprocessed;
};

// Nothing where the file cannot be read.
std::optional<Read> read(const std::string& path, const source::PreprocessOptions& options, Compilation& c) {
  auto text = options.read_file(path);
  if (!text) {
    c.diagnostics->error({}, "cannot read '" + path + "'");
    return std::nullopt;
  }
  Read r;
  r.main = c.files->add(path, std::move(*text));
  r.preprocessed = source::preprocess(*c.files, r.main, options, *c.diagnostics);
  return r;
}

}  // namespace

std::string preprocess(const std::string& path, const source::PreprocessOptions& options, Compilation& into) {
  const auto done = read(path, options, into);
  return done ? done->preprocessed.lines(*into.files) : "";
}

Compilation compile(const std::string& path, const source::PreprocessOptions& options) {
  Compilation c;
  const auto done = read(path, options, c);
  if (c.diagnostics->failed()) {
    return c;  // what is missing would be reported over and over
  }
  parse::Body tree = parse::parse(done->preprocessed, *c.diagnostics);
  bring_imports(tree, *c.files, *c.diagnostics);
  c.unit = sema::analyze(tree, c.files, done->main, done->preprocessed.includes, *c.diagnostics);
  return c;
}

}  // namespace callis::idl::driver
