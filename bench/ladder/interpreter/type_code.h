// SPDX-License-Identifier: Apache-2.0
// The TypeCode of the original interpreter: a kind, and its parameters as they are on the wire. Whatever is asked of
// it is found by reading them, every time.
#pragma once
#include "../kinds.h"
#include "../ladder.h"
#include "../stream/cdr.h"

namespace ladder {

// What a method reports beside its result.
struct Environment {
  bool exception = false;
};

// Encodes, decodes or frees one value, of any type. value2 is a second value that goes along, for those that need
// one.
using Visit = bool (*)(const TypeCode& type, void* value1, void* value2, CDR* stream, Environment& env);

class TypeCode {
 public:
  TypeCode() = default;
  explicit TypeCode(TCKind kind) : kind_(kind) {}

  TCKind kind() const;
  std::size_t size(Environment& env) const;
  // Parameters of an array or a sequence: the element's type, and the length or bound.
  TypeCode typecode_param(Environment& env) const;
  std::uint32_t ulong_param(Environment& env) const;
  // The element's kind, without reading the rest.
  TCKind element_kind() const;

  // Visits a primitive, or each part of what is made of parts.
  bool traverse(void* value1, void* value2, Visit visit, CDR* stream, Environment& env) const;

  // Reads the TypeCode that follows in a stream.
  bool read(CDR& stream);
  bool is_known() const;

  TCKind kind_ = tk_null;

 private:
  CDR parameters() const;
  bool calculate_size_and_alignment(std::size_t& size, std::size_t& alignment, Environment& env) const;
  static bool calc_nested_size_and_alignment(CDR& stream, TypeCode& type, std::size_t& size, std::size_t& alignment,
                                             Environment& env);
  static std::uint32_t param_count(CDR& parameters, Environment& env);
  static bool struct_traverse(CDR& parameters, void* value1, void* value2, Visit visit, CDR* stream,
                              Environment& env);

  const Byte* first_ = nullptr;  // the parameters: an encapsulation's bytes, or a string's bound
  const Byte* end_ = nullptr;
};

// The visits. encoder and decoder put or get a primitive, or traverse; deep_free traverses, primitives too.
bool encoder(const TypeCode& type, void* value1, void* value2, CDR* stream, Environment& env);
bool decoder(const TypeCode& type, void* value1, void* value2, CDR* stream, Environment& env);
bool deep_free(const TypeCode& type, void* value1, void* value2, CDR* stream, Environment& env);

}  // namespace ladder
