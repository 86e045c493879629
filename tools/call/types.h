// SPDX-License-Identifier: Apache-2.0
// Types: the declarations of IDL files, and TypeCodes of what they declare. One thread at a time: where several call
// or serve, who uses a Types holds its mutex.
#pragma once
#include <callis/corba.h>
#include <callis/typecode/create.h>
#include <idl/ast/walk.h>
#include <idl/driver/compile.h>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace callis::tools {

// An IDL type that cannot be sent, or is too large to be described.
struct NoSuchType {
  std::string text;
};

class Types {
 public:
  Types() = default;
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;

  // Compiles a file and adds what it and its includes declare. What the compiler has to say is added to
  // `diagnostics`; false: there were errors.
  bool load(const std::string& path, const idl::source::PreprocessOptions& options, std::string& diagnostics);

  // The same for a text; name: for what the compiler has to say. Any thread: takes the mutex.
  bool load_text(const std::string& name, const std::string& text, std::string& diagnostics);

  // By repository id, or by a scoped name with or without "::" in front; nullptr: there is none.
  const idl::ast::Declaration* find(std::string_view id_or_name) const;
  const idl::ast::Interface* find_interface(std::string_view id_or_name) const;
  // That can be called: defined, not local; the most derived first.
  std::vector<const idl::ast::Interface*> interfaces() const;
  // Of the names of all interfaces the one that is most like it; empty: none is.
  std::string nearest_interface(std::string_view name) const;

  // Throw NoSuchType. The constants of basic types are counted, too.
  CORBA::TypeCode_var type(const idl::ast::Type& type);
  CORBA::TypeCode_var exception(const idl::ast::Exception& exception);
  // Values whose type is derived from a declared one are found here from now on, by the process, and this lives as
  // long (typecode::type_finder). Any thread may decode such values: looking holds the mutex.
  void find_values_here();
  // Of a declared type or exception.
  CORBA::TypeCode_var declared(const idl::ast::Declaration& declaration);

  std::recursive_mutex mutex;

 private:
  void enter(const idl::ast::Declarations& declarations);
  CORBA::TypeCode_var make(const idl::ast::Declaration& declaration);
  CORBA::TypeCode_var structure(const idl::ast::Declaration& d, const std::vector<const idl::ast::Member*>& members);
  CORBA::TypeCode_var union_type(const idl::ast::Union& u);
  CORBA::TypeCode_var value(const idl::ast::ValueType& v);

  std::vector<std::unique_ptr<idl::driver::Compilation>> files_;
  std::map<std::string, const idl::ast::Declaration*, std::less<>> by_id_, by_name_;
  std::vector<const idl::ast::Interface*> interfaces_;
  std::map<std::string, CORBA::TypeCode_var> made_;  // by repository id
  std::vector<const idl::ast::Declaration*> open_;   // that are being made, the outermost first
  std::size_t outermost_used_ = ~std::size_t{0};     // place in open_ of the outermost that something stands for
  std::size_t levels_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace callis::tools
