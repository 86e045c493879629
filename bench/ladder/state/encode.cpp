// SPDX-License-Identifier: Apache-2.0
// The sender's specialised methods (step 4), in the manner of decode.cpp.
#include <callis/marshal/memory.h>
#include "type_code.h"

namespace ladder {

using callis::marshal::SequenceHeader;

namespace {

bool encode_seq(const TypeCode& type, const void* value, CDR* stream);
bool encode_array(const TypeCode& type, const void* value, CDR* stream);
bool encode_struct(const TypeCode& type, const void* value, CDR* stream);

[[gnu::always_inline]] inline bool encode_members(const TypeCode& type, const void* value, CDR* stream) {
  for (const TypeCode* member : type.members()) {
    value = reinterpret_cast<const void*>(ptr_align_binary(value, member->alignment()));
    bool done;
    switch (member->kind()) {
      case tk_char:
      case tk_octet:
      case tk_boolean: done = stream->put_byte(*static_cast<const std::uint8_t*>(value)); break;
      case tk_short:
      case tk_ushort: done = stream->put_short(*static_cast<const std::uint16_t*>(value)); break;
      case tk_long:
      case tk_ulong:
      case tk_float: done = stream->put_long(*static_cast<const std::uint32_t*>(value)); break;
      case tk_longlong:
      case tk_ulonglong:
      case tk_double: done = stream->put_longlong(*static_cast<const std::uint64_t*>(value)); break;
      case tk_string: done = stream->put_string(*static_cast<char* const*>(value), member->bound()); break;
      case tk_sequence: done = encode_seq(*member, value, stream); break;
      case tk_array: done = encode_array(*member, value, stream); break;
      case tk_struct: done = encode_struct(*member, value, stream); break;
      default: done = false;
    }
    if (LADDER_RARE(!done)) return false;
    value = static_cast<const Byte*>(value) + member->size();
  }
  return true;
}

template<class T, class Put>
[[gnu::always_inline]] inline bool loop(const void* first, std::uint32_t n, Put put) {
  for (const T *v = static_cast<const T*>(first), *end = v + n; v != end; ++v)
    if (LADDER_RARE(!put(*v))) return false;
  return true;
}
using Method = bool (*)(const TypeCode& type, const void* value, CDR* stream);
template<Method method>
[[gnu::always_inline]] inline bool loop(const TypeCode& type, const void* first, std::uint32_t n, CDR* stream) {
  for (auto* v = static_cast<const Byte*>(first); n > 0; --n, v += type.size())
    if (LADDER_RARE(!method(type, v, stream))) return false;
  return true;
}

[[gnu::always_inline]] inline bool encode_elements(const TypeCode& type, const void* first, std::uint32_t n,
                                                   CDR* stream) {
  switch (type.kind()) {
    case tk_char:
    case tk_octet:
    case tk_boolean: return loop<std::uint8_t>(first, n, [=](auto v) { return stream->put_byte(v); });
    case tk_short:
    case tk_ushort: return loop<std::uint16_t>(first, n, [=](auto v) { return stream->put_short(v); });
    case tk_long:
    case tk_ulong:
    case tk_float: return loop<std::uint32_t>(first, n, [=](auto v) { return stream->put_long(v); });
    case tk_longlong:
    case tk_ulonglong:
    case tk_double: return loop<std::uint64_t>(first, n, [=](auto v) { return stream->put_longlong(v); });
    case tk_string:
      return loop<char*>(first, n, [&type, stream](auto* v) { return stream->put_string(v, type.bound()); });
    case tk_struct: return loop<encode_members>(type, first, n, stream);
    case tk_sequence: return loop<encode_seq>(type, first, n, stream);
    case tk_array: return loop<encode_array>(type, first, n, stream);
    default: return false;
  }
}

[[gnu::noinline]] bool encode_seq(const TypeCode& type, const void* value, CDR* stream) {
  if (LADDER_RARE(!encode_header(type, value, stream))) return false;
  const auto* const header = static_cast<const SequenceHeader*>(value);
  return encode_elements(*type.typecode_param(), header->buffer, header->length, stream);
}
[[gnu::noinline]] bool encode_array(const TypeCode& type, const void* value, CDR* stream) {
  return encode_elements(*type.typecode_param(), value, type.length(), stream);
}
[[gnu::noinline]] bool encode_struct(const TypeCode& type, const void* value, CDR* stream) {
  return encode_members(type, value, stream);
}

}  // namespace

bool encode_value(const TypeCode& type, const void* value, CDR* stream) {
  return encode_elements(type, value, 1, stream);
}

}  // namespace ladder
