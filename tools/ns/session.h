// SPDX-License-Identifier: Apache-2.0
// A name service of any ORB, as its clients see it; and what goes wrong, in words.
#pragma once
#include <callis/corba.h>
#include <callis/ior/ior.h>
#include <services/naming/name.h>
#include <tools/ns/arguments.h>
#include <functional>
#include <string>
#include <vector>
#include "CosNaming.h"

namespace callis::ns {

using Context = CosNaming::NamingContext;

struct Entry {
  naming::OwnedName::Part name;
  bool context = false;

  std::string text() const { return naming::to_text(naming::Component{name.id, name.kind}); }
};

class Session {
 public:
  // Finds the root context. Throws Failure and system exceptions.
  Session(CORBA::ORB_ptr orb, const Arguments& arguments);

  CORBA::ORB_ptr orb() const { return orb_.in(); }
  CosNaming::NamingContext_ptr root() const { return root_.in(); }

  // The object that the text is a reference to, or the file has one of.
  CORBA::Object_var object(const std::string& text) const;
  std::string text_of(CORBA::Object_ptr object) const;
  // Whether the context is one of this name service, by the addresses in its reference; otherwise it is another's.
  bool is_here(CORBA::Object_ptr context) const;
  // What tells a context from the others: of one of this service its object key, however its addresses are written.
  std::string identity(CORBA::Object_ptr context) const;
  // The context of that name; the root for an empty text.
  CosNaming::NamingContext_var context(const std::string& name) const;
  // What is bound in a context, sorted by name, contexts first.
  static std::vector<Entry> list(CosNaming::NamingContext_ptr context);
  // nil where it is bound to nil.
  static CORBA::Object_var resolve(CosNaming::NamingContext_ptr context, const Entry& entry);
  static CosNaming::NamingContext_var resolve_context(CosNaming::NamingContext_ptr context, const Entry& entry);

 private:
  const CORBA::ORB_var orb_;
  CosNaming::NamingContext_var root_;
  std::vector<ior::Address> addresses_;  // of the root
  std::vector<std::string> root_keys_;   // by which it was asked for, and which it has
};

// Failure{kWrongUsage} for a text that is no name.
CosNaming::Name name_of(const std::string& text);
CosNaming::Name name_of(const Entry& entry);
std::string text_of(const CosNaming::Name& name);

// Runs f; user exceptions of the name service become a Failure that says what was done ("bind a/b"), and where the
// name came to an end.
void explained(const std::string& what, const CosNaming::Name& name, const std::function<void()>& f);

// From a peer, for a terminal.
std::string shown(std::string_view text);

}  // namespace callis::ns
