// SPDX-License-Identifier: Apache-2.0
// Descriptors made at run time from TypeCodes on the wire (CORBA 3.3 part 2, 9.3.5): the words that callis-idl
// would have written for the same type, so that make_plan() gives the same plan.
//
// Aliases are followed and forgotten. Arrays directly of arrays, which is how a TypeCode says `long m[2][3]`, are one
// array. Occurrences of a struct or union with the same repository id and members are one entry. A value is its link:
// what it is made of is not described.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/marshal/descriptor.h>
#include <memory>
#include <string_view>
#include <vector>

namespace callis::marshal {

class TypeDescription {
 public:
  // Valid as long as this.
  Unit unit() const { return {words_.data(), "", links_.data(), nullptr, &kExtension}; }
  Word type() const { return type_; }
  // The bytes charged to the budget with which the description was read; its owner gives them back in the end.
  std::size_t memory_bytes() const;

 private:
  friend class TypeReader;
  std::vector<Word> words_{0};  // entry 0 is never referred to
  std::vector<const void*> links_;
  Word type_ = 0;
};

// Gives the link of a repository id by its kind (ObjRef, Abstract: orb::InterfaceLink; Exception: orb::ExceptionLink;
// Value, also of a boxed value: value::ValueLink). Returns nullptr if the program has no such type: references are
// CORBA::Objects then, abstract interfaces CORBA::AbstractBases, values CORBA::ValueBases.
using LinkOf = const void* (*)(void* context, Kind kind, std::string_view repository_id);

// Limits of one TypeCode beside the decoder's budget and depth, which it is charged to: memory and work (work.h).
inline constexpr std::size_t kMaxTypeCodeBytes = 1u << 20;
inline constexpr std::size_t kMaxTypeWeight = 1u << 16;        // members, counting those of members
inline constexpr std::size_t kMaxNativeTypeBytes = 16u << 20;  // of one value, sequences empty

// Reads the TypeCode that follows. On a fault returns nullptr and sets the decoder's fault. BadValue stands for bytes
// that are no TypeCode, Unsupported for kinds that no value has (tk_null, tk_Principal, tk_native,
// tk_local_interface, components). Other faults are LimitExceeded, OutOfMemory, and the decoder's own.
std::shared_ptr<const TypeDescription> read_type_code(cdr::Decoder& decoder, LinkOf link_of = nullptr,
                                                      void* context = nullptr);

}  // namespace callis::marshal
