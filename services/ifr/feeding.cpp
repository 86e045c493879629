// SPDX-License-Identifier: Apache-2.0
// In three rounds: first all names, in the order of the file, so that everything can be referred to; then what each
// declaration says; at last values and labels, which need TypeCodes. Declarations of the compiler's own files
// (CORBA::Policy ...) come when something refers to them.
#include <idl/ast/walk.h>
#include <services/ifr/constant_value.h>
#include <services/ifr/feeding.h>
#include <services/ifr/refuse.h>
#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace callis::ifr {

namespace ast = idl::ast;
using ast::DeclarationKind;
using ast::TypeKind;

namespace {

std::uint32_t primitive_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return 1;
    case TypeKind::Short: return 2;
    case TypeKind::Long: return 3;
    case TypeKind::UShort: return 4;
    case TypeKind::ULong: return 5;
    case TypeKind::Float: return 6;
    case TypeKind::Double: return 7;
    case TypeKind::Boolean: return 8;
    case TypeKind::Char: return 9;
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return 10;
    case TypeKind::Any: return 11;
    case TypeKind::TypeCode: return 12;
    case TypeKind::Object: return 15;
    case TypeKind::LongLong: return 16;
    case TypeKind::ULongLong: return 17;
    case TypeKind::LongDouble: return 18;
    case TypeKind::WChar: return 19;
    case TypeKind::ValueBase: return 21;
    default: throw NotTaken{"a type that the repository does not know"};
  }
}
constexpr std::uint32_t kPkString = 14, kPkWstring = 20;

Kind kind_of(const ast::Declaration& d) {
  switch (d.kind) {
    case DeclarationKind::Module: return Kind::Module;
    case DeclarationKind::Interface: {
      const auto flavor = ast::as<ast::Interface>(&d)->flavor;
      return flavor == ast::Interface::Flavor::Abstract ? Kind::AbstractInterface
             : flavor == ast::Interface::Flavor::Local  ? Kind::LocalInterface
                                                        : Kind::Interface;
    }
    case DeclarationKind::Operation: return Kind::Operation;
    case DeclarationKind::Attribute: return Kind::Attribute;
    case DeclarationKind::Value: return Kind::Value;
    case DeclarationKind::ValueBox: return Kind::ValueBox;
    case DeclarationKind::StateMember: return Kind::ValueMember;
    case DeclarationKind::Native: return Kind::Native;
    case DeclarationKind::Struct: return Kind::Struct;
    case DeclarationKind::Union: return Kind::Union;
    case DeclarationKind::Exception: return Kind::Exception;
    case DeclarationKind::Enum: return Kind::Enum;
    case DeclarationKind::Typedef:
    case DeclarationKind::Bitset:
    case DeclarationKind::Bitmask: return Kind::Alias;
    case DeclarationKind::Const: return Kind::Constant;
    default: return Kind::None;
  }
}

std::string version_of(const std::string& id) {
  const std::size_t colon = id.rfind(':');
  return id.starts_with("IDL:") && colon > 3 ? id.substr(colon + 1) : "1.0";
}

// State members have none for the compiler, but for a repository: that of their valuetype and their name.
std::string id_of(const ast::Declaration& d) {
  if (d.kind != DeclarationKind::StateMember || !d.repository_id.empty() || !d.parent) return d.repository_id;
  const std::string& of = d.parent->repository_id;
  const std::size_t version = of.starts_with("IDL:") ? of.rfind(':') : of.size();
  return of.substr(0, version) + "/" + d.name + of.substr(version);
}

std::string sanitized(std::string text) {
  for (char& c : text)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
  return text;
}

// What a declaration has inside that has a definition of its own.
const ast::Declarations* inside(const ast::Declaration& d) {
  if (const auto* m = ast::as<ast::Module>(&d)) return &m->contents;
  if (const auto* i = ast::as<ast::Interface>(&d)) return &i->contents;
  if (const auto* v = ast::as<ast::ValueType>(&d)) return &v->contents;
  if (const auto* s = ast::as<ast::Struct>(&d)) return &s->nested;
  if (const auto* u = ast::as<ast::Union>(&d)) return &u->nested;
  if (const auto* e = ast::as<ast::Exception>(&d)) return &e->nested;
  if (const auto* b = ast::as<ast::ValueBox>(&d)) return &b->nested;
  return nullptr;
}

class Feeder {
 public:
  Feeder(Model& model, TypeCodes& type_codes) : model_(model), type_codes_(type_codes) {}

  Fed run(const ast::Unit& unit) {
    enter(unit.contents);
    // A declaration that another one refers to joins the list behind.
    for (std::size_t i = 0; i < list_.size(); ++i) fill(*list_[i].declaration, list_[i].definition);
    for (Entry& e : list_) give_values(*e.declaration, e.definition);
    for (Entry& e : list_) settle(e);
    for (const Entry& e : list_) examine(e);
    return fed_;
  }

 private:
  struct Entry {
    const ast::Declaration* declaration;
    Definition definition;  // as the file has it
    bool is_new;
  };

  static std::string name_of(const ast::Declaration& d) { return ast::scoped_name(d); }

  void enter(const ast::Declarations& all) {
    for (const ast::Declaration* d : all) {
      if (d->built_in && d->kind != DeclarationKind::Module) continue;
      if (d->kind != DeclarationKind::Module) {
        number_of(*d);
      } else {
        const ast::Declarations& within = ast::as<ast::Module>(d)->contents;
        // A module with nothing but the compiler's own is none of the file's.
        if (!d->built_in && !std::ranges::all_of(within, [](const auto* w) { return w->built_in; })) number_of(*d);
        enter(within);
      }
    }
  }

  // The definition of a declaration, which is made if need be, with all that is inside of it.
  Number number_of(const ast::Declaration& d) {
    if (const auto* f = ast::as<ast::Forward>(&d)) return number_of(*f->target);
    const Kind kind = kind_of(d);
    const std::string repository_id = id_of(d);
    if (kind == Kind::None || repository_id.empty()) return kNone;
    if (const auto known = numbers_.find(repository_id); known != numbers_.end()) {
      defined_later(d, known->second);
      return known->second;
    }
    Definition shell;
    shell.kind = kind;
    shell.id = repository_id;
    shell.name = d.name;
    shell.version = version_of(shell.id);
    shell.container = container_of(d);
    if (const auto known = numbers_.find(repository_id); known != numbers_.end()) return known->second;
    Number number = model_.by_id(shell.id);
    const bool is_new = number == kNone;
    if (is_new) {
      number = model_.create(shell);
    } else {
      const Definition& there = model_.at(number);
      if (there.kind != kind || there.container != shell.container || there.name != shell.name)
        throw NotTaken{name_of(d) + ": the repository has the id " + shell.id + " already, for the " +
                       std::string(kind_word(there.kind)) + " " + model_.absolute_name(there)};
    }
    shell.number = number;
    numbers_.emplace(repository_id, number);
    places_.emplace(number, list_.size());
    list_.push_back({&d, std::move(shell), is_new});
    enter_inside(d);
    return number;
  }

  // An interface that was met by its forward declaration in another appearance.
  void defined_later(const ast::Declaration& d, Number number) {
    Entry& e = list_[places_.at(number)];
    if (e.declaration == &d || d.kind == DeclarationKind::Module) return;
    const auto* before = ast::as<ast::Interface>(e.declaration);
    const auto* now = ast::as<ast::Interface>(&d);
    if (before && now && !before->defined && now->defined) {
      e.declaration = &d;
      enter_inside(d);
    }
  }

  void enter_inside(const ast::Declaration& d) {
    const ast::Declarations* const within = inside(d);
    if (!within || d.kind == DeclarationKind::Module) return;
    for (const ast::Declaration* inner : *within) number_of(*inner);
  }

  Number container_of(const ast::Declaration& d) {
    const ast::Declaration* up = d.parent;
    // A box contains nothing: what is defined in it stands beside it.
    while (up && up->kind == DeclarationKind::ValueBox) up = up->parent;
    return up ? number_of(*up) : kRepository;
  }

  Number anonymous(Kind kind, std::uint32_t bound, std::int32_t scale, Number element) {
    Definition d;
    d.kind = kind;
    d.bound = bound;
    d.scale = scale;
    d.type = element;
    return model_.anonymous(std::move(d));
  }

  Number type(const ast::Type& t) {
    if (const auto* s = ast::as<ast::Struct>(&t); s && s->origin == ast::Struct::Origin::MapEntry)
      return map_entry(*s);
    if (t.type_kind == TypeKind::AbstractBase) return abstract_base();
    if (const ast::Declaration* d = ast::declaration(t); d && t.type_kind > TypeKind::AbstractBase)
      if (const Number n = number_of(*d)) return n;
    switch (t.type_kind) {
      case TypeKind::String:
      case TypeKind::WString: {
        const bool wide = t.type_kind == TypeKind::WString;
        const std::uint32_t bound = ast::as<ast::StringType>(&t)->bound;
        if (bound == 0) return model_.primitive(wide ? kPkWstring : kPkString);
        return anonymous(wide ? Kind::Wstring : Kind::String, bound, 0, kNone);
      }
      case TypeKind::Fixed: {
        const auto& f = *ast::as<ast::FixedType>(&t);
        return anonymous(Kind::Fixed, f.digits, f.scale, kNone);
      }
      case TypeKind::Sequence: {
        const auto& s = *ast::as<ast::SequenceType>(&t);
        return anonymous(Kind::Sequence, s.bound, 0, type(*s.element));
      }
      case TypeKind::Array: {
        const auto& a = *ast::as<ast::ArrayType>(&t);
        Number of = type(*a.element);
        for (auto n = a.dimensions.rbegin(); n != a.dimensions.rend(); ++n) of = anonymous(Kind::Array, *n, 0, of);
        return of;
      }
      default: return model_.primitive(primitive_kind(t.type_kind));
    }
  }

  // What a map is a sequence of has no name in IDL.
  Number map_entry(const ast::Struct& s) {
    std::string name = "MapEntry";
    for (const ast::Member* m : s.members) name += "_" + sanitized(ast::idl_name(*m->type));
    const std::string id = "IDL:callis/" + name + ":1.0";
    if (const Number there = model_.by_id(id)) return there;
    Definition d;
    d.kind = Kind::Struct;
    d.container = kRepository;
    d.id = id;
    d.name = name;
    d.version = "1.0";
    const Number number = model_.create(d);
    model_.edit(number).members = members(s.members);
    ++fed_.added;
    return number;
  }

  Number abstract_base() {
    static const std::string kModule = "IDL:omg.org/CORBA:1.0", kId = "IDL:omg.org/CORBA/AbstractBase:1.0";
    if (const Number there = model_.by_id(kId)) return there;
    Definition module;
    module.kind = Kind::Module;
    module.container = kRepository;
    module.id = kModule;
    module.name = "CORBA";
    module.version = "1.0";
    Definition base;
    base.kind = Kind::AbstractInterface;
    base.container = model_.by_id(kModule);
    if (base.container == kNone) base.container = model_.create(std::move(module));
    base.id = kId;
    base.name = "AbstractBase";
    base.version = "1.0";
    return model_.create(std::move(base));
  }

  std::vector<Member> members(const std::vector<const ast::Member*>& all) {
    std::vector<Member> out;
    for (const ast::Member* m : all) out.push_back({m->name, type(*m->type), 0, {}});
    return out;
  }
  std::vector<Member> parameters(const std::vector<const ast::Parameter*>& all) {
    std::vector<Member> out;
    for (const ast::Parameter* p : all) {
      const std::uint32_t mode = p->mode == ast::Parameter::Mode::In    ? 0
                                 : p->mode == ast::Parameter::Mode::Out ? 1
                                                                        : 2;
      out.push_back({p->name, type(*p->type), mode, {}});
    }
    return out;
  }
  template<class T>
  std::vector<Number> numbers(const std::vector<const T*>& all) {
    std::vector<Number> out;
    for (const T* d : all) {
      const Number n = number_of(*d);
      if (std::ranges::find(out, n) == out.end()) out.push_back(n);
    }
    return out;
  }

  // list_ may grow, and move, while types are looked for.
  void fill(const ast::Declaration& d, const Definition& shell) {
    Definition f = shell;
    const Number number = f.number;
    if (const auto* i = ast::as<ast::Interface>(&d)) {
      f.bases = numbers(i->bases);
    } else if (const auto* o = ast::as<ast::Operation>(&d)) {
      f.type = type(*o->result);
      f.members = parameters(o->parameters);
      f.exceptions = numbers(o->raises);
      f.words = o->contexts;
      f.mode = o->oneway ? 1 : 0;
    } else if (const auto* a = ast::as<ast::Attribute>(&d)) {
      f.type = type(*a->type);
      f.mode = a->readonly ? 1 : 0;
      f.exceptions = numbers(a->get_raises);
      f.set_exceptions = numbers(a->set_raises);
    } else if (const auto* v = ast::as<ast::ValueType>(&d)) {
      f.mode =
          (v->custom ? kIsCustom : 0) | (v->is_abstract ? kIsAbstract : 0) | (v->truncatable ? kIsTruncatable : 0);
      if (v->base) f.base = number_of(*v->base);
      f.bases = numbers(v->abstract_bases);
      f.supported = numbers(v->supports);
      for (const ast::Declaration* c : v->contents)
        if (const auto* init = ast::as<ast::Initializer>(c))
          f.initializers.push_back({init->name, parameters(init->parameters), numbers(init->raises)});
    } else if (const auto* b = ast::as<ast::ValueBox>(&d)) {
      f.type = type(*b->type);
    } else if (const auto* s = ast::as<ast::StateMember>(&d)) {
      f.type = type(*s->type);
      f.mode = s->is_public ? 1 : 0;
    } else if (const auto* st = ast::as<ast::Struct>(&d)) {
      f.members = members(st->members);
    } else if (const auto* e = ast::as<ast::Exception>(&d)) {
      f.members = members(e->members);
    } else if (const auto* u = ast::as<ast::Union>(&d)) {
      f.type = type(*u->discriminator);
      for (const ast::UnionMember* m : u->members) {
        const std::size_t labels = m->labels.size() + (m->is_default ? 1 : 0);
        const Number of = type(*m->type);
        for (std::size_t label = 0; label < labels; ++label) f.members.push_back({m->name, of, 0, {}});
      }
    } else if (const auto* n = ast::as<ast::Enum>(&d)) {
      for (const ast::Enumerator* x : n->enumerators) f.words.push_back(x->name);
    } else if (const auto* t = ast::as<ast::Typedef>(&d)) {
      f.type = type(*t->type);
    } else if (const auto* m = ast::as<ast::Bitmask>(&d)) {
      f.type = type(*m->holder);
    } else if (const auto* bits = ast::as<ast::Bitset>(&d)) {
      f.type = type(*bits->holder->members[0]->type);
    } else if (const auto* c = ast::as<ast::Const>(&d)) {
      if (const auto* fixed = std::get_if<ast::FixedValue>(&c->value))
        f.type = anonymous(Kind::Fixed, static_cast<std::uint32_t>(fixed->digits.size()), fixed->scale, kNone);
      else
        f.type = type(*c->type);
    }
    Entry& e = list_[places_.at(number)];
    e.definition = std::move(f);
    if (e.is_new) put(e);
  }

  void put(const Entry& e) {
    Definition& d = model_.edit(e.definition.number);
    std::vector<Number> contents = std::move(d.contents);
    d = e.definition;
    d.contents = std::move(contents);
  }

  void give_values(const ast::Declaration& d, Definition& f) {
    const auto* c = ast::as<ast::Const>(&d);
    const auto* u = ast::as<ast::Union>(&d);
    if (c) f.value = any_to_bytes(constant_any(c->value, *type_codes_.of(f.type).in()));
    if (u) {
      const CORBA::TypeCode_var discriminator = type_codes_.of(f.type);
      std::size_t at = 0;
      for (const ast::UnionMember* m : u->members) {
        for (const ast::Value& label : m->labels)
          f.members[at++].label = any_to_bytes(constant_any(label, *discriminator.in()));
        if (m->is_default) {
          CORBA::Any zero;
          zero <<= CORBA::Any::from_octet(0);
          f.members[at++].label = any_to_bytes(zero);
        }
      }
    }
    if ((c || u) && list_[places_.at(f.number)].is_new) put(list_[places_.at(f.number)]);
  }

  // New, the same as before, or in the way.
  void settle(Entry& e) {
    const ast::Declaration& d = *e.declaration;
    if (e.is_new) {
      ++fed_.added;
      return;
    }
    const Definition& there = model_.at(e.definition.number);
    const auto* i = ast::as<ast::Interface>(&d);
    const auto* v = ast::as<ast::ValueType>(&d);
    const bool only_named = (i && !i->defined) || (v && !v->defined);
    // Nothing to compare: of the one or the other only the name is known.
    const bool was_named_only = (i || v) && is_bare(there);
    if (was_named_only && !only_named) {
      put(e);
    } else if (!only_named && !e.definition.says_the_same(there)) {
      throw NotTaken{name_of(d) +
                     " is in the repository already, and says something else there; destroy it first, or "
                     "use another repository id"};
    } else if ((i || v) && !only_named) {
      compare_contents(d, there);
    }
    ++fed_.known;
  }

  bool is_bare(const Definition& there) const {
    Definition bare;
    bare.kind = there.kind;
    bare.id = there.id;
    bare.name = there.name;
    bare.version = there.version;
    const bool old_contents = std::ranges::any_of(there.contents, [this](Number n) {
      const auto place = places_.find(n);
      return place == places_.end() || !list_[place->second].is_new;
    });
    return !old_contents && there.says_the_same(bare);
  }

  // Of an interface or value that was there: nothing more, nothing less.
  void compare_contents(const ast::Declaration& d, const Definition& there) {
    for (const Number n : there.contents) {
      const auto place = places_.find(n);
      if (place == places_.end() || list_[place->second].is_new)
        throw NotTaken{name_of(d) + " is in the repository already, with" + (place == places_.end() ? " " : "out ") +
                       model_.at(n).name + "; destroy it first, or use " + "another repository id"};
    }
  }

  void examine(const Entry& e) {
    const Number number = e.definition.number;
    if (!e.is_new && e.definition.kind == Kind::Module) return;
    model_.check(number);
    const Kind kind = model_.at(number).kind;
    if (is_type(kind) || kind == Kind::Exception) (void)type_codes_.of(number);
  }

  Model& model_;
  TypeCodes& type_codes_;
  Fed fed_;
  std::unordered_map<std::string, Number> numbers_;  // by repository id
  std::unordered_map<Number, std::size_t> places_;   // in list_
  std::deque<Entry> list_;
};

}  // namespace

Fed feed(Model& model, TypeCodes& type_codes, const ast::Unit& unit) {
  try {
    return Feeder(model, type_codes).run(unit);
  } catch (const CORBA::NO_RESOURCES&) {  // not the file's fault
    throw;
  } catch (const CORBA::SystemException& e) {
    throw NotTaken{e.what()};
  }
}

idl::driver::Compilation compile_text(const std::string& file_name, const std::string& text) {
  idl::source::PreprocessOptions options;
  options.read_file = [&](const std::string& path) -> std::optional<std::string> {
    if (path != file_name) return std::nullopt;
    return text;
  };
  idl::driver::Compilation file = idl::driver::compile(file_name, options);
  if (file.diagnostics->failed() || !file.unit) {
    std::string why = file.diagnostics->text();
    if (why.size() > 20'000) why = why.substr(0, 20'000) + "\n...";
    while (!why.empty() && why.back() == '\n') why.pop_back();
    throw NotTaken{why};
  }
  return file;
}

}  // namespace callis::ifr
