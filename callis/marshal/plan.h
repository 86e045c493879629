// SPDX-License-Identifier: Apache-2.0
// Plans: the programs that marshal. Built once from a descriptor, run for every call.
//
// A Plan is a list of instructions over memory laid out as memory.h says. The same plan encodes, decodes and
// destroys. Members of fixed size are flattened and merged into *runs*. For each phase (offset mod 8) at which a run
// can start on the wire, the run has a precomputed list of moves. So one bounds check serves the whole run.
// docs/design/engine.md explains it with an example.
//
// Plans are immutable once built and shared by all threads.
#pragma once
#include <callis/base/feature.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>
#include <memory>

CALLIS_FEATURE(flat_plans);
CALLIS_FEATURE(run_time_plans);

namespace callis::marshal {

class Plan;
class Work;  // work.h

// The ORB's functions for marshaling object references. link is the InterfaceLink of the descriptor, or nullptr for
// CORBA::Object. A reference is the X* in memory, of link's interface.
struct ReferenceHandlers {
  // A nil reference is nullptr. Sets the encoder's fault on failure.
  void (*encode)(cdr::Encoder&, const void* reference, const void* link);
  // Returns an owned X*, nullptr for nil; sets the decoder's fault on failure.
  void* (*decode)(cdr::Decoder&, const void* link);
  void (*release)(void* reference, const void* link);
  // Adds a count to a reference that is not nil, and returns the same X*. Only copy() calls it.
  void* (*duplicate)(void* reference, const void* link) = nullptr;
  // One more and one less count of what decoders have as context(), for what decodes a part of a message later.
  void (*keep_context)(void* context) = nullptr;
  void (*drop_context)(void* context) = nullptr;
};
// Called once by the ORB library (CALLIS_INSTALLER, in handlers.h).
void set_reference_handlers(const ReferenceHandlers& handlers) noexcept;
const ReferenceHandlers& reference_handlers() noexcept;

// Marshals the value at memory. False after a fault (see encoder.fault()): a null string is
// Fault::NullPointer, a bounded string or sequence beyond its bound Fault::BadBound, an enum beyond its
// enumerators Fault::BadEnum.
bool encode(const Plan& plan, const void* memory, cdr::Encoder& encoder);
// Demarshals into memory that holds a valid value or zeros; what it owned is freed first. After a fault
// the memory still holds a valid value for destroy(), perhaps half new.
bool decode(const Plan& plan, void* memory, cdr::Decoder& decoder);
// Frees what the value owns and leaves zeros where owners were.
void destroy(const Plan& plan, void* memory);

// A flat plan only moves members of fixed size, in which a peer can get nothing wrong. So a message whose body is
// aligned to 8, in our byte order, can be read and written without Decoder and Encoder. Empty plans are flat.
bool is_flat(const Plan& plan) noexcept;
// The rest is for flat plans. Returns the bytes on the wire.
std::size_t flat_bytes(const Plan& plan) noexcept;
// from has at least flat_bytes().
void decode_flat(const Plan& plan, void* memory, const Byte* from) noexcept;
// to has room for flat_bytes(), and for Buffer::kSlop bytes more, which may be scribbled on.
void encode_flat(const Plan& plan, const void* memory, Byte* to) noexcept;

// Bytes of the native value and its alignment.
std::size_t native_size(const Plan& plan);
std::size_t native_alignment(const Plan& plan);
// Least bytes that a value takes on the wire, padding aside; never 0.
std::size_t minimum_wire_size(const Plan& plan);
// The plan's approximate size in memory.
std::size_t memory_bytes(const Plan& plan);
// A plan for one type, which need not be a parameter of any operation. The unit's words are read while it
// is built and not afterwards. nullptr when memory is exhausted, or when work, which says which of them, may do no
// more; a plan that has been built stays charged to it.
std::shared_ptr<const Plan> make_plan(const Unit& unit, Word type, Work* work = nullptr);

// An exception that an operation may raise.
struct ExceptionPlan {
  const void* link;  // orb::ExceptionLink
  const Plan* body;  // over the exception object, from its vtable pointer on
};

// Notes about an operation, kept from call to call: zero-initialised memory of the program. Atomic access only.
struct OperationState {
  const class Crossing* crossing = nullptr;  // crossing.h
  const void* types = nullptr;               // the operation's TypeCodes, once callis/interceptors has made them
};

// The plans with which the ORB runs one operation. The client's frame holds, in IDL order and then for the result:
//
//   in          scalars: the value; pointers: the pointer; else: const T*, which is not null unless it is an array
//   inout       scalars: the value; else: T*  (char** for strings, X** for references)
//   out         scalars: the value; other fixed-length types: T*; strings: char**; references: X**;
//               variable-length types: T** (arrays: slice**)
//   result      scalars: the value; pointers: the pointer; fixed-length structs, unions, fixed: T* to the caller's
//               storage; variable-length types and arrays: T*, allocated
//
// Scalars are primitives, wchar and enums; pointers are strings, wide strings, references, TypeCodes, values and
// abstract interfaces. An any is of variable length.
//
// The server's frame holds values instead of pointers to them:
//
//   in, inout   T
//   out, result fixed-length types: T; pointers: the pointer; other variable-length types: T*;
//               arrays as result: slice*
//
// Both at natural alignment, like a C++ struct of those members; server frames start as zeros.
//
// Arguments that are only `in` belong to the request. Their strings and sequences of primitives may point into the
// message, and their other memory lies in the decoder's arena; server_frame leaves them alone. Arguments with object
// references, anys, TypeCodes or values belong to the frame, in every direction.
class OperationPlans {
 public:
  const char* name;
  Word name_length;
  bool oneway;
  bool server_frame_owns;      // server_frame has something to do
  bool client_is_flat = false;  // both of the client's plans are flat, and the client waits for results
  bool server_is_flat = false;
  // flat_bytes() of request and reply, if one side is flat.
  std::uint32_t flat_request_bytes = 0, flat_reply_bytes = 0;

  const Plan* client_request;  // encode
  const Plan* client_reply;    // decode; on a fault, destroy() it too: outs and the result are freed
  const Plan* server_request;  // decode, with an arena: Fault::OutOfMemory when one is needed and missing
  const Plan* server_reply;    // encode
  const Plan* server_frame;    // destroy, over the whole frame
  std::size_t server_frame_bytes;
  std::size_t server_frame_alignment;

  const ExceptionPlan* exceptions;
  Word exception_count;

  // The plans were built from these.
  const Unit* unit;
  Word op;
  OperationState* state;
};

// Builds the operation's plans; belongs to the feature run_time_plans. Returns nullptr only when memory is exhausted;
// the next call tries again then. Any thread.
CALLIS_OPTIONAL const OperationPlans* build_operation_plans(const Unit& unit, Word op);
// Called around fork(), by one thread: nobody builds plans between them. They belong to the same feature.
CALLIS_OPTIONAL void lock_plans() noexcept;
CALLIS_OPTIONAL void unlock_plans() noexcept;
// nullptr: there are none yet.
inline const OperationPlans* known_operation_plans(const Unit& unit, Word op) {
  return __atomic_load_n(&OperationView(unit, op).cell().plans, __ATOMIC_ACQUIRE);
}
// nullptr when memory is exhausted, or when the program has no plans of the operation and cannot build them.
inline const OperationPlans* operation_plans(const Unit& unit, Word op) {
  if (const OperationPlans* known = known_operation_plans(unit, op)) [[likely]] return known;
  return CALLIS_HAS(run_time_plans) ? build_operation_plans(unit, op) : nullptr;
}

}  // namespace callis::marshal
