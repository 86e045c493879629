// SPDX-License-Identifier: Apache-2.0
// PortableServer::ObjectId: the octets by which an application names an object within its adapter
// (CORBA 3.3 part 1, 15.3.2; text form: C++ mapping 1.3, 4.37).
#pragma once
#include <callis/base/bytes.h>
#include <callis/classic/sequence.h>
#include <callis/classic/var.h>

namespace PortableServer::inline callis_orb {

class ObjectId : public callis::classic::Sequence<CORBA::Octet> {
 public:
  using callis::classic::Sequence<CORBA::Octet>::SequenceOf;
  ObjectId() = default;
};
using ObjectId_var = callis::classic::SequenceVar<ObjectId>;
using ObjectId_out = callis::classic::VariableOut<ObjectId, ObjectId_var>;

// Returns the characters without the NUL; the caller deletes the id. Throws CORBA::BAD_PARAM for nullptr.
ObjectId* string_to_ObjectId(const char* text);
// The caller frees the string by string_free(). Throws CORBA::BAD_PARAM for an id with a NUL in it.
char* ObjectId_to_string(const ObjectId& id);

}  // namespace PortableServer::inline callis_orb

namespace callis::poa {

inline ByteView bytes_of(const PortableServer::ObjectId& id) { return {id.get_buffer(), id.length()}; }
// The caller deletes the id.
PortableServer::ObjectId* new_object_id(ByteView bytes);

}  // namespace callis::poa
