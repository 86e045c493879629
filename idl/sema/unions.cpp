// SPDX-License-Identifier: Apache-2.0
// Unions (IDL 4.2, 7.4.1.4.4.4.2 and 7.4.13.4.2).
#include <idl/sema/analyzer.h>
#include <limits>
#include <map>

namespace callis::idl::sema {

namespace {

// The values a discriminator can have, as keys that count from 0: negative ones come last.
struct Domain {
  std::uint64_t most = 0;  // the greatest that is not negative
  std::uint64_t least_negative = 0;  // as a key; 0: there is none
};

std::optional<Domain> domain(const ast::Type& discriminator) {
  const ast::Type& type = ast::strip_typedefs(discriminator);
  const auto signed_bits = [](int bits) {
    const std::uint64_t half = std::uint64_t{1} << (bits - 1);
    return Domain{half - 1, ~std::uint64_t{0} - half + 1};
  };
  switch (type.type_kind) {
    case ast::TypeKind::Boolean: return Domain{1, 0};
    case ast::TypeKind::Octet:
    case ast::TypeKind::UInt8:
    case ast::TypeKind::Char: return Domain{0xFF, 0};
    case ast::TypeKind::WChar: return Domain{0xFFFF, 0};
    case ast::TypeKind::UShort: return Domain{0xFFFF, 0};
    case ast::TypeKind::ULong: return Domain{0xFFFF'FFFF, 0};
    case ast::TypeKind::ULongLong: return Domain{~std::uint64_t{0}, 0};
    case ast::TypeKind::Int8: return signed_bits(8);
    case ast::TypeKind::Short: return signed_bits(16);
    case ast::TypeKind::Long: return signed_bits(32);
    case ast::TypeKind::LongLong: return signed_bits(64);
    case ast::TypeKind::Enum: {
      const std::size_t count = ast::as<ast::Enum>(&type)->enumerators.size();
      return Domain{count == 0 ? 0 : count - 1, 0};
    }
    default: return std::nullopt;
  }
}

struct KeyOf {
  std::uint64_t operator()(std::int64_t v) const { return static_cast<std::uint64_t>(v); }
  std::uint64_t operator()(std::uint64_t v) const { return v; }
  std::uint64_t operator()(bool v) const { return v ? 1 : 0; }
  std::uint64_t operator()(char v) const { return static_cast<unsigned char>(v); }
  std::uint64_t operator()(char32_t v) const { return v; }
  std::uint64_t operator()(const ast::Enumerator* v) const { return v->ordinal; }
  template <class T>
  std::uint64_t operator()(const T&) const {
    return 0;  // no discriminator has such a type
  }
};

ast::Value to_value(std::uint64_t key, const ast::Type& discriminator) {
  const ast::Type& type = ast::strip_aliases(discriminator);
  switch (type.type_kind) {
    case ast::TypeKind::Boolean: return key != 0;
    case ast::TypeKind::Char: return static_cast<char>(static_cast<unsigned char>(key));
    case ast::TypeKind::WChar: return static_cast<char32_t>(key);
    case ast::TypeKind::Enum: return ast::as<ast::Enum>(&type)->enumerators[key];
    case ast::TypeKind::Int8:
    case ast::TypeKind::Short:
    case ast::TypeKind::Long:
    case ast::TypeKind::LongLong: return static_cast<std::int64_t>(key);
    default: return key;
  }
}

}  // namespace

struct Analyzer::Labels {
  std::map<std::uint64_t, source::Range> seen;
  std::optional<source::Range> default_label;
  bool damaged = false;  // some could not be read
};

void Analyzer::union_type(const parse::UnionItem& item, ast::Declarations& contents) {
  auto& node = defining<ast::Union>(item.name, ScopeKind::Struct);
  Labels labels;
  enter(scope_of(node), &node);
  node.discriminator = discriminator(item, node);
  for (const parse::CaseSpec& spec : item.cases) {
    items(spec.before, node.nested);
    union_case(spec, node, labels);
  }
  items(item.after, node.nested);
  leave();
  if (item.cases.empty() && !item.damaged) {
    diagnostics_.error(item.name.where, "union '" + item.name.text + "' has no members");
  }
  if (node.discriminator != nullptr && !labels.damaged && !item.damaged) {
    find_free_label(node, labels);
  }
  complete(node, item.name.where);
  annotate(node, item.annotations);
  contents.push_back(&node);
}

// The scope of a union begins after the parenthesis (7.5.2): an enum defined there belongs to it.
const ast::Type* Analyzer::discriminator(const parse::UnionItem& item, ast::Union& node) {
  const ast::Type* type = this->type(item.discriminator, TypeUse::Constant, &node.nested);
  if (type == nullptr) {
    return nullptr;
  }
  if (domain(*type)) {
    return type;
  }
  const ast::Declaration* named = ast::declaration(*type);
  diagnostics_.error(item.discriminator.where, "a union cannot be switched by '" +
                                                   (named != nullptr ? named->name : ast::idl_name(*type)) +
                                                   "': only by integers, characters, booleans, octets and enums");
  return nullptr;
}

void Analyzer::union_case(const parse::CaseSpec& spec, ast::Union& node, Labels& labels) {
  auto& member = make<ast::UnionMember>(spec.declarator.name);
  case_labels(spec, node, member, labels);
  const ast::Type* base = type(spec.type, TypeUse::Member, &node.nested);
  member.type = declarator_type(base, spec.type, spec.declarator, false);
  if (member.type == nullptr) {
    declare_wrong(spec.declarator.name);
    return;
  }
  annotate(member, spec.annotations);
  if (declare(*scope_, spec.declarator.name, &member)) {
    node.members.push_back(&member);
  }
}

void Analyzer::case_labels(const parse::CaseSpec& spec, const ast::Union& node, ast::UnionMember& member,
                           Labels& labels) {
  for (const parse::CaseSpec::Label& label : spec.labels) {
    if (label.value == nullptr) {
      member.is_default = true;
      if (labels.default_label) {
        diagnostics_.error(label.where, "a union has one 'default' at most");
        diagnostics_.note(*labels.default_label, "the other is here");
      } else {
        labels.default_label = label.where;
      }
      continue;
    }
    const auto value = node.discriminator != nullptr ? value_of(*label.value, *node.discriminator) : std::nullopt;
    if (!value) {
      labels.damaged = true;
      continue;
    }
    const auto [other, fresh] = labels.seen.emplace(std::visit(KeyOf{}, *value), label.where);
    if (fresh) {
      member.labels.push_back(*value);
    } else {
      diagnostics_.error(label.where, "two cases have the same label");
      diagnostics_.note(other->second, "the other is here");
    }
  }
}

void Analyzer::find_free_label(ast::Union& node, const Labels& labels) {
  const Domain range = *domain(*node.discriminator);
  std::uint64_t free = 0;
  bool left = true;
  for (const auto& [key, where] : labels.seen) {
    if (key != free) {
      break;
    }
    if (free == ~std::uint64_t{0} || (free == range.most && range.least_negative == 0)) {
      left = false;
      break;
    }
    free = free == range.most ? range.least_negative : free + 1;
  }
  if (left) {
    node.free_label = to_value(free, *node.discriminator);
  } else if (labels.default_label) {
    diagnostics_.error(*labels.default_label,
                       "this 'default' can never be selected: the other labels leave no value over");
  }
}

}  // namespace callis::idl::sema
