// SPDX-License-Identifier: Apache-2.0
// A fixture for tests that ask a compiled text for its meaning.
#pragma once
#include <idl/parse/parse.h>
#include <idl/sema/sema.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace callis::idl::sema {

class Meaning : public testing::Test {
 protected:
  const ast::Unit& unit(std::string text) {
    const source::FileId main = files_->add("test.idl", std::move(text));
    const auto preprocessed = source::preprocess(*files_, main, {}, diagnostics_);
    const auto tree = parse::parse(preprocessed, diagnostics_);
    unit_ = analyze(tree, files_, main, preprocessed.includes, diagnostics_);
    return *unit_;
  }
  // The last constant of the unit.
  ast::Value value(const std::string& text) {
    const auto& contents = unit(text).contents;
    EXPECT_EQ(diagnostics_.text(), "");
    const auto* c = contents.empty() ? nullptr : ast::as<ast::Const>(contents.back());
    return c != nullptr ? c->value : ast::Value();
  }
  // `find<ast::Struct>("M::S")`; null where there is none.
  template <class T>
  const T* find(const std::string& scoped) {
    return ast::as<T>(find(scoped));
  }
  const ast::Declaration* find(const std::string& scoped) { return find(unit_->contents, scoped); }

  std::shared_ptr<source::Files> files_ = std::make_shared<source::Files>();
  source::Diagnostics diagnostics_{*files_};
  std::unique_ptr<ast::Unit> unit_;

 private:
  static const ast::Declaration* find(const ast::Declarations& in, const std::string& scoped) {
    for (const ast::Declaration* d : in) {
      if (ast::scoped_name(*d) == scoped && d->kind != ast::DeclarationKind::Forward) {
        return d;
      }
      const auto* module = ast::as<ast::Module>(d);
      const auto* interface = ast::as<ast::Interface>(d);
      const auto* value = ast::as<ast::ValueType>(d);
      const ast::Declarations* contents = module != nullptr      ? &module->contents
                                          : interface != nullptr ? &interface->contents
                                          : value != nullptr     ? &value->contents
                                                                 : nullptr;
      if (contents != nullptr) {
        if (const auto* inner = find(*contents, scoped)) {
          return inner;
        }
      }
    }
    return nullptr;
  }
};

}  // namespace callis::idl::sema
