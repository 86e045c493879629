// SPDX-License-Identifier: Apache-2.0
// The checked tree as lines of text.
#include <idl/ast/walk.h>
#include <idl/driver/dump.h>
#include <cstdio>

namespace callis::idl::driver {

namespace {

std::string escaped(char32_t c, bool wide) {
  if (c == U'\\' || c == U'"' || c == U'\'') {
    return {'\\', static_cast<char>(c)};
  }
  if (c >= 0x20 && c < 0x7F) {
    return {static_cast<char>(c)};
  }
  char out[16];
  if (wide) {
    std::snprintf(out, sizeof out, "\\u%04X", static_cast<unsigned>(c));
  } else {
    std::snprintf(out, sizeof out, "\\x%02X", static_cast<unsigned>(c));
  }
  return out;
}

struct ValueText {
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(std::uint64_t v) const { return std::to_string(v); }
  std::string operator()(long double v) const {
    char out[64];
    std::snprintf(out, sizeof out, "%.21Lg", v);
    return out;
  }
  std::string operator()(bool v) const { return v ? "TRUE" : "FALSE"; }
  std::string operator()(char v) const {
    return "'" + escaped(static_cast<unsigned char>(v), false) + "'";
  }
  std::string operator()(char32_t v) const { return "L'" + escaped(v, true) + "'"; }
  std::string operator()(const std::string& v) const {
    std::string out;
    for (const char c : v) {
      out += escaped(static_cast<unsigned char>(c), false);
    }
    return "\"" + out + "\"";
  }
  std::string operator()(const std::u32string& v) const {
    std::string out;
    for (const char32_t c : v) {
      out += escaped(c, true);
    }
    return "L\"" + out + "\"";
  }
  std::string operator()(const ast::FixedValue& v) const {
    const std::string digits =
        v.digits.size() > v.scale ? v.digits : std::string(v.scale + 1 - v.digits.size(), '0') + v.digits;
    const std::size_t whole = digits.size() - v.scale;
    return (v.negative ? "-" : "") + digits.substr(0, whole) + (v.scale != 0 ? "." + digits.substr(whole) : "") + "d";
  }
  std::string operator()(const ast::Enumerator* v) const { return "::" + ast::scoped_name(*v); }
};

class Dumper {
 public:
  std::string out;

  void unit(const ast::Unit& u) {
    for (const ast::Include& i : u.includes) {
      line(std::string("include ") + (i.angled ? "<" : "\"") + i.spelled + (i.angled ? ">" : "\""));
    }
    all(u.contents);
  }

 private:
  void line(const std::string& text) { out += std::string(indent_ * 2, ' ') + text + "\n"; }

  void all(const ast::Declarations& declarations) {
    for (const ast::Declaration* d : declarations) {
      if (d->from_main_file) {
        declaration(*d);
      }
    }
  }

  void inside(const ast::Declarations& declarations) {
    ++indent_;
    all(declarations);
    --indent_;
  }

  static std::string annotated(const ast::Declaration& d) {
    std::string out = d.stubs == ast::StubStyle::Compiled      ? " @stubs(compiled)"
                      : d.stubs == ast::StubStyle::Interpreted ? " @stubs(interpreted)"
                                                               : "";
    for (const ast::Annotation& a : d.annotations) {
      out += " @" + a.name;
      for (const auto& [name, text, where] : a.parameters) {
        out += (&name == &a.parameters.front().name ? "(" : ", ") + name + " = " + text;
      }
      out += a.parameters.empty() ? "" : ")";
    }
    return out;
  }

  static std::string with_id(const ast::Declaration& d, const std::string& text) {
    return text + "  [" + d.repository_id + "]" + annotated(d);
  }

  void declaration(const ast::Declaration& d) {
    switch (d.kind) {
      case ast::DeclarationKind::Module: return module(*ast::as<ast::Module>(&d));
      case ast::DeclarationKind::Interface: return interface(*ast::as<ast::Interface>(&d));
      case ast::DeclarationKind::Value: return value(*ast::as<ast::ValueType>(&d));
      case ast::DeclarationKind::Struct: return structure(*ast::as<ast::Struct>(&d));
      case ast::DeclarationKind::Union: return union_type(*ast::as<ast::Union>(&d));
      case ast::DeclarationKind::Exception: {
        const auto& e = *ast::as<ast::Exception>(&d);
        line(with_id(d, "exception " + d.name));
        return members(e.nested, e.members);
      }
      case ast::DeclarationKind::ValueBox: {
        const auto& box = *ast::as<ast::ValueBox>(&d);
        line(with_id(d, "valuetype " + d.name + " " + ast::idl_name(*box.type) + local(box)));
        return inside(box.nested);
      }
      case ast::DeclarationKind::Parameter:
      case ast::DeclarationKind::Member:
      case ast::DeclarationKind::UnionMember:
      case ast::DeclarationKind::Enumerator: return;  // printed with what holds them
      default: return line(short_declaration(d));
    }
  }

  // What takes one line.
  static std::string short_declaration(const ast::Declaration& d) {
    switch (d.kind) {
      case ast::DeclarationKind::Forward: return "forward ::" + ast::scoped_name(*ast::as<ast::Forward>(&d)->target);
      case ast::DeclarationKind::Operation: return operation(*ast::as<ast::Operation>(&d));
      case ast::DeclarationKind::Attribute: return attribute(*ast::as<ast::Attribute>(&d));
      case ast::DeclarationKind::Initializer: {
        const auto& i = *ast::as<ast::Initializer>(&d);
        return "factory " + d.name + parameters(i.parameters) + exceptions(" raises ", i.raises) + annotated(d);
      }
      case ast::DeclarationKind::StateMember: {
        const auto& m = *ast::as<ast::StateMember>(&d);
        return (m.is_public ? "public " : "private ") + ast::idl_name(*m.type) + " " + d.name + annotated(d);
      }
      case ast::DeclarationKind::Enum: return enumeration(*ast::as<ast::Enum>(&d));
      case ast::DeclarationKind::Bitset: return bitset(*ast::as<ast::Bitset>(&d));
      case ast::DeclarationKind::Bitmask: return bitmask(*ast::as<ast::Bitmask>(&d));
      case ast::DeclarationKind::Native: return with_id(d, "native " + d.name);
      case ast::DeclarationKind::Typedef: {
        const auto& t = *ast::as<ast::Typedef>(&d);
        return with_id(d, "typedef " + ast::idl_name(*t.type) + " " + d.name + length(t) + local(t));
      }
      case ast::DeclarationKind::Const: {
        const auto& c = *ast::as<ast::Const>(&d);
        return with_id(d, "const " + ast::idl_name(*c.type) + " " + d.name + " = " + to_text(c.value));
      }
      default: return std::string(ast::kind_name(d.kind)) + " " + d.name;
    }
  }

  static std::string local(const ast::Type& t) { return ast::is_local(t) ? " local" : ""; }

  static std::string length(const ast::Type& t) {
    return ast::is_variable_length(t) ? " variable" : "";
  }

  void module(const ast::Module& m) {
    line(with_id(m, std::string("module ") + m.name + (m.first == &m ? "" : " (reopened)")));
    inside(m.contents);
  }

  template <class T>
  static std::string names(const char* first, const std::vector<const T*>& all) {
    std::string out;
    for (const T* d : all) {
      out += (d == all.front() ? first : ", ") + ("::" + ast::scoped_name(*d));
    }
    return out;
  }

  void interface(const ast::Interface& i) {
    const char* flavor = i.flavor == ast::Interface::Flavor::Abstract ? "abstract "
                         : i.flavor == ast::Interface::Flavor::Local  ? "local "
                                                                      : "";
    line(with_id(i, flavor + ("interface " + i.name) + names(" : ", i.bases)));
    inside(i.contents);
    ++indent_;
    if (!i.bases.empty()) {
      std::string text = "all operations:";
      for (const ast::WireOperation& o : ast::all_operations(i)) {
        text += " " + o.owner->name + "." + o.name;
      }
      line(text);
    }
    --indent_;
  }

  void value(const ast::ValueType& v) {
    std::string text = v.is_abstract ? "abstract valuetype " : v.custom ? "custom valuetype " : "valuetype ";
    text += v.name;
    if (v.base != nullptr) {
      text += (v.truncatable ? " : truncatable ::" : " : ::") + ast::scoped_name(*v.base);
    }
    text += names(v.base != nullptr ? ", " : " : ", v.abstract_bases) + names(" supports ", v.supports);
    line(with_id(v, text));
    inside(v.contents);
    if (v.base != nullptr) {
      ++indent_;
      text = "all state:";
      for (const ast::StateMember* m : ast::all_state(v)) {
        text += " " + m->parent->name + "." + m->name;
      }
      line(text);
      --indent_;
    }
  }

  static std::string parameters(const std::vector<const ast::Parameter*>& all) {
    std::string text = "(";
    for (const ast::Parameter* p : all) {
      static constexpr const char* kModes[] = {"in ", "inout ", "out "};
      text += (p == all.front() ? "" : ", ");
      text += kModes[static_cast<int>(p->mode)];
      text += ast::idl_name(*p->type) + " " + p->name + annotated(*p);
    }
    return text + ")";
  }

  static std::string exceptions(const char* word, const std::vector<const ast::Exception*>& all) {
    return names(word, all);
  }

  static std::string operation(const ast::Operation& o) {
    std::string text = std::string(o.oneway ? "oneway " : "") + ast::idl_name(*o.result) + " " + o.name +
                       parameters(o.parameters) + exceptions(" raises ", o.raises);
    for (const std::string& c : o.contexts) {
      text += (&c == &o.contexts.front() ? " context " : ", ") + to_text(c);
    }
    return with_id(o, text);
  }

  static std::string attribute(const ast::Attribute& a) {
    return with_id(a, std::string(a.readonly ? "readonly " : "") + "attribute " + ast::idl_name(*a.type) + " " +
                          a.name + exceptions(" getraises ", a.get_raises) +
                          exceptions(" setraises ", a.set_raises));
  }

  void structure(const ast::Struct& s) {
    const std::string base = s.base != nullptr ? " : ::" + ast::scoped_name(*s.base) : "";
    line(with_id(s, "struct " + s.name + base + length(s) + (s.recursive ? " recursive" : "") + local(s)));
    members(s.nested, s.members);
  }

  void members(const ast::Declarations& nested, const std::vector<const ast::Member*>& all) {
    inside(nested);
    ++indent_;
    for (const ast::Member* m : all) {
      line(ast::idl_name(*m->type) + " " + m->name + annotated(*m));
    }
    --indent_;
  }

  void union_type(const ast::Union& u) {
    const std::string free = u.free_label ? ", free " + to_text(*u.free_label) : "";
    line(with_id(u, "union " + u.name + " switch " + ast::idl_name(*u.discriminator) + free + length(u) +
                        (u.recursive ? " recursive" : "") + local(u)));
    inside(u.nested);
    ++indent_;
    for (const ast::UnionMember* m : u.members) {
      std::string text;
      for (const ast::Value& label : m->labels) {
        text += "case " + to_text(label) + ": ";
      }
      line(text + (m->is_default ? "default: " : "") + ast::idl_name(*m->type) + " " + m->name + annotated(*m));
    }
    --indent_;
  }

  static std::string enumeration(const ast::Enum& e) {
    std::string text = "enum " + e.name + " {";
    for (const ast::Enumerator* x : e.enumerators) {
      text += (x->ordinal == 0 ? " " : ", ") + x->name + annotated(*x);
    }
    return with_id(e, text + " }");
  }

  static std::string bitset(const ast::Bitset& b) {
    std::string text = "bitset " + b.name + (b.base != nullptr ? " : ::" + ast::scoped_name(*b.base) : "") + " {";
    for (const auto& [name, bits, type] : b.fields) {
      text += " " + name + ":" + std::to_string(bits) + (type != nullptr ? " " + ast::idl_name(*type) : "") + ";";
    }
    return with_id(b, text + " }");
  }

  static std::string bitmask(const ast::Bitmask& b) {
    std::string text = "bitmask " + b.name + "<" + std::to_string(b.bits) + "> {";
    for (const auto& [name, position] : b.flags) {
      text += " " + name + "@" + std::to_string(position);
    }
    return with_id(b, text + " }");
  }

  std::size_t indent_ = 0;
};

}  // namespace

std::string to_text(const ast::Value& value) { return std::visit(ValueText{}, value); }

std::string dump(const ast::Unit& unit) {
  Dumper dumper;
  dumper.unit(unit);
  return std::move(dumper.out);
}

}  // namespace callis::idl::driver
