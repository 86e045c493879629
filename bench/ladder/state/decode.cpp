// SPDX-License-Identifier: Apache-2.0
// The receiver's specialised methods (step 3): one function a constructed type, which asks for the element's kind
// once and then goes through the elements in a loop for that kind. Failures are out of line.
#include <callis/marshal/memory.h>
#include <cstring>
#include "type_code.h"

namespace ladder {

using callis::marshal::SequenceHeader;

namespace {

bool decode_seq(const TypeCode& type, void* value, CDR* stream);
bool decode_array(const TypeCode& type, void* value, CDR* stream);
bool decode_struct(const TypeCode& type, void* value, CDR* stream);
void deep_free_seq(const TypeCode& type, void* value);
void deep_free_array(const TypeCode& type, void* value);
void deep_free_struct(const TypeCode& type, void* value);

[[gnu::cold, gnu::noinline]] bool bad_boolean(std::uint8_t& v) {
  v = 0;
  return false;
}
[[gnu::always_inline]] inline bool get_boolean(CDR* stream, std::uint8_t& v) {
  if (!stream->get_byte(v)) return false;
  return v <= 1 ? true : bad_boolean(v);
}

[[gnu::always_inline]] inline bool decode_members(const TypeCode& type, void* value, CDR* stream) {
  for (const TypeCode* member : type.members()) {
    value = reinterpret_cast<void*>(ptr_align_binary(value, member->alignment()));
    bool done;
    switch (member->kind()) {
      case tk_char:
      case tk_octet: done = stream->get_byte(*static_cast<std::uint8_t*>(value)); break;
      case tk_boolean: done = get_boolean(stream, *static_cast<std::uint8_t*>(value)); break;
      case tk_short:
      case tk_ushort: done = stream->get_short(*static_cast<std::uint16_t*>(value)); break;
      case tk_long:
      case tk_ulong:
      case tk_float: done = stream->get_long(*static_cast<std::uint32_t*>(value)); break;
      case tk_longlong:
      case tk_ulonglong:
      case tk_double: done = stream->get_longlong(*static_cast<std::uint64_t*>(value)); break;
      case tk_string: done = stream->get_string(*static_cast<char**>(value), member->bound()); break;
      case tk_sequence: done = decode_seq(*member, value, stream); break;
      case tk_array: done = decode_array(*member, value, stream); break;
      case tk_struct: done = decode_struct(*member, value, stream); break;
      default: done = false;
    }
    if (LADDER_RARE(!done)) return false;
    value = static_cast<Byte*>(value) + member->size();
  }
  return true;
}

template<class T, class Get>
[[gnu::always_inline]] inline bool loop(void* first, std::uint32_t n, Get get) {
  for (T *v = static_cast<T*>(first), *end = v + n; v != end; ++v)
    if (LADDER_RARE(!get(*v))) return false;
  return true;
}
using Method = bool (*)(const TypeCode& type, void* value, CDR* stream);
template<Method method>
[[gnu::always_inline]] inline bool loop(const TypeCode& type, void* first, std::uint32_t n, CDR* stream) {
  for (auto* v = static_cast<Byte*>(first); n > 0; --n, v += type.size())
    if (LADDER_RARE(!method(type, v, stream))) return false;
  return true;
}

// The elements of a sequence or an array.
[[gnu::always_inline]] inline bool decode_elements(const TypeCode& type, void* first, std::uint32_t n, CDR* stream) {
  switch (type.kind()) {
    case tk_char:
    case tk_octet: return loop<std::uint8_t>(first, n, [=](auto& v) { return stream->get_byte(v); });
    case tk_boolean: return loop<std::uint8_t>(first, n, [=](auto& v) { return get_boolean(stream, v); });
    case tk_short:
    case tk_ushort: return loop<std::uint16_t>(first, n, [=](auto& v) { return stream->get_short(v); });
    case tk_long:
    case tk_ulong:
    case tk_float: return loop<std::uint32_t>(first, n, [=](auto& v) { return stream->get_long(v); });
    case tk_longlong:
    case tk_ulonglong:
    case tk_double: return loop<std::uint64_t>(first, n, [=](auto& v) { return stream->get_longlong(v); });
    case tk_string:
      return loop<char*>(first, n, [&type, stream](auto& v) { return stream->get_string(v, type.bound()); });
    case tk_struct: return loop<decode_members>(type, first, n, stream);
    case tk_sequence: return loop<decode_seq>(type, first, n, stream);
    case tk_array: return loop<decode_array>(type, first, n, stream);
    default: return false;
  }
}

[[gnu::noinline]] bool decode_seq(const TypeCode& type, void* value, CDR* stream) {
  if (LADDER_RARE(!decode_header(type, value, stream))) return false;
  const auto* const header = static_cast<const SequenceHeader*>(value);
  return decode_elements(*type.typecode_param(), header->buffer, header->length, stream);
}
[[gnu::noinline]] bool decode_array(const TypeCode& type, void* value, CDR* stream) {
  return decode_elements(*type.typecode_param(), value, type.length(), stream);
}
[[gnu::noinline]] bool decode_struct(const TypeCode& type, void* value, CDR* stream) {
  return decode_members(type, value, stream);
}

// ---- deep_free ----

void free_string(void* value) {
  char*& s = *static_cast<char**>(value);
  callis::marshal::string_free(s);
  s = nullptr;
}

[[gnu::always_inline]] inline void free_members(const TypeCode& type, void* value) {
  for (const TypeCode* member : type.members()) {
    value = reinterpret_cast<void*>(ptr_align_binary(value, member->alignment()));
    switch (member->kind()) {
      case tk_string: free_string(value); break;
      case tk_sequence: deep_free_seq(*member, value); break;
      case tk_array: deep_free_array(*member, value); break;
      case tk_struct: deep_free_struct(*member, value); break;
      default: break;
    }
    value = static_cast<Byte*>(value) + member->size();
  }
}

[[gnu::always_inline]] inline void free_elements(const TypeCode& type, void* first, std::uint32_t n) {
  if (is_primitive(type.kind())) return;
  auto* v = static_cast<Byte*>(first);
  for (const std::size_t size = type.size(); n > 0; --n, v += size) {
    switch (type.kind()) {
      case tk_string: free_string(v); break;
      case tk_sequence: deep_free_seq(type, v); break;
      case tk_array: deep_free_array(type, v); break;
      default: free_members(type, v);
    }
  }
}

[[gnu::noinline]] void deep_free_seq(const TypeCode& type, void* value) {
  auto* const header = static_cast<SequenceHeader*>(value);
  free_elements(*type.typecode_param(), header->buffer, header->length);
  if (header->release) callis::marshal::buffer_free(header->buffer);
  *header = {};
}
[[gnu::noinline]] void deep_free_array(const TypeCode& type, void* value) {
  free_elements(*type.typecode_param(), value, type.length());
}
[[gnu::noinline]] void deep_free_struct(const TypeCode& type, void* value) { free_members(type, value); }

}  // namespace

// A value is treated as an array of one.
bool decode_value(const TypeCode& type, void* value, CDR* stream) { return decode_elements(type, value, 1, stream); }
void free_value(const TypeCode& type, void* value) { free_elements(type, value, 1); }

}  // namespace ladder
