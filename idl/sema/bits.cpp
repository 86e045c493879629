// SPDX-License-Identifier: Apache-2.0
// Bitsets and bitmasks (IDL 4.2, 7.4.13.4.3), and the integers that hold them.
#include <idl/sema/analyzer.h>
#include <idl/source/limits.h>
#include <map>

namespace callis::idl::sema {

namespace {

constexpr std::uint32_t kMaxBits = 64;

// 0 where a bit field cannot have the type.
std::uint32_t bits_of(ast::TypeKind kind) {
  switch (kind) {
    case ast::TypeKind::Boolean: return 1;
    case ast::TypeKind::Octet:
    case ast::TypeKind::Int8:
    case ast::TypeKind::UInt8: return 8;
    case ast::TypeKind::Short:
    case ast::TypeKind::UShort: return 16;
    case ast::TypeKind::Long:
    case ast::TypeKind::ULong: return 32;
    case ast::TypeKind::LongLong:
    case ast::TypeKind::ULongLong: return 64;
    default: return 0;
  }
}

std::uint32_t bits_in(const ast::Bitset& set) {
  std::uint32_t out = 0;
  for (const ast::Bitset* s = &set; s != nullptr; s = s->base) {
    for (const ast::Bitset::Field& field : s->fields) {
      out += field.bits;
    }
  }
  return out;
}

// The smallest that has the bits. CORBA says nothing; so they travel in the CDR of DDS (DDS-XTypes 1.3, 7.4.3).
const ast::Type& holder_of(std::uint32_t bits) {
  if (bits <= 8) {
    return ast::basic(ast::TypeKind::Octet);
  }
  if (bits <= 16) {
    return ast::basic(ast::TypeKind::UShort);
  }
  return ast::basic(bits <= 32 ? ast::TypeKind::ULong : ast::TypeKind::ULongLong);
}

}  // namespace

void Analyzer::hold(ast::Bitset& node) {
  auto& held = unit_.make<ast::Struct>();
  auto& bits = unit_.make<ast::Member>();
  held.origin = ast::Struct::Origin::Bitset;
  held.name = node.name;
  held.repository_id = node.repository_id;
  held.where = node.where;
  held.parent = node.parent;
  held.from_main_file = node.from_main_file;
  bits.name = "_callis_bits";
  bits.parent = &held;
  bits.type = &holder_of(bits_in(node));
  held.members.push_back(&bits);
  complete(held, node.where);
  node.holder = &held;
}

void Analyzer::bitset(const parse::BitsetItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Bitset>(item.name);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  Scope& scope = open_scope(ScopeKind::Struct, &node);
  if (item.base) {
    if (const ast::Declaration* d = resolve(*item.base, Wanted::Type)) {
      node.base = ast::as<ast::Bitset>(d);
      if (node.base == nullptr) {
        wrong_kind(*item.base, *d, "a bitset");
      } else if (node.base->depth >= kMaxTypeDepth) {
        diagnostics_.error(item.base->where, "bitsets are derived from each other more than " +
                                                   std::to_string(kMaxTypeDepth) + " deep");
        node.base = nullptr;
      } else {
        node.depth = node.base->depth + 1;
      }
    }
  }
  std::uint32_t bits = node.base != nullptr ? bits_in(*node.base) : 0;
  enter(scope, &node);
  for (const parse::BitsetItem::Field& field : item.fields) {
    bitset_field(field, node, bits);
  }
  leave();
  annotate(node, item.annotations);
  hold(node);
  contents.push_back(&node);
}

void Analyzer::bitset_field(const parse::BitsetItem::Field& field, ast::Bitset& node, std::uint32_t& bits) {
  const auto size = evaluator_.between(*field.bits, "the size of a bit field", 1, kMaxBits);
  const ast::Type* t = field.type ? type(*field.type, TypeUse::Constant, nullptr) : nullptr;
  if (!size || (field.type && t == nullptr)) {
    return;
  }
  if (t != nullptr) {
    const std::uint32_t room = bits_of(ast::strip_typedefs(*t).type_kind);
    if (room < *size) {
      diagnostics_.error(field.type->where,
                         room == 0 ? "a bit field is a boolean, an octet or an integer"
                                   : "this type has room for " + std::to_string(room) + " of " +
                                         std::to_string(*size) + " bits");
      return;
    }
  }
  const std::size_t count = field.names.empty() ? 1 : field.names.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!field.names.empty()) {
      auto& member = make<ast::Member>(field.names[i]);  // for the scope only
      declare(*scope_, field.names[i], &member);
    }
    node.fields.push_back({field.names.empty() ? std::string() : field.names[i].text, *size, t});
    bits += *size;
    if (bits > kMaxBits && bits - *size <= kMaxBits) {
      diagnostics_.error(field.where, "bitset '" + node.name + "' has more than 64 bits");
    }
  }
}

void Analyzer::bitmask(const parse::BitmaskItem& item, ast::Declarations& contents) {
  auto& node = make<ast::Bitmask>(item.name);
  declare(*scope_, item.name, &node);
  ids_.assign(node);
  annotate(node, item.annotations);
  node.holder = &holder_of(node.bits);
  enter(open_scope(ScopeKind::Struct, &node), &node);
  std::map<std::uint32_t, source::Range> taken;
  std::uint32_t position = 0;
  for (const auto& [annotations, name] : item.flags) {
    auto& flag = make<ast::Member>(name);  // for the scope, and for its annotations
    flag.type = &ast::basic(ast::TypeKind::Boolean);
    declare(*scope_, name, &flag);
    position_.reset();
    annotate(flag, annotations);
    position = position_.value_or(position);
    const auto [other, fresh] = taken.emplace(position, name.where);
    if (position >= node.bits) {
      diagnostics_.error(name.where, "'" + name.text + "' is bit " + std::to_string(position) + " of a bitmask of " +
                                         std::to_string(node.bits) + " bits");
    } else if (!fresh) {
      diagnostics_.error(name.where, "'" + name.text + "' has the position of another flag, " +
                                         std::to_string(position));
      diagnostics_.note(other->second, "the other is here");
    } else {
      node.flags.push_back({name.text, position});
    }
    ++position;
  }
  leave();
  contents.push_back(&node);
}

}  // namespace callis::idl::sema
