// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/walk.h>
#include <idl/backends/testing/outline.h>

namespace callis::idl::backends {

namespace {

class Outline final : public Backend {
 public:
  std::string_view name() const override { return "outline"; }

  std::vector<Output> generate(const ast::Unit& unit, const Options&, source::Diagnostics& diagnostics) override {
    text_.clear();
    contents(unit.contents, diagnostics);
    return {{ast::stem(unit) + ".txt", text_}};
  }

 private:
  void contents(const ast::Declarations& list, source::Diagnostics& diagnostics) {
    for (const ast::Declaration* d : list) {
      if (!d->from_main_file) continue;  // generated with the file it stands in
      if (const auto* module = ast::as<ast::Module>(d)) contents(module->contents, diagnostics);
      if (const auto* i = ast::as<ast::Interface>(d)) interface(*i, diagnostics);
    }
  }

  void interface(const ast::Interface& i, source::Diagnostics& diagnostics) {
    for (const ast::WireOperation& op : ast::all_operations(i)) {
      if (op.operation != nullptr && op.operation->oneway) {
        diagnostics.error(op.operation->where, "the outline mapping has no one-way operations");
        continue;
      }
      const ast::Type& type = op.operation != nullptr ? *op.operation->result : *op.attribute->type;
      text_ += ast::scoped_name(i) + "." + op.name + ": " + ast::idl_name(type) + "\n";
    }
  }

  std::string text_;
};

}  // namespace

std::unique_ptr<Backend> make_outline_backend() { return std::make_unique<Outline>(); }

}  // namespace callis::idl::backends
