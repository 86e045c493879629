// SPDX-License-Identifier: Apache-2.0
// encoder, decoder and deep_free: the generic methods that traverse calls, by pointer, for every part of a value.
#include <callis/marshal/memory.h>
#include <cstring>
#include "type_code.h"

namespace ladder {

using callis::marshal::SequenceHeader;

namespace {

template<class T>
T read_as(const void* value) {
  T v;
  std::memcpy(&v, value, sizeof v);
  return v;
}

bool fail(Environment& env) { return !(env.exception = true); }

// A sequence's length is from the peer. Each element takes at least a byte.
bool decode_header(const TypeCode& type, void* value, CDR* stream, Environment& env) {
  auto* const header = static_cast<SequenceHeader*>(value);
  std::uint32_t length;
  if (!stream->get_long(length) || length > stream->remaining()) return fail(env);
  const std::uint32_t bound = type.ulong_param(env);
  if (bound != 0 && length > bound) return fail(env);
  if (length == 0) return true;
  const TypeCode element = type.typecode_param(env);
  const std::size_t size = element.size(env);
  void* const buffer = callis::marshal::buffer_allocate(length, size);
  if (!buffer) return fail(env);
  if (!is_primitive(element.kind_)) std::memset(buffer, 0, size * length);
  *header = {length, length, buffer, true};
  return true;
}

}  // namespace

bool encoder(const TypeCode& type, void* value1, void*, CDR* stream, Environment& env) {
  bool done;
  switch (type.kind_) {
    case tk_char:
    case tk_octet:
    case tk_boolean: done = stream->put_byte(read_as<std::uint8_t>(value1)); break;
    case tk_short:
    case tk_ushort: done = stream->put_short(read_as<std::uint16_t>(value1)); break;
    case tk_long:
    case tk_ulong:
    case tk_float: done = stream->put_long(read_as<std::uint32_t>(value1)); break;
    case tk_longlong:
    case tk_ulonglong:
    case tk_double: done = stream->put_longlong(read_as<std::uint64_t>(value1)); break;
    case tk_string: done = stream->put_string(read_as<const char*>(value1), type.ulong_param(env)); break;
    case tk_sequence: {
      const std::uint32_t length = static_cast<const SequenceHeader*>(value1)->length;
      const std::uint32_t bound = type.ulong_param(env);
      if ((bound != 0 && length > bound) || !stream->put_long(length)) return fail(env);
      [[fallthrough]];
    }
    case tk_struct:
    case tk_array: return type.traverse(value1, nullptr, encoder, stream, env);
    default: done = false;
  }
  return done || fail(env);
}

bool decoder(const TypeCode& type, void* value1, void*, CDR* stream, Environment& env) {
  bool done;
  switch (type.kind_) {
    case tk_char:
    case tk_octet: done = stream->get_byte(*static_cast<std::uint8_t*>(value1)); break;
    case tk_boolean: {
      std::uint8_t v = 0;
      done = stream->get_byte(v) && v <= 1;
      std::memcpy(value1, &v, 1);
      break;
    }
    case tk_short:
    case tk_ushort: done = stream->get_short(*static_cast<std::uint16_t*>(value1)); break;
    case tk_long:
    case tk_ulong:
    case tk_float: done = stream->get_long(*static_cast<std::uint32_t*>(value1)); break;
    case tk_longlong:
    case tk_ulonglong:
    case tk_double: done = stream->get_longlong(*static_cast<std::uint64_t*>(value1)); break;
    case tk_string: done = stream->get_string(*static_cast<char**>(value1), type.ulong_param(env)); break;
    case tk_TypeCode: done = static_cast<TypeCode*>(value1)->read(*stream); break;
    case tk_sequence:
      if (!decode_header(type, value1, stream, env)) return false;
      [[fallthrough]];
    case tk_struct:
    case tk_array: return type.traverse(value1, nullptr, decoder, stream, env);
    default: done = false;
  }
  return done || fail(env);
}

bool deep_free(const TypeCode& type, void* value1, void*, CDR* stream, Environment& env) {
  switch (type.kind()) {
    case tk_string: {
      char*& s = *static_cast<char**>(value1);
      callis::marshal::string_free(s);
      s = nullptr;
      return true;
    }
    case tk_sequence: {
      auto* const header = static_cast<SequenceHeader*>(value1);
      if (!type.traverse(value1, nullptr, deep_free, stream, env)) return false;
      if (header->release) callis::marshal::buffer_free(header->buffer);
      *header = {};
      return true;
    }
    case tk_array:  // by the papers' counts of calls the elements of an array of primitives are not visited
      if (is_primitive(type.element_kind())) return true;
      [[fallthrough]];
    case tk_struct: return type.traverse(value1, nullptr, deep_free, stream, env);
    default: return true;
  }
}

// ---- the public interface ----

bool encode(const TypeCode& type, const void* value, callis::Buffer& message) {
  Environment env;
  CDR stream(message);
  const bool done = encoder(type, const_cast<void*>(value), nullptr, &stream, env);
  stream.finish();
  return done;
}

bool decode(const TypeCode& type, void* value, callis::ByteView message, std::size_t from, callis::ByteOrder order) {
  Environment env;
  CDR stream(message.data(), message.data() + message.size(), order != callis::kNativeOrder);
  return stream.skip_bytes(from) && decoder(type, value, nullptr, &stream, env);
}

void free(const TypeCode& type, void* value) {
  Environment env;
  deep_free(type, value, nullptr, nullptr, env);
}

}  // namespace ladder
