// SPDX-License-Identifier: Apache-2.0
// The tables of which generated skeletons consist. Applications do not include this header.
//
// POA_X derives (virtually) from PortableServer::ServantBase and overrides two functions of it:
//
//     const callis::poa::Skeleton& _callis_skeleton() const;   // X's table
//     void* _callis_self();                                    // static_cast<POA_X*>(this)
//
// An operation of an interpreted skeleton is a thunk of a few instructions over the server's frame
// (callis/marshal/plan.h says how the frame is laid out). The engine decodes into the frame and encodes from there.
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

// Calls the servant's operation. self is the result of _callis_self(). Arguments come from the frame, and results go
// into the frame. Lets the servant's exceptions through.
using Thunk = void (*)(void* self, void* frame);

// Decodes the arguments, calls check_arguments(), calls the servant, and encodes into request.reply(). Lets the
// servant's exceptions through. The sender of the reply finds a fault of the reply's encoder.
using Serve = void (*)(void* self, orb::ServerRequest& request);

// The place in Unit::names of a name of at most 32 characters, for SkeletonOperation::name.
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
  marshal::Word name;  // name_word(); kNameInEntry: only the entry in words has the place
  constexpr SkeletonOperation(Thunk t, marshal::Word o, marshal::Word n = kNameInEntry) : thunk(t), op(o), name(n) {}
  constexpr SkeletonOperation(Serve s, marshal::Word o, marshal::Word n = kNameInEntry) : serve(s), op(o), name(n) {}
};

struct Skeleton;

// The servant that a request goes to, and its table.
struct Target {
  PortableServer::ServantBase* servant;
  void* self;
  const Skeleton* skeleton;
};

// Runs an operation of that skeleton: decodes the arguments, calls the servant and answers.
using Run = void (*)(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request);
// The three values of Skeleton::run: all operations are interpreted; all are compiled; some are of each kind. A
// program is linked with those that its skeletons name.
void run_interpreted(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request);
void run_compiled(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request);
void run_either(const Target& object, const SkeletonOperation& op, orb::ServerRequest& request);

// One for each interface. Inherited operations stand in the table too, flattened; attributes are _get_x and _set_x.
// The pseudo-operations (_is_a, _non_existent, _interface, _component, ...) do not stand in the table: the adapter
// answers them.
struct Skeleton {
  const char* const* repository_ids;  // own first, then every base's; ends with nullptr
  const marshal::Unit* unit;
  const SkeletonOperation* operations;
  PerfectHash hash;                   // operation name -> index in operations
  // For compiled operations: exceptions of each, by index, ended by nullptr; nullptr if all are interpreted.
  const orb::CompiledException* const* const* raises;
  Run run;  // nullptr if there are no operations
};

// Called by Serve functions after decoding. Throws CORBA::MARSHAL (COMPLETED_NO) if the arguments were bad.
void check_arguments(const cdr::Decoder& arguments);

// For POA_X::_this(): makes a new reference by link.create to the object that the servant incarnates (C++ mapping
// 1.3, 4.36.5). Inside an upcall on the servant this is the called object. Otherwise
// _default_POA()->servant_to_reference() decides, which activates the servant if the adapter's policies allow. Throws
// the exceptions of servant_to_reference().
void* this_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link);
// omniORB's _this(), for skeletons of --style=omniorb. Outside of upcalls on the servant, a servant that is active in
// a single adapter is the object there, whatever _default_POA() says. Looks at adapters with RETAIN and UNIQUE_ID, of
// the ORB of _default_POA(). A warning comes the first time that the mapping would have made a second object.
void* activated_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link);

}  // namespace callis::poa
