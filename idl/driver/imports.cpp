// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/imports.h>
#include <idl/parse/parse.h>
#include <idl/source/built_in.h>
#include <idl/source/preprocess.h>
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace callis::idl::driver {

namespace {

struct Brought {
  std::string_view module;
  std::string_view file;
};
constexpr Brought kBrought[] = {{"CORBA", source::kNamesOfCorba}, {"PortableServer", "PortableServer.idl"}};

bool imports(const parse::Item& item, std::string_view module) {
  if (item.kind == parse::ItemKind::Module) {
    const auto& body = static_cast<const parse::ModuleItem&>(item).body;
    return std::ranges::any_of(body, [module](const parse::ItemPtr& inner) { return imports(*inner, module); });
  }
  if (item.kind != parse::ItemKind::Import) {
    return false;
  }
  const auto& import = static_cast<const parse::ImportItem&>(item);
  if (import.target) {
    return !import.target->parts.empty() && import.target->parts.front().text == module;
  }
  std::string_view id = import.text;
  for (const std::string_view part : {std::string_view("IDL:omg.org/"), module}) {
    if (!id.starts_with(part)) {
      return false;
    }
    id.remove_prefix(part.size());
  }
  return id.starts_with('/') || id.starts_with(':');
}

void add_file_change(parse::Body& to, bool enter, source::FileId file) {
  auto change = std::make_unique<parse::FileChangeItem>();
  change->enter = enter;
  change->file = file;
  to.push_back(std::move(change));
}

// As an #include at `at` would bring it.
parse::Body declarations_of(std::string_view name, source::Position at, source::Files& files,
                            source::Diagnostics& diagnostics) {
  const std::string spelled(name), path = "(built-in)/" + spelled;
  const bool known = files.find(path).has_value();
  const source::FileId file = files.add(path, std::string(source::built_in_file(name).value_or("")), at);
  if (!known) {
    files.set_include_name(file, spelled, true);
  }
  source::PreprocessOptions alone;
  alone.read_file = [](const std::string&) { return std::nullopt; };
  parse::Body declared = parse::parse(source::preprocess(files, file, alone, diagnostics), diagnostics);
  parse::Body out;
  add_file_change(out, true, file);
  std::ranges::move(declared, std::back_inserter(out));
  add_file_change(out, false, at.file);
  return out;
}

}  // namespace

void bring_imports(parse::Body& tree, source::Files& files, source::Diagnostics& diagnostics) {
  for (const auto& [module, file] : kBrought) {
    const bool included = module != "CORBA" && files.find("(built-in)/" + std::string(file)).has_value();
    const auto import =
        std::ranges::find_if(tree, [module](const parse::ItemPtr& item) { return imports(*item, module); });
    if (included || import == tree.end()) {
      continue;
    }
    const parse::Item& item = **import;
    const source::Position at = item.kind == parse::ItemKind::Import
                                    ? static_cast<const parse::ImportItem&>(item).where.begin
                                    : item.name.where.begin;
    parse::Body declared = declarations_of(file, at, files, diagnostics);
    tree.insert(import, std::make_move_iterator(declared.begin()), std::make_move_iterator(declared.end()));
  }
}

}  // namespace callis::idl::driver
