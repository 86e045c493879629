// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/check.h>
#include <idl/backends/classic/classic.h>
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/file_names.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/skeletons.h>
#include <idl/backends/classic/source.h>

namespace callis::idl::backends {

namespace {

// Both halves have guards of their own. A file that includes this one, and is included by it, must not go on to the
// skeletons while the stubs are being read: one guard is around both.
std::string joined(const ast::Unit& unit, std::string stubs, const std::string& skeletons) {
  const std::string guard = classic::unit_namespace(unit) + "_joined_h";
  stubs.insert(stubs.find('\n') + 1, classic::cat("#ifndef ", guard, "\n#define ", guard, "\n"));
  return classic::cat(stubs, "\n", skeletons, "#endif\n");
}

class ClassicBackend final : public Backend {
 public:
  std::string_view name() const override { return "classic"; }

  std::vector<Output> generate(const ast::Unit& unit, const Options& options,
                               source::Diagnostics& diagnostics) override {
    if (!classic::check(unit, options, diagnostics)) return {};
    const classic::Selection selection(options);
    const classic::FileNames files(unit, options);
    classic::Descriptors descriptors;
    classic::CompiledTypes types;
    const classic::CompiledOperations compiled(unit, selection, types);
    std::vector<Output> out;
    out.push_back({files.header(), classic::print_header(unit, files, options.any)});
    // Before the stubs' source, which prints the descriptors that both ask for.
    classic::SkeletonSource skeletons;
    if (options.skeletons != Skeletons::None)
      skeletons = classic::print_skeleton_source(unit, files, descriptors, compiled, diagnostics);
    out.push_back({files.source(), classic::print_source(unit, files, descriptors, compiled, options.any)});
    if (options.skeletons == Skeletons::Split) {
      out.push_back({files.skeleton_header(), classic::print_skeleton_header(unit, files, options.ties)});
      out.push_back({files.skeleton_source(), skeletons.with_plans(descriptors)});
    } else if (options.skeletons == Skeletons::Joined) {
      out[0].text = joined(unit, std::move(out[0].text), classic::print_skeleton_header(unit, files, options.ties));
      out[1].text += "\n" + skeletons.with_plans(descriptors);
    }
    if (const std::string name = files.any_source(); !name.empty()) {
      classic::Text text;
      classic::print_notice(text, unit);
      text.line("// What puts values into Any is in ", files.source(), ".");
      out.push_back({name, text.take()});
    }
    const auto forward = [&](const std::string& header, const std::string& line) {
      if (header.empty()) return;
      classic::Text text;
      classic::print_notice(text, unit);
      text.line("#pragma once");
      text.line(line);
      out.push_back({header, text.take()});
    };
    forward(files.any_header(), files.include_header());
    if (options.skeletons != Skeletons::None) forward(files.tie_header(), files.include_skeleton_header());
    if (const std::string why = descriptors.overflow(); !why.empty())
      diagnostics.error({{unit.main_file, 1, 1}, 1}, why);
    if (diagnostics.failed()) return {};
    return out;
  }
};

}  // namespace

std::unique_ptr<Backend> make_classic_backend() { return std::make_unique<ClassicBackend>(); }

}  // namespace callis::idl::backends
