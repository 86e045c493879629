// SPDX-License-Identifier: Apache-2.0
// Unit: one IDL file given on the command line, with everything it includes, resolved and checked.
// What a back end gets. Owns all nodes; constant once sema has returned it.
//
//   Unit ── contents ─→ Module ── contents ─→ Interface ── contents ─→ Operation ─→ Parameter
//     │                                          └─ bases                              └─ type ─→ Type
//     └─ includes   `#include` lines of the main file, for the includes of the generated code
#pragma once
#include <idl/ast/nodes.h>
#include <idl/source/files.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace callis::idl::ast {

struct Include {
  std::string spelled;    // what stands between the quotes or brackets
  bool angled = false;    // <x.idl>
  source::FileId file{};  // the file it led to
  source::Range where;    // unknown for a file that is also included inside a definition
};

class Unit {
 public:
  explicit Unit(std::shared_ptr<const source::Files> sources) : files(std::move(sources)) {}
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  std::shared_ptr<const source::Files> files;
  source::FileId main_file{};
  // Direct includes of the main file, in order, each file once. Not those inside a definition: what
  // they bring is taken as the main file's own.
  std::vector<Include> includes;
  // Top-level declarations in order, those of included files among them (from_main_file tells).
  Declarations contents;

  // A node owned by this unit; for sema and tests.
  template <class T, class... Args>
  T& make(Args&&... args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    nodes_.push_back(node);
    return *node;
  }

 private:
  std::vector<std::shared_ptr<void>> nodes_;
};

// "dir/param_test.idl" → "param_test": what the names of generated files begin with.
std::string stem(const Unit& unit);

}  // namespace callis::idl::ast
