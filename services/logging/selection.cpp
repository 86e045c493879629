// SPDX-License-Identifier: Apache-2.0
// Constraints over the fields of a record, which are decoded where the constraint asks for them.
#include <callis/base/log.h>
#include <callis/orb/core/core.h>
#include <services/logging/selection.h>
#include <cstring>

namespace callis::logs {

using constraints::Comparison;
using constraints::Value;

// The fields of one record. What it gives out lives as long as it does.
class Selection::Fields final : public constraints::Properties {
 public:
  Fields(const Selection& selection, const Row& row, constraints::Work& work)
      : selection_(selection), row_(row), work_(work), decoded_(selection.fields_.size()) {}

  Value get(std::size_t name) const override {
    const Field& field = selection_.fields_[name];
    switch (field.what) {
      case Field::What::Id: return Value::number(row_.id);
      case Field::What::Time: return Value::number(row_.time);
      case Field::What::Info: return value(name, row_.info);
      case Field::What::Attribute: break;
    }
    const auto bytes = attribute_in(row_.attributes, field.name);
    return bytes ? value(name, *bytes) : Value::missing();
  }
  bool has(std::size_t name) const override {
    const Field& field = selection_.fields_[name];
    if (!field.path.is_empty()) return !get(name).is_missing();
    return field.what != Field::What::Attribute || attribute_in(row_.attributes, field.name).has_value();
  }

 private:
  Value value(std::size_t name, std::string_view bytes) const {
    constraints::Decoded& kept = decoded_[name];
    if (kept.value().is_missing()) {
      work_.spend(16 + bytes.size() / 16);
      CORBA::Any any;
      read(bytes, selection_.context_, any);
      const ValuePath& path = selection_.fields_[name].path;
      CORBA::Any part;
      if (!path.is_empty()) {
        work_.spend(64);
        if (!path.follow(selection_.factory_.in(), any, part)) return Value::missing();
        any = part;
      }
      kept = constraints::Decoded(any);
    }
    return kept.value();
  }
  const Selection& selection_;
  const Row& row_;
  constraints::Work& work_;
  mutable std::vector<constraints::Decoded> decoded_;
};

std::optional<Selection::Field> Selection::field_of(std::string_view name) {
  Field out{Field::What::Attribute, {}};
  if (!name.starts_with('$')) {
    out.name = name;
  } else {
    name.remove_prefix(1);
    const bool dot = name.starts_with('.');
    if (dot) name.remove_prefix(1);
    const bool listed = dot && name.starts_with("attr_list(");
    if (listed) name.remove_prefix(9);
    std::size_t end;
    if (name.starts_with('(')) {  // ($name), an attribute whatever its name
      end = name.find(')');
      if (end == name.npos) return {};
      out.name = name.substr(1, end - 1);
      ++end;
    } else {
      end = std::min(name.find_first_of(".[("), name.size());
      out.name = name.substr(0, end);
    }
    const bool named = name.starts_with('(');
    std::optional<ValuePath> path = ValuePath::parse(name.substr(end));
    if (!path || out.name.empty()) return {};
    out.path = std::move(*path);
    if (named) return out;
  }
  if (out.name == "id") out.what = Field::What::Id;
  if (out.name == "time") out.what = Field::What::Time;
  if (out.name == "info") out.what = Field::What::Info;
  const bool is_number = out.what == Field::What::Id || out.what == Field::What::Time;
  if (is_number && !out.path.is_empty()) return {};
  return out;
}

Selection::Selection(const char* grammar, const char* constraint, orb::OrbContext& context) : context_(context) {
  const bool extended = std::strcmp(grammar, DsLogAdmin::default_grammar) == 0;
  if (!extended && std::strcmp(grammar, "TCL") != 0) throw DsLogAdmin::InvalidGrammar();
  const auto type_of = [](std::string_view name) -> std::optional<constraints::Type> {
    const std::optional<Field> field = field_of(name);
    if (!field) return {};
    if (field->what == Field::What::Id || field->what == Field::What::Time) return constraints::Type::Number;
    return constraints::Type::Unknown;
  };
  try {
    constraints::ParseOptions options;
    options.type_of = type_of;
    options.paths = extended;
    constraint_ = constraints::Constraint::parse(constraint, options);
  } catch (const constraints::Refused& refused) {
    log(LogLevel::Info, {"logging: a constraint is refused: ", refused.what()});
    throw DsLogAdmin::InvalidConstraint();
  }
  bool has_paths = false;
  for (const std::string& name : constraint_.names()) {
    fields_.push_back(field_of(name).value());
    has_paths |= !fields_.back().path.is_empty();
  }
  if (has_paths) {
    const CORBA::Object_var object = static_cast<orb::Core&>(context).resolve_initial_references("DynAnyFactory");
    factory_ = DynamicAny::DynAnyFactory::_narrow(object.in());
  }
  for (const constraints::Bound& bound : constraint_.bounds()) {
    const bool from_below = bound.comparison == Comparison::Equal || bound.comparison == Comparison::Greater ||
                            bound.comparison == Comparison::GreaterOrEqual;
    if (!from_below || bound.literal.kind() != constraints::Kind::Integer || bound.literal.integer() <= 0) continue;
    const auto least = static_cast<std::uint64_t>(bound.literal.integer());
    if (fields_[bound.name].what == Field::What::Id) first_id_ = std::max(first_id_, least);
    if (fields_[bound.name].what == Field::What::Time) first_time_ = std::max(first_time_, least);
  }
}

bool Selection::matches(const Row& row) {
  if (constraint_.is_empty()) return true;
  try {
    work_.spend(1);
    return constraint_.matches(Fields(*this, row, work_), work_);
  } catch (const constraints::WorkExhausted& e) {
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_MAYBE,
                           std::string(e.what()) + ": narrow it by id or time, as in \"id > 1000 and ...\"");
  }
}

}  // namespace callis::logs
