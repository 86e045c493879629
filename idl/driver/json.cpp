// SPDX-License-Identifier: Apache-2.0
// The checked tree as JSON.
#include <idl/driver/json.h>
#include <cstdio>

namespace callis::idl::driver {

namespace {

using Layout = JsonWriter::Layout;

class Printer {
 public:
  Printer(JsonWriter& to, const ast::Unit& unit) : to_(to), unit_(unit) {}

  void unit();

 private:
  // Keys with values of one sort.
  void put(std::string_view key, std::string_view text) { to_.key(key).text(text); }
  void put(std::string_view key, const char* text) { to_.key(key).text(std::string_view(text)); }
  void put(std::string_view key, bool value) { to_.key(key).boolean(value); }
  void put(std::string_view key, std::uint64_t value) { to_.key(key).number(value); }
  void put(std::string_view key, const ast::Type& type) {
    to_.key(key);
    this->type(type);
  }
  // The scoped name of what may be null.
  template <class Node>
  void reference(std::string_view key, const Node* node) {
    to_.key(key);
    node == nullptr ? to_.null() : to_.text(ast::scoped_name(*node));
  }
  template <class Node>
  void references(std::string_view key, const std::vector<const Node*>& nodes) {
    to_.key(key).open_array(Layout::OneLine);
    for (const Node* node : nodes) {
      to_.text(ast::scoped_name(*node));
    }
    to_.close_array();
  }
  template <class Node>
  void list(std::string_view key, const std::vector<const Node*>& nodes) {
    to_.key(key).open_array();
    for (const ast::Declaration* d : nodes) {
      declaration(*d);
    }
    to_.close_array();
  }

  void declaration(const ast::Declaration& d);
  void position(const source::Range& where);
  void annotations(const ast::Declaration& d);
  void body(const ast::Declaration& d);
  void interface(const ast::Interface& i);
  void operation(const ast::Operation& o);
  void attribute(const ast::Attribute& a);
  void value_type(const ast::ValueType& v);
  void structure(const ast::Struct& s);
  void union_type(const ast::Union& u);
  void union_member(const ast::UnionMember& m);
  void bitset(const ast::Bitset& b);
  void bitmask(const ast::Bitmask& b);
  void type(const ast::Type& t);
  void anonymous(const ast::Type& t);
  void value(const ast::Value& v);

  JsonWriter& to_;
  const ast::Unit& unit_;
};

std::string_view kind_key(ast::DeclarationKind kind) {
  switch (kind) {
    case ast::DeclarationKind::Module: return "module";
    case ast::DeclarationKind::Interface: return "interface";
    case ast::DeclarationKind::Forward: return "forward";
    case ast::DeclarationKind::Operation: return "operation";
    case ast::DeclarationKind::Attribute: return "attribute";
    case ast::DeclarationKind::Parameter: return "parameter";
    case ast::DeclarationKind::Value: return "valuetype";
    case ast::DeclarationKind::ValueBox: return "valuebox";
    case ast::DeclarationKind::StateMember: return "state_member";
    case ast::DeclarationKind::Initializer: return "factory";
    case ast::DeclarationKind::Native: return "native";
    case ast::DeclarationKind::Struct: return "struct";
    case ast::DeclarationKind::Union: return "union";
    case ast::DeclarationKind::UnionMember: return "union_member";
    case ast::DeclarationKind::Exception: return "exception";
    case ast::DeclarationKind::Member: return "member";
    case ast::DeclarationKind::Enum: return "enum";
    case ast::DeclarationKind::Enumerator: return "enumerator";
    case ast::DeclarationKind::Typedef: return "typedef";
    case ast::DeclarationKind::Const: return "const";
    case ast::DeclarationKind::Bitset: return "bitset";
    case ast::DeclarationKind::Bitmask: return "bitmask";
  }
  return "";
}

void Printer::unit() {
  const source::Files& files = *unit_.files;
  to_.open_object();
  put("file", files[unit_.main_file].path);
  to_.key("files").open_array();
  for (std::size_t i = 0; i < files.size(); ++i) {
    to_.text(files[static_cast<source::FileId>(i)].path);
  }
  to_.close_array();
  to_.key("includes").open_array();
  for (const ast::Include& i : unit_.includes) {
    to_.open_object(Layout::OneLine);
    put("spelled", i.spelled);
    put("angled", i.angled);
    put("file", files[i.file].path);
    to_.close_object();
  }
  to_.close_array();
  list("declarations", unit_.contents);
  to_.close_object();
}

void Printer::position(const source::Range& where) {
  to_.key("at").open_object(Layout::OneLine);
  const source::Position& at = where.begin;
  to_.key("file");
  at.known() ? to_.text((*unit_.files)[at.file].path) : to_.null();
  put("line", std::uint64_t{at.line});
  put("column", std::uint64_t{at.column});
  to_.close_object();
}

void Printer::annotations(const ast::Declaration& d) {
  if (d.stubs != ast::StubStyle::Unsaid) {
    put("stubs", d.stubs == ast::StubStyle::Compiled ? "compiled" : "interpreted");
  }
  if (d.annotations.empty()) {
    return;
  }
  to_.key("annotations").open_array();
  for (const ast::Annotation& a : d.annotations) {
    to_.open_object(Layout::OneLine);
    put("name", a.name);
    to_.key("parameters").open_object();
    for (const ast::Annotation::Parameter& p : a.parameters) {
      put(p.name, p.text);
    }
    to_.close_object();
    to_.close_object();
  }
  to_.close_array();
}

void Printer::declaration(const ast::Declaration& d) {
  to_.open_object();
  put("kind", kind_key(d.kind));
  put("name", d.name);
  put("scoped_name", ast::scoped_name(d));
  if (!d.repository_id.empty()) {
    put("id", d.repository_id);
  }
  position(d.where);
  put("main", d.from_main_file);
  annotations(d);
  body(d);
  to_.close_object();
}

void Printer::body(const ast::Declaration& d) {
  switch (d.kind) {
    case ast::DeclarationKind::Module: return list("contents", ast::as<ast::Module>(&d)->contents);
    case ast::DeclarationKind::Interface: return interface(*ast::as<ast::Interface>(&d));
    case ast::DeclarationKind::Forward: return put("of", kind_key(ast::as<ast::Forward>(&d)->target->kind));
    case ast::DeclarationKind::Operation: return operation(*ast::as<ast::Operation>(&d));
    case ast::DeclarationKind::Attribute: return attribute(*ast::as<ast::Attribute>(&d));
    case ast::DeclarationKind::Parameter: {
      static constexpr const char* kModes[] = {"in", "inout", "out"};
      const auto& p = *ast::as<ast::Parameter>(&d);
      put("mode", kModes[static_cast<int>(p.mode)]);
      return put("type", *p.type);
    }
    case ast::DeclarationKind::Value: return value_type(*ast::as<ast::ValueType>(&d));
    case ast::DeclarationKind::ValueBox: {
      const auto& b = *ast::as<ast::ValueBox>(&d);
      list("nested", b.nested);
      return put("type", *b.type);
    }
    case ast::DeclarationKind::StateMember: {
      const auto& m = *ast::as<ast::StateMember>(&d);
      put("public", m.is_public);
      return put("type", *m.type);
    }
    case ast::DeclarationKind::Initializer: {
      const auto& f = *ast::as<ast::Initializer>(&d);
      list("parameters", f.parameters);
      return references("raises", f.raises);
    }
    case ast::DeclarationKind::Native: return;
    case ast::DeclarationKind::Struct: return structure(*ast::as<ast::Struct>(&d));
    case ast::DeclarationKind::Union: return union_type(*ast::as<ast::Union>(&d));
    case ast::DeclarationKind::UnionMember: return union_member(*ast::as<ast::UnionMember>(&d));
    case ast::DeclarationKind::Exception: {
      const auto& e = *ast::as<ast::Exception>(&d);
      list("nested", e.nested);
      return list("members", e.members);
    }
    case ast::DeclarationKind::Member: return put("type", *ast::as<ast::Member>(&d)->type);
    case ast::DeclarationKind::Enum: return list("enumerators", ast::as<ast::Enum>(&d)->enumerators);
    case ast::DeclarationKind::Enumerator:
      return put("ordinal", std::uint64_t{ast::as<ast::Enumerator>(&d)->ordinal});
    case ast::DeclarationKind::Typedef: return put("type", *ast::as<ast::Typedef>(&d)->type);
    case ast::DeclarationKind::Const: {
      const auto& c = *ast::as<ast::Const>(&d);
      put("type", *c.type);
      to_.key("value");
      return value(c.value);
    }
    case ast::DeclarationKind::Bitset: return bitset(*ast::as<ast::Bitset>(&d));
    case ast::DeclarationKind::Bitmask: return bitmask(*ast::as<ast::Bitmask>(&d));
  }
}

void Printer::interface(const ast::Interface& i) {
  static constexpr const char* kFlavors[] = {"unconstrained", "abstract", "local"};
  put("flavor", kFlavors[static_cast<int>(i.flavor)]);
  put("defined", i.defined);
  references("bases", i.bases);
  list("contents", i.contents);
}

void Printer::operation(const ast::Operation& o) {
  put("oneway", o.oneway);
  put("result", *o.result);
  list("parameters", o.parameters);
  references("raises", o.raises);
  to_.key("contexts").open_array(Layout::OneLine);
  for (const std::string& c : o.contexts) {
    to_.text(c);
  }
  to_.close_array();
}

void Printer::attribute(const ast::Attribute& a) {
  put("readonly", a.readonly);
  put("type", *a.type);
  references("get_raises", a.get_raises);
  references("set_raises", a.set_raises);
}

void Printer::value_type(const ast::ValueType& v) {
  put("abstract", v.is_abstract);
  put("custom", v.custom);
  put("truncatable", v.truncatable);
  put("defined", v.defined);
  reference("base", v.base);
  references("abstract_bases", v.abstract_bases);
  references("supports", v.supports);
  list("contents", v.contents);
}

void Printer::structure(const ast::Struct& s) {
  put("variable_length", ast::is_variable_length(s));
  put("recursive", s.recursive);
  reference("base", s.base);
  list("nested", s.nested);
  list("members", s.members);
}

void Printer::union_type(const ast::Union& u) {
  put("variable_length", ast::is_variable_length(u));
  put("recursive", u.recursive);
  put("discriminator", *u.discriminator);
  to_.key("free_label");
  u.free_label ? value(*u.free_label) : to_.null();
  list("nested", u.nested);
  list("members", u.members);
}

void Printer::union_member(const ast::UnionMember& m) {
  put("type", *m.type);
  put("default", m.is_default);
  to_.key("labels").open_array(Layout::OneLine);
  for (const ast::Value& label : m.labels) {
    value(label);
  }
  to_.close_array();
}

void Printer::bitset(const ast::Bitset& b) {
  reference("base", b.base);
  to_.key("fields").open_array();
  for (const ast::Bitset::Field& f : b.fields) {
    to_.open_object(Layout::OneLine);
    put("name", f.name);
    put("bits", std::uint64_t{f.bits});
    to_.key("type");
    f.type == nullptr ? to_.null() : type(*f.type);
    to_.close_object();
  }
  to_.close_array();
}

void Printer::bitmask(const ast::Bitmask& b) {
  put("bits", std::uint64_t{b.bits});
  to_.key("flags").open_array();
  for (const ast::Bitmask::Flag& f : b.flags) {
    to_.open_object(Layout::OneLine);
    put("name", f.name);
    put("position", std::uint64_t{f.position});
    to_.close_object();
  }
  to_.close_array();
}

void Printer::type(const ast::Type& t) {
  to_.open_object(Layout::OneLine);
  if (const ast::Declaration* d = ast::declaration(t)) {
    put("kind", kind_key(d->kind));
    put("name", ast::scoped_name(*d));
  } else {
    anonymous(t);
  }
  to_.close_object();
}

void Printer::anonymous(const ast::Type& t) {
  if (const auto* s = ast::as<ast::StringType>(&t)) {
    put("kind", s->type_kind == ast::TypeKind::WString ? "wstring" : "string");
    put("bound", std::uint64_t{s->bound});
  } else if (const auto* sequence = ast::as<ast::SequenceType>(&t); sequence != nullptr && sequence->key != nullptr) {
    put("kind", "map");
    put("bound", std::uint64_t{sequence->bound});
    put("key", *sequence->key);
    put("element", *sequence->mapped);
  } else if (sequence != nullptr) {
    put("kind", "sequence");
    put("bound", std::uint64_t{sequence->bound});
    put("element", *sequence->element);
  } else if (const auto* array = ast::as<ast::ArrayType>(&t)) {
    put("kind", "array");
    to_.key("dimensions").open_array();
    for (const std::uint32_t n : array->dimensions) {
      to_.number(std::uint64_t{n});
    }
    to_.close_array();
    put("element", *array->element);
  } else if (const auto* fixed = ast::as<ast::FixedType>(&t)) {
    put("kind", "fixed");
    put("digits", std::uint64_t{fixed->digits});
    put("scale", std::uint64_t{fixed->scale});
  } else {
    put("kind", ast::idl_name(t));
  }
}

struct ValuePrinter {
  JsonWriter& to;
  void operator()(std::int64_t v) const { to.number(v); }
  void operator()(std::uint64_t v) const { to.number(v); }
  void operator()(bool v) const { to.boolean(v); }
  void operator()(char v) const { to.text(std::u32string(1, static_cast<unsigned char>(v))); }
  void operator()(char32_t v) const { to.text(std::u32string(1, v)); }
  void operator()(const std::u32string& v) const { to.text(v); }
  void operator()(const std::string& v) const {  // ISO 8859-1, whatever it looks like
    std::u32string text;
    for (const char c : v) {
      text += static_cast<unsigned char>(c);
    }
    to.text(text);
  }
  void operator()(long double v) const {
    char text[64];
    std::snprintf(text, sizeof text, "%.21Lg", v);
    to.raw(text);
  }
  void operator()(const ast::Enumerator* v) const {
    to.open_object(JsonWriter::Layout::OneLine);
    to.key("enumerator").text(ast::scoped_name(*v));
    to.close_object();
  }
  void operator()(const ast::FixedValue& v) const {
    to.open_object(JsonWriter::Layout::OneLine);
    to.key("digits").text((v.negative ? "-" : "") + v.digits);
    to.key("scale").number(std::uint64_t{v.scale});
    to.close_object();
  }
};

void Printer::value(const ast::Value& v) { std::visit(ValuePrinter{to_}, v); }

}  // namespace

void write_json(JsonWriter& to, const ast::Unit& unit) { Printer(to, unit).unit(); }

}  // namespace callis::idl::driver
