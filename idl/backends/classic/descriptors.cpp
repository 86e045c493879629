// SPDX-License-Identifier: Apache-2.0
// The words, names and links of a unit.
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/descriptors.h>
#include <idl/backends/classic/interfaces.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/unions.h>
#include <idl/backends/classic/values.h>
#include <algorithm>

namespace callis::idl::backends::classic {

namespace {

using Mode = ast::Parameter::Mode;
constexpr std::uint32_t kBigBound = 0xffffff;

std::string word(std::string_view kind, const std::string& payload, Mode mode) {
  std::string s = cat("type_word(Kind::", kind);
  if (!payload.empty() || mode != Mode::In) s += ", " + (payload.empty() ? "0" : payload);
  if (mode == Mode::Out) s += ", Direction::Out";
  if (mode == Mode::InOut) s += ", Direction::InOut";
  return s + ")";
}

std::uint64_t element_count(const ast::ArrayType& a) {
  std::uint64_t n = 1;
  for (std::uint32_t d : a.dimensions) n *= d;
  return n;
}

}  // namespace

std::size_t Descriptors::add(std::size_t words, std::string text, std::string comment) {
  const std::size_t at = size_;
  words_.push_back({words, std::move(text), std::move(comment)});
  size_ += words;
  return at;
}

std::size_t Descriptors::shared(const std::vector<std::string>& entry, const std::string& comment) {
  std::string text;
  for (const std::string& w : entry) text += (text.empty() ? "" : ", ") + w;
  const auto known = shared_.find(text);
  if (known != shared_.end()) return known->second;
  return shared_[text] = add(entry.size(), text, comment);
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

std::string Descriptors::text_of(const ast::Struct& s) {
  std::string text = word("Struct", std::to_string(s.members.size()), Mode::In);
  for (const ast::Member* m : s.members) text += ", " + type(*m->type);
  return text;
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

std::string Descriptors::text_of(const ast::Union& u) {
  struct Label {
    std::uint64_t bits;
    std::size_t member;
  };
  std::vector<Label> labels;
  std::string default_member = "kNoDefault";
  for (std::size_t i = 0; i < u.members.size(); ++i) {
    for (const ast::Value& v : u.members[i]->labels) labels.push_back({label_bits(v), i});
    if (u.members[i]->is_default) default_member = std::to_string(i);
  }
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.bits < b.bits; });
  std::string text = cat(word("Union", std::to_string(u.members.size()), Mode::In), ", ", type(*u.discriminator),
                         ", ", default_member, ", ", labels.size());
  for (const ast::UnionMember* m : u.members) text += ", " + type(*m->type);
  for (const Label& l : labels) text += cat(", ", l.bits & 0xffffffff, "u, ", l.bits >> 32, "u, ", l.member);
  return text;
}

void Descriptors::fill(std::size_t line, const ast::Type& t) {
  entries_.run({line, &t}, [this](const std::pair<std::size_t, const ast::Type*>& entry) {
    const auto* s = ast::as<ast::Struct>(entry.second);
    std::string text = s ? text_of(*s) : text_of(*ast::as<ast::Union>(entry.second));
    words_[entry.first].text = std::move(text);
  });
}

std::string Descriptors::state(const ast::ValueType& v) {
  std::string text;
  std::size_t members = 0;
  for (const ast::Declaration* d : v.contents) {
    const auto* m = ast::as<ast::StateMember>(d);
    if (!m) continue;
    text += ", " + type(*m->type);
    ++members;
  }
  const std::size_t at =
      add(1 + members, word("Struct", std::to_string(members), Mode::In) + text, "state of " + ast::scoped_name(v));
  return word("Ref", std::to_string(at), Mode::In);
}

std::size_t Descriptors::exception(const ast::Exception& e) {
  const auto known = exception_entries_.find(&e);
  if (known != exception_entries_.end()) return known->second;
  exceptions_.push_back(&e);
  std::string text = cat(word("Exception", std::to_string(e.members.size()), Mode::In), ", ",
                         link("&" + exception_link_name(e)));
  for (const ast::Member* m : e.members) text += ", " + type(*m->type);
  return exception_entries_[&e] = add(2 + e.members.size(), std::move(text), ast::scoped_name(e));
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

std::string Descriptors::type(const ast::Type& alias, Mode mode) {
  const ast::Type& t = ast::strip_aliases(alias);
  extended_ = extended_ || wants_extension(t);
  const auto ref = [mode](std::size_t entry) { return word("Ref", std::to_string(entry), mode); };
  switch (t.type_kind) {
    case ast::TypeKind::Void: return word("Void", {}, mode);
    case ast::TypeKind::Object: return word("ObjRef", "kNoLink", mode);
    case ast::TypeKind::ValueBase: return word("Value", "kNoLink", mode);
    case ast::TypeKind::AbstractBase: return word("Abstract", "kNoLink", mode);
    case ast::TypeKind::Value:
    case ast::TypeKind::ValueBox:
      return word("Value", std::to_string(link("&" + value_link(*ast::declaration(t)))), mode);
    case ast::TypeKind::Interface:
      return word(ast::as<ast::Interface>(&t)->flavor == ast::Interface::Flavor::Abstract ? "Abstract" : "ObjRef",
                  std::to_string(link("&" + interface_link(*ast::as<ast::Interface>(&t)))), mode);
    case ast::TypeKind::Enum:
      return word("Enum", std::to_string(ast::as<ast::Enum>(&t)->enumerators.size()), mode);
    case ast::TypeKind::String:
    case ast::TypeKind::WString: {
      const std::uint32_t bound = ast::as<ast::StringType>(&t)->bound;
      const std::string kind = string_name(shape(t));
      if (bound >= kBigBound)
        return ref(shared({word(kind, "kBigBound", Mode::In), cat(bound, "u")}, "bounded string"));
      return word(kind, bound ? std::to_string(bound) : "", mode);
    }
    case ast::TypeKind::Any:
    case ast::TypeKind::TypeCode:
      // No plan looks at this link: it brings the library that knows both.
      link("&::callis::typecode::anchor");
      return word(primitive_name(t.type_kind), {}, mode);
    case ast::TypeKind::Int8:
    case ast::TypeKind::UInt8: return word("Octet", {}, mode);
    case ast::TypeKind::Fixed: {
      const auto& f = *ast::as<ast::FixedType>(&t);
      return word("Fixed", cat(f.digits, " | ", f.scale, " << 8"), mode);
    }
    case ast::TypeKind::Union: return ref(union_entry(*ast::as<ast::Union>(&t)));
    case ast::TypeKind::Struct: return ref(structure(*ast::as<ast::Struct>(&t)));
    case ast::TypeKind::Sequence: {
      const auto& s = *ast::as<ast::SequenceType>(&t);
      const std::string element = type(*s.element);
      return ref(shared({word("Sequence", {}, Mode::In), cat(s.bound, "u"), element}, {}));
    }
    case ast::TypeKind::Array: {
      const auto& a = *ast::as<ast::ArrayType>(&t);
      const std::string element = type(*a.element);
      return ref(shared({word("Array", {}, Mode::In), cat(element_count(a), "u"), element}, {}));
    }
    default: return word(primitive_name(t.type_kind), {}, mode);
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

  std::string flags = op.operation && op.operation->oneway ? "kOneway" : "";
  const auto flag = [&flags](const char* f) { flags += (flags.empty() ? "" : " | ") + std::string(f); };
  std::vector<std::string> rest;
  std::size_t parameters = 0;
  if (compiled) {
    flag("kCompiledOp");
  } else {
    rest.push_back(type(wire_result(op)));
    for (const WireParameter& p : wire_parameters(op)) rest.push_back(type(*p.type, p.mode));
    parameters = rest.size() - 1;
  }
  if (const auto& raised = ast::raises(op); !compiled && !raised.empty()) {
    flag("kRaises");
    rest.push_back(std::to_string(raised.size()));
    for (const ast::Exception* e : raised) rest.push_back(word("Ref", std::to_string(exception(*e)), Mode::In));
  }
  if (op.operation && !compiled && !op.operation->contexts.empty()) {
    flag("kContexts");
    rest.push_back(std::to_string(op.operation->contexts.size()));
    for (const std::string& pattern : op.operation->contexts) rest.push_back(std::to_string(name_offset(pattern)));
  }
  most_parameters_ = std::max(most_parameters_, parameters);
  longest_name_ = std::max(longest_name_, op.name.size());
  std::string text = cat("op_word(", flags.empty() ? "0" : flags, ", ", parameters, "), ", name_offset(op.name), ", ",
                         op.name.size(), compiled ? std::string() : cat(" | ", cells_, "u << 16"));
  if (!compiled) ++cells_;
  for (const std::string& w : rest) text += ", " + w;
  return operations_[op.is_setter][key] =
             add(3 + rest.size(), std::move(text), cat(ast::scoped_name(*op.owner), "::", op.name));
}

std::string Descriptors::overflow() const {
  if (size_ > 0xffffff) return "too many types for one file";
  if (links_.size() >= 0xffffff) return "too many interfaces and exceptions for one file";
  if (cells_ > 0xffff) return "more than 65535 operations in one file";
  if (most_parameters_ > 0xffff) return "an operation with more than 65535 parameters";
  if (longest_name_ > 0xffff) return "an operation name with more than 65535 characters";
  return {};
}

void Descriptors::print(Text& to) const {
  to.line("using namespace ::callis::marshal;");
  to.line("namespace {");
  for (const ast::Exception* e : exceptions_)
    to.line("const ::callis::orb::ExceptionLink ", exception_link_name(*e), " = {", quoted(e->repository_id),
            ", ::callis::classic::create_exception<", absolute(*e), ">};");
  if (!words_.empty()) to.open("constexpr Word words[] = {");
  std::size_t at = 0;
  for (const Line& l : words_) {
    to.line(l.text, ",  // ", at, l.comment.empty() ? "" : " ", l.comment);
    at += l.words;
  }
  if (!words_.empty()) to.close("};");
  if (!names_.empty()) to.line("constexpr char names[] =");
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::string q = quoted(names_[i]);
    if (i + 1 < names_.size()) q.insert(q.size() - 1, "\\000");
    to.line("    ", q, i + 1 == names_.size() ? ";" : "");
  }
  if (!links_.empty()) {
    to.open("constexpr const void* links[] = {");
    for (const std::string& l : links_) to.line(l, ",");
    to.close("};");
  }
  if (cells_) to.line("PlanCell cells[", cells_, "];");
  to.line("}  // namespace");
  to.line("extern const Unit unit;");
  const auto or_null = [](bool there, const char* name) { return there ? name : "nullptr"; };
  to.line("const Unit unit = {", or_null(!words_.empty(), "words"), ", ", or_null(!names_.empty(), "names"), ", ",
          or_null(!links_.empty(), "links"), ", ", or_null(cells_ != 0, "cells"),
          extended_ ? ", &kExtension};" : "};");
}

}  // namespace callis::idl::backends::classic
