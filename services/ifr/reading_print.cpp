// SPDX-License-Identifier: Apache-2.0
// Declarations, types and signatures of Reading as IDL.
#include <services/ifr/reading.h>
#include <utility>

namespace callis::ifr {

namespace {

template<class D>
const D& described(const CORBA::Any& any) {
  const D* out = nullptr;
  if (!(any >>= out)) throw Unreadable{"the repository's description of a declaration is not one"};
  return *out;
}

template<class Seq, class F>
std::string joined(const char* before, const Seq& all, const char* after, F&& text) {
  std::string out;
  for (CORBA::ULong i = 0; i < all.length(); ++i) out += (i == 0 ? before : ", ") + text(all[i]);
  return all.length() == 0 ? out : out + after;
}

}  // namespace

// Names what has a repository id: "::A::B".
std::string Reading::named(CORBA::TypeCode_ptr t) {
  const std::string id = t->id();
  if (id == "IDL:omg.org/CORBA/Object:1.0") return "Object";
  if (id == "IDL:omg.org/CORBA/ValueBase:1.0") return "ValueBase";
  if (id == "IDL:omg.org/CORBA/AbstractBase:1.0") return "::CORBA::AbstractBase";
  Item* const found = lookup(id);
  if (!found) {
    // A reference can be passed on without its type.
    if (t->kind() == CORBA::tk_objref) return "Object";
    throw Unreadable{"the repository has nothing with the id " + id + ", which is needed"};
  }
  const bool by_name_alone = t->kind() == CORBA::tk_objref || t->kind() == CORBA::tk_abstract_interface ||
                             t->kind() == CORBA::tk_local_interface || t->kind() == CORBA::tk_value;
  need(id, !by_name_alone);
  return scoped_name(*found);
}

std::string Reading::type(CORBA::TypeCode_ptr t) {
  if (!t) throw Unreadable{"a type is nil"};
  switch (t->kind()) {
    case CORBA::tk_void: return "void";
    case CORBA::tk_short: return "short";
    case CORBA::tk_long: return "long";
    case CORBA::tk_ushort: return "unsigned short";
    case CORBA::tk_ulong: return "unsigned long";
    case CORBA::tk_longlong: return "long long";
    case CORBA::tk_ulonglong: return "unsigned long long";
    case CORBA::tk_float: return "float";
    case CORBA::tk_double: return "double";
    case CORBA::tk_longdouble: return "long double";
    case CORBA::tk_boolean: return "boolean";
    case CORBA::tk_char: return "char";
    case CORBA::tk_wchar: return "wchar";
    case CORBA::tk_octet: return "octet";
    case CORBA::tk_any: return "any";
    case CORBA::tk_TypeCode: return "::CORBA::TypeCode";
    case CORBA::tk_string: return t->length() == 0 ? "string" : "string<" + std::to_string(t->length()) + ">";
    case CORBA::tk_wstring: return t->length() == 0 ? "wstring" : "wstring<" + std::to_string(t->length()) + ">";
    case CORBA::tk_fixed:
      return "fixed<" + std::to_string(t->fixed_digits()) + ", " + std::to_string(t->fixed_scale()) + ">";
    case CORBA::tk_sequence: {
      if (++depth_ > 200) throw Unreadable{"sequences lie in each other deeper than can be read"};
      const CORBA::TypeCode_var element = t->content_type();
      const std::string inner = type(element.in());
      --depth_;
      return "sequence<" + inner + (t->length() == 0 ? ">" : ", " + std::to_string(t->length()) + ">");
    }
    case CORBA::tk_objref:
    case CORBA::tk_struct:
    case CORBA::tk_union:
    case CORBA::tk_enum:
    case CORBA::tk_alias:
    case CORBA::tk_value:
    case CORBA::tk_value_box:
    case CORBA::tk_native:
    case CORBA::tk_abstract_interface:
    case CORBA::tk_local_interface:
    case CORBA::tk_except: return named(t);
    case CORBA::tk_array: throw Unreadable{"an array stands where IDL has none"};
    default: throw Unreadable{"a type is of kind " + std::to_string(t->kind()) + ", which IDL has not"};
  }
}

std::string Reading::declarator(CORBA::TypeCode_ptr t, const std::string& name) {
  std::string dimensions;
  CORBA::TypeCode_var at = CORBA::TypeCode::_duplicate(t);
  for (std::size_t n = 0; at.in() && at->kind() == CORBA::tk_array; ++n) {
    if (n > 64) throw Unreadable{"an array has more dimensions than can be read"};
    dimensions += "[" + std::to_string(at->length()) + "]";
    at = at->content_type();
  }
  return type(at.in()) + " " + identifier(name) + dimensions;
}

std::string Reading::declarator(Item& of, CORBA::TypeCode_ptr t, const std::string& name, const std::string& indent) {
  CORBA::TypeCode_var base = CORBA::TypeCode::_duplicate(t);
  for (std::size_t n = 0; n < 64 && base.in() && base->kind() == CORBA::tk_array; ++n) base = base->content_type();
  const std::string plain = declarator(t, name);
  const std::string type_text = type(base.in());
  return in_place(of, base.in(), type_text, indent) + plain.substr(type_text.size());
}

// A type, or the definition of one that is in `of`, where it is met first: IDL defines those where they are used.
std::string Reading::in_place(Item& of, CORBA::TypeCode_ptr t, const std::string& type_text,
                              const std::string& indent) {
  const CORBA::TCKind kind = t->kind();
  if (kind != CORBA::tk_struct && kind != CORBA::tk_union && kind != CORBA::tk_enum) return type_text;
  for (const std::string& id : inside(of)) {
    if (id != t->id() || !in_place_.insert(id).second) continue;
    Item& nested = item(id);
    std::string text = constructed(nested, indent + "  ");
    pragmas_ += "#pragma ID " + scoped_name(nested) + " \"" + quoted_id(id) + "\"\n";
    return text;
  }
  return type_text;
}

std::string Reading::members(Item& of, CORBA::TypeCode_ptr t, const std::string& indent) {
  std::string out;
  for (CORBA::ULong i = 0; i < t->member_count(); ++i)
    out += indent + "  " + declarator(of, CORBA::TypeCode_var(t->member_type(i)).in(), t->member_name(i), indent) +
           ";\n";
  return out;
}

// "struct S { ... }", and of unions and enums.
std::string Reading::constructed(Item& of, const std::string& indent) {
  if (indent.size() > 64) throw Unreadable{"declarations are in each other deeper than can be read"};
  const std::string name = identifier(of.name);
  CORBA::TypeCode_ptr t = described<CORBA::TypeDescription>(of.description).type.in();
  if (of.kind == CORBA::dk_Struct) return "struct " + name + " {\n" + members(of, t, indent) + indent + "}";
  if (of.kind == CORBA::dk_Enum) {
    std::string out = "enum " + name + " {";
    for (CORBA::ULong i = 0; i < t->member_count(); ++i) out += (i == 0 ? " " : ", ") + identifier(t->member_name(i));
    return out + " }";
  }
  const CORBA::TypeCode_var discriminator = t->discriminator_type();
  std::string out =
      "union " + name + " switch (" + in_place(of, discriminator.in(), type(discriminator.in()), indent) + ") {\n";
  for (CORBA::ULong i = 0; i < t->member_count(); ++i) {
    const bool is_default = t->default_index() == static_cast<CORBA::Long>(i);
    const CORBA::Any_var label = t->member_label(i);
    out += indent + "  " +
           (is_default ? std::string("default:\n") : "case " + literal(label.in(), discriminator.in()) + ":\n");
    if (i + 1 < t->member_count() && std::string_view(t->member_name(i)) == t->member_name(i + 1)) continue;
    out += indent + "    " +
           declarator(of, CORBA::TypeCode_var(t->member_type(i)).in(), t->member_name(i), indent + "  ") + ";\n";
  }
  return out + indent + "}";
}

std::string Reading::literal(const CORBA::Any& value, CORBA::TypeCode_ptr t) {
  CORBA::TypeCode_var plain = CORBA::TypeCode::_duplicate(t);
  for (std::size_t n = 0; plain->kind() == CORBA::tk_alias; ++n) {
    if (n > 200) throw Unreadable{"aliases lie in each other deeper than can be read"};
    plain = plain->content_type();
  }
  const std::string text = literal_text(value, plain.in());
  if (plain->kind() != CORBA::tk_enum) return text;
  const std::string name = named(plain.in());
  return name.substr(0, name.rfind("::") + 2) + identifier(text);
}

std::string Reading::raises(const char* word, const CORBA::ExcDescriptionSeq& all) {
  return joined(word, all, ")", [this](const CORBA::ExceptionDescription& e) {
    need(e.id.in(), true);
    return scoped_name(item(e.id.in()));
  });
}

std::string Reading::operation(const Item& of) {
  const auto& o = described<CORBA::OperationDescription>(of.description);
  static constexpr const char* kModes[] = {"in ", "out ", "inout "};
  std::string out =
      (o.mode == CORBA::OP_ONEWAY ? "oneway " : "") + type(o.result.in()) + " " + identifier(of.name) + "(";
  for (CORBA::ULong i = 0; i < o.parameters.length(); ++i) {
    const auto mode = static_cast<std::size_t>(o.parameters[i].mode);
    if (mode > 2) throw Unreadable{"a parameter is of no mode"};
    out += (i == 0 ? "" : ", ") + (kModes[mode] + type(o.parameters[i].type.in())) + " " +
           identifier(o.parameters[i].name.in());
  }
  out += ")" + raises(" raises (", o.exceptions);
  return out +
         joined(" context (", o.contexts, ")",
                [](const auto& c) {
                  CORBA::Any text;
                  text <<= CORBA::Any::from_string(std::string(c).c_str(), 0);
                  return literal_text(text, CORBA::_tc_string);
                }) +
         ";\n";
}

std::string Reading::attribute(const Item& of, const std::string& owner) {
  // Exceptions of attributes are told by repositories of CORBA 3, and not by Contained::describe().
  const CORBA::ExtAttributeDescription* ext = nullptr;
  if (const auto known = ext_attributes_.find(of.id); known != ext_attributes_.end()) ext = &known->second;
  CORBA::TypeCode_var t;
  bool readonly = false;
  if (ext) {
    t = CORBA::TypeCode::_duplicate(ext->type.in());
    readonly = ext->mode == CORBA::ATTR_READONLY;
  } else {
    const auto& a = described<CORBA::AttributeDescription>(of.description);
    t = CORBA::TypeCode::_duplicate(a.type.in());
    readonly = a.mode == CORBA::ATTR_READONLY;
  }
  if (t->kind() == CORBA::tk_array) throw Unreadable{"an attribute of " + owner + " is an array without a name"};
  std::string out = (readonly ? "readonly attribute " : "attribute ") + type(t.in()) + " " + identifier(of.name);
  if (ext) out += raises(readonly ? " raises (" : " getraises (", ext->get_exceptions);
  if (ext && !readonly) out += raises(" setraises (", ext->put_exceptions);
  return out + ";\n";
}

std::string Reading::interface(Item& of, const std::string& indent) {
  const auto& d = described<CORBA::InterfaceDescription>(of.description);
  std::string out = indent +
                    (of.kind == CORBA::dk_AbstractInterface ? "abstract "
                     : of.kind == CORBA::dk_LocalInterface  ? "local "
                                                            : "") +
                    "interface " + identifier(of.name);
  out += joined(" : ", d.base_interfaces, "", [this](const auto& id) {
    need(std::string(id), true);
    return scoped_name(item(std::string(id)));
  });
  bool has_attributes = false;
  for (const std::string& id : inside(of)) has_attributes = has_attributes || item(id).kind == CORBA::dk_Attribute;
  if (has_attributes) {
    const CORBA::InterfaceAttrExtension_var ext = CORBA::InterfaceAttrExtension::_narrow(of.reference.in());
    if (ext.in()) {
      const CORBA::InterfaceAttrExtension::ExtFullInterfaceDescription_var full = ext->describe_ext_interface();
      for (CORBA::ULong i = 0; i < full->attributes.length(); ++i)
        ext_attributes_.insert_or_assign(full->attributes[i].id.in(), full->attributes[i]);
    }
  }
  out += " {\n";
  for (const std::string& id : inside(of)) out += declaration(item(id), indent + "  ");
  return out + indent + "};\n";
}

std::string Reading::value(Item& of, const std::string& indent) {
  const auto& d = described<CORBA::ValueDescription>(of.description);
  const auto name_of = [this](const std::string& id) {
    need(id, true);
    return scoped_name(item(id));
  };
  std::string out = indent +
                    (d.is_abstract ? "abstract "
                     : d.is_custom ? "custom "
                                   : "") +
                    "valuetype " + identifier(of.name);
  std::string bases;
  if (d.base_value.in()[0] != 0 && std::string_view(d.base_value.in()) != "IDL:omg.org/CORBA/ValueBase:1.0")
    bases = (d.is_truncatable ? " : truncatable " : " : ") + name_of(d.base_value.in());
  for (CORBA::ULong i = 0; i < d.abstract_base_values.length(); ++i)
    bases += (bases.empty() ? " : " : ", ") + name_of(d.abstract_base_values[i]);
  out += bases +
         joined(" supports ", d.supported_interfaces, "", [&](const auto& id) { return name_of(std::string(id)); }) +
         " {\n";
  for (const std::string& id : inside(of)) out += declaration(item(id), indent + "  ");
  const CORBA::ExtValueDef_var ext = CORBA::ExtValueDef::_narrow(of.reference.in());
  const auto factory = [&](const auto& init) {
    std::string text = indent + "  factory " + identifier(init.name.in()) + "(";
    for (CORBA::ULong i = 0; i < init.members.length(); ++i)
      text += (i == 0 ? "in " : ", in ") + declarator(init.members[i].type.in(), init.members[i].name.in());
    return text + ")";
  };
  if (ext.in()) {
    const CORBA::ExtInitializerSeq_var all = ext->ext_initializers();
    for (CORBA::ULong i = 0; i < all->length(); ++i)
      out += factory(all[i]) + raises(" raises (", all[i].exceptions) + ";\n";
  } else {
    const CORBA::ValueDef_var plain = CORBA::ValueDef::_unchecked_narrow(of.reference.in());
    const CORBA::InitializerSeq_var all = plain->initializers();
    for (CORBA::ULong i = 0; i < all->length(); ++i) out += factory(all[i]) + ";\n";
  }
  return out + indent + "};\n";
}

std::string Reading::declaration(Item& of, const std::string& indent) {
  if (indent.size() > 64) throw Unreadable{"declarations are in each other deeper than can be read"};
  const std::string name = identifier(of.name);
  // Names of operations and attributes are all that calls have of them.
  const std::string pragma = indent + "#pragma ID " + name + " \"" + quoted_id(of.id) + "\"\n";
  switch (of.kind) {
    case CORBA::dk_Operation: return indent + operation(of);
    case CORBA::dk_Attribute: return indent + attribute(of, of.container);
    case CORBA::dk_ValueMember: {
      const auto& m = described<CallisIfr::ValueMember>(of.description);
      return indent + (m.access == CORBA::PUBLIC_MEMBER ? "public " : "private ") + declarator(m.type.in(), of.name) +
             ";\n";
    }
    case CORBA::dk_Interface:
    case CORBA::dk_AbstractInterface:
    case CORBA::dk_LocalInterface: return interface(of, indent) + pragma;
    case CORBA::dk_Value: return value(of, indent) + pragma;
    case CORBA::dk_Constant: {
      const auto& c = described<CORBA::ConstantDescription>(of.description);
      // A constant of a fixed-point type does not say how many digits.
      const std::string t = c.type->kind() == CORBA::tk_fixed ? "fixed" : type(c.type.in());
      return indent + "const " + t + " " + name + " = " + literal(c.value, c.type.in()) + ";\n" + pragma;
    }
    case CORBA::dk_Exception: {
      const auto& e = described<CORBA::ExceptionDescription>(of.description);
      const std::string body = members(of, e.type.in(), indent);
      return indent + "exception " + name + " {\n" + body + indent + "};\n" + pragma + std::exchange(pragmas_, {});
    }
    case CORBA::dk_Struct:
    case CORBA::dk_Union:
    case CORBA::dk_Enum: {
      const std::string body = constructed(of, indent);
      return indent + body + ";\n" + pragma + std::exchange(pragmas_, {});
    }
    default: break;
  }
  const auto& d = described<CORBA::TypeDescription>(of.description);
  CORBA::TypeCode_ptr t = d.type.in();
  switch (of.kind) {
    case CORBA::dk_Alias:
      return indent + "typedef " + declarator(CORBA::TypeCode_var(t->content_type()).in(), of.name) + ";\n" + pragma;
    case CORBA::dk_ValueBox:
      return indent + "valuetype " + name + " " + type(CORBA::TypeCode_var(t->content_type()).in()) + ";\n" + pragma;
    case CORBA::dk_Native: return indent + "native " + name + ";\n" + pragma;
    default: throw Unreadable{of.id + " is of a kind that cannot stand there"};
  }
}

}  // namespace callis::ifr
