// SPDX-License-Identifier: Apache-2.0
// Where the parts of a value are in memory.
#include <callis/dynamic/layout.h>
#include <callis/typecode/any.h>
#include <algorithm>

namespace callis::dynamic {

std::vector<Part> parts_of(const CORBA::TypeCode& type) {
  std::vector<Part> parts;
  std::size_t end = type.kind() == CORBA::tk_except ? sizeof(void*) : 0;
  const bool box = type.kind() == CORBA::tk_value_box;
  const CORBA::ULong n = box ? 1 : type.member_count();
  parts.reserve(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    CORBA::TypeCode_var member = box ? type.content_type() : type.member_type(i);
    const marshal::Plan& plan = plan_of(*member.in());
    const std::size_t at = align_up(end, marshal::native_alignment(plan));
    end = at + marshal::native_size(plan);
    parts.push_back({std::move(member), at});
  }
  return parts;
}

UnionParts::UnionParts(const CORBA::TypeCode& type)
    : discriminator(type.discriminator_type()), otherwise(type.default_index()) {
  discriminator_size = size_of(*discriminator.in());
  std::size_t alignment = 1;
  area_size = 0;
  const CORBA::ULong n = type.member_count();
  for (CORBA::ULong i = 0; i < n; ++i) {
    types.emplace_back(type.member_type(i));
    const marshal::Plan& plan = plan_of(*types.back().in());
    area_size = std::max(area_size, marshal::native_size(plan));
    alignment = std::max(alignment, marshal::native_alignment(plan));
    std::uint64_t label = 0;
    if (static_cast<CORBA::Long>(i) != otherwise) {
      const CORBA::Any_var any = type.member_label(i);
      label = discriminator_at(any->value());
    }
    labels.push_back(label);
    const bool same = i != 0 && *type.member_name(i) != 0 &&
                      std::strcmp(type.member_name(i), type.member_name(i - 1)) == 0;
    canonical.push_back(same ? canonical.back() : i);
  }
  area = align_up(discriminator_size, alignment);
}

std::uint64_t UnionParts::discriminator_at(const void* memory) const {
  std::uint8_t a;
  std::uint16_t b;
  std::uint32_t c;
  std::uint64_t d;
  switch (discriminator_size) {
    case 1: return std::memcpy(&a, memory, 1), a;
    case 2: return std::memcpy(&b, memory, 2), b;
    case 4: return std::memcpy(&c, memory, 4), c;
    default: return std::memcpy(&d, memory, 8), d;
  }
}

CORBA::ULong UnionParts::selected(const void* memory) const {
  const std::uint64_t value = discriminator_at(memory);
  for (CORBA::ULong i = 0; i < labels.size(); ++i)
    if (labels[i] == value && static_cast<CORBA::Long>(i) != otherwise) return canonical[i];
  return otherwise < 0 ? kNone : canonical[static_cast<CORBA::ULong>(otherwise)];
}

bool UnionParts::value_without_label(std::uint64_t& value) const {
  std::vector<std::uint64_t> used;
  for (CORBA::ULong i = 0; i < labels.size(); ++i)
    if (static_cast<CORBA::Long>(i) != otherwise) used.push_back(labels[i]);
  std::ranges::sort(used);
  value = 0;
  for (const std::uint64_t u : used)
    if (u == value) ++value;
  const CORBA::TypeCode& t = *typecode::type_behind(*discriminator.in());
  std::uint64_t last = discriminator_size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * discriminator_size) - 1;
  if (t.kind() == CORBA::tk_boolean) last = 1;
  else if (t.kind() == CORBA::tk_enum) last = t.member_count() - 1;
  else if (t.kind() == CORBA::tk_wchar) last = 0xffff;
  return used.size() <= last && value <= last;
}

}  // namespace callis::dynamic
