// SPDX-License-Identifier: Apache-2.0
// Handlers for work that the engine cannot do by itself: anys, TypeCodes, values and abstract interfaces belong to
// libraries above it, which set their functions here. (Object references have ReferenceHandlers in plan.h.)
//
// A *slot* is the place of such a value in memory: AnySlot for Kind::Any, a pointer for the others. `link` is that of
// the descriptor, nullptr where it has none. Nothing here throws: failures are faults of the encoder or decoder.
//
// A handler is set once, if the library that knows the kind is linked at all. A CALLIS_INSTALLER sets it, in the file
// without which no value of that kind can exist. Encoding or decoding a kind without handlers is Fault::Unsupported.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>
#include <string_view>

// On a function that sets handlers: it runs before the static initialisers of applications, which may make such
// values.
#define CALLIS_INSTALLER [[gnu::constructor(200)]]

namespace callis::marshal {

struct SlotHandlers;

// each_slot() (values.h) calls this for each slot that it finds.
using SlotVisitor = void (*)(void* context, void* slot, const SlotHandlers& handlers, const void* link);

struct SlotHandlers {
  void (*encode)(cdr::Encoder&, const void* slot, const void* link);
  // The slot holds a valid value or zeros, which is freed; after a fault it holds a valid value, too. Never borrows
  // from the message.
  void (*decode)(cdr::Decoder&, void* slot, const void* link);
  // Passes over a value without making it.
  void (*skip)(cdr::Decoder&, const void* link);
  // Leaves zeros.
  void (*destroy)(void* slot, const void* link);
  // `to` holds nothing. False when memory is exhausted: `to` holds zeros then.
  bool (*copy)(void* to, const void* from, const void* link);
  bool (*equal)(const void* a, const void* b, const void* link);
  std::uint64_t (*hash)(const void* slot, const void* link);
  // each_slot() for what the slot's value holds in memory that only its library knows; nullptr: it holds no slots.
  void (*each_slot_within)(const void* slot, SlotVisitor visitor, void* context) = nullptr;
  // The CORBA::ValueBase in the slot, without a count; nullptr: none can be there.
  void* (*value_in)(const void* slot, const void* link) = nullptr;
};

// kind: Any, TypeCode, Abstract or Value. The handlers live for ever.
void set_slot_handlers(Kind kind, const SlotHandlers& handlers) noexcept;
// nullptr while there are none.
const SlotHandlers* slot_handlers(Kind kind) noexcept;

// Values that are sent together (all arguments of a request, or of a reply) may be shared among them: the second
// occurrence is an indirection (CORBA 3.3 part 2, 9.3.4.1). The caller that encodes or decodes the whole opens a
// *scope* around this work if the plan says that values may occur. Scopes hang on Encoder::values() and
// Decoder::values(). open() returns nullptr if memory is exhausted. A value that meets no scope makes a scope for
// itself.
//
// A library above may attach an object to a decoder's scope, which drops it when it is closed.
struct ScopeAttachment {
  void* object = nullptr;
  void (*drop)(void*) noexcept = nullptr;  // set with the object
};
// A moment in the life of a decoder's scope.
struct ScopeMark {
  std::uint32_t values = 0;  // that had begun
  std::uint32_t led_to = 0;  // abandoned values that had been led back to
  std::uint32_t described = 0;  // described values that had begun
};

// The value types that a TypeCode describes, for values that the program has no class for.
struct Description {
  // Their entries of Unit::links, by repository id; nullptr where there is none.
  const void* (*find)(const void* types, std::string_view id);
  const void* types;
  // Whether what the description does not know of a value may be cut off, where the value allows that.
  bool truncates;
  // Whether a value that may be cut off to a type of the description is, though the program has a class of it.
  bool takes_apart = false;
};

struct ValueScopes {
  void* (*open_encoder)() noexcept;
  void (*close_encoder)(void*) noexcept;
  // around: the scope of a message of which some bytes are passed over by themselves, or nullptr. How deep values
  // nest is counted on from there.
  void* (*open_decoder)(const void* around) noexcept;
  // failed: what was read belongs to nobody; values that refer to each other in circles must not stay.
  void (*close_decoder)(void*, bool failed) noexcept;
  // Whether what is written now lies in chunks.
  bool (*writes_chunks)(const void* encoder_scope) noexcept = nullptr;
  ScopeAttachment& (*attachment)(void* decoder_scope) noexcept = nullptr;
  // Values that have been read since mark() belong to nobody, as if the message had failed there. Only values that
  // later data lead back to stay.
  ScopeMark (*mark)(const void* decoder_scope) noexcept = nullptr;
  void (*abandon)(void* decoder_scope, ScopeMark mark) noexcept = nullptr;
  // From now on values go with their type ids, also where the place says their type; or not any more. Whether it was
  // so before.
  bool (*name_types)(void* encoder_scope, bool always) noexcept = nullptr;
  // From begin_described() to end_described() values of described types are made of what the description says, with
  // no code of the application. `type` is what the description belongs to: it is taken over, and the scope, or
  // who keeps the values, drops it. `before` is for end_described(). False when memory is exhausted: nothing has been
  // begun.
  bool (*begin_described)(void* decoder_scope, const Description& types, void* type, void (*drop)(void*) noexcept,
                          const Description*& before) noexcept = nullptr;
  void (*end_described)(void* decoder_scope, const Description* before) noexcept = nullptr;
  // Whether such values are being read; if so, Description::truncates.
  bool (*reads_described)(const void* decoder_scope, bool& truncates) noexcept = nullptr;
  // Values of described types stay until the result is dropped. Returns nullptr if memory is exhausted.
  void* (*keep_described)(void* decoder_scope) noexcept = nullptr;
  void (*drop_described)(void* kept) noexcept = nullptr;
};
const ValueScopes& value_scopes() noexcept;
void set_value_scopes(const ValueScopes& scopes) noexcept;

}  // namespace callis::marshal
