// SPDX-License-Identifier: Apache-2.0
// What generated skeletons consist of: tables. Applications do not include this.
//
// POA_X derives (virtually) from PortableServer::ServantBase and overrides two functions of it:
//
//     const callis::poa::Skeleton& _callis_skeleton() const;   // X's table
//     void* _callis_self();                                    // static_cast<POA_X*>(this)
//
// An operation of an interpreted skeleton is a thunk of a few instructions over the server's frame
// (callis/marshal/plan.h says how it is laid out); the engine decodes into the frame and encodes out of it.
// An operation of a compiled skeleton is a function that does all three itself.
#pragma once
#include <callis/base/perfect_hash.h>
#include <callis/marshal/descriptor.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/context/server_request.h>

namespace PortableServer::inline callis_orb {
class ServantBase;
}

namespace callis::poa {

// Calls the servant's operation: self is what _callis_self() returned; arguments come from the frame,
// results go into it. Lets the servant's exceptions through.
using Thunk = void (*)(void* self, void* frame);

// Decodes the arguments, check_arguments(), calls the servant, encodes into request.reply(). Lets the
// servant's exceptions through. A fault of the reply's encoder is found by who sends the reply.
using Serve = void (*)(void* self, orb::ServerRequest& request);

// Where a name of at most 32 characters stands in Unit::names, for SkeletonOperation::name.
inline constexpr marshal::Word kNameInEntry = 0xff;
constexpr marshal::Word name_word(marshal::Word offset, marshal::Word length) {
  return length > 32 || offset > 0xffffff ? kNameInEntry : offset << 8 | length;
}

struct SkeletonOperation {
  union {
    Thunk thunk;  // when the entry in words has no kCompiledOp flag
    Serve serve;
  };
  marshal::Word op;    // index in Skeleton::unit->words
  marshal::Word name;  // name_word(); kNameInEntry: only the entry in words says where
  constexpr SkeletonOperation(Thunk t, marshal::Word o, marshal::Word n = kNameInEntry) : thunk(t), op(o), name(n) {}
  constexpr SkeletonOperation(Serve s, marshal::Word o, marshal::Word n = kNameInEntry) : serve(s), op(o), name(n) {}
};

// One for each interface. Inherited operations stand in the table too, flattened; attributes are
// _get_x and _set_x. The pseudo-operations (_is_a, _non_existent, _interface, _component, ...) do not: the
// adapter answers them.
struct Skeleton {
  const char* const* repository_ids;  // own first, then every base's; ends with nullptr
  const marshal::Unit* unit;
  const SkeletonOperation* operations;
  PerfectHash hash;                   // operation name -> index in operations
  // For compiled operations: exceptions of each, by index, ended by nullptr; nullptr when all are interpreted.
  const orb::CompiledException* const* const* raises;
};

// For Serve functions, after decoding: throws CORBA::MARSHAL (COMPLETED_NO) when the arguments were bad.
void check_arguments(const cdr::Decoder& arguments);

// For POA_X::_this(): a new reference, as link.create makes it, to the object that the servant incarnates
// (C++ mapping 1.3, 4.36.5): inside an upcall on the servant the object called, otherwise what
// _default_POA()->servant_to_reference() says, which activates the servant when the adapter's policies allow
// it. Throws what that throws.
void* this_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link);

}  // namespace callis::poa
