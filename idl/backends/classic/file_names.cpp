// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/file_names.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/text.h>

namespace callis::idl::backends::classic {

const std::string& FileNames::skeleton_ending() const {
  return joined() ? options_.endings.header : options_.endings.skeleton_header;
}

std::string FileNames::header() const { return ast::stem(unit_) + options_.endings.header; }
std::string FileNames::source() const { return ast::stem(unit_) + options_.endings.source; }
std::string FileNames::skeleton_header() const { return ast::stem(unit_) + skeleton_ending(); }
std::string FileNames::skeleton_source() const {
  return ast::stem(unit_) + (joined() ? options_.endings.source : options_.endings.skeleton_source);
}
std::string FileNames::other(const std::string& ending) const {
  return ending.empty() ? "" : ast::stem(unit_) + ending;
}

std::vector<std::string> FileNames::lines(const std::vector<std::string>& headers) {
  std::vector<std::string> all;
  for (const std::string& header : headers)
    all.push_back(header.starts_with('<') ? cat("#include ", header) : cat("#include \"", header, "\""));
  return all;
}

std::string FileNames::quoted(std::string_view name) const {
  return cat("#include \"", options_.include_prefix, name, "\"");
}

std::string FileNames::stem_of(std::string_view spelled) const {
  const std::string stem = stem_of_path(spelled);
  const auto slash = spelled.find_last_of('/');
  const bool with_path = options_.keep_include_paths && slash != spelled.npos;
  return with_path ? cat(spelled.substr(0, slash + 1), stem) : stem;
}

std::string FileNames::include_header(const ast::Include& include) const {
  const std::string name = stem_of(include.spelled) + options_.endings.header;
  return include.angled ? cat("#include <", options_.include_prefix, name, ">") : quoted(name);
}

std::string FileNames::include_skeleton_header(source::FileId file) const {
  return quoted(stem_of((*unit_.files)[file].include_name) + skeleton_ending());
}

}  // namespace callis::idl::backends::classic
