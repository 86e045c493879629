// SPDX-License-Identifier: Apache-2.0
// TypeCodes, links and functions of the types in standard_values.h, as callis-idl makes them.
#include <callis/classic/layout.h>
#include <callis/orb/core/standard_values.h>
#include <callis/typecode/table.h>
#include <type_traits>

namespace callis_standard_values {
using namespace ::callis::marshal;
namespace {}  // namespace
extern const Unit unit;
const Unit unit = {nullptr, nullptr, nullptr, nullptr, &kExtension};
namespace {
using ::callis::typecode::basic;
using ::callis::typecode::cell;
using ::callis::typecode::entry;
using ::callis::typecode::other;
constexpr ::callis::typecode::Word type_words[] = {
    entry(::CORBA::tk_alias),
    1,
    35,
    basic(::CORBA::tk_string),  // CORBA::VersionSpec
    entry(::CORBA::tk_alias),
    47,
    75,
    basic(::CORBA::tk_string),  // CORBA::ORBid
    entry(::CORBA::tk_value_box, 0),
    81,
    115,
    basic(::CORBA::tk_string),  // CORBA::StringValue
    entry(::CORBA::tk_value_box, 1),
    127,
    162,
    basic(::CORBA::tk_wstring),  // CORBA::WStringValue
    entry(::CORBA::tk_enum),
    175,
    211,
    3,
    225,  // CORBA::ParameterMode
    entry(::CORBA::tk_except),
    256,
    295,
    0,  // CORBA::WrongTransaction
    entry(::CORBA::tk_alias),
    312,
    352,
    other(0),  // CORBA::ServiceDetailData
    entry(::CORBA::tk_alias),
    426,
    462,
    basic(::CORBA::tk_ulong),  // CORBA::ServiceOption
    ::CORBA::tk_sequence,
    0u,
    cell(8),
    entry(::CORBA::tk_alias),
    370,
    409,
    cell(9),  // CORBA::ServiceOptionSeq
    entry(::CORBA::tk_alias),
    546,
    586,
    basic(::CORBA::tk_ulong),  // CORBA::ServiceDetailType
    entry(::CORBA::tk_struct),
    476,
    512,
    2,
    526,
    cell(11),
    604,
    cell(6),  // CORBA::ServiceDetail
    ::CORBA::tk_sequence,
    0u,
    cell(10),
    entry(::CORBA::tk_alias),
    619,
    658,
    cell(13),  // CORBA::ServiceDetailSeq
    entry(::CORBA::tk_struct),
    675,
    716,
    2,
    735,
    cell(7),
    751,
    cell(12),  // CORBA::ServiceInformation
};
constexpr char type_texts[] =
    "\000"
    "IDL:omg.org/CORBA/VersionSpec:1.0\000"
    "VersionSpec\000"
    "IDL:omg.org/CORBA/ORBid:1.0\000"
    "ORBid\000"
    "IDL:omg.org/CORBA/StringValue:1.0\000"
    "StringValue\000"
    "IDL:omg.org/CORBA/WStringValue:1.0\000"
    "WStringValue\000"
    "IDL:omg.org/CORBA/ParameterMode:1.0\000"
    "ParameterMode\000"
    "PARAM_IN\000"
    "PARAM_OUT\000"
    "PARAM_INOUT\000"
    "IDL:omg.org/CORBA/WrongTransaction:1.0\000"
    "WrongTransaction\000"
    "IDL:omg.org/CORBA/ServiceDetailData:1.0\000"
    "ServiceDetailData\000"
    "IDL:omg.org/CORBA/ServiceOptionSeq:1.0\000"
    "ServiceOptionSeq\000"
    "IDL:omg.org/CORBA/ServiceOption:1.0\000"
    "ServiceOption\000"
    "IDL:omg.org/CORBA/ServiceDetail:1.0\000"
    "ServiceDetail\000"
    "service_detail_type\000"
    "IDL:omg.org/CORBA/ServiceDetailType:1.0\000"
    "ServiceDetailType\000"
    "service_detail\000"
    "IDL:omg.org/CORBA/ServiceDetailSeq:1.0\000"
    "ServiceDetailSeq\000"
    "IDL:omg.org/CORBA/ServiceInformation:1.0\000"
    "ServiceInformation\000"
    "service_options\000"
    "service_details";
constexpr const void* type_links[] = {
    &::CORBA::callis_value_StringValue,
    &::CORBA::callis_value_WStringValue,
};
constexpr const ::CORBA::TypeCode_ptr* type_others[] = {
    &::CORBA::_tc_OctetSeq,
};
constinit ::callis::typecode::Constants<15> type_codes = {{type_words, type_texts, type_links, type_others, {}, 0},
                                                          {{0, 0},
                                                           {4, 1},
                                                           {8, 2},
                                                           {12, 3},
                                                           {16, 4},
                                                           {21, 5},
                                                           {25, 6},
                                                           {36, 7},
                                                           {29, 8},
                                                           {33, 9},
                                                           {44, 10},
                                                           {40, 11},
                                                           {55, 12},
                                                           {52, 13},
                                                           {59, 14}}};
}  // namespace
namespace {
constexpr Word state_CORBA_StringValue = type_word(Kind::String);
const Plan* plan_CORBA_StringValue;
constexpr Word state_CORBA_WStringValue = type_word(Kind::WString);
const Plan* plan_CORBA_WStringValue;
}  // namespace
}  // namespace callis_standard_values

constinit const ::CORBA::TypeCode_ptr CORBA::_tc_VersionSpec = &::callis_standard_values::type_codes.cells[0];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ORBid = &::callis_standard_values::type_codes.cells[1];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_StringValue = &::callis_standard_values::type_codes.cells[2];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_WStringValue = &::callis_standard_values::type_codes.cells[3];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ParameterMode = &::callis_standard_values::type_codes.cells[4];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_WrongTransaction = &::callis_standard_values::type_codes.cells[5];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ServiceDetailData = &::callis_standard_values::type_codes.cells[6];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ServiceOptionSeq = &::callis_standard_values::type_codes.cells[7];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ServiceDetail = &::callis_standard_values::type_codes.cells[10];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ServiceDetailSeq = &::callis_standard_values::type_codes.cells[12];
constinit const ::CORBA::TypeCode_ptr CORBA::_tc_ServiceInformation = &::callis_standard_values::type_codes.cells[14];
void CORBA::WrongTransaction::_raise() const { throw *this; }
const char* CORBA::WrongTransaction::_name() const noexcept { return "WrongTransaction"; }
const char* CORBA::WrongTransaction::_rep_id() const noexcept { return "IDL:omg.org/CORBA/WrongTransaction:1.0"; }
::CORBA::Exception* CORBA::WrongTransaction::_duplicate() const { return new WrongTransaction(*this); }

const ::callis::value::ValueLink CORBA::callis_value_StringValue = {
    "IDL:omg.org/CORBA/StringValue:1.0",
    nullptr,
    ::callis::value::kBox,
    &callis_standard_values::unit,
    callis_standard_values::state_CORBA_StringValue,
    &callis_standard_values::plan_CORBA_StringValue,
    &::callis::value::upcast<::CORBA::StringValue>,
    &::callis::value::downcast<::CORBA::StringValue>,
    &::callis::value::create_box<::CORBA::StringValue>};
namespace callis_standard_values {
namespace {
const ::callis::value::BoxEntry box_CORBA_StringValue(::CORBA::callis_value_StringValue);
}
}  // namespace callis_standard_values
::CORBA::StringValue* CORBA::callis_duplicate(::CORBA::StringValue* _p) {
  ::CORBA::add_ref(_p);
  return _p;
}
void CORBA::callis_release(::CORBA::StringValue* _p) { ::CORBA::remove_ref(_p); }
CORBA::StringValue::~StringValue() = default;
const ::callis::value::ValueLink* CORBA::StringValue::_callis_link() const noexcept {
  return &::CORBA::callis_value_StringValue;
}
void* CORBA::StringValue::_callis_state(const ::callis::value::ValueLink& _callis_l) noexcept {
  return &_callis_l == &::CORBA::callis_value_StringValue ? _callis_base::callis_content() : nullptr;
}

const ::callis::value::ValueLink CORBA::callis_value_WStringValue = {
    "IDL:omg.org/CORBA/WStringValue:1.0",
    nullptr,
    ::callis::value::kBox,
    &callis_standard_values::unit,
    callis_standard_values::state_CORBA_WStringValue,
    &callis_standard_values::plan_CORBA_WStringValue,
    &::callis::value::upcast<::CORBA::WStringValue>,
    &::callis::value::downcast<::CORBA::WStringValue>,
    &::callis::value::create_box<::CORBA::WStringValue>};
namespace callis_standard_values {
namespace {
const ::callis::value::BoxEntry box_CORBA_WStringValue(::CORBA::callis_value_WStringValue);
}
}  // namespace callis_standard_values
::CORBA::WStringValue* CORBA::callis_duplicate(::CORBA::WStringValue* _p) {
  ::CORBA::add_ref(_p);
  return _p;
}
void CORBA::callis_release(::CORBA::WStringValue* _p) { ::CORBA::remove_ref(_p); }
CORBA::WStringValue::~WStringValue() = default;
const ::callis::value::ValueLink* CORBA::WStringValue::_callis_link() const noexcept {
  return &::CORBA::callis_value_WStringValue;
}
void* CORBA::WStringValue::_callis_state(const ::callis::value::ValueLink& _callis_l) noexcept {
  return &_callis_l == &::CORBA::callis_value_WStringValue ? _callis_base::callis_content() : nullptr;
}

static_assert(sizeof(::CORBA::ServiceDetail) ==
              ::callis::classic::kNaturalSize<decltype(::CORBA::ServiceDetail::service_detail_type),
                                              decltype(::CORBA::ServiceDetail::service_detail)>);
static_assert(std::is_standard_layout_v<::CORBA::ServiceDetail>);
static_assert(sizeof(::CORBA::ServiceInformation) ==
              ::callis::classic::kNaturalSize<decltype(::CORBA::ServiceInformation::service_options),
                                              decltype(::CORBA::ServiceInformation::service_details)>);
static_assert(std::is_standard_layout_v<::CORBA::ServiceInformation>);
static_assert(sizeof(::CORBA::WrongTransaction) == ::callis::classic::kNaturalSize<void*>);
