// SPDX-License-Identifier: Apache-2.0
// Each struct and union is described once, by its repository id, so that types may lead to themselves.
#include <tools/browse/type_json.h>
#include <tools/call/idl_text.h>
#include <tools/call/texts.h>
#include <limits>

namespace callis::tools {

namespace ast = idl::ast;
using ast::TypeKind;

namespace {

constexpr std::size_t kMostTypes = 5000;

Json text(std::string_view t) { return Json::string(std::string(t)); }
Json number(std::uint64_t n) { return Json::number(std::to_string(n)); }

Json kind(const char* is) {
  Json out = Json::object();
  out.add("is", text(is));
  return out;
}

template<class T>
Json integer() {
  Json out = kind("integer");
  out.add("least", text(std::to_string(std::numeric_limits<T>::min())));
  out.add("most", text(std::to_string(std::numeric_limits<T>::max())));
  return out;
}

Json as_json(const char* sample) {
  Json out = kind("json");
  out.add("sample", text(sample));
  return out;
}

Json label(const ast::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return Json::number(std::to_string(*i));
  if (const auto* n = std::get_if<std::uint64_t>(&value)) return number(*n);
  if (const auto* b = std::get_if<bool>(&value)) return Json::boolean(*b);
  if (const auto* e = std::get_if<const ast::Enumerator*>(&value)) return text((*e)->name);
  std::string out;
  if (const auto* c = std::get_if<char>(&value)) append_utf8(out, static_cast<unsigned char>(*c));
  if (const auto* w = std::get_if<char32_t>(&value)) append_utf8(out, *w);
  return Json::string(out);
}

class Describer {
 public:
  Json types = Json::object();

  Json type(const ast::Type& named) {
    Json out = shape(named);
    const std::string name = ast::idl_name(named);
    out.add("idl", text(std::string_view(name).substr(name.starts_with("::") ? 2 : 0)));
    return out;
  }

 private:
  Json shape(const ast::Type& named) {
    const ast::Type& bits = ast::strip_typedefs(named);
    if (const auto* b = ast::as<ast::Bitset>(&bits)) return shape(*b->holder->members[0]->type);
    const ast::Type& t = ast::strip_aliases(named);
    switch (t.type_kind) {
      case TypeKind::Boolean: return kind("boolean");
      case TypeKind::Octet:
      case TypeKind::Int8:
      case TypeKind::UInt8: return integer<std::uint8_t>();
      case TypeKind::Short: return integer<std::int16_t>();
      case TypeKind::UShort: return integer<std::uint16_t>();
      case TypeKind::Long: return integer<std::int32_t>();
      case TypeKind::ULong: return integer<std::uint32_t>();
      case TypeKind::LongLong: return integer<std::int64_t>();
      case TypeKind::ULongLong: return integer<std::uint64_t>();
      case TypeKind::Float:
      case TypeKind::Double:
      case TypeKind::LongDouble:
      case TypeKind::Fixed: return kind("number");
      case TypeKind::Char:
      case TypeKind::WChar: return kind("char");
      case TypeKind::String:
      case TypeKind::WString: {
        Json out = kind("string");
        out.add("bound", number(ast::as<ast::StringType>(&t)->bound));
        return out;
      }
      case TypeKind::Enum: {
        Json out = kind("enum"), members = Json::array();
        for (const ast::Enumerator* e : ast::as<ast::Enum>(&t)->enumerators) members.add(text(e->name));
        out.add("members", std::move(members));
        return out;
      }
      case TypeKind::Sequence: {
        const auto& s = *ast::as<ast::SequenceType>(&t);
        return list(*s.element, s.bound, 0);
      }
      case TypeKind::Array: return array(*ast::as<ast::ArrayType>(&t), 0);
      case TypeKind::Interface: return kind("object");
      case TypeKind::Object: return kind("object");
      case TypeKind::Struct: return structure(*ast::as<ast::Struct>(&t));
      case TypeKind::Union: return by_name(*ast::as<ast::Union>(&t));
      case TypeKind::Any: return as_json("{\"type\": \"string\", \"value\": \"\"}");
      case TypeKind::TypeCode: return as_json("\"long\"");
      default: return as_json("null");
    }
  }

  Json list(const ast::Type& element, std::uint64_t bound, std::uint64_t length) {
    const TypeKind of = ast::strip_aliases(element).type_kind;
    if (of == TypeKind::Octet || of == TypeKind::Int8 || of == TypeKind::UInt8) return kind("bytes");
    return list_of(type(element), bound, length);
  }
  static Json list_of(Json element, std::uint64_t bound, std::uint64_t length) {
    Json out = kind("list");
    out.add("element", std::move(element));
    out.add("bound", number(bound));
    out.add("length", number(length));
    return out;
  }
  Json array(const ast::ArrayType& a, std::size_t dimension) {
    if (dimension + 1 == a.dimensions.size()) return list(*a.element, 0, a.dimensions[dimension]);
    return list_of(array(a, dimension + 1), 0, a.dimensions[dimension]);
  }

  Json members_of(const ast::Struct& s) {
    Json out = kind("struct"), members = Json::array();
    for (const ast::Member* m : s.members) {
      Json one = Json::object();
      one.add("name", text(m->name));
      one.add("type", type(*m->type));
      members.add(std::move(one));
    }
    out.add("members", std::move(members));
    return out;
  }
  // An entry of a map has no name.
  Json structure(const ast::Struct& s) { return s.repository_id.empty() ? members_of(s) : by_name(s); }

  Json union_type(const ast::Union& u) {
    Json out = kind("union"), cases = Json::array();
    out.add("discriminator", type(*u.discriminator));
    bool has_default = false;
    for (const ast::UnionMember* m : u.members) {
      Json one = Json::object(), labels = Json::array();
      for (const ast::Value& v : m->labels) labels.add(label(v));
      if (m->is_default && u.free_label) labels.add(label(*u.free_label));
      has_default = has_default || m->is_default;
      one.add("labels", std::move(labels));
      one.add("name", text(m->name));
      one.add("type", type(*m->type));
      cases.add(std::move(one));
    }
    out.add("cases", std::move(cases));
    if (u.free_label && !has_default) out.add("none", label(*u.free_label));
    return out;
  }

  // The type's own entry comes after those that it needs; while it is made, it is there already.
  template<class T>
  Json by_name(const T& declared) {
    Json out = kind("named");
    out.add("id", text(declared.repository_id));
    if (known_.size() >= kMostTypes) return as_json("null");
    if (!known_.emplace(declared.repository_id, true).second) return out;
    if constexpr (std::is_same_v<T, ast::Struct>)
      types.add(declared.repository_id, members_of(declared));
    else
      types.add(declared.repository_id, union_type(declared));
    return out;
  }

  std::map<std::string, bool> known_;
};

Json operation_json(Describer& describer, const ast::WireOperation& o) {
  Json out = Json::object(), words = Json::array(), parameters = Json::array();
  out.add("name", text(o.name));
  if (o.attribute) {
    words.add(text(o.is_setter ? "set" : "get"));
    words.add(text(o.attribute->name));
  } else {
    words.add(text(o.name));
  }
  out.add("words", std::move(words));
  out.add("signature", text(signature(o)));
  out.add("oneway", Json::boolean(o.operation && o.operation->oneway));
  const auto add = [&](const std::string& name, const char* mode, const ast::Type& type) {
    Json p = Json::object();
    p.add("name", text(name));
    p.add("mode", text(mode));
    p.add("type", describer.type(type));
    parameters.add(std::move(p));
  };
  if (o.operation) {
    using Mode = ast::Parameter::Mode;
    for (const ast::Parameter* p : o.operation->parameters)
      add(p->name, p->mode == Mode::In ? "in" : p->mode == Mode::Out ? "out" : "inout", *p->type);
  } else if (o.is_setter) {
    add(o.attribute->name, "in", *o.attribute->type);
  }
  out.add("parameters", std::move(parameters));
  return out;
}

}  // namespace

Json interface_json(const ast::Interface& interface) {
  Describer describer;
  Json out = Json::object(), operations = Json::array();
  out.add("name", text(ast::scoped_name(interface)));
  out.add("id", text(interface.repository_id));
  out.add("idl", text(describe(interface)));
  for (const ast::WireOperation& o : ast::all_operations(interface)) operations.add(operation_json(describer, o));
  out.add("operations", std::move(operations));
  out.add("types", std::move(describer.types));
  return out;
}

}  // namespace callis::tools
