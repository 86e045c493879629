// SPDX-License-Identifier: Apache-2.0
// Straight-line code for types: write_ and read_.
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/compiled_types.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/fixed_struct.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/values.h>
#include <idl/backends/classic/wire.h>

namespace callis::idl::backends::classic {

namespace {

std::uint32_t string_bound(const ast::Type& t) { return ast::as<ast::StringType>(&ast::strip_aliases(t))->bound; }
const ast::FixedType* fixed(const ast::Type& t) { return ast::as<ast::FixedType>(&ast::strip_aliases(t)); }

// Arrays of arrays are one array of the innermost element.
const ast::Type& innermost(const ast::ArrayType& a, std::uint64_t& count) {
  const ast::Type* element = &a;
  count = 1;
  while (const auto* inner = ast::as<ast::ArrayType>(element)) {
    for (std::uint32_t d : inner->dimensions) count *= d;
    element = inner->element;
    if (const auto* next = ast::as<ast::ArrayType>(&ast::strip_aliases(*element))) element = next;
  }
  return *element;
}

}  // namespace

namespace {

// A sequence or array that one function of the library marshals; no function of its own.
bool is_simple(const ast::Type& element) {
  const Shape s = shape(element);
  return s == Shape::Primitive || s == Shape::Enum || is_string(s);
}

}  // namespace

std::string CompiledTypes::composite(const ast::Type& alias, const std::string& value, bool encode) {
  const ast::Type& t = ast::strip_aliases(alias);
  if (const auto* s = ast::as<ast::SequenceType>(&t); s && is_simple(*s->element))
    return sequence_statement(*s, value, encode);
  std::string flat_value = value;
  if (const auto* a = ast::as<ast::ArrayType>(&t)) {
    flat_value = cat(kLibrary, "flat(", value, ")");
    std::uint64_t count = 0;
    const ast::Type& element = innermost(*a, count);
    const std::string how = cat(kLibrary, encode ? "put_" : "get_");
    const std::string arguments = cat(encode ? "(_e, " : "(_d, ", flat_value, ", ", count, "u");
    if (shape(element) == Shape::Primitive) return cat(how, "primitives", arguments, ");");
    if (shape(element) == Shape::Enum) return cat(how, "enums", arguments, ", ", enumerators(element), "u);");
  }
  return cat(encode ? "write_" : "read_", function(t), encode ? "(_e, " : "(_d, ", flat_value, ");");
}

std::string CompiledTypes::put(const ast::Type& t, const std::string& value) {
  switch (shape(t)) {
    case Shape::Void: return {};
    case Shape::Primitive: return cat(kLibrary, "put_primitive(_e, ", value, ");");
    case Shape::Enum: return cat(kLibrary, "put_enum(_e, ", value, ", ", enumerators(t), "u);");
    case Shape::String:
    case Shape::WString:
      return cat(kLibrary, "put_string(_e, ", value, string_bound(t) ? cat(", ", string_bound(t), "u") : "", ");");
    default: break;
  }
  if (const auto* f = fixed(t)) return cat(kLibrary, "put_fixed(_e, ", value, ", ", f->digits, ", ", f->scale, ");");
  return composite(t, value, true);
}

std::string CompiledTypes::get(const ast::Type& t, const std::string& value) {
  switch (shape(t)) {
    case Shape::Void: return {};
    case Shape::Primitive: return cat(kLibrary, "get_primitive(_d, ", value, ");");
    case Shape::Enum: return cat(kLibrary, "get_enum(_d, ", value, ", ", enumerators(t), "u);");
    case Shape::String:
    case Shape::WString: return get_string("get", t, value);
    case Shape::Reference: return cat(kLibrary, "set_reference(", value, ", read_", function(t), "(_d));");
    default: break;
  }
  if (const auto* f = fixed(t)) return cat(kLibrary, "get_fixed(_d, ", value, ", ", f->digits, ", ", f->scale, ");");
  return composite(t, value, false);
}

std::string CompiledTypes::get_string(const char* how, const ast::Type& t, const std::string& value) {
  return cat(kLibrary, how, "_string(_d, ", value, string_bound(t) ? cat(", ", string_bound(t), "u") : "", ");");
}

std::string CompiledTypes::get_owned(const ast::Type& t, const std::string& value) {
  return is_string(shape(t)) ? get_string("own", t, value) : get(t, value);
}

std::string CompiledTypes::get_borrowed(const ast::Type& t, const std::string& value) {
  return is_string(shape(t)) ? get_string("borrow", t, value) : get(t, value);
}

std::string CompiledTypes::function(const ast::Type& alias) {
  const ast::Type& t = ast::strip_aliases(alias);
  const auto* entry = ast::as<ast::Struct>(&t);
  if (entry && entry->origin != ast::Struct::Origin::MapEntry) entry = nullptr;
  std::uint64_t count = 0;
  Function f{{}, {}, is_array(shape(t)), &t};
  std::string key;
  if (const auto* a = ast::as<ast::ArrayType>(&t)) {
    const ast::Type& element = innermost(*a, count);
    f.type = member_type(element);
    // Bounds of strings are not in the C++ type, but the functions know them.
    key = cat(ast::idl_name(element), "[", count, "]");
  } else if (shape(t) == Shape::Reference) {
    f.type = interface_type(t);
    key = f.type;
  } else if (t.type_kind == ast::TypeKind::Sequence) {
    f.type = sequence_template(*ast::as<ast::SequenceType>(&t));
    key = ast::idl_name(t);
  } else {
    f.type = value_type(t);
    key =
        entry ? cat(ast::idl_name(*entry->members[0]->type), ", ", ast::idl_name(*entry->members[1]->type)) : f.type;
  }
  key += cat(' ', f.type);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const ast::Declaration* d = entry ? nullptr : ast::declaration(t);
  f.suffix = d ? flat(*d) : cat(functions_.size());
  known_[key] = f.suffix;
  functions_.push_back(f);
  return f.suffix;
}

namespace {

std::string write_signature(const std::string& suffix, const std::string& type, bool array, bool reference) {
  const char* how = array || reference ? "*" : "&";
  return cat("void write_", suffix, "(::callis::cdr::Encoder& _e, ", reference ? "" : "const ", type, how, " _v)");
}
std::string read_signature(const std::string& suffix, const std::string& type, bool array, bool reference) {
  if (reference) return cat("void* read_", suffix, "(::callis::cdr::Decoder& _d)");
  return cat("void read_", suffix, "(::callis::cdr::Decoder& _d, ", type, array ? "*" : "&", " _v)");
}

}  // namespace

void CompiledTypes::declarations(Text& to) const {
  for (const Function& f : functions_) {
    const bool reference = shape(*f.of) == Shape::Reference;
    to.line(write_signature(f.suffix, f.type, f.array, reference), ";");
    to.line(read_signature(f.suffix, f.type, f.array, reference), ";");
  }
}

void CompiledTypes::print(Text& to) {
  // Bodies ask for more functions.
  Text bodies, layouts;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function f = functions_[i];
    const bool reference = shape(*f.of) == Shape::Reference;
    if (const auto* s = ast::as<ast::Struct>(f.of))
      if (const auto leaves = flatten(*s)) print_layouts(layouts, *leaves, f.type, f.suffix);
    bodies.open(write_signature(f.suffix, f.type, f.array, reference), " {");
    body(bodies, f, true);
    bodies.close("}");
    bodies.open(read_signature(f.suffix, f.type, f.array, reference), " {");
    body(bodies, f, false);
    bodies.close("}");
  }
  declarations(to);
  to.blank();
  to.raw(layouts.str());
  to.raw(bodies.str());
}

void CompiledTypes::body(Text& to, const Function& f, bool encode) {
  switch (f.of->type_kind) {
    case ast::TypeKind::Any:
      to.line(encode ? "::callis::typecode::put_any(_e, _v);" : "::callis::typecode::get_any(_d, _v);");
      return;
    case ast::TypeKind::TypeCode:
      to.line(encode ? "::callis::typecode::put_type_code(_e, _v);"
                     : "return ::callis::typecode::get_type_code(_d);");
      return;
    case ast::TypeKind::Object:
      to.line(encode ? "::callis::orb::put_reference(_e, _v);" : "return ::callis::orb::get_object(_d);");
      return;
    case ast::TypeKind::ValueBase:
      to.line(encode ? "::callis::value::put_value(_e, _v, nullptr);"
                     : "return ::callis::value::get_value(_d, nullptr);");
      return;
    case ast::TypeKind::AbstractBase:
      to.line(encode ? "::callis::orb::put_abstract(_e, _v);" : "return ::callis::orb::get_abstract(_d, nullptr);");
      return;
    case ast::TypeKind::Value:
    case ast::TypeKind::ValueBox: {
      const std::string link = value_link(*ast::declaration(*f.of));
      if (encode) return to.line("::callis::value::put_value(_e, _v, &", link, ");");
      to.line("::CORBA::ValueBase* const _r = ::callis::value::get_value(_d, &", link, ");");
      to.line("return _r ? ", link, ".from_base(_r) : nullptr;");
      return;
    }
    case ast::TypeKind::Interface: {
      const std::string link = interface_link(*ast::as<ast::Interface>(f.of));
      if (is_abstract(*ast::as<ast::Interface>(f.of))) {
        if (encode) to.line("::callis::orb::put_abstract(_e, _v);");
        else to.line("return ::callis::orb::get_abstract(_d, &", link, ");");
        return;
      }
      if (encode) to.line("::callis::orb::put_reference(_e, _v ? ", link, ".to_object(_v) : nullptr);");
      else to.line("return ::callis::orb::get_reference(_d, ", link, ");");
      return;
    }
    case ast::TypeKind::Fixed: to.line(encode ? put(*f.of, "_v") : get(*f.of, "_v")); return;
    case ast::TypeKind::Union: return union_body(to, *ast::as<ast::Union>(f.of), encode);
    case ast::TypeKind::Struct: return struct_body(to, *ast::as<ast::Struct>(f.of), encode);
    case ast::TypeKind::Sequence:
      to.line(sequence_statement(*ast::as<ast::SequenceType>(f.of), "_v", encode));
      return;
    case ast::TypeKind::Array: return array_body(to, *ast::as<ast::ArrayType>(f.of), encode);
    default: return;
  }
}

void CompiledTypes::struct_body(Text& to, const ast::Struct& s, bool encode) {
  if (const auto leaves = flatten(s)) print_fixed_struct(to, *leaves, function(s), encode);
  for (const ast::Member* m : s.members) {
    const std::string value = "_v." + name(*m);
    to.line(encode ? put(*m->type, value) : get(*m->type, value));
  }
  if (s.members.empty()) to.line(encode ? "(void)_e, (void)_v;" : "(void)_d, (void)_v;");
}

void CompiledTypes::union_body(Text& to, const ast::Union& u, bool encode) {
  const std::string type = absolute(u);
  if (encode) {
    to.line(put(*u.discriminator, "_v._callis_d"));
  } else {
    to.line(value_type(*u.discriminator), " _label{};");
    to.line(get(*u.discriminator, "_label"));
    to.line("if (!_d.ok() || !_d.enter()) return;");
    if (ast::is_variable_length(u)) to.line("_v._callis_free();");
    to.line("::callis::classic::zero(_v);");
    to.line("_v._callis_d = _label;");
  }
  to.open("switch (", type, "::_callis_member(_v._callis_d)) {");
  for (std::size_t i = 0; i < u.members.size(); ++i) {
    const ast::UnionMember& m = *u.members[i];
    const std::string value = "_v." + union_slot(m);
    to.line("case ", i, ": ", encode ? put(*m.type, value) : get(*m.type, value), " break;");
  }
  to.line("default: break;");
  to.close("}");
  if (!encode) to.line("_d.leave();");
}

std::string CompiledTypes::sequence_statement(const ast::SequenceType& s, const std::string& value, bool encode) {
  const std::string head = cat(kLibrary, encode ? "put_" : "get_");
  const std::string arguments = cat(encode ? "(_e, " : "(_d, ", value);
  const std::string bound = cat(", ", s.bound, "u);");
  switch (shape(*s.element)) {
    case Shape::Primitive: return cat(head, "primitive_sequence", arguments, bound);
    case Shape::Enum: return cat(head, "enum_sequence", arguments, ", ", enumerators(*s.element), "u", bound);
    case Shape::String:
    case Shape::WString: return cat(head, "string_sequence", arguments, ", ", string_bound(*s.element), "u", bound);
    case Shape::Reference: {
      const std::string suffix = function(*s.element), type = interface_type(*s.element);
      if (encode) return cat(head, "sequence", arguments, ", ", s.bound, "u, write_", suffix, ");");
      return cat(head, "sequence", arguments, ", ", ast::least_bytes(*s.element), "u, ", s.bound,
                 "u, true, [](::callis::cdr::Decoder& _from, ", type, "*& _to) { ", kLibrary,
                 "set_reference(_to, read_", suffix, "(_from)); });");
    }
    default: {
      const std::string suffix = function(*s.element);
      if (const auto* fixed = ast::as<ast::Struct>(&ast::strip_aliases(*s.element)))
        if (const auto leaves = flatten(*fixed))
          return cat(kLibrary, encode ? "put_" : "get_", "fixed_sequence<", steady_layout(*leaves, suffix), ">",
                     arguments, encode ? "" : cat(", ", ast::least_bytes(*s.element), "u"), ", ", s.bound, "u, ",
                     encode ? "write_" : "read_", suffix, ");");
      if (encode) return cat(head, "sequence", arguments, ", ", s.bound, "u, write_", suffix, ");");
      const bool nested = ast::is_variable_length(*s.element);
      return cat(head, "sequence", arguments, ", ", ast::least_bytes(*s.element), "u, ", s.bound, "u, ",
                 nested ? "true" : "false", ", read_", suffix, ");");
    }
  }
}

void CompiledTypes::array_body(Text& to, const ast::ArrayType& a, bool encode) {
  std::uint64_t count = 0;
  const ast::Type& element = innermost(a, count);
  const Shape s = shape(element);
  const char* coder = encode ? "(_e, _v, " : "(_d, _v, ";
  const char* verb = encode ? "put_" : "get_";
  if (s == Shape::Primitive) return to.line(kLibrary, verb, "primitives", coder, count, "u);");
  if (s == Shape::Enum) return to.line(kLibrary, verb, "enums", coder, count, "u, ", enumerators(element), "u);");
  const bool nested = !encode && ast::is_variable_length(a);
  if (nested) to.line("if (!_d.enter()) return;");
  to.line("for (::std::size_t _i = 0; _i < ", count, "u; ++_i) ",
          encode ? put(element, "_v[_i]") : get(element, "_v[_i]"));
  if (nested) to.line("_d.leave();");
}

}  // namespace callis::idl::backends::classic
