// SPDX-License-Identifier: Apache-2.0
// Annotations (IDL 4.2, 7.4.15 and 8.3). Those of the standard are checked; all but `@callis::stubs` are kept with
// what they annotate. `@bit_bound` and `@position` count for bitmasks, `@oneway` for operations.
#include <idl/sema/analyzer.h>
#include <idl/sema/standard_annotations.h>

namespace callis::idl::sema {

namespace {

using Kind = AnnotationParameter::Kind;

bool is_stubs(std::string_view name) {
  return name == "stubs" || name == "callis::stubs" || name == "::callis::stubs";
}

// The type of what is annotated; null where it has none.
const ast::Type* annotated_type(const ast::Declaration& d) {
  switch (d.kind) {
    case ast::DeclarationKind::Member: return ast::as<ast::Member>(&d)->type;
    case ast::DeclarationKind::UnionMember: return ast::as<ast::UnionMember>(&d)->type;
    case ast::DeclarationKind::StateMember: return ast::as<ast::StateMember>(&d)->type;
    case ast::DeclarationKind::Parameter: return ast::as<ast::Parameter>(&d)->type;
    case ast::DeclarationKind::Attribute: return ast::as<ast::Attribute>(&d)->type;
    case ast::DeclarationKind::Typedef: return ast::as<ast::Typedef>(&d)->type;
    default: return nullptr;
  }
}

bool has_constants(ast::TypeKind kind) {
  return kind == ast::TypeKind::Boolean || kind == ast::TypeKind::Char || kind == ast::TypeKind::WChar ||
         kind == ast::TypeKind::String || kind == ast::TypeKind::WString || kind == ast::TypeKind::Enum ||
         kind == ast::TypeKind::Fixed || ast::is_integer(kind) || ast::is_floating(kind);
}

bool among(std::string_view word, std::string_view words) {
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

std::string listed(std::string_view words) {
  std::string out;
  for (const char c : words) {
    out += c == ' ' ? std::string(", ") : std::string(1, c);
  }
  return out;
}

template <class Number>
bool in_order(const ast::Value& min, const ast::Value& max) {
  const auto* a = std::get_if<Number>(&min);
  const auto* b = std::get_if<Number>(&max);
  return a == nullptr || b == nullptr || *a <= *b;
}

}  // namespace

void Analyzer::annotate(ast::Declaration& node, const parse::Annotations& annotations) {
  for (const parse::AnnotationSpec& spec : annotations) {
    if (is_stubs(spec.name.text)) {
      stubs_annotation(node, spec);
      continue;
    }
    const StandardAnnotation* standard = find_annotation(spec.name.text);
    if (standard == nullptr) {
      unknown_annotation(spec);
    } else if (!standard->free) {
      standard_annotation(node, spec, *standard);
    }
    ast::Annotation out;
    out.name = spec.name.text;
    out.where = spec.name.where;
    for (const parse::AnnotationSpec::Argument& argument : spec.arguments) {
      const bool unnamed = argument.name.text.empty();
      const bool known = standard != nullptr && !standard->parameters[0].name.empty();
      out.parameters.push_back({!unnamed ? argument.name.text
                                : known  ? std::string(standard->parameters[0].name)
                                         : "value",
                                argument.text, argument.value->where});
    }
    node.annotations.push_back(std::move(out));
  }
}

// One warning for each name.
void Analyzer::unknown_annotation(const parse::AnnotationSpec& spec) {
  const std::string& name = spec.name.text;
  const auto colon = name.rfind(':');
  if (own_annotations_.contains(colon == std::string::npos ? name : name.substr(colon + 1)) ||
      !unknown_annotations_.insert(name).second) {
    return;
  }
  const std::string_view nearest = nearest_annotation(name);
  diagnostics_.warning(spec.name.where,
                       "annotation '@" + name + "' is not known and has no effect" +
                           (nearest.empty() ? "" : "; did you mean '@" + std::string(nearest) + "'?"));
}

void Analyzer::stubs_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec) {
  const std::string text = spec.arguments.size() == 1 ? spec.arguments.front().text : std::string();
  const bool compiled = text == "compiled" || text == "\"compiled\"";
  if (!compiled && text != "interpreted" && text != "\"interpreted\"") {
    diagnostics_.error(spec.name.where, "'@stubs' has one value, 'compiled' or 'interpreted'");
  } else {
    choose_stubs(node, compiled ? ast::StubStyle::Compiled : ast::StubStyle::Interpreted, spec.name.where);
  }
}

void Analyzer::standard_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec,
                                   const StandardAnnotation& standard) {
  std::optional<ast::Value> values[StandardAnnotation::kMost];
  bool given[StandardAnnotation::kMost] = {};
  bool good = true;
  for (const parse::AnnotationSpec::Argument& argument : spec.arguments) {
    const int at = parameter_of(spec, argument, standard);
    if (at < 0) {
      good = false;
      continue;
    }
    if (given[at]) {
      diagnostics_.error(argument.value->where, "parameter '" + std::string(standard.parameters[at].name) +
                                                    "' of '@" + spec.name.text + "' is given twice");
      good = false;
    }
    given[at] = true;
    values[at] = annotation_value(node, spec, argument, standard.parameters[at], good);
  }
  for (int i = 0; i < StandardAnnotation::kMost; ++i) {
    const AnnotationParameter& parameter = standard.parameters[i];
    if (good && !parameter.name.empty() && parameter.required && !given[i]) {
      diagnostics_.error(spec.name.where,
                         "'@" + spec.name.text + "' needs its parameter '" + std::string(parameter.name) + "'");
      good = false;
    }
  }
  if (good) {
    apply_annotation(node, spec, values[0], values[1]);
  }
}

// The index of the parameter that an argument is for; negative after a report.
int Analyzer::parameter_of(const parse::AnnotationSpec& spec, const parse::AnnotationSpec::Argument& argument,
                           const StandardAnnotation& standard) {
  const std::string annotation = "'@" + spec.name.text + "'";
  if (standard.parameters[0].name.empty()) {
    diagnostics_.error(argument.value->where, annotation + " has no parameters");
    return -1;
  }
  if (argument.name.text.empty()) {
    if (spec.arguments.size() == 1 && standard.parameters[1].name.empty()) {
      return 0;
    }
    diagnostics_.error(argument.value->where, "the parameters of " + annotation + " are given by name");
    return -1;
  }
  std::string names;
  for (int i = 0; i < StandardAnnotation::kMost; ++i) {
    const std::string_view name = standard.parameters[i].name;
    if (name == argument.name.text) {
      return i;
    }
    if (!name.empty()) {
      names += (i == 0 ? "'" : ", '") + std::string(name) + "'";
    }
  }
  diagnostics_.error(argument.name.where,
                     annotation + " has no parameter '" + argument.name.text + "', only " + names);
  return -1;
}

std::optional<ast::Value> Analyzer::annotation_value(const ast::Declaration& node, const parse::AnnotationSpec& spec,
                                                     const parse::AnnotationSpec::Argument& argument,
                                                     const AnnotationParameter& parameter, bool& good) {
  const auto constant = [&](const ast::Type& type) {
    auto value = value_of(*argument.value, type);
    good = good && value;
    return value;
  };
  switch (parameter.kind) {
    case Kind::Boolean: return constant(ast::basic(ast::TypeKind::Boolean));
    case Kind::UShort: return constant(ast::basic(ast::TypeKind::UShort));
    case Kind::ULong: return constant(ast::basic(ast::TypeKind::ULong));
    case Kind::String: return constant(unit_.make<ast::StringType>(false));
    case Kind::Word:
      if (!among(argument.text, parameter.words)) {
        good = false;
        diagnostics_.error(argument.value->where,
                           "'@" + spec.name.text + "' has one of the values " + listed(parameter.words));
      }
      return std::nullopt;
    case Kind::Element: break;
  }
  const ast::Type* type = annotated_type(node);
  if (type == nullptr || !has_constants(ast::strip_aliases(*type).type_kind)) {
    return std::nullopt;  // no type to check it with
  }
  return constant(*type);
}

// `first` and `second`: the values of its parameters, as far as they have any.
void Analyzer::apply_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec,
                                const std::optional<ast::Value>& first, const std::optional<ast::Value>& second) {
  const std::string& name = spec.name.text;
  if (name == "range" && first && second) {
    if (!in_order<std::int64_t>(*first, *second) || !in_order<std::uint64_t>(*first, *second) ||
        !in_order<long double>(*first, *second) || !in_order<char>(*first, *second) ||
        !in_order<char32_t>(*first, *second)) {
      diagnostics_.error(spec.name.where, "the 'max' of '@range' is less than its 'min'");
    }
  } else if (name == "oneway") {
    if (node.kind != ast::DeclarationKind::Operation) {
      diagnostics_.error(spec.name.where, "'@oneway' is only for operations");
    } else {
      static_cast<ast::Operation&>(node).oneway |= !first || std::get<bool>(*first);
    }
  } else if (name == "position") {
    position_ = static_cast<std::uint32_t>(std::get<std::uint64_t>(*first));
  } else if (name == "bit_bound") {
    bit_bound(node, spec, static_cast<std::uint32_t>(std::get<std::uint64_t>(*first)));
  } else if (name == "optional" && (!first || std::get<bool>(*first))) {
    diagnostics_.warning(spec.name.where, "'@optional' has no effect: GIOP has no encoding for what may be absent");
  }
}

void Analyzer::bit_bound(ast::Declaration& node, const parse::AnnotationSpec& spec, std::uint32_t bits) {
  const std::uint32_t most = node.kind == ast::DeclarationKind::Bitmask ? 64 : 32;
  if (node.kind != ast::DeclarationKind::Bitmask && node.kind != ast::DeclarationKind::Enum) {
    return;
  }
  if (bits == 0 || bits > most) {
    diagnostics_.error(spec.name.where, "the '@bit_bound' of a " + std::string(ast::kind_name(node.kind)) +
                                            " is 1 to " + std::to_string(most) + ", not " + std::to_string(bits));
  } else if (node.kind == ast::DeclarationKind::Bitmask) {
    static_cast<ast::Bitmask&>(node).bits = bits;
  }
}

void Analyzer::choose_stubs(ast::Declaration& node, ast::StubStyle style, const source::Range& where) {
  if (ast::takes_stubs(node.kind)) {
    node.stubs = style;
  } else {
    diagnostics_.warning(where, "a choice of stubs has no effect on " + std::string(ast::kind_name(node.kind)) +
                                    " '" + node.name + "'");
  }
}

}  // namespace callis::idl::sema
