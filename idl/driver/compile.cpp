// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/compile.h>
#include <idl/parse/parse.h>
#include <idl/sema/sema.h>

namespace callis::idl::driver {

Compilation compile(const std::string& path, const source::PreprocessOptions& options) {
  Compilation c;
  auto text = options.read_file(path);
  if (!text) {
    c.diagnostics->error({}, "cannot read '" + path + "'");
    return c;
  }
  const source::FileId main = c.files->add(path, std::move(*text));
  const source::Preprocessed preprocessed =
      source::preprocess(*c.files, main, options, *c.diagnostics);
  if (c.diagnostics->failed()) {
    return c;  // what is missing would be reported over and over
  }
  const parse::Body tree = parse::parse(preprocessed, *c.diagnostics);
  c.unit = sema::analyze(tree, c.files, main, preprocessed.includes, *c.diagnostics);
  return c;
}

}  // namespace callis::idl::driver
