// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/dump.h>
#include <idl/ast/walk.h>
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
    const std::string digits = v.digits.size() > v.scale ? v.digits : std::string(v.scale + 1 - v.digits.size(), '0') + v.digits;
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

  static std::string with_id(const ast::Declaration& d, const std::string& text) {
    const char* stubs = d.stubs == ast::StubStyle::Compiled      ? " @stubs(compiled)"
                        : d.stubs == ast::StubStyle::Interpreted ? " @stubs(interpreted)"
                                                                 : "";
    return text + "  [" + d.repository_id + "]" + stubs;
  }

  void declaration(const ast::Declaration& d) {
    switch (d.kind) {
      case ast::DeclarationKind::Module: return module(*ast::as<ast::Module>(&d));
      case ast::DeclarationKind::Interface: return interface(*ast::as<ast::Interface>(&d));
      case ast::DeclarationKind::Forward:
        return line("forward ::" + ast::scoped_name(*ast::as<ast::Forward>(&d)->target));
      case ast::DeclarationKind::Operation: return operation(*ast::as<ast::Operation>(&d));
      case ast::DeclarationKind::Attribute: {
        const auto& a = *ast::as<ast::Attribute>(&d);
        return line(with_id(d, std::string(a.readonly ? "readonly " : "") + "attribute " +
                                   ast::idl_name(*a.type) + " " + d.name));
      }
      case ast::DeclarationKind::Struct: return structure(*ast::as<ast::Struct>(&d));
      case ast::DeclarationKind::Exception: {
        const auto& e = *ast::as<ast::Exception>(&d);
        line(with_id(d, "exception " + d.name));
        return members(e.nested, e.members);
      }
      case ast::DeclarationKind::Enum: return enumeration(*ast::as<ast::Enum>(&d));
      case ast::DeclarationKind::Typedef: {
        const auto& t = *ast::as<ast::Typedef>(&d);
        return line(with_id(d, "typedef " + ast::idl_name(*t.type) + " " + d.name + length(t)));
      }
      case ast::DeclarationKind::Const: {
        const auto& c = *ast::as<ast::Const>(&d);
        return line(with_id(d, "const " + ast::idl_name(*c.type) + " " + d.name + " = " +
                                   to_text(c.value)));
      }
      default: return;
      case ast::DeclarationKind::Parameter:
      case ast::DeclarationKind::Member:
      case ast::DeclarationKind::Enumerator: return;  // printed with what holds them
    }
  }

  static std::string length(const ast::Type& t) {
    return ast::is_variable_length(t) ? " variable" : "";
  }

  void module(const ast::Module& m) {
    line(with_id(m, std::string("module ") + m.name + (m.first == &m ? "" : " (reopened)")));
    inside(m.contents);
  }

  void interface(const ast::Interface& i) {
    std::string text = "interface " + i.name;
    for (const ast::Interface* base : i.bases) {
      text += (base == i.bases.front() ? " : ::" : ", ::") + ast::scoped_name(*base);
    }
    line(with_id(i, text));
    inside(i.contents);
    ++indent_;
    if (!i.bases.empty()) {
      text = "all operations:";
      for (const ast::WireOperation& o : ast::all_operations(i)) {
        text += " " + o.owner->name + "." + o.name;
      }
      line(text);
    }
    --indent_;
  }

  void operation(const ast::Operation& o) {
    std::string text = std::string(o.oneway ? "oneway " : "") + ast::idl_name(*o.result) + " " +
                       o.name + "(";
    for (const ast::Parameter* p : o.parameters) {
      static constexpr const char* kModes[] = {"in ", "inout ", "out "};
      text += (p == o.parameters.front() ? "" : ", ");
      text += kModes[static_cast<int>(p->mode)];
      text += ast::idl_name(*p->type) + " " + p->name;
    }
    text += ")";
    for (const ast::Exception* e : o.raises) {
      text += (e == o.raises.front() ? " raises ::" : ", ::") + ast::scoped_name(*e);
    }
    line(with_id(o, text));
  }

  void structure(const ast::Struct& s) {
    line(with_id(s, "struct " + s.name + length(s) + (s.recursive ? " recursive" : "")));
    members(s.nested, s.members);
  }

  void members(const ast::Declarations& nested, const std::vector<const ast::Member*>& all) {
    inside(nested);
    ++indent_;
    for (const ast::Member* m : all) {
      line(ast::idl_name(*m->type) + " " + m->name);
    }
    --indent_;
  }

  void enumeration(const ast::Enum& e) {
    std::string text = "enum " + e.name + " {";
    for (const ast::Enumerator* x : e.enumerators) {
      text += (x->ordinal == 0 ? " " : ", ") + x->name;
    }
    line(with_id(e, text + " }"));
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
