// SPDX-License-Identifier: Apache-2.0
// Code that writes and reads structs of fixed length by offsets.
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/fixed_struct.h>
#include <algorithm>

namespace callis::idl::backends::classic {

namespace {

using ast::TypeKind;

void print_put(Text& to, const Leaf& l, std::uint32_t offset) {
  const std::string at = cat("_to + ", offset), &value = l.value;
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
  const std::string at = cat("_from + ", offset), &value = l.value;
  if (l.array) {
    to.line("::callis::classic::load_array(", at, ", ::callis::classic::flat(", value, "), ", l.count, "u, _swap);");
  } else if (l.type->type_kind == TypeKind::LongDouble) {
    to.line(value, " = ::callis::cdr::load_long_double(", at, ", _swap);");
  } else if (l.type->type_kind == TypeKind::Boolean) {
    to.line(value, " = ::callis::classic::checked_boolean(_d, _from[", offset, "]);");
  } else if (l.type->type_kind == TypeKind::Enum) {
    to.line(value, " = ::callis::classic::checked_enum<", value_type(*l.type),
            ">(_d, ::callis::load<::std::uint32_t>(", at, ", _swap), ", enumerators(*l.type), "u);");
  } else {
    to.line(value, " = ::callis::load<", value_type(*l.type), ">(", at, ", _swap);");
  }
}

// Zeros for the padding [from, end): one wide store where it fits into the value, before the members that it
// also covers are stored.
void print_padding(Text& to, std::uint32_t from, std::uint32_t end, std::uint32_t bytes) {
  for (std::uint32_t width : {1u, 2u, 4u, 8u}) {
    const std::uint32_t start = from / width * width;
    if (start + width < end || start + width > bytes) continue;
    to.line("::callis::store(_to + ", start, ", ::std::uint", width * 8, "_t{0});");
    return;
  }
  for (; from < end; ++from) to.line("_to[", from, "] = 0;");
}

std::vector<std::uint32_t> phases_of(const std::vector<Leaf>& leaves) {
  const std::uint32_t steady = steady_phase(leaves);
  return steady == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{0, steady};
}

std::string layout_name(const std::string& suffix, std::uint32_t phase) { return cat("layout_", suffix, "_", phase); }

bool may_fault(const Leaf& l) {
  return l.type->type_kind == TypeKind::Boolean || l.type->type_kind == TypeKind::Enum;
}

void print_layout(Text& to, const std::vector<Leaf>& leaves, const std::string& type, const std::string& suffix,
                  std::uint32_t phase) {
  const Placement p = place(leaves, phase);
  to.open("struct ", layout_name(suffix, phase), " {");
  to.line("[[maybe_unused]] static constexpr unsigned kPhase = ", phase, ", kMask = ", largest_alignment(leaves) - 1,
          ", kFirst = ", wire_alignment(*leaves.front().type), ", kBytes = ", p.bytes,
          phase == steady_phase(leaves) ? cat(", kStride = ", steady_stride(leaves)) : "", ";");
  std::string valid;
  for (const Leaf& l : leaves)
    if (l.type->type_kind == TypeKind::Enum)
      valid += cat(valid.empty() ? "" : " && ", "static_cast<::std::uint32_t>(", l.value, ") < ",
                   enumerators(*l.type), "u");
  to.line("static bool valid(const ", type, "&", valid.empty() ? "" : " _v", ") { return ",
          valid.empty() ? "true" : valid, "; }");

  to.open("[[gnu::always_inline]] static void store(::callis::Byte* _to, const ", type,
          "& _v, [[maybe_unused]] bool _swap) {");
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (end < p.offsets[i]) print_padding(to, end, p.offsets[i], p.bytes);
    end = p.offsets[i] + static_cast<std::uint32_t>(wire_size(*leaves[i].type) * leaves[i].count);
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) print_put(to, leaves[i], p.offsets[i]);
  to.close("}");
  const bool faults = std::any_of(leaves.begin(), leaves.end(), may_fault);
  to.open("[[gnu::always_inline]] static void load(::callis::cdr::Decoder&", faults ? " _d" : "",
          ", const ::callis::Byte* _from, ", type, "& _v, [[maybe_unused]] bool _swap) {");
  for (std::size_t i = 0; i < leaves.size(); ++i) print_get(to, leaves[i], p.offsets[i]);
  to.close("}");
  to.close("};");
}

}  // namespace

void print_start_layout(Text& to, const std::vector<Leaf>& leaves, const std::string& type,
                        const std::string& suffix) {
  print_layout(to, leaves, type, suffix, 0);
}

std::string start_layout(const std::string& suffix) { return layout_name(suffix, 0); }

void print_layouts(Text& to, const std::vector<Leaf>& leaves, const std::string& type, const std::string& suffix) {
  for (std::uint32_t phase : phases_of(leaves)) print_layout(to, leaves, type, suffix, phase);
}

void print_fixed_struct(Text& to, const std::vector<Leaf>& leaves, const std::string& suffix, bool encode) {
  for (std::uint32_t phase : phases_of(leaves))
    to.line("if (::callis::classic::", encode ? "put" : "get", "_at<", layout_name(suffix, phase), ">(",
            encode ? "_e" : "_d", ", _v)) return;");
}

std::string steady_layout(const std::vector<Leaf>& leaves, const std::string& suffix) {
  return layout_name(suffix, steady_phase(leaves));
}

}  // namespace callis::idl::backends::classic
