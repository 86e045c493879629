// SPDX-License-Identifier: Apache-2.0
// TypeCodes made at run time (CORBA 3.3 part 1, 8.11.3): what ORB::create_X_tc does. The caller owns the result.
//
// BAD_PARAM, OMG minor: 13 a nil TypeCode; 15 a name that is no identifier; 16 a repository id that is none; 17 a
// member's name that is none or stands twice; 18 a label that stands twice; 19 a label of another type than the
// discriminator; 20 a type that no union can be switched by. BAD_TYPECODE, OMG minor 2: a member cannot be of that
// type. Names may be empty.
//
// create_recursive_tc() stands for the struct, union or value with that id around it; it becomes that when
// it is created. Until then what contains it can be a part of other TypeCodes, no more.
#pragma once
#include <callis/typecode/any.h>

namespace CORBA::inline callis_orb {

using Identifier = char*;
using RepositoryId = char*;

// Interface repositories have them; here they are always nil. A compiled ir.idl declares the class.
class IDLType;
using IDLType_ptr = IDLType*;
IDLType* callis_duplicate(IDLType* t);
void callis_release(IDLType* t);
using IDLType_var = callis::classic::ReferenceVar<IDLType>;

struct StructMember {
  String_member name;
  TypeCode_var type;
  IDLType_var type_def;
};
struct UnionMember {
  String_member name;
  Any label;
  TypeCode_var type;
  IDLType_var type_def;
};
struct ValueMember {
  String_member name;
  String_member id;
  String_member defined_in;
  String_member version;
  TypeCode_var type;
  IDLType_var type_def;
  Visibility access = PRIVATE_MEMBER;
};
class StructMemberSeq final : public callis::classic::Sequence<StructMember> {
 public:
  using SequenceOf::SequenceOf;
};
class UnionMemberSeq final : public callis::classic::Sequence<UnionMember> {
 public:
  using SequenceOf::SequenceOf;
};
class ValueMemberSeq final : public callis::classic::Sequence<ValueMember> {
 public:
  using SequenceOf::SequenceOf;
};
class EnumMemberSeq final : public callis::classic::StringSequence<> {
 public:
  using SequenceOf::SequenceOf;
};
using StructMemberSeq_var = callis::classic::SequenceVar<StructMemberSeq>;
using UnionMemberSeq_var = callis::classic::SequenceVar<UnionMemberSeq>;
using ValueMemberSeq_var = callis::classic::SequenceVar<ValueMemberSeq>;
using EnumMemberSeq_var = callis::classic::SequenceVar<EnumMemberSeq>;

}  // namespace CORBA::inline callis_orb

namespace callis::typecode {

CORBA::TypeCode_ptr create_struct_tc(const char* id, const char* name, const CORBA::StructMemberSeq& members);
CORBA::TypeCode_ptr create_union_tc(const char* id, const char* name, CORBA::TypeCode_ptr discriminator,
                                    const CORBA::UnionMemberSeq& members);
CORBA::TypeCode_ptr create_enum_tc(const char* id, const char* name, const CORBA::EnumMemberSeq& members);
CORBA::TypeCode_ptr create_alias_tc(const char* id, const char* name, CORBA::TypeCode_ptr original);
CORBA::TypeCode_ptr create_exception_tc(const char* id, const char* name, const CORBA::StructMemberSeq& members);
// An interface of any flavor, or a native.
CORBA::TypeCode_ptr create_named_tc(CORBA::TCKind kind, const char* id, const char* name);
CORBA::TypeCode_ptr create_string_tc(CORBA::ULong bound);
CORBA::TypeCode_ptr create_wstring_tc(CORBA::ULong bound);
CORBA::TypeCode_ptr create_fixed_tc(CORBA::UShort digits, CORBA::Short scale);
CORBA::TypeCode_ptr create_sequence_tc(CORBA::ULong bound, CORBA::TypeCode_ptr element);
CORBA::TypeCode_ptr create_array_tc(CORBA::ULong length, CORBA::TypeCode_ptr element);
CORBA::TypeCode_ptr create_value_tc(const char* id, const char* name, CORBA::ValueModifier modifier,
                                    CORBA::TypeCode_ptr concrete_base, const CORBA::ValueMemberSeq& members);
CORBA::TypeCode_ptr create_value_box_tc(const char* id, const char* name, CORBA::TypeCode_ptr boxed);
CORBA::TypeCode_ptr create_recursive_tc(const char* id);

}  // namespace callis::typecode
