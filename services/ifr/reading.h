// SPDX-License-Identifier: Apache-2.0
// An Interface Repository as IDL text. Any ORB's: only the OMG's operations that read are called.
//
// The text compiles, and gives all declarations the repository ids that they have there. What a declaration needs
// stands in front of it. One thread at a time.
#pragma once
#include <callis/corba.h>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "CallisIfr.h"

namespace callis::ifr {

// The repository has not got what is needed, or says what cannot be.
struct Unreadable {
  std::string why;
};

class Reading {
 public:
  // most_time: for all questions together; Unreadable when they take longer. A repository that answers slowly, and
  // says more and more, would keep its reader for ever.
  explicit Reading(CORBA::Repository_ptr repository, std::chrono::milliseconds most_time = std::chrono::minutes(10));
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  // By repository id, or by a scoped name with or without "::" in front. Nil: there is none.
  CORBA::Contained_ptr find(const std::string& id_or_name);
  // Adds a declaration, with all that it needs; what is in it stands in what it is in. Throws Unreadable and system
  // exceptions, as all().
  void add(const std::string& id);
  // Adds all there is, or all of a module.
  void all(CORBA::Container_ptr container);
  const std::string& text() const { return text_; }

 private:
  struct Item {
    std::string id, name, container, version;
    CORBA::DefinitionKind kind = CORBA::dk_none;
    CORBA::Contained_var reference;
    CORBA::Any description;
    bool known_inside = false;
    std::vector<std::string> inside;  // ids of what it contains
  };

  Item& item(const std::string& id);
  Item* lookup(const std::string& id);
  void check_time() const;
  Item& enter(CORBA::Contained_ptr reference, CORBA::DefinitionKind kind, const CORBA::Any& description);
  const std::vector<std::string>& inside(Item& item);
  std::string scoped_name(const Item& item);
  std::string unit_of(const Item& item);
  void need(const std::string& id, bool whole);
  void emit(const std::string& unit);
  void emit_forward(const Item& item);
  std::string in_modules(const Item& item, const std::string& body);

  std::string declaration(Item& item, const std::string& indent);
  std::string interface(Item& item, const std::string& indent);
  std::string value(Item& item, const std::string& indent);
  std::string operation(const Item& item);
  std::string attribute(const Item& item, const std::string& owner);
  std::string members(Item& item, CORBA::TypeCode_ptr type, const std::string& indent);
  std::string constructed(Item& item, const std::string& indent);
  std::string in_place(Item& item, CORBA::TypeCode_ptr type, const std::string& type_text, const std::string& indent);
  std::string declarator(Item& item, CORBA::TypeCode_ptr type, const std::string& name, const std::string& indent);
  std::string raises(const char* word, const CORBA::ExcDescriptionSeq& exceptions);
  std::string type(CORBA::TypeCode_ptr type);
  std::string declarator(CORBA::TypeCode_ptr type, const std::string& name);
  std::string named(CORBA::TypeCode_ptr type);
  std::string literal(const CORBA::Any& value, CORBA::TypeCode_ptr type);

  const CORBA::Repository_var repository_;
  const std::chrono::milliseconds most_time_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::map<std::string, Item> items_;
  std::set<std::string> missing_;
  std::set<std::string> open_, done_, forwarded_;  // units
  std::vector<std::pair<std::string, bool>>* needs_ = nullptr;
  std::vector<std::string> later_;  // that were declared forward, and are to be defined
  std::map<std::string, CORBA::ExtAttributeDescription> ext_attributes_;  // by id
  std::set<std::string> in_place_;                                        // that were defined where they are used
  std::string pragmas_;                                                   // of those, to stand behind the unit
  std::string current_unit_;
  std::size_t steps_ = 0, depth_ = 0;
  std::string text_;
};

// A value of a constant or label as IDL writes it; enumerators without their scope. Throws Unreadable.
std::string literal_text(const CORBA::Any& value, CORBA::TypeCode_ptr type);
// The name with an underscore in front, where it is a keyword. Throws Unreadable for what is no identifier.
std::string identifier(const std::string& name);
std::string quoted_id(const std::string& id);

}  // namespace callis::ifr
