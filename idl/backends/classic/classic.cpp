// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/check.h>
#include <idl/backends/classic/classic.h>
#include <idl/backends/classic/compiled_operations.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/skeletons.h>
#include <idl/backends/classic/source.h>

namespace callis::idl::backends {

namespace {

class ClassicBackend final : public Backend {
 public:
  std::string_view name() const override { return "classic"; }

  std::vector<Output> generate(const ast::Unit& unit, const Options& options,
                               source::Diagnostics& diagnostics) override {
    if (!classic::check(unit, diagnostics)) return {};
    const bool compiled = options.stubs == Stubs::Compiled;
    const std::string stem = ast::stem(unit);
    classic::Descriptors descriptors;
    classic::CompiledTypes types;
    std::vector<Output> out;
    out.push_back({stem + ".h", classic::print_header(unit)});
    out.push_back({stem + "_skel.h", classic::print_skeleton_header(unit)});
    const classic::SkeletonStyle style = compiled ? classic::compiled_style(unit, types) : classic::interpreted_style();
    out.push_back({stem + "_skel.cpp", classic::print_skeleton_source(unit, descriptors, style, diagnostics)});
    out.push_back({stem + ".cpp", compiled ? classic::print_compiled_source(unit, descriptors, types)
                                           : classic::print_interpreted_source(unit, descriptors)});
    if (const std::string why = descriptors.overflow(); !why.empty()) diagnostics.error({{unit.main_file, 0, 0}, 1}, why);
    if (diagnostics.failed()) return {};
    return out;
  }
};

}  // namespace

std::unique_ptr<Backend> make_classic_backend() { return std::make_unique<ClassicBackend>(); }

}  // namespace callis::idl::backends
