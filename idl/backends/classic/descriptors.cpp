// SPDX-License-Identifier: Apache-2.0
// The words, names and links of a unit.
#include <idl/backends/classic/abstract.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/plan_tables.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/values.h>
#include <algorithm>
#include <iterator>

namespace callis::idl::backends::classic {

namespace {

using Mode = ast::Parameter::Mode;
constexpr std::uint32_t kBigBound = 0xffffff;

using marshal::Kind;
using marshal::Word;

// The names are in the order of Kind.
constexpr const char* kKinds[] = {"Void", "Boolean", "Octet", "Char", "Short", "UShort", "Long", "ULong", "LongLong",
                                  "ULongLong", "Float", "Double", "LongDouble", "Enum", "WChar", "String", "WString",
                                  "Fixed", "Any", "TypeCode", "ObjRef", "Abstract", "Value", "Struct", "Union",
                                  "Exception", "Sequence", "Array", "Ref", "Op"};
static_assert(std::size(kKinds) == static_cast<std::size_t>(Kind::Op) + 1);

Kind kind_named(std::string_view name) {
  const auto found = std::find(std::begin(kKinds), std::end(kKinds), name);
  return static_cast<Kind>(found - std::begin(kKinds));
}

Term number(std::uint64_t n) { return {std::to_string(n), static_cast<Word>(n)}; }
Term unsigned_number(std::uint64_t n) { return {cat(n, "u"), static_cast<Word>(n)}; }

Term word(Kind kind, const Term& payload = {{}, 0}, Mode mode = Mode::In) {
  std::string s = cat("type_word(Kind::", kKinds[static_cast<std::size_t>(kind)]);
  if (!payload.text.empty() || mode != Mode::In) s += ", " + (payload.text.empty() ? "0" : payload.text);
  if (mode == Mode::Out) s += ", Direction::Out";
  if (mode == Mode::InOut) s += ", Direction::InOut";
  const marshal::Direction d = mode == Mode::Out     ? marshal::Direction::Out
                               : mode == Mode::InOut ? marshal::Direction::InOut
                                                     : marshal::Direction::In;
  return {s + ")", marshal::type_word(kind, payload.value, d)};
}

std::uint64_t element_count(const ast::ArrayType& a) {
  std::uint64_t n = 1;
  for (std::uint32_t d : a.dimensions) n *= d;
  return n;
}

}  // namespace

std::size_t Descriptors::add(std::size_t words, Terms terms, std::string comment) {
  const std::size_t at = size_;
  words_.push_back({words, std::move(terms), std::move(comment)});
  size_ += words;
  return at;
}

std::size_t Descriptors::shared(Terms entry, const std::string& comment) {
  std::string text;
  for (const Term& w : entry) text += (text.empty() ? "" : ", ") + w.text;
  const auto known = shared_.find(text);
  if (known != shared_.end()) return known->second;
  const std::size_t words = entry.size();
  return shared_[text] = add(words, std::move(entry), comment);
}

std::size_t Descriptors::structure(const ast::Struct& s) {
  const auto known = structs_.find(&s);
  if (known != structs_.end()) return known->second;
  // The place first: members may lead back here.
  const std::size_t line = words_.size();
  const std::size_t at = structs_[&s] = add(1 + s.members.size(), {}, ast::scoped_name(s));
  fill(line, s);
  return at;
}

Descriptors::Terms Descriptors::terms_of(const ast::Struct& s) {
  Terms terms{word(Kind::Struct, number(s.members.size()))};
  for (const ast::Member* m : s.members) terms.push_back(type(*m->type));
  return terms;
}

std::size_t Descriptors::union_entry(const ast::Union& u) {
  const auto known = structs_.find(&u);
  if (known != structs_.end()) return known->second;
  std::size_t labels = 0;
  for (const ast::UnionMember* m : u.members) labels += m->labels.size();
  const std::size_t line = words_.size();
  const std::size_t at = structs_[&u] = add(4 + u.members.size() + 3 * labels, {}, ast::scoped_name(u));
  fill(line, u);
  return at;
}

Descriptors::Terms Descriptors::terms_of(const ast::Union& u) {
  struct Label {
    std::uint64_t bits;
    std::size_t member;
  };
  std::vector<Label> labels;
  Term default_member{"kNoDefault", marshal::kNoDefault};
  for (std::size_t i = 0; i < u.members.size(); ++i) {
    for (const ast::Value& v : u.members[i]->labels) labels.push_back({label_bits(v), i});
    if (u.members[i]->is_default) default_member = number(i);
  }
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.bits < b.bits; });
  Terms terms{word(Kind::Union, number(u.members.size())), type(*u.discriminator), default_member,
              number(labels.size())};
  for (const ast::UnionMember* m : u.members) terms.push_back(type(*m->type));
  for (const Label& l : labels) {
    terms.push_back(unsigned_number(l.bits & 0xffffffff));
    terms.push_back(unsigned_number(l.bits >> 32));
    terms.push_back(number(l.member));
  }
  return terms;
}

void Descriptors::fill(std::size_t line, const ast::Type& t) {
  entries_.run({line, &t}, [this](const std::pair<std::size_t, const ast::Type*>& entry) {
    const auto* s = ast::as<ast::Struct>(entry.second);
    Terms terms = s ? terms_of(*s) : terms_of(*ast::as<ast::Union>(entry.second));
    words_[entry.first].terms = std::move(terms);
  });
}

Term Descriptors::state(const ast::ValueType& v) {
  Terms terms{{}};
  for (const ast::Declaration* d : v.contents)
    if (const auto* m = ast::as<ast::StateMember>(d)) terms.push_back(type(*m->type));
  terms[0] = word(Kind::Struct, number(terms.size() - 1));
  const std::size_t words = terms.size();
  return word(Kind::Ref, number(add(words, std::move(terms), "state of " + ast::scoped_name(v))));
}

std::size_t Descriptors::exception(const ast::Exception& e) {
  const auto known = exception_entries_.find(&e);
  if (known != exception_entries_.end()) return known->second;
  exceptions_.push_back(&e);
  Terms terms{word(Kind::Exception, number(e.members.size())), number(link("&" + exception_link_name(e)))};
  for (const ast::Member* m : e.members) terms.push_back(type(*m->type));
  return exception_entries_[&e] = add(2 + e.members.size(), std::move(terms), ast::scoped_name(e));
}

// Whether the marshaling engine has the kind's code in its extension.
static bool wants_extension(const ast::Type& t) {
  switch (t.type_kind) {
    case ast::TypeKind::WChar: case ast::TypeKind::WString: case ast::TypeKind::Fixed: case ast::TypeKind::Union:
    case ast::TypeKind::Any: case ast::TypeKind::TypeCode: case ast::TypeKind::Value: case ast::TypeKind::ValueBox:
    case ast::TypeKind::ValueBase: case ast::TypeKind::AbstractBase:
      return true;
    case ast::TypeKind::Interface: return ast::as<ast::Interface>(&t)->flavor == ast::Interface::Flavor::Abstract;
    default: return false;
  }
}

Term Descriptors::type(const ast::Type& alias, Mode mode) {
  const ast::Type& t = ast::strip_aliases(alias);
  extended_ = extended_ || wants_extension(t);
  const auto ref = [mode](std::size_t entry) { return word(Kind::Ref, number(entry), mode); };
  const Term no_link{"kNoLink", marshal::kNoLink};
  switch (t.type_kind) {
    case ast::TypeKind::Void: return word(Kind::Void, {}, mode);
    case ast::TypeKind::Object: return word(Kind::ObjRef, no_link, mode);
    case ast::TypeKind::ValueBase: return word(Kind::Value, no_link, mode);
    case ast::TypeKind::AbstractBase: return word(Kind::Abstract, no_link, mode);
    case ast::TypeKind::Value:
    case ast::TypeKind::ValueBox:
      return word(Kind::Value, number(link("&" + value_link(*ast::declaration(t)))), mode);
    case ast::TypeKind::Interface:
      return word(is_abstract(*ast::as<ast::Interface>(&t)) ? Kind::Abstract : Kind::ObjRef,
                  number(link("&" + interface_link(*ast::as<ast::Interface>(&t)))), mode);
    case ast::TypeKind::Enum: return word(Kind::Enum, number(ast::as<ast::Enum>(&t)->enumerators.size()), mode);
    case ast::TypeKind::String:
    case ast::TypeKind::WString: {
      const std::uint32_t bound = ast::as<ast::StringType>(&t)->bound;
      const Kind kind = kind_named(string_name(shape(t)));
      if (bound >= kBigBound)
        return ref(shared({word(kind, {"kBigBound", marshal::kBigBound}), unsigned_number(bound)}, "bounded string"));
      return word(kind, bound ? number(bound) : Term{}, mode);
    }
    case ast::TypeKind::Any:
    case ast::TypeKind::TypeCode:
      // No plan looks at this link: it brings the library that knows both.
      link("&::callis::typecode::anchor");
      return word(kind_named(primitive_name(t.type_kind)), {}, mode);
    case ast::TypeKind::Int8:
    case ast::TypeKind::UInt8: return word(Kind::Octet, {}, mode);
    case ast::TypeKind::Fixed: {
      const auto& f = *ast::as<ast::FixedType>(&t);
      return word(Kind::Fixed, {cat(f.digits, " | ", f.scale, " << 8"), Word{f.digits} | Word{f.scale} << 8}, mode);
    }
    case ast::TypeKind::Union: return ref(union_entry(*ast::as<ast::Union>(&t)));
    case ast::TypeKind::Struct: return ref(structure(*ast::as<ast::Struct>(&t)));
    case ast::TypeKind::Sequence: {
      const auto& s = *ast::as<ast::SequenceType>(&t);
      const Term element = type(*s.element);
      return ref(shared({word(Kind::Sequence), unsigned_number(s.bound), element}, {}));
    }
    case ast::TypeKind::Array: {
      const auto& a = *ast::as<ast::ArrayType>(&t);
      const Term element = type(*a.element);
      return ref(shared({word(Kind::Array), unsigned_number(element_count(a)), element}, {}));
    }
    default: return word(kind_named(primitive_name(t.type_kind)), {}, mode);
  }
}

std::size_t Descriptors::link(const std::string& expression) {
  const auto [known, is_new] = link_indices_.try_emplace(expression, links_.size());
  if (is_new) links_.push_back(expression);
  return known->second;
}

std::string Descriptors::exception_link_name(const ast::Exception& e) { return "exception_" + flat(e); }

std::string Descriptors::name_word(const ast::WireOperation& op) {
  const std::size_t offset = name_offset(op.name);
  return op.name.size() > 32 || offset > 0xffffff ? std::string() : cat(", ", offset << 8 | op.name.size(), "u");
}

std::size_t Descriptors::name_offset(const std::string& name) {
  const auto [known, is_new] = name_offsets_.try_emplace(name, names_size_);
  if (is_new) {
    names_.push_back(name);
    names_size_ += name.size() + 1;
  }
  return known->second;
}

std::size_t Descriptors::operation(const ast::WireOperation& op, bool compiled) {
  const void* key = op.operation ? static_cast<const void*>(op.operation) : op.attribute;
  const auto known = operations_[op.is_setter].find(key);
  if (known != operations_[op.is_setter].end()) return known->second;

  Term flags{{}, 0};
  const auto flag = [&flags](const char* name, Word value) {
    flags.text += (flags.text.empty() ? "" : " | ") + std::string(name);
    flags.value |= value;
  };
  if (op.operation && op.operation->oneway) flag("kOneway", marshal::kOneway);
  Terms rest;
  std::size_t parameters = 0;
  if (compiled) {
    flag("kCompiledOp", marshal::kCompiledOp);
  } else {
    rest.push_back(type(wire_result(op)));
    for (const WireParameter& p : wire_parameters(op)) rest.push_back(type(*p.type, p.mode));
    parameters = rest.size() - 1;
  }
  if (const auto& raised = ast::raises(op); !compiled && !raised.empty()) {
    flag("kRaises", marshal::kRaises);
    rest.push_back(number(raised.size()));
    for (const ast::Exception* e : raised) rest.push_back(word(Kind::Ref, number(exception(*e))));
  }
  if (op.operation && !compiled && !op.operation->contexts.empty()) {
    flag("kContexts", marshal::kContexts);
    rest.push_back(number(op.operation->contexts.size()));
    for (const std::string& pattern : op.operation->contexts) rest.push_back(number(name_offset(pattern)));
  }
  most_parameters_ = std::max(most_parameters_, parameters);
  longest_name_ = std::max(longest_name_, op.name.size());
  Terms terms{{cat("op_word(", flags.text.empty() ? "0" : flags.text, ", ", parameters, ")"),
               marshal::op_word(flags.value, static_cast<Word>(parameters))},
              number(name_offset(op.name)), number(op.name.size())};
  if (!compiled) {
    terms[2].text += cat(" | ", cells_, "u << 16");
    terms[2].value |= static_cast<Word>(cells_) << 16;
    ++cells_;
  }
  terms.insert(terms.end(), rest.begin(), rest.end());
  const std::size_t words = terms.size();
  const std::size_t at = operations_[op.is_setter][key] =
      add(words, std::move(terms), cat(ast::scoped_name(*op.owner), "::", op.name));
  if (!compiled) cell_operations_.push_back(at);
  return at;
}

std::vector<Word> Descriptors::words() const {
  std::vector<Word> all;
  all.reserve(size_);
  for (const Line& l : words_)
    for (const Term& w : l.terms) all.push_back(w.value);
  return all;
}

std::string Descriptors::overflow() const {
  if (size_ > 0xffffff) return "too many types for one file";
  if (links_.size() >= 0xffffff) return "too many interfaces and exceptions for one file";
  if (cells_ > 0xffff) return "more than 65535 operations in one file";
  if (most_parameters_ > 0xffff) return "an operation with more than 65535 parameters";
  if (longest_name_ > 0xffff) return "an operation name with more than 65535 characters";
  return {};
}

void Descriptors::print_side(Text& to, const std::set<std::size_t>& chosen, const std::string& side,
                             const std::string& unit, const std::string& cells) const {
  const std::vector<Word> all = words();
  const PlanTables tables{all, links_, cell_operations_, extended_, !links_.empty()};
  print_plans(to, tables, {chosen.begin(), chosen.end()}, side, unit, cells);
}

void Descriptors::print_unit(Text& to, const std::string& name, const std::string& cells) const {
  const auto or_null = [](bool there, const char* table) { return there ? table : "nullptr"; };
  to.line("const Unit ", name, " = {", or_null(!words_.empty(), "words"), ", ", or_null(!names_.empty(), "names"),
          ", ",
          or_null(!links_.empty(), "links"), ", ", cells, extended_ ? ", &kExtension};" : "};");
}

void Descriptors::print(Text& to) const {
  to.line("using namespace ::callis::marshal;");
  // Skeletons, which may be another file, have units of their own that share these.
  const bool shared = !skeletons_.empty();
  if (!shared) to.line("namespace {");
  for (const ast::Exception* e : exceptions_) {
    const std::string declaration = cat("const ::callis::orb::ExceptionLink ", exception_link_name(*e));
    if (shared) to.line("extern ", declaration, ";");
    to.line(declaration, " = {", quoted(e->repository_id), ", ::callis::classic::create_exception<", absolute(*e),
            ">};");
  }
  if (shared && !words_.empty()) to.line("extern const Word words[];");
  if (!words_.empty()) to.open("constexpr Word words[] = {");
  std::size_t at = 0;
  for (const Line& l : words_) {
    std::string text;
    for (const Term& w : l.terms) append_all(text, std::string_view(text.empty() ? "" : ", "), w.text);
    to.line(text, ",  // ", at, l.comment.empty() ? "" : " ", l.comment);
    at += l.words;
  }
  if (!words_.empty()) to.close("};");
  if (shared && !names_.empty()) to.line("extern const char names[];");
  if (!names_.empty()) to.line("constexpr char names[] =");
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::string q = quoted(names_[i]);
    if (i + 1 < names_.size()) q.insert(q.size() - 1, "\\000");
    to.line("    ", q, i + 1 == names_.size() ? ";" : "");
  }
  if (shared && !links_.empty()) to.line("extern const void* const links[];");
  if (!links_.empty()) {
    to.open("constexpr const void* links[] = {");
    for (const std::string& l : links_) to.line(l, ",");
    to.close("};");
  }
  if (!shared) to.line("}  // namespace");
  to.line("extern const Unit unit;");
  if (!stubs_.empty()) {
    to.line("namespace {");
    print_side(to, stubs_, "client", "unit", "cells");
    to.line("}  // namespace");
  }
  print_unit(to, "unit", stubs_.empty() ? "nullptr" : "cells");
}

void Descriptors::print_skeleton_unit(Text& to) const {
  if (skeletons_.empty()) return to.line("constexpr const ::callis::marshal::Unit& skeleton_unit = unit;");
  to.line("using namespace ::callis::marshal;");
  for (const ast::Exception* e : exceptions_)
    to.line("extern const ::callis::orb::ExceptionLink ", exception_link_name(*e), ";");
  // With its bound: Clang 18 takes `names + 6` for no constant otherwise.
  std::size_t characters = 0;
  for (const std::string& n : names_) characters += n.size() + 1;
  to.line("extern const Word words[];");
  to.line("extern const char names[", std::max<std::size_t>(characters, 1), "];");
  if (!links_.empty()) to.line("extern const void* const links[];");
  to.line("namespace {");
  to.line("extern const Unit skeleton_unit;");
  print_side(to, skeletons_, "server", "skeleton_unit", "skeleton_cells");
  print_unit(to, "skeleton_unit", "skeleton_cells");
  to.line("}  // namespace");
}

}  // namespace callis::idl::backends::classic
