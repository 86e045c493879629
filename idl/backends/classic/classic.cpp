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
    const classic::Selection selection(options);
    const std::string stem = ast::stem(unit);
    classic::Descriptors descriptors;
    classic::CompiledTypes types;
    std::vector<Output> out;
    out.push_back({stem + ".h", classic::print_header(unit)});
    out.push_back({stem + "_skel.h", classic::print_skeleton_header(unit)});
    const classic::CompiledOperations compiled(unit, selection, types);
    out.push_back({stem + "_skel.cpp", classic::print_skeleton_source(unit, descriptors, compiled, diagnostics)});
    out.push_back({stem + ".cpp", classic::print_source(unit, descriptors, compiled)});
    if (const std::string why = descriptors.overflow(); !why.empty()) diagnostics.error({{unit.main_file, 0, 0}, 1}, why);
    if (diagnostics.failed()) return {};
    return out;
  }
};

}  // namespace

std::unique_ptr<Backend> make_classic_backend() { return std::make_unique<ClassicBackend>(); }

}  // namespace callis::idl::backends
