// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/errors.h>
#include <callis/typecode/coder.h>
#include <callis/value/wire.h>
#include <services/properties/value_bytes.h>

namespace callis::properties {

namespace {

constexpr std::size_t kKeptBytes = 64u << 10;

// What the calling thread's buffer has until it is asked again.
ByteView encoded(const CORBA::Any& value) {
  static thread_local Buffer buffer;
  if (buffer.capacity() > kKeptBytes) buffer.shrink(0);
  buffer.clear();
  cdr::Encoder encoder(buffer, ByteOrder::Little);
  {
    const value::EncodeScope scope(encoder);
    typecode::put_any(encoder, value);
  }
  encoder.finish();
  if (encoder.fault() != Fault::None)
    orb::throw_fault(encoder.fault(), "a property's value", orb::Step::DecodeRequest);
  return buffer.view();
}

}  // namespace

std::string to_bytes(const CORBA::Any& value) {
  const ByteView bytes = encoded(value);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::size_t size_of(const CORBA::Any& value) { return encoded(value).size(); }

std::size_t memory_of(const CORBA::Any& value, std::size_t bytes) {
  CORBA::TypeCode_var type = value.type();
  while (type->kind() == CORBA::tk_alias) type = type->content_type();
  switch (type->kind()) {  // as large in memory as on the wire; its bytes stay beside it once it has been read
    case CORBA::tk_string:
    case CORBA::tk_octet:
    case CORBA::tk_boolean:
    case CORBA::tk_short:
    case CORBA::tk_ushort:
    case CORBA::tk_long:
    case CORBA::tk_ulong:
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong:
    case CORBA::tk_float:
    case CORBA::tk_double: return 2 * bytes;
    case CORBA::tk_sequence: {
      const CORBA::TypeCode_var of = type->content_type();
      return of->kind() == CORBA::tk_octet ? 2 * bytes : 4 * bytes;
    }
    default: return 4 * bytes;
  }
}

bool from_bytes(std::string_view bytes, orb::OrbContext& context, CORBA::Any& value) {
  cdr::Budget budget = cdr::Budget::of(context.limits(), bytes.size());
  cdr::Decoder decoder({reinterpret_cast<const Byte*>(bytes.data()), bytes.size()}, ByteOrder::Little, budget);
  decoder.set_context(context.source(orb::MessageSource::From::Kept));
  {
    const value::DecodeScope scope(decoder);
    typecode::get_any(decoder, value);
  }
  return decoder.ok();
}

}  // namespace callis::properties
