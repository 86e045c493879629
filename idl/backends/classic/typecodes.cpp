// SPDX-License-Identifier: Apache-2.0
// Constants _tc_X, and the table behind them.
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/header.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/typecodes.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/uses.h>
#include <idl/backends/classic/values.h>
#include <algorithm>

namespace callis::idl::backends::classic {

using ast::TypeKind;

bool has_type_code(const ast::Declaration& d) {
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

namespace {

std::string constant(const ast::Declaration& d) { return "_tc_" + d.name; }

std::string tk(std::string_view kind) { return cat("::CORBA::tk_", kind); }

// TCKind of a type without parameters.
const char* basic_kind(TypeKind k) {
  switch (k) {
    case TypeKind::Void: return "void";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return "octet";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "ushort";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "ulong";
    case TypeKind::LongLong: return "longlong";
    case TypeKind::ULongLong: return "ulonglong";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "longdouble";
    case TypeKind::Any: return "any";
    case TypeKind::TypeCode: return "TypeCode";
    case TypeKind::Object: return "objref";
    case TypeKind::ValueBase: return "value";
    case TypeKind::AbstractBase: return "abstract_interface";
    default: return "null";
  }
}

}  // namespace

std::string type_code(const ast::Declaration& d) {
  return cat(d.parent ? absolute(*d.parent) : std::string(), "::", constant(d));
}

void print_type_code_declaration(Text& to, const ast::Declaration& d, bool in_class) {
  to.line(in_class ? "static" : "extern", " const ::CORBA::TypeCode_ptr ", constant(d), ";");
}

TypeCodes::TypeCodes(const ast::Unit& unit) {
  text("");
  for_each(unit.contents, [this](const ast::Declaration& d) {
    if (has_type_code(d)) constants_.emplace_back(&d, define(d));
  });
}

std::string TypeCodes::text(const std::string& s) {
  const auto known = offsets_.find(s);
  if (known != offsets_.end()) return std::to_string(known->second);
  const std::size_t at = offsets_[s] = pool_size_;
  pool_.push_back(s);
  pool_size_ += s.size() + 1;
  return std::to_string(at);
}

// One after the other, found by the first.
std::string TypeCodes::texts(const std::vector<std::string>& list) {
  const std::size_t at = pool_size_;
  for (const std::string& s : list) {
    offsets_.emplace(s, pool_size_);
    pool_.push_back(s);
    pool_size_ += s.size() + 1;
  }
  return std::to_string(at);
}

std::size_t TypeCodes::Expressions::index_of(const std::string& expression) {
  const auto [found, fresh] = known.try_emplace(expression, list.size());
  if (fresh) list.push_back(expression);
  return found->second;
}

std::string TypeCodes::link(const std::string& expression) {
  return std::to_string(links_.index_of(expression));
}

void TypeCodes::fill(std::size_t cell, const Words& words, const std::string& comment) {
  cells_[cell].at = words_;
  std::string line;
  for (const std::string& w : words) line += (line.empty() ? "" : ", ") + w;
  lines_.push_back({std::move(line), comment});
  words_ += words.size();
}

std::string TypeCodes::anonymous(const Words& words) {
  const auto known = anonymous_.find(words);
  if (known != anonymous_.end()) return known->second;
  cells_.push_back({});
  const std::size_t n = cells_.size() - 1;
  fill(n, words, {});
  return anonymous_[words] = cat("cell(", n, ")");
}

std::string TypeCodes::type(const ast::Type& t) {
  if (const ast::Declaration* d = ast::declaration(t)) return declared(*d);
  switch (t.type_kind) {
    case TypeKind::String:
    case TypeKind::WString: {
      const std::string kind = tk(t.type_kind == TypeKind::WString ? "wstring" : "string");
      const std::uint32_t bound = ast::as<ast::StringType>(&t)->bound;
      return bound ? anonymous({kind, cat(bound, "u")}) : cat("basic(", kind, ")");
    }
    case TypeKind::Fixed: {
      const auto& f = *ast::as<ast::FixedType>(&t);
      return anonymous({tk("fixed"), cat(f.digits, " | ", f.scale, " << 16")});
    }
    case TypeKind::Sequence: {
      const auto& s = *ast::as<ast::SequenceType>(&t);
      const std::string element = type(*s.element);
      return anonymous({tk("sequence"), cat(s.bound, "u"), element});
    }
    case TypeKind::Array: {
      const auto& a = *ast::as<ast::ArrayType>(&t);
      std::string of = type(*a.element);
      for (auto n = a.dimensions.rbegin(); n != a.dimensions.rend(); ++n)
        of = anonymous({tk("array"), cat(*n, "u"), of});
      return of;
    }
    default: return cat("basic(", tk(basic_kind(t.type_kind)), ")");
  }
}

std::string TypeCodes::declared(const ast::Declaration& d) {
  // What is never defined has no constant anywhere, and not all that is built in has one.
  const auto* i = ast::as<ast::Interface>(&d);
  const auto* v = ast::as<ast::ValueType>(&d);
  const bool defined = (!i || i->defined) && (!v || v->defined);
  if (d.from_main_file || (d.built_in && !is_basic_sequence(d)) || !defined) return cat("cell(", define(d), ")");
  return cat("other(", others_.index_of("&" + type_code(d)), ")");
}

TypeCodes::Words TypeCodes::head(const char* kind, const ast::Declaration& d, const std::string& link_expression) {
  const std::string link_index = link_expression.empty() ? "" : ", " + link(link_expression);
  const std::string id = text(d.repository_id);
  return {cat("entry(", tk(kind), link_index, ")"), id, text(d.name)};
}

void TypeCodes::members(Words& w, const std::vector<const ast::Member*>& list) {
  w.push_back(std::to_string(list.size()));
  for (const ast::Member* m : list) {
    w.push_back(text(m->name));
    w.push_back(type(*m->type));
  }
}

TypeCodes::Words TypeCodes::union_words(const ast::Union& u) {
  Words w = head("union", u), cases;
  std::size_t count = 0;
  std::string default_index = "~0u";
  for (const ast::UnionMember* m : u.members) {
    const auto add = [&](std::uint64_t label) {
      cases.insert(cases.end(), {text(m->name), type(*m->type), cat(label & 0xffffffff, "u"), cat(label >> 32, "u")});
      ++count;
    };
    for (const ast::Value& label : m->labels) add(label_bits(label));
    if (m->is_default) {
      default_index = std::to_string(count);
      add(0);
    }
  }
  w.insert(w.end(), {std::to_string(count), type(*u.discriminator), default_index});
  w.insert(w.end(), cases.begin(), cases.end());
  return w;
}

TypeCodes::Words TypeCodes::value_words(const ast::ValueType& v) {
  Words w = head("value", v, "&" + value_link(v)), state;
  std::size_t count = 0;
  for (const ast::Declaration* d : v.contents) {
    const auto* m = ast::as<ast::StateMember>(d);
    if (!m) continue;
    state.insert(state.end(), {text(m->name), type(*m->type), m->is_public ? "1" : "0"});
    ++count;
  }
  const char* modifier = v.is_abstract ? "2" : v.custom ? "1" : v.truncatable ? "3" : "0";
  w.insert(w.end(), {std::to_string(count), modifier, v.base ? type(*v.base) : cat("basic(", tk("null"), ")")});
  w.insert(w.end(), state.begin(), state.end());
  return w;
}

// The cell comes first: members may lead back to it.
std::size_t TypeCodes::define(const ast::Declaration& d) {
  const auto known = declared_.find(&d);
  if (known != declared_.end()) return known->second;
  cells_.push_back({});
  const std::size_t cell = declared_[&d] = cells_.size() - 1;
  cells_to_fill_.run({cell, &d}, [this](const std::pair<std::size_t, const ast::Declaration*>& entry) {
    fill(entry.first, words_of(*entry.second), ast::scoped_name(*entry.second));
  });
  return cell;
}

TypeCodes::Words TypeCodes::words_of(const ast::Declaration& d) {
  Words w;
  if (const auto* s = ast::as<ast::Struct>(&d)) {
    w = head("struct", d);
    members(w, s->members);
  } else if (const auto* e = ast::as<ast::Exception>(&d)) {
    w = head("except", d);
    members(w, e->members);
  } else if (const auto* u = ast::as<ast::Union>(&d)) {
    w = union_words(*u);
  } else if (const auto* n = ast::as<ast::Enum>(&d)) {
    std::vector<std::string> names;
    for (const ast::Enumerator* x : n->enumerators) names.push_back(x->name);
    w = head("enum", d);
    w.push_back(std::to_string(names.size()));
    w.push_back(texts(names));
  } else if (const auto* t = ast::as<ast::Typedef>(&d)) {
    w = head("alias", d);
    w.push_back(type(*t->type));
  } else if (const auto* m = ast::as<ast::Bitmask>(&d)) {
    w = head("alias", d);
    w.push_back(type(*m->holder));
  } else if (const auto* f = ast::as<ast::Bitset>(&d)) {
    w = head("alias", d);
    w.push_back(type(*f->holder->members[0]->type));
  } else if (const auto* b = ast::as<ast::ValueBox>(&d)) {
    w = head("value_box", d, "&" + value_link(*b));
    w.push_back(type(*b->type));
  } else if (const auto* v = ast::as<ast::ValueType>(&d)) {
    w = value_words(*v);
  } else if (const auto* i = ast::as<ast::Interface>(&d)) {
    switch (i->flavor) {
      case ast::Interface::Flavor::Local:
        w = head("local_interface", d, i->defined && !d.built_in ? "&" + interface_link(*i) : std::string());
        break;
      case ast::Interface::Flavor::Abstract: w = head("abstract_interface", d, "&" + interface_link(*i)); break;
      default: w = head("objref", d, "&" + interface_link(*i));
    }
  } else {
    w = head("native", d);
  }
  return w;
}

void TypeCodes::print(Text& to) const {
  const auto list = [&to](const char* type, const char* name, const std::vector<std::string>& items) {
    if (items.empty()) return;
    to.open("constexpr ", type, " ", name, "[] = {");
    for (const std::string& i : items) to.line(i, ",");
    to.close("};");
  };
  to.line("namespace {");
  for (const char* helper : {"basic", "cell", "entry", "other"}) to.line("using ::callis::typecode::", helper, ";");
  to.open("constexpr ::callis::typecode::Word type_words[] = {");
  for (const Line& l : lines_) to.line(l.text, ",", l.comment.empty() ? "" : "  // " + l.comment);
  to.close("};");
  to.line("constexpr char type_texts[] =");
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    std::string q = quoted(pool_[i]);
    if (i + 1 < pool_.size()) q.insert(q.size() - 1, "\\000");
    to.line("    ", q, i + 1 == pool_.size() ? ";" : "");
  }
  list("const void*", "type_links", links_.list);
  list("const ::CORBA::TypeCode_ptr*", "type_others", others_.list);
  to.open("constinit ::callis::typecode::Constants<", cells_.size(), "> type_codes = {");
  to.line("{type_words, type_texts, ", links_.list.empty() ? "nullptr" : "type_links", ", ",
          others_.list.empty() ? "nullptr" : "type_others", ", {}, 0},");
  std::string cells;
  for (std::size_t i = 0; i < cells_.size(); ++i) cells += cat(i ? ", " : "", "{", cells_[i].at, ", ", i, "}");
  to.line("{", cells, "}};");
  to.close("}  // namespace");
}

void TypeCodes::print_constants(Text& to, const std::string& shared) const {
  for (const auto& [d, cell] : constants_)
    to.line("constinit const ::CORBA::TypeCode_ptr ", d->parent ? scoped(*d->parent) + "::" : "", constant(*d),
            " = &::", shared, "::type_codes.cells[", cell, "];");
}

}  // namespace callis::idl::backends::classic
