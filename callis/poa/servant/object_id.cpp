// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/exception.h>
#include <callis/classic/string.h>
#include <callis/poa/servant/object_id.h>
#include <cstring>
#include <memory>

namespace callis::poa {

PortableServer::ObjectId* new_object_id(ByteView bytes) {
  auto id = std::make_unique<PortableServer::ObjectId>();
  id->length(static_cast<CORBA::ULong>(bytes.size()));
  if (!bytes.empty()) std::memcpy(id->get_buffer(), bytes.data(), bytes.size());
  return id.release();
}

}  // namespace callis::poa

namespace PortableServer::inline callis_orb {

ObjectId* string_to_ObjectId(const char* text) {
  if (!text) callis::classic::throw_bad_param("string_to_ObjectId: null string");
  return callis::poa::new_object_id({reinterpret_cast<const callis::Byte*>(text), std::strlen(text)});
}

char* ObjectId_to_string(const ObjectId& id) {
  const auto bytes = callis::poa::bytes_of(id);
  if (!bytes.empty() && std::memchr(bytes.data(), 0, bytes.size()))
    callis::classic::throw_bad_param("ObjectId_to_string: the id holds a NUL");
  char* text = CORBA::string_alloc(id.length());
  if (!text) callis::classic::throw_no_memory();
  if (!bytes.empty()) std::memcpy(text, bytes.data(), bytes.size());
  return text;
}

}  // namespace PortableServer::inline callis_orb
