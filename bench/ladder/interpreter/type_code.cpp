// SPDX-License-Identifier: Apache-2.0
// traverse and what it needs, as figures 39 and 40 of the HICSS paper draw them. Functions that the paper's profiles
// list are kept from being inlined into each other.
#include "type_code.h"
#include <callis/marshal/memory.h>

namespace ladder {

using callis::marshal::SequenceHeader;

TCKind TypeCode::kind() const { return kind_; }

CDR TypeCode::parameters() const {
  const bool other_order = *first_ != static_cast<Byte>(callis::kNativeOrder);
  CDR stream(first_, end_, other_order);
  (void)stream.skip_bytes(1);  // make_type has seen it
  return stream;
}

bool TypeCode::read(CDR& stream) {
  std::uint32_t kind, length = 4;
  if (!stream.get_long(kind)) return false;
  kind_ = static_cast<TCKind>(kind);
  if (is_primitive(kind_)) return true;
  if (kind_ != tk_string && !stream.get_long(length)) return false;
  first_ = stream.next();
  end_ = first_ + length;
  return stream.skip_bytes(length);
}

TypeCode TypeCode::typecode_param(Environment& env) const {
  static const TypeCode of_type_codes(tk_TypeCode);
  TypeCode element;
  CDR stream = parameters();
  decoder(of_type_codes, &element, nullptr, &stream, env);
  return element;
}

std::uint32_t TypeCode::ulong_param(Environment& env) const {
  std::uint32_t n = 0;
  if (kind_ == tk_string) {
    CDR bound(first_, end_, false);
    env.exception |= !bound.get_long(n);
    return n;
  }
  CDR stream = parameters();
  TypeCode element;
  env.exception |= !element.read(stream) || !stream.get_long(n);
  return n;
}

TCKind TypeCode::element_kind() const {
  return static_cast<TCKind>(
      callis::load<std::uint32_t>(first_ + 4, *first_ != static_cast<Byte>(callis::kNativeOrder)));
}

std::size_t TypeCode::size(Environment& env) const {
  std::size_t size = 0, alignment;
  calculate_size_and_alignment(size, alignment, env);
  return size;
}

[[gnu::noinline]] std::uint32_t TypeCode::param_count(CDR& parameters, Environment& env) {
  std::uint32_t members = 0;
  env.exception |= !parameters.skip_string() || !parameters.skip_string() || !parameters.get_long(members);
  return members;
}

[[gnu::noinline]] bool TypeCode::calc_nested_size_and_alignment(CDR& stream, TypeCode& type, std::size_t& size,
                                                                std::size_t& alignment, Environment& env) {
  if (!type.read(stream)) return !(env.exception = true);
  size = alignment = primitive_size(type.kind_);
  return size != 0 || type.calculate_size_and_alignment(size, alignment, env);
}

bool TypeCode::calculate_size_and_alignment(std::size_t& size, std::size_t& alignment, Environment& env) const {
  TypeCode nested;
  switch (kind_) {
    case tk_string: size = alignment = sizeof(char*); return true;
    case tk_sequence: size = sizeof(SequenceHeader), alignment = alignof(SequenceHeader); return true;
    case tk_array: {
      CDR stream = parameters();
      std::uint32_t length = 0;
      if (!calc_nested_size_and_alignment(stream, nested, size, alignment, env)) return false;
      if (!stream.get_long(length)) return !(env.exception = true);
      size *= length;
      return true;
    }
    case tk_struct: {
      CDR stream = parameters();
      std::size_t part, part_alignment;
      size = 0, alignment = 1;
      for (std::uint32_t members = param_count(stream, env); members > 0; --members) {
        if (!stream.skip_string()) return !(env.exception = true);
        if (!calc_nested_size_and_alignment(stream, nested, part, part_alignment, env)) return false;
        size = ((size + part_alignment - 1) & ~(part_alignment - 1)) + part;
        if (alignment < part_alignment) alignment = part_alignment;
      }
      size = (size + alignment - 1) & ~(alignment - 1);
      return !env.exception;
    }
    default: size = alignment = primitive_size(kind_); return size != 0;
  }
}

[[gnu::noinline]] bool TypeCode::struct_traverse(CDR& parameters, void* value1, void* value2, Visit visit,
                                                 CDR* stream, Environment& env) {
  for (std::uint32_t members = param_count(parameters, env); members > 0; --members) {
    TypeCode type;
    std::size_t size, alignment;
    if (!parameters.skip_string()) return !(env.exception = true);
    if (!calc_nested_size_and_alignment(parameters, type, size, alignment, env)) return false;
    value1 = reinterpret_cast<void*>(ptr_align_binary(value1, alignment));
    value2 = reinterpret_cast<void*>(ptr_align_binary(value2, alignment));
    if (!visit(type, value1, value2, stream, env)) return false;
    value1 = static_cast<Byte*>(value1) + size;
    value2 = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(value2) + size);
  }
  return !env.exception;
}

bool TypeCode::traverse(void* value1, void* value2, Visit visit, CDR* stream, Environment& env) const {
  std::uint32_t bounds;
  switch (kind_) {
    default: return visit(*this, value1, value2, stream, env);
    case tk_struct: {
      CDR members = parameters();
      return struct_traverse(members, value1, value2, visit, stream, env);
    }
    case tk_sequence: {
      const auto* const header = static_cast<const SequenceHeader*>(value1);
      bounds = header->length;
      value1 = header->buffer;
      break;
    }
    case tk_array: bounds = ulong_param(env); break;
  }
  const TypeCode element = typecode_param(env);
  const std::size_t size = element.size(env);
  for (; bounds > 0; --bounds) {
    if (!visit(element, value1, value2, stream, env)) return false;
    value1 = static_cast<Byte*>(value1) + size;
    value2 = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(value2) + size);
  }
  return !env.exception;
}

// ---- the public interface ----

// Whether all of it can be read and is of known kinds, at every depth; nothing checks afterwards.
bool TypeCode::is_known() const {
  if (is_primitive(kind_) || kind_ == tk_string) return true;
  if ((kind_ != tk_struct && kind_ != tk_sequence && kind_ != tk_array) || first_ == end_) return false;
  Environment env;
  CDR stream = parameters();
  TypeCode nested;
  std::uint32_t n = 0;
  if (kind_ != tk_struct) return nested.read(stream) && nested.is_known() && stream.get_long(n);
  for (std::uint32_t members = param_count(stream, env); members > 0 && !env.exception; --members)
    if (!stream.skip_string() || !nested.read(stream) || !nested.is_known()) return false;
  return !env.exception;
}

TypeCode* make_type(callis::ByteView cdr) {
  CDR stream(cdr.data(), cdr.data() + cdr.size(), false);
  TypeCode type;
  return type.read(stream) && type.is_known() ? new TypeCode(type) : nullptr;
}
void drop_type(TypeCode* type) { delete type; }

}  // namespace ladder
