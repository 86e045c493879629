// SPDX-License-Identifier: Apache-2.0
// The classes of valuetypes.
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/member_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/values.h>
#include <algorithm>
#include <set>

namespace callis::idl::backends::classic {

std::string value_link(const ast::Declaration& d) {
  return cat(d.parent ? absolute(*d.parent) : "", "::callis_value_", d.name);
}

namespace {

std::vector<const ast::StateMember*> state_members(const ast::ValueType& v) {
  std::vector<const ast::StateMember*> list;
  for (const ast::Declaration* d : v.contents)
    if (const auto* m = ast::as<ast::StateMember>(d)) list.push_back(m);
  return list;
}

// Those of the bases first.
void all_state_members(const ast::ValueType& v, std::vector<const ast::StateMember*>& list) {
  if (v.base) all_state_members(*v.base, list);
  for (const ast::StateMember* m : state_members(v)) list.push_back(m);
}

std::vector<const ast::Initializer*> initializers(const ast::ValueType& v) {
  std::vector<const ast::Initializer*> list;
  for (const ast::Declaration* d : v.contents)
    if (const auto* i = ast::as<ast::Initializer>(d)) list.push_back(i);
  return list;
}

std::vector<const ast::ValueType*> direct_bases(const ast::ValueType& v) {
  std::vector<const ast::ValueType*> list;
  if (v.base) list.push_back(v.base);
  list.insert(list.end(), v.abstract_bases.begin(), v.abstract_bases.end());
  return list;
}

// Every interface that the value supports itself, a base before what derives from it.
std::vector<const ast::Interface*> own_supported(const ast::ValueType& v) {
  std::vector<const ast::Interface*> list;
  std::set<const ast::Interface*> known;
  const auto add = [&](const ast::Interface* i) {
    if (known.insert(i).second) list.push_back(i);
  };
  for (const ast::Interface* s : v.supports) {
    for (const ast::Interface* b : ast::all_bases(*s)) add(b);
    add(s);
  }
  return list;
}

bool supports_abstract(const ast::ValueType& v) {
  const auto all = ast::all_supported(v);
  return std::any_of(all.begin(), all.end(), [](const ast::Interface* i) { return is_abstract(*i); });
}

// The operations and attributes that the value's class declares: its own, and those of the interfaces that it
// supports and its bases do not.
std::vector<ast::WireOperation> own_value_operations(const ast::ValueType& v) {
  std::vector<ast::WireOperation> list;
  std::set<const ast::Interface*> known;
  for (const ast::ValueType* b : ast::all_bases(v))
    for (const ast::Interface* i : own_supported(*b)) known.insert(i);
  for (const ast::Interface* i : own_supported(v)) {
    if (known.contains(i)) continue;
    for (const ast::WireOperation& op : ast::own_operations(*i)) list.push_back(op);
  }
  for (const ast::Declaration* d : v.contents) {
    if (const auto* o = ast::as<ast::Operation>(d)) list.push_back({o->name, nullptr, o, nullptr, false});
    const auto* a = ast::as<ast::Attribute>(d);
    if (!a) continue;
    list.push_back({"_get_" + a->name, nullptr, nullptr, a, false});
    if (!a->readonly) list.push_back({"_set_" + a->name, nullptr, nullptr, a, true});
  }
  return list;
}

// Its own or inherited ones.
bool has_operations(const ast::ValueType& v) {
  const auto some = [](const ast::ValueType& one) {
    return one.custom || std::any_of(one.contents.begin(), one.contents.end(), [](const ast::Declaration* d) {
             return ast::as<ast::Operation>(d) || ast::as<ast::Attribute>(d);
           });
  };
  const auto bases = ast::all_bases(v);
  const auto supported = ast::all_supported(v);
  return some(v) || std::any_of(bases.begin(), bases.end(), [&](const ast::ValueType* b) { return some(*b); }) ||
         std::any_of(supported.begin(), supported.end(),
                     [](const ast::Interface* i) { return !ast::own_operations(*i).empty(); });
}

// Nothing is left to the application: OBV_V has instances, and V_init makes them (4.17.10).
bool is_plain(const ast::ValueType& v) { return !v.is_abstract && !has_operations(v) && initializers(v).empty(); }

bool inherits_custom(const ast::ValueType& v) {
  const auto bases = ast::all_bases(v);
  return std::any_of(bases.begin(), bases.end(), [](const ast::ValueType* b) { return b->custom; });
}

// ---- OBV_ names ----

std::string obv_name(const ast::Declaration& d) { return ast::path(d).size() == 1 ? "OBV_" + d.name : name(d); }

std::string obv_scoped(const ast::Declaration& d) {
  const auto parts = ast::path(d);
  std::string s = "OBV_" + parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) s += "::" + identifier(parts[k]);
  return s;
}

// ---- accessors ----

struct AccessorFunction {
  std::string declaration;  // up to the closing parenthesis, or the `const` behind it
  std::string body;
};

std::vector<AccessorFunction> accessor_functions(const Accessors& a, const std::string& e) {
  const std::string &id = a.name, type = spelled(a.stem, *a.type);
  const Shape s = shape(*a.type);
  switch (s) {
    case Shape::String:
    case Shape::WString: {
      const std::string c = s == Shape::WString ? "::CORBA::WChar" : "char";
      const std::string var = cat("const ::CORBA::", string_name(s), "_var&");
      std::vector<AccessorFunction> list = {{cat("const ", c, "* ", id, "() const"), cat("return ", e, ".in();")}};
      for (const std::string& parameter : {c + "*", cat("const ", c, "*"), var})
        list.push_back({cat("void ", id, "(", parameter, " _callis_v)"), e + " = _callis_v;"});
      return list;
    }
    case Shape::Reference:
      return {
          {cat(type, " ", id, "() const"), cat("return ", e, ".in();")},
          {cat("void ", id, "(", type, " _callis_v)"), cat(e, " = ", kLibrary, "duplicate_reference(_callis_v);")}};
    case Shape::FixedArray:
    case Shape::VariableArray: {
      const std::string slice = spelled_slice(a.stem, *a.type);
      return {{cat("const ", slice, "* ", id, "() const"), cat("return ", e, ";")},
              {cat(slice, "* ", id, "()"), cat("return ", e, ";")},
              {cat("void ", id, "(const ", type, " _callis_v)"),
               cat(kLibrary, "array_copy<", type, ">(", e, ", _callis_v);")}};
    }
    case Shape::Primitive:
    case Shape::Enum:
      return {{cat(type, " ", id, "() const"), cat("return ", e, ";")},
              {cat("void ", id, "(", type, " _callis_v)"), e + " = _callis_v;"}};
    default:
      return {{cat("const ", type, "& ", id, "() const"), cat("return ", e, ";")},
              {cat(type, "& ", id, "()"), cat("return ", e, ";")},
              {cat("void ", id, "(const ", type, "& _callis_v)"), e + " = _callis_v;"}};
  }
}

// What converts to char* as well as to const char* would be taken over: members and elements go in by copy.
void print_string_modifier(Text& to, const Accessors& a) {
  if (!is_string(shape(*a.type))) return;
  to.line("template <", kLibrary, "HoldsStringOf<", is_wide(*a.type) ? "::CORBA::WChar" : "char", "> _callis_T>");
  to.line("void ", a.name, "(const _callis_T& _callis_v) { ", a.name, "(_callis_v.in()); }");
}

}  // namespace

void print_pure_accessors(Text& to, const Accessors& a) {
  for (const AccessorFunction& f : accessor_functions(a, "")) to.line("virtual ", f.declaration, " = 0;");
  print_string_modifier(to, a);
}

void print_accessors(Text& to, const Accessors& a, const std::string& expression, bool override_them) {
  for (const AccessorFunction& f : accessor_functions(a, expression))
    to.line(f.declaration, override_them ? " override { " : " { ", f.body, " }");
  print_string_modifier(to, a);
}

namespace {

MemberStems member_stems(const ast::ValueType& v) { return {v, state_members(v), v.contents}; }

Accessors accessors(const ast::StateMember& m, const MemberStems& stems) {
  return {name(m), stems.of(m.name), m.type};
}

// How a constructor takes a member.
std::string constructor_argument(const ast::StateMember& m) { return "_callis_p_" + m.name; }
std::string constructor_parameter(const ast::StateMember& m, const std::string& stem) {
  const std::string parameter = " " + constructor_argument(m);
  if (!is_anonymous(*m.type)) return in_type(*m.type) + parameter;
  // By the class that declares it: a class derived from that may have the name in another meaning.
  const char* reference = m.type->type_kind == ast::TypeKind::Sequence ? "&" : "";
  return cat("const ", absolute(*m.parent), "::", spelled(stem, *m.type), reference, parameter);
}

// Of all state members, those of bases first.
std::string constructor_parameters(const ast::ValueType& v) {
  std::string s = v.base ? constructor_parameters(*v.base) : "";
  const MemberStems stems = member_stems(v);
  for (const ast::StateMember* m : state_members(v))
    s += cat(s.empty() ? "" : ", ", constructor_parameter(*m, stems.of(m->name)));
  return s;
}

}  // namespace

// ---- header ----

void print_value_forward(Text& to, const ast::Declaration& d) {
  const std::string id = name(d);
  to.line("class ", id, ";");
  to.line("typedef ", id, "* ", id, "_ptr;");
  to.line(id, "* callis_duplicate(", id, "* _p);");
  to.line("void callis_release(", id, "* _p);");
  to.line("extern const ::callis::value::ValueLink callis_value_", d.name, ";");
  to.line("typedef ", kLibrary, "ReferenceVar<", id, "> ", id, "_var;");
  to.line("typedef ", kLibrary, "ReferenceOut<", id, "> ", id, "_out;");
}

namespace {

std::string base_list(const ast::ValueType& v) {
  std::string bases;
  const auto add = [&bases](const std::string& b) { bases += cat(bases.empty() ? "" : ", ", "public virtual ", b); };
  for (const ast::ValueType* b : direct_bases(v)) add(absolute(*b));
  if (bases.empty()) add("::CORBA::ValueBase");
  if (v.custom && !inherits_custom(v)) add("::CORBA::CustomMarshal");
  for (const ast::Interface* i : own_supported(v))
    if (is_abstract(*i)) add(absolute(*i));
  return bases;
}

void print_init_class(Text& to, const ast::ValueType& v) {
  const std::string id = name(v) + "_init";
  const auto list = initializers(v);
  if (list.empty() && !is_plain(v)) return;
  to.open("class ", id, " : public ::CORBA::ValueFactoryBase {");
  to.label("public:");
  if (is_plain(v)) to.line(id, "() = default;");
  to.line("static ", id, "* _downcast(::CORBA::ValueFactory _callis_f) { return dynamic_cast<", id,
          "*>(_callis_f); }");
  for (const ast::Initializer* i : list) {
    std::string parameters;
    for (const ast::Parameter* p : i->parameters)
      parameters += cat(parameters.empty() ? "" : ", ", in_type(*p->type), " ", identifier(p->name));
    to.line("virtual ", name(v), "* ", name(*i), "(", parameters, ") = 0;");
  }
  to.label("protected:");
  if (!is_plain(v)) to.line(id, "() = default;");
  to.line("~", id, "() override;");
  if (is_plain(v)) {
    to.label("private:");
    to.line("::CORBA::ValueBase* create_for_unmarshal() override;");
  }
  to.close("};");
}

}  // namespace

void print_value_class(Text& to, const ast::ValueType& v) {
  const std::string id = name(v);
  to.open("class ", id, " : ", base_list(v), " {");
  to.label("public:");
  to.line("typedef ", id, "* _ptr_type;");
  to.line("typedef ", absolute(v, "_var"), " _var_type;");
  to.line("static ", id, "* _downcast(::CORBA::ValueBase* _callis_v) { return dynamic_cast<", id, "*>(_callis_v); }");
  if (!v.is_abstract) to.line("::CORBA::ValueBase* _copy_value() override;");
  if (to.for_tao)
    to.line("static const char* _tao_obv_static_repository_id() { return ", quoted(v.repository_id), "; }");
  for (const ast::Declaration* d : v.contents) print_type_declaration(to, *d, true);
  for (const ast::WireOperation& op : own_value_operations(v)) {
    const bool of_base =
        op.owner && is_abstract(*op.owner);  // the class of an abstract interface is one of this class
    to.line(of_base ? "" : "virtual ", result_type(wire_result(op)), " ", function_name(op), signature(op, false),
            of_base ? " override = 0;" : " = 0;");
  }
  const MemberStems stems = member_stems(v);
  for (const bool is_public : {true, false}) {
    if (!is_public) {
      // For the ORB.
      if (!v.is_abstract) to.line("const ::callis::value::ValueLink* _callis_link() const noexcept override;");
      if (supports_abstract(v)) to.line("::CORBA::ValueBase* _callis_value() noexcept override { return this; }");
      to.label("protected:");
      to.line(id, "() = default;");
      to.line(id, "(const ", id, "&) = default;");
      to.line("~", id, "() override;");
    }
    for (const ast::StateMember* m : state_members(v)) {
      if (m->is_public != is_public) continue;
      print_member_typedefs(to, stems.of(m->name), *m->type);
      print_pure_accessors(to, accessors(*m, stems));
    }
  }
  to.close("};");
  print_init_class(to, v);
}

void print_obv_class(Text& to, const ast::ValueType& v) {
  if (v.is_abstract) return;
  const std::string id = obv_name(v);
  auto scopes = ast::path(v);
  scopes.pop_back();
  for (std::size_t i = 0; i < scopes.size(); ++i)
    to.line("namespace ", i == 0 ? "OBV_" + scopes[i] + inline_namespace(v) : identifier(scopes[i]), " {");
  const bool plain = is_plain(v);
  to.open("class ", id, " : public virtual ", absolute(v),
          v.base ? cat(", public virtual ::", obv_scoped(*v.base)) : "",
          plain ? ", public virtual ::CORBA::DefaultValueRefCountBase" : "", " {");
  const auto own = state_members(v);
  const MemberStems stems = member_stems(v);
  std::vector<const ast::StateMember*> all;
  all_state_members(v, all);
  to.label("public:");
  for (const ast::StateMember* m : own)
    if (m->is_public) print_accessors(to, accessors(*m, stems), "_callis_own." + name(*m), true);
  to.line("void* _callis_state(const ::callis::value::ValueLink& _callis_l) noexcept override;");
  if (!plain) to.label("protected:");
  to.line(id, "() = default;");
  if (!all.empty()) {
    to.line(all.size() == 1 ? "explicit " : "", id, "(", constructor_parameters(v), ");");
  }
  if (plain) to.label("protected:");
  to.line(id, "(const ", id, "&) = default;");
  to.line("~", id, "() override;");
  for (const ast::StateMember* m : own)
    if (!m->is_public) print_accessors(to, accessors(*m, stems), "_callis_own." + name(*m), true);
  if (!own.empty()) {
    to.label("private:");
    to.open("struct _callis_members {");
    for (const ast::StateMember* m : own) {
      const std::string& stem = stems.of(m->name);
      print_member_typedefs(to, stem, *m->type);
      to.line(is_anonymous(*m->type) ? cat(spelled(stem, *m->type), " ", name(*m))
                                     : member_declarator(*m->type, name(*m)),
              ";");
    }
    to.close("};");
    to.line("_callis_members _callis_own{};");
  }
  to.close("};");
  for (std::size_t i = 0; i < scopes.size(); ++i) to.line("}");
  to.blank();
}

// ---- source ----

namespace {

void print_obv_functions(Text& to, const ast::ValueType& v) {
  const std::string id = obv_name(v), scope = obv_scoped(v);
  const auto own = state_members(v);
  std::vector<const ast::StateMember*> all;
  all_state_members(v, all);
  if (!all.empty()) {
    // The most derived class initialises virtual bases: theirs by their modifiers.
    to.open(scope, "::", id, "(", constructor_parameters(v), ") {");
    for (const ast::StateMember* m : all) to.line(name(*m), "(", constructor_argument(*m), ");");
    to.close("}");
  }
  to.line(scope, "::~", id, "() = default;");
  to.open("void* ", scope, "::_callis_state(const ::callis::value::ValueLink& _callis_l) noexcept {");
  if (!own.empty()) {
    std::string types;
    for (const ast::StateMember* m : own)
      types += cat(types.empty() ? "" : ", ", "decltype(_callis_members::", name(*m), ")");
    to.line("static_assert(sizeof(_callis_members) == ", kLibrary, "kNaturalSize<", types, ">);");
    to.line("static_assert(std::is_standard_layout_v<_callis_members>);");
    to.line("if (&_callis_l == &", value_link(v), ") return &_callis_own;");
  }
  if (v.base) to.line("return ::", obv_scoped(*v.base), "::_callis_state(_callis_l);");
  else to.line(own.empty() ? "return (void)_callis_l, nullptr;" : "return nullptr;");
  to.close("}");
}

}  // namespace

void print_value_functions(Text& to, const ast::ValueType& v) {
  const std::string id = scoped(v), own = name(v), type = absolute(v),
                    scope = v.parent ? scoped(*v.parent) + "::" : "";
  to.line(type, "* ", scope, "callis_duplicate(", type, "* _p) {");
  to.line("  ::CORBA::add_ref(_p);");
  to.line("  return _p;");
  to.line("}");
  to.line("void ", scope, "callis_release(", type, "* _p) { ::CORBA::remove_ref(_p); }");
  to.line(id, "::~", own, "() = default;");
  if (!initializers(v).empty() || is_plain(v)) to.line(id, "_init::~", own, "_init() = default;");
  if (v.is_abstract) return;
  to.line("const ::callis::value::ValueLink* ", id, "::_callis_link() const noexcept { return &", value_link(v),
          "; }");
  to.line("::CORBA::ValueBase* ", id, "::_copy_value() { return ::callis::value::copy_value(*this); }");
  print_obv_functions(to, v);
  if (is_plain(v))
    to.line("::CORBA::ValueBase* ", id, "_init::create_for_unmarshal() { return new ::", obv_scoped(v), "; }");
}

void print_value_state(Text& to, const ast::Declaration& d, Descriptors& descriptors) {
  std::string word;
  if (const auto* b = ast::as<ast::ValueBox>(&d)) {
    word = descriptors.type(*b->type).text;
  } else {
    const auto& v = *ast::as<ast::ValueType>(&d);
    if (state_members(v).empty()) return;
    word = descriptors.state(v).text;
  }
  to.line("constexpr Word state_", flat(d), " = ", word, ";");
  to.line("const Plan* plan_", flat(d), ";");
}

void print_value_link(Text& to, const ast::Declaration& d, const std::string& shared) {
  const auto* v = ast::as<ast::ValueType>(&d);
  const bool stateful = !v || !state_members(*v).empty();
  std::string flags;
  const auto flag = [&flags](const char* f) { flags += cat(flags.empty() ? "" : " | ", "::callis::value::", f); };
  if (!v) flag("kBox");
  if (v && v->truncatable) flag("kTruncatable");
  if (v && (v->custom || inherits_custom(*v))) flag("kCustom");
  if (v && v->is_abstract) flag("kAbstract");
  const std::string id = absolute(d), scope = d.parent ? scoped(*d.parent) + "::" : "", own = cat(shared, "::");
  to.line("const ::callis::value::ValueLink ", scope, "callis_value_", d.name, " = {");
  to.line("    ", quoted(d.repository_id), ", ", v && v->base ? cat("&", value_link(*v->base)) : "nullptr", ", ",
          flags.empty() ? "0" : flags, ",");
  if (stateful) to.line("    &", own, "unit, ", own, "state_", flat(d), ", &", own, "plan_", flat(d), ",");
  else to.line("    nullptr, 0, nullptr,");
  to.line("    &::callis::value::upcast<", id, ">, &::callis::value::downcast<", id, ">, ",
          v ? "nullptr" : cat("&::callis::value::create_box<", id, ">"), "};");
  if (!v) {
    to.line("namespace ", shared, " {");
    to.line("namespace {");
    to.line("const ::callis::value::BoxEntry box_", flat(d), "(", value_link(d), ");");
    to.line("}");
    to.line("}");
  }
}

}  // namespace callis::idl::backends::classic
