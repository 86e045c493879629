// SPDX-License-Identifier: Apache-2.0
// Selection: which records a constraint means (Telecom Log Service 1.1, 2.1: the extended trader constraint language
// of the Notification Service over the fields of records, and the trader's own). One thread at a time.
//
//   id, time, info      also $id and $.id; `info` where its value is a number, a text, a boolean, or a sequence of
//   these NAME                an attribute of attr_list, also $NAME, $(NAME) and $.attr_list(NAME)
#pragma once
#include <services/constraints/any_properties.h>
#include <services/constraints/constraint.h>
#include <services/logging/record_bytes.h>
#include <services/logging/value_path.h>

namespace callis::logs {

class Selection final {
 public:
  // Throws InvalidGrammar: neither EXTENDED_TCL nor TCL; InvalidConstraint.
  Selection(const char* grammar, const char* constraint, orb::OrbContext& context);

  // IMP_LIMIT where all that one query may do has been done.
  bool matches(const Row& row);
  // Records with smaller ids, or from before this moment, do not match.
  RecordId first_id() const { return first_id_; }
  TimeT first_time() const { return first_time_; }

 private:
  class Fields;
  struct Field {
    enum class What : std::uint8_t { Id, Time, Info, Attribute } what;
    std::string name;
    ValuePath path{};  // into the value
  };
  // Nothing: it cannot be one.
  static std::optional<Field> field_of(std::string_view name);

  orb::OrbContext& context_;
  constraints::Constraint constraint_;
  std::vector<Field> fields_;
  DynamicAny::DynAnyFactory_var factory_;  // where a name has a path
  constraints::Work work_;
  RecordId first_id_ = 1;
  TimeT first_time_ = 0;
};

}  // namespace callis::logs
