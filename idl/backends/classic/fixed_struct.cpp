// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/fixed_struct.h>

namespace callis::idl::backends::classic {

namespace {

using ast::TypeKind;

std::size_t enumerators(const ast::Type& t) { return ast::as<ast::Enum>(&t)->enumerators.size(); }

void print_put(Text& to, const Leaf& l, std::uint32_t offset) {
  const std::string at = cat("_to + ", offset), value = "_v" + l.access;
  if (l.array) {
    to.line("::callis::classic::store_array(", at, ", ::callis::classic::flat(", value, "), ", l.count, "u, _swap);");
  } else if (l.type->type_kind == TypeKind::LongDouble) {
    to.line("::callis::cdr::store_long_double(", at, ", ", value, ", _swap);");
  } else if (l.type->type_kind == TypeKind::Boolean) {
    to.line("_to[", offset, "] = ", value, ";");
  } else if (wire_size(*l.type) == 1) {
    to.line("_to[", offset, "] = static_cast<::callis::Byte>(", value, ");");
  } else {
    to.line("::callis::store(", at, ", ", value, ", _swap);");
  }
}

void print_get(Text& to, const Leaf& l, std::uint32_t offset) {
  const std::string at = cat("_from + ", offset), value = "_v" + l.access;
  if (l.array) {
    to.line("::callis::classic::load_array(", at, ", ::callis::classic::flat(", value, "), ", l.count, "u, _swap);");
  } else if (l.type->type_kind == TypeKind::LongDouble) {
    to.line(value, " = ::callis::cdr::load_long_double(", at, ", _swap);");
  } else if (l.type->type_kind == TypeKind::Boolean) {
    to.line(value, " = ::callis::classic::checked_boolean(_d, _from[", offset, "]);");
  } else if (l.type->type_kind == TypeKind::Enum) {
    to.line(value, " = ::callis::classic::checked_enum<", value_type(*l.type), ">(_d, ::callis::load<::std::uint32_t>(",
            at, ", _swap), ", enumerators(*l.type), "u);");
  } else {
    to.line(value, " = ::callis::load<", value_type(*l.type), ">(", at, ", _swap);");
  }
}

void print_padding(Text& to, std::uint32_t from, std::uint32_t end) {
  for (; from < end; ++from) to.line("_to[", from, "] = 0;");
}

void print_phase(Text& to, const std::vector<Leaf>& leaves, const Placement& p, bool encode) {
  if (encode) {
    to.line("if (!_e.ensure(", p.bytes, "u)) return;");
    to.line("::callis::Byte* const _to = _e.cursor();");
    to.line("[[maybe_unused]] const bool _swap = _e.swaps();");
  } else {
    to.line("if (_d.contiguous() < ", p.bytes, "u) break;");
    to.line("const ::callis::Byte* const _from = _d.cursor();");
    to.line("[[maybe_unused]] const bool _swap = _d.swaps();");
    // Before the values: a fault found in one of them ends the message.
    to.line("_d.advance(", p.bytes, "u);");
  }
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (encode) {
      print_padding(to, end, p.offsets[i]);
      print_put(to, leaves[i], p.offsets[i]);
    } else {
      print_get(to, leaves[i], p.offsets[i]);
    }
    end = p.offsets[i] + static_cast<std::uint32_t>(wire_size(*leaves[i].type) * leaves[i].count);
  }
  if (encode) to.line("_e.advance(", p.bytes, "u);");
  to.line("return;");
}

}  // namespace

void print_fixed_struct(Text& to, const std::vector<Leaf>& leaves, bool encode) {
  const std::uint32_t first = wire_alignment(*leaves.front().type), mask = largest_alignment(leaves) - 1;
  if (encode)
    for (const Leaf& l : leaves)
      if (l.type->type_kind == TypeKind::Enum)
        to.line("if (static_cast<::std::uint32_t>(_v", l.access, ") >= ", enumerators(*l.type),
                "u) return _e.set_fault(::callis::Fault::BadEnum);");
  if (first > 1) to.line("if (!", encode ? "_e" : "_d", ".align(", first, "u)) return;");
  to.open("switch (", encode ? "_e" : "_d", ".phase() & ", mask, "u) {");
  for (std::uint32_t phase : common_phases(leaves)) {
    to.open("case ", phase, ": {");
    print_phase(to, leaves, place(leaves, phase), encode);
    to.close("}");
  }
  to.line("default: break;");
  to.close("}");
}

}  // namespace callis::idl::backends::classic
