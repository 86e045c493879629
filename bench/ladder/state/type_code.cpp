// SPDX-License-Identifier: Apache-2.0
// TypeCodes of the later rungs: their parameters are read once, and kept.
#include "type_code.h"
#include <callis/marshal/memory.h>

namespace ladder {

using callis::marshal::SequenceHeader;

TypeCode::~TypeCode() {
  for (const TypeCode* part : parts_) delete part;
}

const TypeCode* TypeCode::typecode_param() const { return parts_[0]; }

std::unique_ptr<TypeCode> TypeCode::read(CDR& stream) {
  auto type = std::make_unique<TypeCode>();
  std::uint32_t kind, length;
  if (!stream.get_long(kind)) return nullptr;
  type->kind_ = static_cast<TCKind>(kind);
  type->size_ = type->alignment_ = primitive_size(type->kind_);
  if (is_primitive(type->kind_)) return type;
  if (kind == tk_string) {
    type->size_ = type->alignment_ = sizeof(char*);
    return stream.get_long(type->number_) ? std::move(type) : nullptr;
  }
  if (!stream.get_long(length)) return nullptr;
  const Byte* const first = stream.next();
  if (length == 0 || !stream.skip_bytes(length)) return nullptr;
  CDR parameters(first, first + length, *first != static_cast<Byte>(callis::kNativeOrder));
  return parameters.skip_bytes(1) && type->read_parameters(parameters) ? std::move(type) : nullptr;
}

bool TypeCode::read_parameters(CDR& parameters) {
  if (kind_ == tk_struct) return read_members(parameters);
  if (kind_ != tk_sequence && kind_ != tk_array) return false;
  auto element = read(parameters);
  if (!element || !parameters.get_long(number_)) return false;
  size_ = kind_ == tk_array ? element->size_ * number_ : sizeof(SequenceHeader);
  alignment_ = kind_ == tk_array ? element->alignment_ : alignof(SequenceHeader);
  parts_.push_back(element.release());
  return true;
}

bool TypeCode::read_members(CDR& parameters) {
  std::uint32_t members;
  if (!parameters.skip_string() || !parameters.skip_string() || !parameters.get_long(members)) return false;
  size_ = 0, alignment_ = 1;
  for (; members > 0; --members) {
    std::unique_ptr<TypeCode> member;
    if (!parameters.skip_string() || !(member = read(parameters))) return false;
    size_ = ptr_align_binary(reinterpret_cast<const void*>(size_), member->alignment_) + member->size_;
    if (alignment_ < member->alignment_) alignment_ = member->alignment_;
    parts_.push_back(member.release());
  }
  size_ = ptr_align_binary(reinterpret_cast<const void*>(size_), alignment_);
  return true;
}

bool decode_header(const TypeCode& type, void* value, CDR* stream) {
  std::uint32_t length;  // from the peer; each element takes at least a byte
  if (!stream->get_long(length) || length > stream->remaining()) return false;
  if (type.bound() != 0 && length > type.bound()) return false;
  if (length == 0) return true;
  const TypeCode& element = *type.typecode_param();
  void* const buffer = callis::marshal::buffer_allocate(length, element.size());
  if (!buffer) return false;
  if (!is_primitive(element.kind())) std::memset(buffer, 0, element.size() * length);
  *static_cast<SequenceHeader*>(value) = {length, length, buffer, true};
  return true;
}

bool encode_header(const TypeCode& type, const void* value, CDR* stream) {
  const std::uint32_t length = static_cast<const SequenceHeader*>(value)->length;
  return (type.bound() == 0 || length <= type.bound()) && stream->put_long(length);
}

TypeCode* make_type(callis::ByteView cdr) {
  CDR stream(cdr.data(), cdr.data() + cdr.size(), false);
  return TypeCode::read(stream).release();
}
void drop_type(TypeCode* type) { delete type; }

// ---- the public interface: the generic method, or the specialised ones ----

bool encode(const TypeCode& type, const void* value, callis::Buffer& message) {
  CDR stream(message);
#ifdef LADDER_SENDER
  const bool done = encode_value(type, value, &stream);
#else
  const bool done = type.traverse(const_cast<void*>(value), Task::Encode, &stream);
#endif
  stream.finish();
  return done;
}

bool decode(const TypeCode& type, void* value, callis::ByteView message, std::size_t from, callis::ByteOrder order) {
  CDR stream(message.data(), message.data() + message.size(), order != callis::kNativeOrder);
  if (!stream.skip_bytes(from)) return false;
#ifdef LADDER_RECEIVER
  return decode_value(type, value, &stream);
#else
  return type.traverse(value, Task::Decode, &stream);
#endif
}

void free(const TypeCode& type, void* value) {
#ifdef LADDER_RECEIVER
  free_value(type, value);
#else
  type.traverse(value, Task::Free, nullptr);
#endif
}

}  // namespace ladder
