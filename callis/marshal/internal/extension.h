// SPDX-License-Identifier: Apache-2.0
// The work that the builder and the walks leave to the extension (descriptor.h): the kinds that not every program
// uses. The instruction is WChar, WString, Fixed, Slot or Union.
#pragma once
#include <callis/marshal/internal/builder.h>
#include <callis/marshal/internal/program.h>

namespace callis::marshal {

struct Extension {
  void (*emit)(Builder& builder, const Resolved& type, Word word, std::uint32_t offset);
  // Failures are faults of the encoder or decoder.
  void (*encode)(const Program& program, const Instruction& i, const Byte* from, cdr::Encoder& encoder);
  // arena: where the value may be borrowed from; nullptr: it may not.
  void (*decode)(const Program& program, const Instruction& i, Byte* to, cdr::Decoder& decoder, Arena* arena);
  void (*destroy)(const Program& program, const Instruction& i, Byte* at);
  // The whole plan in a scope of values.
  bool (*encode_scoped)(const Plan& plan, const void* memory, cdr::Encoder& encoder);
  bool (*decode_scoped)(const Plan& plan, void* memory, cdr::Decoder& decoder);
  // For maps that peers can make large: look-ups that do not get slower, in place of lists.
  Word (*find)(const WordMap& map, Word key);
  void (*put)(WordMap& map, Word key, Word value);
  TypeFacts (*facts)(const Unit& unit, const Resolved& r, FactsMemo& memo);
};

// A block by itself. False after a fault.
bool encode_block(const Program& program, std::uint32_t block, const void* memory, cdr::Encoder& encoder);
bool decode_block(const Program& program, std::uint32_t block, void* memory, cdr::Decoder& decoder, Arena* arena);
// A part of a block of a value's plan: from `first` on, up to `stop`, an instruction of the same block that is a
// Slot, or its End. False after a fault.
bool encode_part(const Program& program, const Instruction* first, const Instruction* stop, const void* memory,
                 cdr::Encoder& encoder);
bool decode_part(const Program& program, const Instruction* first, const Instruction* stop, void* memory,
                 cdr::Decoder& decoder);

}  // namespace callis::marshal
