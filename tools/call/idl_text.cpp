// SPDX-License-Identifier: Apache-2.0
// Declarations as IDL, by the names that they have at the top of a file.
#include <idl/driver/dump.h>
#include <tools/call/idl_text.h>
#include <set>

namespace callis::tools {

namespace ast = idl::ast;

namespace {

// "sequence<::A::S>" without the "::" in front of names.
std::string type_name(const ast::Type& type) {
  const std::string full = ast::idl_name(type);
  std::string out;
  for (std::size_t i = 0; i < full.size(); ++i) {
    const bool in_front = i == 0 || full[i - 1] == '<' || full[i - 1] == ' ';
    if (in_front && full.compare(i, 2, "::") == 0)
      ++i;
    else
      out += full[i];
  }
  return out;
}

// "long x[3]": what belongs behind the name stands there.
std::string declarator(const ast::Type& type, const std::string& name) {
  const auto* array = ast::as<ast::ArrayType>(&type);
  if (!array) return type_name(type) + " " + name;
  std::string out = type_name(*array->element) + " " + name;
  for (const std::uint32_t n : array->dimensions) out += "[" + std::to_string(n) + "]";
  return out;
}

template<class T>
std::string names(const char* before, const std::vector<const T*>& all) {
  std::string out;
  for (const T* d : all) out += (d == all.front() ? before : ", ") + ast::scoped_name(*d);
  return all.empty() ? out : out + ")";
}

std::string value_text(const ast::Value& value) {
  std::string text = idl::driver::to_text(value);
  return text.starts_with("::") ? text.substr(2) : text;
}

std::string attribute(const ast::Attribute& a) {
  return std::string(a.readonly ? "readonly " : "") + "attribute " + type_name(*a.type) + " " + a.name +
         names(a.readonly ? " raises (" : " getraises (", a.get_raises) + names(" setraises (", a.set_raises);
}

class Printer {
 public:
  std::string out;

  void types_of(const ast::WireOperation& o) {
    if (o.operation) {
      type(*o.operation->result);
      for (const ast::Parameter* p : o.operation->parameters) type(*p->type);
    } else {
      type(*o.attribute->type);
    }
    for (const ast::Exception* e : ast::raises(o)) declared(*e);
  }

 private:
  // Types may lead to themselves; those of IDL files lie in each other less deep than the stack.
  void type(const ast::Type& t) {
    if (const ast::Declaration* d = ast::declaration(t)) declared(*d);
    if (const auto* s = ast::as<ast::SequenceType>(&t)) type(*s->element);
    if (const auto* a = ast::as<ast::ArrayType>(&t)) type(*a->element);
  }

  void declared(const ast::Declaration& d) {
    if (!seen_.insert(&d).second) return;
    std::string text;
    if (const auto* s = ast::as<ast::Struct>(&d)) {
      if (s->origin == ast::Struct::Origin::MapEntry) return members(s->members, text);
      text = "struct " + d.name + " {\n";
      members(s->members, text);
    } else if (const auto* e = ast::as<ast::Exception>(&d)) {
      text = "exception " + d.name + " {\n";
      members(e->members, text);
    } else if (const auto* u = ast::as<ast::Union>(&d)) {
      type(*u->discriminator);
      text = "union " + d.name + " switch (" + type_name(*u->discriminator) + ") {\n";
      for (const ast::UnionMember* m : u->members) {
        type(*m->type);
        for (const ast::Value& label : m->labels) text += "  case " + value_text(label) + ":\n";
        if (m->is_default) text += "  default:\n";
        text += "    " + declarator(*m->type, m->name) + ";\n";
      }
    } else if (const auto* n = ast::as<ast::Enum>(&d)) {
      text = "enum " + d.name + " {";
      for (const ast::Enumerator* x : n->enumerators) text += (x->ordinal == 0 ? " " : ", ") + x->name;
      out += "// " + ast::scoped_name(d) + "\n" + text + " };\n\n";
      return;
    } else if (const auto* t = ast::as<ast::Typedef>(&d)) {
      type(*t->type);
      out += "// " + ast::scoped_name(d) + "\ntypedef " + declarator(*t->type, d.name) + ";\n\n";
      return;
    } else if (const auto* v = ast::as<ast::ValueType>(&d)) {
      text = "valuetype " + d.name + " {\n";
      for (const ast::StateMember* m : ast::all_state(*v)) {
        type(*m->type);
        text += std::string(m->is_public ? "  public " : "  private ") + declarator(*m->type, m->name) + ";\n";
      }
    } else if (const auto* b = ast::as<ast::ValueBox>(&d)) {
      type(*b->type);
      out += "// " + ast::scoped_name(d) + "\nvaluetype " + d.name + " " + type_name(*b->type) + ";\n\n";
      return;
    } else {
      return;  // interfaces are references here
    }
    out += "// " + ast::scoped_name(d) + "\n" + text + "};\n\n";
  }

  void members(const std::vector<const ast::Member*>& all, std::string& text) {
    for (const ast::Member* m : all) {
      type(*m->type);
      text += "  " + declarator(*m->type, m->name) + ";\n";
    }
  }

  std::set<const ast::Declaration*> seen_;
};

}  // namespace

std::string signature(const ast::WireOperation& o) {
  if (o.attribute) return attribute(*o.attribute);
  std::string out =
      std::string(o.operation->oneway ? "oneway " : "") + type_name(*o.operation->result) + " " + o.name + "(";
  for (const ast::Parameter* p : o.operation->parameters) {
    static constexpr const char* kModes[] = {"in ", "inout ", "out "};
    out += p == o.operation->parameters.front() ? "" : ", ";
    out += kModes[static_cast<int>(p->mode)] + type_name(*p->type) + " " + p->name;
  }
  out += ")" + names(" raises (", o.operation->raises);
  for (const std::string& c : o.operation->contexts)
    out += (&c == &o.operation->contexts.front() ? " context (" : ", ") + value_text(c);
  return o.operation->contexts.empty() ? out : out + ")";
}

std::string describe(const ast::Interface& i) {
  Printer printer;
  const std::vector<ast::WireOperation> all = ast::all_operations(i);
  for (const ast::WireOperation& o : all) printer.types_of(o);
  std::string out = std::move(printer.out);
  out += "// " + ast::scoped_name(i) + "  " + i.repository_id + "\n";
  for (const ast::Interface* base : i.bases) {
    out += (base == i.bases.front() ? "// inherits " : ", ") + ast::scoped_name(*base);
    if (base == i.bases.back()) out += "\n";
  }
  out +=
      std::string(i.flavor == ast::Interface::Flavor::Abstract ? "abstract " : "") + "interface " + i.name + " {\n";
  const ast::Interface* owner = &i;
  for (const ast::WireOperation& o : all) {
    if (o.is_setter) continue;
    if (o.owner != owner) out += "  // of " + ast::scoped_name(*o.owner) + "\n";
    owner = o.owner;
    out += "  " + signature(o) + ";\n";
  }
  return out + "};\n";
}

}  // namespace callis::tools
