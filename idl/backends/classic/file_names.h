// SPDX-License-Identifier: Apache-2.0
// FileNames: what the generated files of a unit are called, and how they name each other and those of included IDL.
// Includes of generated files are spelled here and nowhere else.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/backend.h>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::backends::classic {

class FileNames {
 public:
  // Both must outlive this.
  FileNames(const ast::Unit& unit, const Options& options) : unit_(unit), options_(options) {}

  bool joined() const { return options_.skeletons == Skeletons::Joined; }
  bool for_omniorb() const { return options_.for_omniorb; }
  bool for_tao() const { return options_.for_tao; }
  bool this_of_activation() const { return options_.this_of_activation; }
  bool for_boa() const { return options_.for_boa; }

  // Names of outputs. Where skeletons are joined with the stubs, those of both are the same.
  std::string header() const;
  std::string source() const;
  std::string skeleton_header() const;
  std::string skeleton_source() const;
  // "": there is none.
  std::string any_source() const { return other(options_.endings.any_source); }
  std::string any_header() const { return other(options_.endings.any_header); }
  std::string tie_header() const { return other(options_.endings.tie_header); }

  // Whole lines: `#include "x.h"`.
  std::string include_header() const { return quoted(header()); }
  std::string include_skeleton_header() const { return quoted(skeleton_header()); }
  // Of headers that the user wants included.
  std::vector<std::string> include_first() const { return lines(options_.include_first); }
  std::vector<std::string> include_last() const { return lines(options_.include_last); }
  // Of the header made from an included IDL file. Angled where the IDL's is.
  std::string include_header(const ast::Include& include) const;
  // Of the skeletons made from `file`, an included IDL file, however deep.
  std::string include_skeleton_header(source::FileId file) const;

 private:
  std::string quoted(std::string_view name) const;
  std::string other(const std::string& ending) const;
  static std::vector<std::string> lines(const std::vector<std::string>& headers);
  // Of an IDL file as it is included: "sub/x.idl" to "x" or, with keep_include_paths, "sub/x".
  std::string stem_of(std::string_view spelled) const;
  const std::string& skeleton_ending() const;

  const ast::Unit& unit_;
  const Options& options_;
};

}  // namespace callis::idl::backends::classic
