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

// The characters without the NUL, by new. CORBA::BAD_PARAM for nullptr.
ObjectId* string_to_ObjectId(const char* text);
// To be freed by string_free(). CORBA::BAD_PARAM for an id with a NUL in it.
char* ObjectId_to_string(const ObjectId& id);

}  // namespace PortableServer::inline callis_orb

namespace callis::poa {

inline ByteView bytes_of(const PortableServer::ObjectId& id) { return {id.get_buffer(), id.length()}; }
// By new.
PortableServer::ObjectId* new_object_id(ByteView bytes);

}  // namespace callis::poa
