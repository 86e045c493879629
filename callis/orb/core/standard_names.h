// SPDX-License-Identifier: Apache-2.0
// The declarations of module CORBA that not every program needs (CORBA 3.3 part 1, 8 and 14). Generated code that
// uses such a name of orb.idl includes this header.
//
// An InterfaceDef can only be passed here. A file made from ir.idl has the class, or else
// callis/orb/core/interface_def.h.
#pragma once
#include <callis/orb/base/operation_context.h>
#include <callis/orb/base/policy.h>
#include <callis/orb/base/policy_management.h>
#include <callis/typecode/create.h>
#include <callis/value/value.h>

namespace CORBA::inline callis_orb {

using Identifier_var = String_var;
using Identifier_out = String_out;
extern const TypeCode_ptr _tc_Identifier;
using RepositoryId_var = String_var;
using RepositoryId_out = String_out;
extern const TypeCode_ptr _tc_RepositoryId;
using ScopedName = char*;
using ScopedName_var = String_var;
using ScopedName_out = String_out;
extern const TypeCode_ptr _tc_ScopedName;
using Visibility_out = Short_out;
using ValueModifier_out = Short_out;
using ServiceType = UShort;
using ServiceType_out = UShort_out;
extern const TypeCode_ptr _tc_ServiceType;
using ServiceOption = ULong;
using ServiceOption_out = ULong_out;
extern const TypeCode_ptr _tc_ServiceOption;
using ServiceDetailType = ULong;
using ServiceDetailType_out = ULong_out;
extern const TypeCode_ptr _tc_ServiceDetailType;

using StructMember_var = callis::classic::VariableVar<StructMember>;
using StructMember_out = callis::classic::VariableOut<StructMember>;
using UnionMember_var = callis::classic::VariableVar<UnionMember>;
using UnionMember_out = callis::classic::VariableOut<UnionMember>;
using ValueMember_var = callis::classic::VariableVar<ValueMember>;
using ValueMember_out = callis::classic::VariableOut<ValueMember>;
using StructMemberSeq_out = callis::classic::VariableOut<StructMemberSeq, StructMemberSeq_var>;
using UnionMemberSeq_out = callis::classic::VariableOut<UnionMemberSeq, UnionMemberSeq_var>;
using ValueMemberSeq_out = callis::classic::VariableOut<ValueMemberSeq, ValueMemberSeq_var>;
using EnumMemberSeq_out = callis::classic::VariableOut<EnumMemberSeq, EnumMemberSeq_var>;

// Always nil if no ir.idl is compiled into the program (typecode/create.h), even if a peer sends an IDLType.
extern const callis::orb::InterfaceLink callis_link_IDLType;
using IDLType_out = callis::classic::ReferenceOut<IDLType>;

class InterfaceDef;
using InterfaceDef_ptr = InterfaceDef*;
InterfaceDef* callis_duplicate(InterfaceDef* p);
void callis_release(InterfaceDef* p);
extern const callis::orb::InterfaceLink callis_link_InterfaceDef;
using InterfaceDef_var = callis::classic::ReferenceVar<InterfaceDef>;
using InterfaceDef_out = callis::classic::ReferenceOut<InterfaceDef>;

}  // namespace CORBA::inline callis_orb

#include <callis/orb/core/standard_values.h>  // which needs the names above
