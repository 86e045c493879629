// SPDX-License-Identifier: Apache-2.0
// Repository ids and their pragmas (CORBA 3.3 part 1, 14.7). The prefix in force is that of the
// innermost scope that set one; each included file begins without a prefix, and what it sets ends
// with it. An id is made of the prefix and the whole scoped name, wherever the prefix was set. A typeprefix
// (IDL 4.2, 7.4.6.4.1.2) goes before: that of the innermost scope around a name that has one.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace callis::idl::sema {

class RepositoryIds {
 public:
  explicit RepositoryIds(source::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // A file has no prefix of its own at first; what is included within a definition is a part of that, with its
  // prefix, so that declarations ahead of the #include and definitions in the file agree.
  void enter_file(bool within);
  void leave_file();
  void enter_scope();
  void leave_scope();
  void set_prefix(std::string prefix) { frames_.back().prefix = std::move(prefix); }

  // Gives a new declaration its id.
  void assign(ast::Declaration& d);
  // `d` is declared once more (a definition after a forward declaration, a reopened module) and
  // must get the same id. Reports where it does not.
  void again(const ast::Declaration& d, const source::Range& where);

  // typeid.
  void set_type_id(ast::Declaration& d, const parse::TypeIdItem& item);
  // typeprefix; `scope` null: the whole specification. False after a report, and where nothing changes.
  bool set_type_prefix(const ast::Declaration* scope, const parse::TypePrefixItem& item);
  // Gives `d` its id anew, where it was not set for it alone.
  void refresh(ast::Declaration& d);

  // #pragma ID and #pragma version. `d` may be a module's first part.
  void set_id(ast::Declaration& d, const parse::PragmaItem& pragma);
  void set_version(ast::Declaration& d, const parse::PragmaItem& pragma);

 private:
  struct Frame {
    bool is_file;
    std::string prefix;
  };
  struct Fixed {  // by a pragma
    bool id = false;
    bool version = false;
    bool by_typeid = false;
    source::Range where;
  };
  struct TypePrefix {
    std::string text;
    source::Range where;
  };
  std::string body(const ast::Declaration& d) const;
  const TypePrefix* type_prefix(const ast::Declaration& d) const;
  void set_id(ast::Declaration& d, const std::string& id, const source::Range& target, const source::Range& where);

  source::Diagnostics& diagnostics_;
  std::vector<Frame> frames_{{true, {}}};
  std::unordered_map<const ast::Declaration*, Fixed> fixed_;
  std::unordered_map<const ast::Declaration*, TypePrefix> type_prefixes_;  // null: the specification's
};

}  // namespace callis::idl::sema
