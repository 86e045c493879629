// SPDX-License-Identifier: Apache-2.0
// The TypeCode of the later rungs: its parameters are read once, when it is made; size, alignment and the parts'
// types are state that every use finds (the papers' step 2: precompute, store redundant state).
#pragma once
#include <memory>
#include <vector>
#include "../kinds.h"
#include "../ladder.h"
#include "../stream/cdr.h"

namespace ladder {

// What is done to a value. One traverse does all of it on the rung "precomputing".
enum class Task { Encode, Decode, Free };

class TypeCode {
 public:
  TCKind kind() const { return kind_; }
  std::size_t size() const { return size_; }
  std::size_t alignment() const { return alignment_; }
  std::uint32_t bound() const { return number_; }   // of a string or a sequence, 0 for none
  std::uint32_t length() const { return number_; }  // of an array
  const std::vector<const TypeCode*>& members() const { return parts_; }
  // The element's type: a function that is called, as in the papers' profiles.
  const TypeCode* typecode_param() const;

  // The generic method with every task in it. On the rungs whose receiver or sender is specialised it is the others'.
  bool traverse(void* value, Task task, CDR* stream) const;

  // Reads the TypeCode that follows and works everything out. nullptr for what the rungs do not know.
  static std::unique_ptr<TypeCode> read(CDR& stream);
  ~TypeCode();

 private:
  bool read_parameters(CDR& parameters);
  bool read_members(CDR& parameters);

  TCKind kind_ = tk_null;
  std::uint32_t number_ = 0;
  std::size_t size_ = 0, alignment_ = 1;
  std::vector<const TypeCode*> parts_;  // owned
};

// A sequence's length, from the stream: checked, and memory for the elements, which are zeros unless they are
// primitives.
bool decode_header(const TypeCode& type, void* value, CDR* stream);
// A sequence's length, to the stream, if the bound allows it.
bool encode_header(const TypeCode& type, const void* value, CDR* stream);

// The specialised methods of the receiver (decode.cpp) and of the sender (encode.cpp).
bool decode_value(const TypeCode& type, void* value, CDR* stream);
void free_value(const TypeCode& type, void* value);
bool encode_value(const TypeCode& type, const void* value, CDR* stream);

}  // namespace ladder
