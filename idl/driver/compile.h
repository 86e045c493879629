// SPDX-License-Identifier: Apache-2.0
// compile: one IDL file through preprocessor, parser and sema. What the program and the tests call.
#pragma once
#include <idl/ast/unit.h>
#include <idl/source/diagnostics.h>
#include <idl/source/preprocess.h>
#include <memory>

namespace callis::idl::driver {

struct Compilation {
  std::shared_ptr<source::Files> files = std::make_shared<source::Files>();
  std::unique_ptr<source::Diagnostics> diagnostics =
      std::make_unique<source::Diagnostics>(*files);
  // Null where the file could not be read or preprocessed. Fit for a back end only while
  // diagnostics->failed() is false.
  std::unique_ptr<ast::Unit> unit;
};

// The preprocessor alone: its output as Preprocessed::lines(), empty where the file could not be read. Faults are in
// the compilation's diagnostics.
std::string preprocess(const std::string& path, const source::PreprocessOptions& options, Compilation& into);

// `path` is read with options.read_file. Throws nothing but std::bad_alloc.
Compilation compile(const std::string& path, const source::PreprocessOptions& options);

}  // namespace callis::idl::driver
