// SPDX-License-Identifier: Apache-2.0
// The generic method after step 2: encoder, decoder, deep_free and struct_traverse are all part of it. It calls
// itself only for what has parts again; primitives, structs in sequences and members are handled where they are met.
#include <callis/marshal/memory.h>
#include <cstring>
#include "type_code.h"

namespace ladder {

using callis::marshal::SequenceHeader;

namespace {

// One value without parts, any task.
[[gnu::always_inline]] inline bool simple(TCKind kind, const TypeCode& type, void* value, Task task, CDR* stream) {
  switch (kind) {
    case tk_char:
    case tk_octet: {
      auto* const v = static_cast<std::uint8_t*>(value);
      return task == Task::Encode ? stream->put_byte(*v) : task == Task::Decode ? stream->get_byte(*v) : true;
    }
    case tk_boolean: {
      auto* const v = static_cast<std::uint8_t*>(value);
      if (task == Task::Decode) return stream->get_byte(*v) && (*v <= 1 || (*v = 0));
      return task == Task::Encode ? stream->put_byte(*v) : true;
    }
    case tk_short:
    case tk_ushort: {
      auto* const v = static_cast<std::uint16_t*>(value);
      return task == Task::Encode ? stream->put_short(*v) : task == Task::Decode ? stream->get_short(*v) : true;
    }
    case tk_long:
    case tk_ulong:
    case tk_float: {
      auto* const v = static_cast<std::uint32_t*>(value);
      return task == Task::Encode ? stream->put_long(*v) : task == Task::Decode ? stream->get_long(*v) : true;
    }
    case tk_longlong:
    case tk_ulonglong:
    case tk_double: {
      auto* const v = static_cast<std::uint64_t*>(value);
      return task == Task::Encode ? stream->put_longlong(*v) : task == Task::Decode ? stream->get_longlong(*v) : true;
    }
    case tk_string: {
      char*& s = *static_cast<char**>(value);
      if (task == Task::Encode) return stream->put_string(s, type.bound());
      if (task == Task::Decode) return stream->get_string(s, type.bound());
      callis::marshal::string_free(s);
      s = nullptr;
      return true;
    }
    default: return false;
  }
}

bool has_parts(TCKind kind) { return kind == tk_struct || kind == tk_sequence || kind == tk_array; }

// The members of a struct: what struct_traverse was.
[[gnu::always_inline]] inline bool all_members(const TypeCode& type, void* value, Task task, CDR* stream) {
  for (const TypeCode* member : type.members()) {
    value = reinterpret_cast<void*>(ptr_align_binary(value, member->alignment()));
    const bool done = has_parts(member->kind()) ? member->traverse(value, task, stream)
                                                : simple(member->kind(), *member, value, task, stream);
    if (!done) return false;
    value = static_cast<Byte*>(value) + member->size();
  }
  return true;
}

}  // namespace

bool TypeCode::traverse(void* value, Task task, CDR* stream) const {
  std::uint32_t bounds;
  SequenceHeader* header = nullptr;
  switch (kind_) {
    default: return simple(kind_, *this, value, task, stream);
    case tk_struct: return all_members(*this, value, task, stream);
    case tk_sequence:
      if (task == Task::Encode && !encode_header(*this, value, stream)) return false;
      if (task == Task::Decode && !decode_header(*this, value, stream)) return false;
      header = static_cast<SequenceHeader*>(value);
      bounds = header->length;
      value = header->buffer;
      break;
    case tk_array: bounds = number_; break;
  }
  const TypeCode& element = *typecode_param();
  const TCKind kind = element.kind_;
  const std::size_t size = element.size_;
  if (task == Task::Free && is_primitive(kind)) bounds = 0;  // nothing to free in them
  for (; bounds > 0; --bounds) {
    const bool done = kind == tk_struct ? all_members(element, value, task, stream)
                      : has_parts(kind) ? element.traverse(value, task, stream)
                                        : simple(kind, element, value, task, stream);
    if (!done) return false;
    value = static_cast<Byte*>(value) + size;
  }
  if (task == Task::Free && header) {
    if (header->release) callis::marshal::buffer_free(header->buffer);
    *header = {};
  }
  return true;
}

}  // namespace ladder
