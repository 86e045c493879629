// SPDX-License-Identifier: Apache-2.0
// TypeCodes of IDL declarations. A type that leads to itself is found among those that are being made, and stands
// there as a recursive TypeCode. What contains such a one is good within the outer type only, and is not kept.
#include <callis/base/text.h>
#include <callis/typecode/described_any.h>
#include <tools/call/types.h>
#include <algorithm>

namespace callis::tools {

namespace ast = idl::ast;
using ast::TypeKind;
using CORBA::TypeCode;
using CORBA::TypeCode_var;

namespace {

constexpr std::size_t kMostTypeParts = 200'000;
constexpr std::size_t kMostLevels = 200;

TypeCode_var counted(CORBA::TypeCode_ptr constant) { return TypeCode::_duplicate(constant); }

TypeCode_var basic_type(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return counted(CORBA::_tc_void);
    case TypeKind::Boolean: return counted(CORBA::_tc_boolean);
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return counted(CORBA::_tc_octet);
    case TypeKind::Char: return counted(CORBA::_tc_char);
    case TypeKind::WChar: return counted(CORBA::_tc_wchar);
    case TypeKind::Short: return counted(CORBA::_tc_short);
    case TypeKind::UShort: return counted(CORBA::_tc_ushort);
    case TypeKind::Long: return counted(CORBA::_tc_long);
    case TypeKind::ULong: return counted(CORBA::_tc_ulong);
    case TypeKind::LongLong: return counted(CORBA::_tc_longlong);
    case TypeKind::ULongLong: return counted(CORBA::_tc_ulonglong);
    case TypeKind::Float: return counted(CORBA::_tc_float);
    case TypeKind::Double: return counted(CORBA::_tc_double);
    case TypeKind::LongDouble: return counted(CORBA::_tc_longdouble);
    case TypeKind::Any: return counted(CORBA::_tc_any);
    case TypeKind::TypeCode: return counted(CORBA::_tc_TypeCode);
    case TypeKind::Object: return counted(CORBA::_tc_Object);
    case TypeKind::ValueBase: return counted(CORBA::_tc_ValueBase);
    case TypeKind::AbstractBase: return counted(CORBA::_tc_AbstractBase);
    default: throw NoSuchType{"a type that callis call does not know"};
  }
}

std::uint64_t label_bits(const ast::Value& label) {
  if (const auto* i = std::get_if<std::int64_t>(&label)) return static_cast<std::uint64_t>(*i);
  if (const auto* n = std::get_if<std::uint64_t>(&label)) return *n;
  if (const auto* b = std::get_if<bool>(&label)) return *b ? 1 : 0;
  if (const auto* c = std::get_if<char>(&label)) return static_cast<unsigned char>(*c);
  if (const auto* w = std::get_if<char32_t>(&label)) return *w;
  if (const auto* e = std::get_if<const ast::Enumerator*>(&label)) return (*e)->ordinal;
  return 0;
}

bool is_type(const ast::Declaration& d) {
  switch (d.kind) {
    case ast::DeclarationKind::Struct:
    case ast::DeclarationKind::Union:
    case ast::DeclarationKind::Enum:
    case ast::DeclarationKind::Bitset:
    case ast::DeclarationKind::Bitmask:
    case ast::DeclarationKind::Typedef:
    case ast::DeclarationKind::Exception:
    case ast::DeclarationKind::Interface:
    case ast::DeclarationKind::Value:
    case ast::DeclarationKind::ValueBox:
    case ast::DeclarationKind::Native: return true;
    default: return false;
  }
}

}  // namespace

bool Types::load(const std::string& path, const idl::source::PreprocessOptions& options, std::string& diagnostics) {
  auto file = std::make_unique<idl::driver::Compilation>(idl::driver::compile(path, options));
  diagnostics += file->diagnostics->text();
  if (file->diagnostics->failed() || !file->unit) return false;
  enter(file->unit->contents);
  files_.push_back(std::move(file));
  return true;
}

bool Types::load_text(const std::string& name, const std::string& text, std::string& diagnostics) {
  const std::lock_guard guard(mutex);
  idl::source::PreprocessOptions options;
  options.read_file = [&](const std::string& path) -> std::optional<std::string> {
    if (path != name) return std::nullopt;
    return text;
  };
  return load(name, options, diagnostics);
}

void Types::enter(const ast::Declarations& declarations) {
  for (const ast::Declaration* d : declarations) {
    if (is_type(*d)) {
      // Of two files that declare it the first counts; a definition before a declaration.
      const auto* i = ast::as<ast::Interface>(d);
      if (!i || i->defined) {
        const bool fresh = by_id_.try_emplace(d->repository_id, d).second;
        by_name_.try_emplace(ast::scoped_name(*d), d);
        if (i && fresh) interfaces_.push_back(i);
      }
    }
    if (const auto* m = ast::as<ast::Module>(d)) enter(m->contents);
    if (const auto* i = ast::as<ast::Interface>(d)) enter(i->contents);
    if (const auto* v = ast::as<ast::ValueType>(d)) enter(v->contents);
    if (const auto* s = ast::as<ast::Struct>(d)) enter(s->nested);
    if (const auto* u = ast::as<ast::Union>(d)) enter(u->nested);
    if (const auto* e = ast::as<ast::Exception>(d)) enter(e->nested);
    if (const auto* b = ast::as<ast::ValueBox>(d)) enter(b->nested);
  }
}

const ast::Declaration* Types::find(std::string_view id_or_name) const {
  if (const auto id = by_id_.find(id_or_name); id != by_id_.end()) return id->second;
  if (id_or_name.starts_with("::")) id_or_name.remove_prefix(2);
  const auto name = by_name_.find(id_or_name);
  return name != by_name_.end() ? name->second : nullptr;
}

const ast::Interface* Types::find_interface(std::string_view id_or_name) const {
  return ast::as<ast::Interface>(find(id_or_name));
}

std::vector<const ast::Interface*> Types::interfaces() const {
  std::vector<const ast::Interface*> out;
  for (const ast::Interface* i : interfaces_) {
    if (i->flavor != ast::Interface::Flavor::Local && !i->built_in) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return ast::all_bases(*a).size() > ast::all_bases(*b).size();
  });
  return out;
}

std::string Types::nearest_interface(std::string_view name) const {
  std::string best;
  std::size_t least = name.size() / 2 + 1;
  for (const ast::Interface* i : interfaces()) {
    const std::string full = ast::scoped_name(*i);
    const std::size_t d = std::min(edit_distance(name, full), edit_distance(name, i->name));
    if (d < least) {
      least = d;
      best = full;
    }
  }
  return best;
}

TypeCode_var Types::type(const ast::Type& t) {
  if (++steps_ > kMostTypeParts) throw NoSuchType{"a type with more than 200000 parts"};
  if (const ast::Declaration* d = ast::declaration(t)) return declared(*d);
  switch (t.type_kind) {
    case TypeKind::String: return typecode::create_string_tc(ast::as<ast::StringType>(&t)->bound);
    case TypeKind::WString: return typecode::create_wstring_tc(ast::as<ast::StringType>(&t)->bound);
    case TypeKind::Fixed: {
      const auto& f = *ast::as<ast::FixedType>(&t);
      return typecode::create_fixed_tc(f.digits, static_cast<CORBA::Short>(f.scale));
    }
    case TypeKind::Sequence: {
      const auto& s = *ast::as<ast::SequenceType>(&t);
      const TypeCode_var element = type(*s.element);
      return typecode::create_sequence_tc(s.bound, element.in());
    }
    case TypeKind::Array: {
      const auto& a = *ast::as<ast::ArrayType>(&t);
      TypeCode_var of = type(*a.element);
      for (auto n = a.dimensions.rbegin(); n != a.dimensions.rend(); ++n) of = typecode::create_array_tc(*n, of.in());
      return of;
    }
    default: return basic_type(t.type_kind);
  }
}

TypeCode_var Types::exception(const ast::Exception& e) { return declared(e); }

TypeCode_var Types::declared(const ast::Declaration& d) {
  const bool named = !d.repository_id.empty();
  // What a recursive TypeCode can stand for.
  const bool may_recur = named && (d.kind == ast::DeclarationKind::Struct || d.kind == ast::DeclarationKind::Union ||
                                   d.kind == ast::DeclarationKind::Value);
  if (named) {
    if (const auto known = made_.find(d.repository_id); known != made_.end()) return counted(known->second.in());
  }
  if (const auto at = std::find(open_.begin(), open_.end(), &d); at != open_.end()) {
    outermost_used_ = std::min(outermost_used_, static_cast<std::size_t>(at - open_.begin()));
    return typecode::create_recursive_tc(d.repository_id.c_str());
  }
  if (levels_ == kMostLevels) throw NoSuchType{"types in each other more than 200 deep"};
  const std::size_t outside = std::exchange(outermost_used_, ~std::size_t{0});
  if (may_recur) open_.push_back(&d);
  ++levels_;
  struct Close {
    Types& types;
    bool pop;
    ~Close() {
      --types.levels_;
      if (pop) types.open_.pop_back();
    }
  };
  TypeCode_var out;
  {
    const Close close{*this, may_recur};
    out = make(d);
  }
  if (outermost_used_ >= open_.size() && named) made_[d.repository_id] = counted(out.in());
  // What stood for this type itself is settled.
  if (outermost_used_ >= open_.size()) outermost_used_ = ~std::size_t{0};
  outermost_used_ = std::min(outermost_used_, outside);
  return out;
}

TypeCode_var Types::make(const ast::Declaration& d) {
  const char *id = d.repository_id.c_str(), *name = d.name.c_str();
  const auto alias = [&](const ast::Type& of) -> TypeCode_var {
    const TypeCode_var original = type(of);
    return typecode::create_alias_tc(id, name, original.in());
  };
  if (const auto* s = ast::as<ast::Struct>(&d)) return structure(d, s->members);
  if (const auto* e = ast::as<ast::Exception>(&d)) return structure(d, e->members);
  if (const auto* u = ast::as<ast::Union>(&d)) return union_type(*u);
  if (const auto* v = ast::as<ast::ValueType>(&d)) return value(*v);
  if (const auto* t = ast::as<ast::Typedef>(&d)) return alias(*t->type);
  if (const auto* m = ast::as<ast::Bitmask>(&d)) return alias(*m->holder);
  if (const auto* f = ast::as<ast::Bitset>(&d)) return alias(*f->holder->members[0]->type);
  if (const auto* b = ast::as<ast::ValueBox>(&d)) {
    const TypeCode_var boxed = type(*b->type);
    return typecode::create_value_box_tc(id, name, boxed.in());
  }
  if (const auto* n = ast::as<ast::Enum>(&d)) {
    CORBA::EnumMemberSeq members;
    members.length(static_cast<CORBA::ULong>(n->enumerators.size()));
    for (const ast::Enumerator* x : n->enumerators) members[x->ordinal] = CORBA::string_dup(x->name.c_str());
    return typecode::create_enum_tc(id, name, members);
  }
  if (const auto* i = ast::as<ast::Interface>(&d)) {
    const CORBA::TCKind kind = i->flavor == ast::Interface::Flavor::Abstract ? CORBA::tk_abstract_interface
                               : i->flavor == ast::Interface::Flavor::Local  ? CORBA::tk_local_interface
                                                                             : CORBA::tk_objref;
    return typecode::create_named_tc(kind, id, name);
  }
  if (d.kind == ast::DeclarationKind::Native) return typecode::create_named_tc(CORBA::tk_native, id, name);
  throw NoSuchType{ast::scoped_name(d) + " is no type"};
}

TypeCode_var Types::structure(const ast::Declaration& d, const std::vector<const ast::Member*>& members) {
  CORBA::StructMemberSeq list;
  list.length(static_cast<CORBA::ULong>(members.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    list[i].name = CORBA::string_dup(members[i]->name.c_str());
    list[i].type = type(*members[i]->type);
  }
  if (d.repository_id.empty()) {
    // An entry of a map, which has no name. create_struct_tc wants an id, and different ones of different types.
    std::string id = "IDL:callis/MapEntry";
    for (const ast::Member* m : members) {
      id += '/';
      for (const char c : ast::idl_name(*m->type))
        id += c == ' ' || c == '<' || c == '>' || c == ',' || c == ':' ? '_' : c;
    }
    return typecode::create_struct_tc((id + ":1.0").c_str(), "", list);
  }
  const bool exception = d.kind == ast::DeclarationKind::Exception;
  return (exception ? typecode::create_exception_tc : typecode::create_struct_tc)(d.repository_id.c_str(),
                                                                                  d.name.c_str(), list);
}

TypeCode_var Types::union_type(const ast::Union& u) {
  const TypeCode_var discriminator = type(*u.discriminator);
  CORBA::UnionMemberSeq list;
  const auto add = [&list](const ast::UnionMember& m, CORBA::TypeCode_ptr of, const CORBA::Any& label) {
    const CORBA::ULong n = list.length();
    list.length(n + 1);
    list[n].name = CORBA::string_dup(m.name.c_str());
    list[n].type = TypeCode::_duplicate(of);
    list[n].label = label;
  };
  for (const ast::UnionMember* m : u.members) {
    const TypeCode_var of = type(*m->type);
    for (const ast::Value& label : m->labels) {
      const CORBA::Any_var any = typecode::new_scalar_any(*discriminator.in(), label_bits(label));
      add(*m, of.in(), any.in());
    }
    if (m->is_default) {
      CORBA::Any zero;
      zero <<= CORBA::Any::from_octet(0);
      add(*m, of.in(), zero);
    }
  }
  return typecode::create_union_tc(u.repository_id.c_str(), u.name.c_str(), discriminator.in(), list);
}

TypeCode_var Types::value(const ast::ValueType& v) {
  CORBA::ValueMemberSeq list;
  for (const ast::Declaration* d : v.contents) {
    const auto* m = ast::as<ast::StateMember>(d);
    if (!m) continue;
    const CORBA::ULong n = list.length();
    list.length(n + 1);
    list[n].name = CORBA::string_dup(m->name.c_str());
    list[n].type = type(*m->type);
    list[n].access = m->is_public ? CORBA::PUBLIC_MEMBER : CORBA::PRIVATE_MEMBER;
  }
  TypeCode_var base;
  if (v.base) base = declared(*v.base);
  const CORBA::ValueModifier modifier = v.is_abstract   ? CORBA::VM_ABSTRACT
                                        : v.custom      ? CORBA::VM_CUSTOM
                                        : v.truncatable ? CORBA::VM_TRUNCATABLE
                                                        : CORBA::VM_NONE;
  return typecode::create_value_tc(v.repository_id.c_str(), v.name.c_str(), modifier, base.in(), list);
}

namespace {

Types* value_types = nullptr;

CORBA::TypeCode_ptr find_value(std::string_view id) {
  const std::lock_guard lock(value_types->mutex);
  static std::map<std::string, CORBA::TypeCode_var, std::less<>> known;
  const auto made = known.find(id);
  if (made != known.end()) return made->second.in();
  const idl::ast::Declaration* const d = value_types->find(id);
  if (!d || d->repository_id != id) return nullptr;
  try {
    CORBA::TypeCode_var type = value_types->declared(*d);
    const CORBA::TCKind kind = type->kind();
    if (kind != CORBA::tk_value && kind != CORBA::tk_value_box) return nullptr;
    return known.emplace(id, std::move(type)).first->second.in();
  } catch (const NoSuchType&) {
    return nullptr;
  }
}

}  // namespace

void Types::find_values_here() {
  value_types = this;
  typecode::type_finder = &find_value;
}

}  // namespace callis::tools
