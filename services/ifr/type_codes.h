// SPDX-License-Identifier: Apache-2.0
// TypeCodes of definitions, and anys as stored bytes. One thread at a time.
#pragma once
#include <callis/corba.h>
#include <services/ifr/model.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callis::ifr {

class TypeCodes {
 public:
  explicit TypeCodes(const Model& model) : model_(model) {}
  TypeCodes(const TypeCodes&) = delete;
  TypeCodes& operator=(const TypeCodes&) = delete;

  // Of a type or an exception. BAD_PARAM and BAD_TYPECODE as ORB::create_struct_tc() and its kin, where the
  // definition does not keep their rules; IMP_LIMIT where types lie in each other too deep.
  CORBA::TypeCode_var of(Number number);

 private:
  CORBA::TypeCode_var make(const Definition& d);
  CORBA::TypeCode_var union_type(const Definition& d);
  CORBA::TypeCode_var value(const Definition& d);
  CORBA::StructMemberSeq members(const Definition& d);

  const Model& model_;
  std::uint64_t generation_ = 0;
  std::unordered_map<Number, CORBA::TypeCode_var> made_;
  std::vector<Number> open_;                      // that are being made, the outermost first
  std::size_t outermost_used_ = ~std::size_t{0};  // place in open_ of the outermost that something stands for
  std::size_t levels_ = 0;
  std::size_t steps_ = 0;
};

// Of primitives by CORBA::PrimitiveKind.
CORBA::TypeCode_var primitive_type_code(std::uint32_t kind);

// An any as an encapsulation. BAD_PARAM: it holds what has no wire form.
std::string any_to_bytes(const CORBA::Any& any);
// What any_to_bytes() made; of other bytes nothing. The value has been looked at, too.
bool any_from_bytes(std::string_view bytes, CORBA::Any& any);

}  // namespace callis::ifr
