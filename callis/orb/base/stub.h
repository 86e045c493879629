// SPDX-License-Identifier: Apache-2.0
// The functions that generated stubs call. Applications do not include this header.
//
// A stub fills a frame (callis/marshal/plan.h says how a client's frame is laid out) and calls invoke().
// Interpreted stubs name the operation's descriptor and the engine marshals by its plan; compiled stubs
// bring their own functions. Both follow LOCATION_FORWARD, keep the deadlines, and throw
// CORBA::SystemException or the operation's user exceptions.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>

namespace CORBA::inline callis_orb {
class Object;
class UserException;
}  // namespace CORBA::inline callis_orb

namespace callis::orb {

class Reference;

// One for each interface that a generated file passes as an argument or member: an entry of Unit::links.
struct InterfaceLink {
  const char* repository_id;
  // Makes an X* of a new reference (counted, owned by the caller); no remote check. Null of a local interface.
  void* (*create)(Reference*);
  // X* to Object*, without counting.
  CORBA::Object* (*to_object)(void* typed);
};

// One for each exception in a raises clause: an entry of Unit::links.
struct ExceptionLink {
  const char* repository_id;
  CORBA::UserException* (*create)();  // by new, default-constructed
};

// An exception as compiled stubs and skeletons marshal it.
struct CompiledException {
  const char* repository_id;
  CORBA::UserException* (*create)();
  void (*encode)(cdr::Encoder&, const CORBA::UserException&);
  void (*decode)(cdr::Decoder&, CORBA::UserException&);
};

// An operation of a compiled stub. Faults are sticky in encoder and decoder; the functions do not throw for bad bytes
// from the peer.
struct CompiledOperation {
  const marshal::Unit* unit;
  marshal::Word op;  // an entry with kCompiledOp: name and flags only
  void (*encode)(cdr::Encoder&, const void* frame);
  void (*decode)(cdr::Decoder&, void* frame);
  const CompiledException* const* raises;  // ends with nullptr; nullptr for none
};

void invoke(CORBA::Object* target, const marshal::Unit& unit, marshal::Word op, void* frame);
void invoke(CORBA::Object* target, const CompiledOperation& operation, void* frame);

// For _narrow: returns the same object if it is an X already, otherwise a new X made by link.create. Asks the object
// (_is_a) if its type id does not tell. Returns nullptr for nil, or if the object is not an X.
void* narrow(CORBA::Object* object, const InterfaceLink& link);
// The same, without asking the object.
void* unchecked_narrow(CORBA::Object* object, const InterfaceLink& link);

// Object references in compiled stubs: an IOR on the wire. get_reference() returns an owned X* or nil.
void put_reference(cdr::Encoder& encoder, CORBA::Object* object);
void* get_reference(cdr::Decoder& decoder, const InterfaceLink& link);
CORBA::Object* get_object(cdr::Decoder& decoder);  // CORBA::Object itself

}  // namespace callis::orb
