// SPDX-License-Identifier: Apache-2.0
// The classes of unions.
#include <idl/backends/classic/constants.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/declarations.h>
#include <idl/backends/classic/member_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/unions.h>

namespace callis::idl::backends::classic {

namespace {

// Expressions that the functions of one union share.
struct Spelling {
  explicit Spelling(const ast::Union& u)
      : id(name(u)),
        scope(scoped(u)),
        discriminator(value_type(*u.discriminator)),
        variable(ast::is_variable_length(u)),
        stems(u, u.members, u.nested) {}
  // How accessors and modifiers spell the type of a member.
  std::string spelled(const ast::UnionMember& m) const { return classic::spelled(stems.of(m.name), *m.type); }
  std::string spelled_slice(const ast::UnionMember& m) const {
    return classic::spelled_slice(stems.of(m.name), *m.type);
  }

  std::string id, scope, discriminator;
  bool variable;
  MemberStems stems;
};

bool has_implicit_default(const ast::Union& u) {
  for (const ast::UnionMember* m : u.members)
    if (m->is_default) return false;
  return u.free_label.has_value();
}

// What a modifier sets the discriminator to.
std::string first_label(const ast::Union& u, const ast::UnionMember& m) {
  if (!m.labels.empty()) return literal(m.labels.front(), *u.discriminator);
  return u.free_label ? literal(*u.free_label, *u.discriminator) : cat(value_type(*u.discriminator), "()");
}

// The member that an all-zero discriminator selects; null for none.
const ast::UnionMember* zero_member(const ast::Union& u) {
  const ast::UnionMember* otherwise = nullptr;
  for (const ast::UnionMember* m : u.members) {
    for (const ast::Value& v : m->labels)
      if (label_bits(v) == 0) return m;
    if (m->is_default) otherwise = m;
  }
  return otherwise;
}

bool is_variable_member(const ast::UnionMember& m) { return ast::is_variable_length(*m.type); }

// ---- in the class ----

void print_string_functions(Text& to, const ast::UnionMember& m, std::size_t index) {
  const std::string id = name(m), c = is_wide(*m.type) ? "::CORBA::WChar" : "char";
  to.line("const ", c, "* ", id, "() const { return _callis_check(", index, "), ", union_slot(m), ".in(); }");
  to.line("void ", id, "(", c, "* _callis_v);");
  to.line("void ", id, "(const ", c, "* _callis_v) { ", id, "(", kLibrary, "duplicate(_callis_v)); }");
  to.line("template <", kLibrary, "HoldsStringOf<", c, "> _callis_T>");
  to.line("void ", id, "(const _callis_T& _callis_v) { ", id, "(", kLibrary, "duplicate(_callis_v.in())); }");
}

void print_member_functions(Text& to, const ast::Union& u, const Spelling& s, const ast::UnionMember& m,
                            std::size_t index) {
  const std::string id = name(m), type = s.spelled(m), slot = union_slot(m);
  const std::string check = cat("_callis_check(", index, ")");
  switch (const Shape shape_of = shape(*m.type)) {
    case Shape::String:
    case Shape::WString: return print_string_functions(to, m, index);
    case Shape::FixedArray:
    case Shape::VariableArray:
      to.line(s.spelled_slice(m), "* ", id, "() const { return ", check, ", const_cast<", s.spelled_slice(m), "*>(",
              slot, "); }");
      to.line("void ", id, "(const ", type, " _callis_v);");
      return;
    case Shape::Reference:
      to.line(type, " ", id, "() const { return ", check, ", ", slot, ".in(); }");
      to.line("void ", id, "(", type, " _callis_v);");
      return;
    default:
      if (!is_class(shape_of)) {
        to.line(type, " ", id, "() const { return ", check, ", ", slot, "; }");
        to.open("void ", id, "(", type, " _callis_v) {");
        if (s.variable) to.line("_callis_free();");
        to.line("_callis_d = ", first_label(u, m), ";");
        to.line(slot, " = _callis_v;");
        to.close("}");
        return;
      }
      to.line("const ", type, "& ", id, "() const { return ", check, ", ", slot, "; }");
      to.line(type, "& ", id, "() { return ", check, ", ", slot, "; }");
      to.line("void ", id, "(const ", type, "& _callis_v);");
  }
}

void print_representation(Text& to, const ast::Union& u, const Spelling& s) {
  to.line("// The representation, and the index of the member that a discriminator selects, -1 for none.");
  to.line("static int _callis_member(", s.discriminator, " _callis_v);");
  to.line("void _callis_check(int _callis_m) const;");
  if (s.variable) {
    to.line("void _callis_free() noexcept;");
    to.line("void _callis_take(", s.id, "& _callis_o) noexcept;");
  }
  to.line(s.discriminator, " _callis_d;");
  to.open("union _callis_union {");
  to.line("_callis_union() {}");
  if (s.variable) to.line("~_callis_union() {}");
  for (const ast::UnionMember* m : u.members) {
    to.line(is_anonymous(*m->type) ? s.spelled(*m) : member_type(*m->type), " _callis_m_", m->name, ";");
  }
  to.close("} _callis_u;");
}

}  // namespace

std::uint64_t label_bits(const ast::Value& label) {
  if (const auto* i = std::get_if<std::int64_t>(&label)) return static_cast<std::uint64_t>(*i);
  if (const auto* n = std::get_if<std::uint64_t>(&label)) return *n;
  if (const auto* b = std::get_if<bool>(&label)) return *b ? 1 : 0;
  if (const auto* c = std::get_if<char>(&label)) return static_cast<unsigned char>(*c);
  if (const auto* w = std::get_if<char32_t>(&label)) return *w;
  if (const auto* e = std::get_if<const ast::Enumerator*>(&label)) return (*e)->ordinal;
  return 0;
}

std::string union_slot(const ast::UnionMember& m) { return "_callis_u._callis_m_" + m.name; }

void print_union(Text& to, const ast::Union& u) {
  const Spelling s(u);
  to.line("class ", s.id, ";");
  to.line("typedef ", kLibrary, s.variable ? "VariableVar<" : "FixedVar<", s.id, "> ", s.id, "_var;");
  if (s.variable) to.line("typedef ", kLibrary, "VariableOut<", s.id, "> ", s.id, "_out;");
  else to.line("typedef ", s.id, "& ", s.id, "_out;");
  to.open("class ", s.id, " {");
  to.label("public:");
  to.line("typedef ", absolute(u, "_var"), " _var_type;");
  to.line("typedef ", absolute(u, "_out"), " _out_type;");
  for (const ast::Declaration* d : u.nested) print_type_declaration(to, *d, true);
  for (const ast::UnionMember* m : u.members) print_member_typedefs(to, s.stems.of(m->name), *m->type);
  to.line(s.id, "() noexcept;");
  if (s.variable) {
    to.line(s.id, "(const ", s.id, "& _callis_o);");
    to.line(s.id, "(", s.id, "&& _callis_o) noexcept;");
    to.line("~", s.id, "() { _callis_free(); }");
    to.line(s.id, "& operator=(const ", s.id, "& _callis_o);");
    to.line(s.id, "& operator=(", s.id, "&& _callis_o) noexcept;");
  }
  to.line(s.discriminator, " _d() const { return _callis_d; }");
  to.line("void _d(", s.discriminator, " _callis_v);");
  if (has_implicit_default(u)) to.line("void _default();");
  for (std::size_t i = 0; i < u.members.size(); ++i) print_member_functions(to, u, s, *u.members[i], i);
  print_representation(to, u, s);
  to.close("};");
}

namespace {

// ---- in the source file ----

void print_selection(Text& to, const ast::Union& u, const Spelling& s) {
  const bool boolean = ast::strip_aliases(*u.discriminator).type_kind == ast::TypeKind::Boolean;
  to.open("int ", s.scope, "::_callis_member(", s.discriminator, " _callis_v) {");
  to.open("switch (", boolean ? "static_cast<int>(_callis_v)" : "_callis_v", ") {");
  std::string otherwise = "-1";
  for (std::size_t i = 0; i < u.members.size(); ++i) {
    const ast::UnionMember& m = *u.members[i];
    if (m.is_default) otherwise = cat(i);
    if (m.is_default || m.labels.empty()) continue;
    for (const ast::Value& v : m.labels) to.line("case ", literal(v, *u.discriminator), ":");
    to.line("  return ", i, ";");
  }
  to.line("default: return ", otherwise, ";");
  to.close("}");
  to.close("}");
  to.open("void ", s.scope, "::_callis_check(int _callis_m) const {");
  to.line("if (_callis_member(_callis_d) != _callis_m) ", kLibrary, "throw_other_member();");
  to.close("}");
}

// One case for each member of variable length.
template <class Statement>
void print_cases(Text& to, const ast::Union& u, const std::string& discriminator, Statement statement) {
  to.open("switch (_callis_member(", discriminator, ")) {");
  for (std::size_t i = 0; i < u.members.size(); ++i)
    if (is_variable_member(*u.members[i])) to.line("case ", i, ": ", statement(*u.members[i]), " break;");
  to.line("default: break;");
  to.close("}");
}

void print_life(Text& to, const ast::Union& u, const Spelling& s) {
  const std::string start = " : _callis_d(), _callis_u() {";
  to.open(s.scope, "::", s.id, "() noexcept", start);
  to.line(kLibrary, "zero(*this);");
  if (const auto* m = zero_member(u); m && is_variable_member(*m))
    to.line(kLibrary, "make_empty(", union_slot(*m), ");");
  to.close("}");
  if (!s.variable) return;
  to.open(s.scope, "::", s.id, "(const ", s.id, "& _callis_o)", start);
  to.line(kLibrary, "copy_bytes(*this, _callis_o);");
  print_cases(to, u, "_callis_d", [](const ast::UnionMember& m) {
    return cat(kLibrary, "make_copy(", union_slot(m), ", _callis_o.", union_slot(m), ");");
  });
  to.close("}");
  to.line(s.scope, "::", s.id, "(", s.id, "&& _callis_o) noexcept : ", s.id, "() { ", kLibrary,
          "swap_bytes(*this, _callis_o); }");
  for (const bool move : {false, true}) {
    to.open(s.scope, "& ", s.scope, "::operator=(", move ? "" : "const ", s.id,
            move ? "&& _callis_o) noexcept {" : "& _callis_o) {");
    to.line(s.id, " _callis_n(", move ? "static_cast<" + s.id + "&&>(_callis_o)" : "_callis_o", ");");
    to.line(kLibrary, "swap_bytes(*this, _callis_n);");
    to.line("return *this;");
    to.close("}");
  }
  to.open("void ", s.scope, "::_callis_free() noexcept {");
  print_cases(to, u, "_callis_d",
              [](const ast::UnionMember& m) { return cat(kLibrary, "unmake(", union_slot(m), ");"); });
  to.close("}");
  to.open("void ", s.scope, "::_callis_take(", s.id, "& _callis_o) noexcept {");
  to.line("_callis_free();");
  to.line(kLibrary, "copy_bytes(*this, _callis_o);");
  to.close("}");
}

void print_discriminator(Text& to, const ast::Union& u, const Spelling& s) {
  to.open("void ", s.scope, "::_d(", s.discriminator, " _callis_v) {");
  to.line("if (_callis_member(_callis_v) != _callis_member(_callis_d)) ", kLibrary, "throw_other_member();");
  to.line("_callis_d = _callis_v;");
  to.close("}");
  if (!has_implicit_default(u)) return;
  to.open("void ", s.scope, "::_default() {");
  if (s.variable) to.line("_callis_free();");
  to.line("_callis_d = ", literal(*u.free_label, *u.discriminator), ";");
  to.close("}");
}

// The parameter of a modifier that is not inline, and what makes the slot of `_callis_n` of it.
struct Making {
  std::string parameter, statement;
};
std::optional<Making> making(const ast::UnionMember& m, const Spelling& spelling) {
  const std::string type = spelling.spelled(m), slot = "_callis_n->" + union_slot(m);
  switch (const Shape s = shape(*m.type)) {
    case Shape::String:
    case Shape::WString:
      return Making{type + " _callis_v", cat("::new (&", slot, ") ", member_type(*m.type), "(_callis_v);")};
    case Shape::Reference:
      return Making{type + " _callis_v", cat("::new (&", slot, ") ", member_type(*m.type), "(", kLibrary,
                                             "duplicate_reference(_callis_v));")};
    case Shape::FixedArray:
    case Shape::VariableArray:
      return Making{cat("const ", type, " _callis_v"),
                    cat(kLibrary, "make_copy(", slot, ", *reinterpret_cast<const ", type, "*>(_callis_v));")};
    default:
      if (!is_class(s)) return std::nullopt;
      return Making{cat("const ", type, "& _callis_v"), cat(kLibrary, "make_copy(", slot, ", _callis_v);")};
  }
}

}  // namespace

void print_union_functions(Text& to, const ast::Union& u) {
  const Spelling s(u);
  print_selection(to, u, s);
  print_life(to, u, s);
  print_discriminator(to, u, s);
  for (const ast::UnionMember* m : u.members) {
    const auto how = making(*m, s);
    if (!how) continue;
    to.open("void ", s.scope, "::", name(*m), "(", how->parameter, ") {");
    to.line(kLibrary, "Blank<", s.id, "> _callis_n;");
    to.line(how->statement);
    to.line("_callis_n->_callis_d = ", first_label(u, *m), ";");
    if (s.variable) to.line("_callis_take(*_callis_n);");
    else to.line("*this = *_callis_n;");
    to.close("}");
  }
  to.line("static_assert(sizeof(", s.scope, ") == ", kLibrary, "kNaturalSize<", s.discriminator, ", ", s.scope,
          "::_callis_union>);");
  to.line("static_assert(std::is_standard_layout_v<", s.scope, ">",
          s.variable ? "" : cat(" && std::is_trivially_copyable_v<", s.scope, ">"), ");");
}

}  // namespace callis::idl::backends::classic
