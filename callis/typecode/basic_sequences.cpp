// SPDX-License-Identifier: Apache-2.0
#include <callis/typecode/basic_sequences.h>
#include <callis/typecode/table.h>
#include <string_view>

namespace callis::typecode {

namespace {

constexpr std::size_t kCount = 16;

constexpr char kSequencePool[] =
    "IDL:omg.org/CORBA/AnySeq:1.0\0AnySeq\0"
    "IDL:omg.org/CORBA/BooleanSeq:1.0\0BooleanSeq\0"
    "IDL:omg.org/CORBA/CharSeq:1.0\0CharSeq\0"
    "IDL:omg.org/CORBA/WCharSeq:1.0\0WCharSeq\0"
    "IDL:omg.org/CORBA/OctetSeq:1.0\0OctetSeq\0"
    "IDL:omg.org/CORBA/ShortSeq:1.0\0ShortSeq\0"
    "IDL:omg.org/CORBA/UShortSeq:1.0\0UShortSeq\0"
    "IDL:omg.org/CORBA/LongSeq:1.0\0LongSeq\0"
    "IDL:omg.org/CORBA/ULongSeq:1.0\0ULongSeq\0"
    "IDL:omg.org/CORBA/LongLongSeq:1.0\0LongLongSeq\0"
    "IDL:omg.org/CORBA/ULongLongSeq:1.0\0ULongLongSeq\0"
    "IDL:omg.org/CORBA/FloatSeq:1.0\0FloatSeq\0"
    "IDL:omg.org/CORBA/DoubleSeq:1.0\0DoubleSeq\0"
    "IDL:omg.org/CORBA/LongDoubleSeq:1.0\0LongDoubleSeq\0"
    "IDL:omg.org/CORBA/StringSeq:1.0\0StringSeq\0"
    "IDL:omg.org/CORBA/WStringSeq:1.0\0WStringSeq\0";

// Of each an alias and, behind it, the sequence; ids and names stand in the pool one after the other.
constexpr std::size_t kWordsOfOne = 7;
struct Words {
  Word all[kCount * kWordsOfOne] = {};
};
constexpr Words make_words() {
  constexpr CORBA::TCKind kElements[kCount] = {
      CORBA::tk_any, CORBA::tk_boolean, CORBA::tk_char, CORBA::tk_wchar, CORBA::tk_octet, CORBA::tk_short,
      CORBA::tk_ushort, CORBA::tk_long, CORBA::tk_ulong, CORBA::tk_longlong, CORBA::tk_ulonglong,
      CORBA::tk_float, CORBA::tk_double, CORBA::tk_longdouble, CORBA::tk_string,
      CORBA::tk_wstring};
  Words out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t name = at + std::string_view(kSequencePool + at).size() + 1;
    const Word one[kWordsOfOne] = {entry(CORBA::tk_alias),  static_cast<Word>(at),
                                   static_cast<Word>(name), cell(static_cast<Word>(kCount + i)),
                                   CORBA::tk_sequence,      0,
                                   basic(kElements[i])};
    for (std::size_t k = 0; k < kWordsOfOne; ++k) {
      out.all[i * kWordsOfOne + k] = one[k];
    }
    at = name + std::string_view(kSequencePool + name).size() + 1;
  }
  return out;
}
constexpr Words kSequenceWords = make_words();

// The aliases, then the sequences.
constinit Constants<2 * kCount> sequence_constants = {
    {kSequenceWords.all, kSequencePool, nullptr, nullptr, {}, 0},
    {{0, 0}, {7, 1}, {14, 2}, {21, 3}, {28, 4}, {35, 5}, {42, 6}, {49, 7}, {56, 8}, {63, 9}, {70, 10},
     {77, 11}, {84, 12}, {91, 13}, {98, 14}, {105, 15}, {4, 16}, {11, 17}, {18, 18}, {25, 19}, {32, 20},
     {39, 21}, {46, 22}, {53, 23}, {60, 24}, {67, 25}, {74, 26}, {81, 27}, {88, 28}, {95, 29}, {102, 30},
     {109, 31}}};

}  // namespace

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

using callis::typecode::sequence_constants;

constinit const TypeCode_ptr _tc_AnySeq = &sequence_constants.cells[0];
constinit const TypeCode_ptr _tc_BooleanSeq = &sequence_constants.cells[1];
constinit const TypeCode_ptr _tc_CharSeq = &sequence_constants.cells[2];
constinit const TypeCode_ptr _tc_WCharSeq = &sequence_constants.cells[3];
constinit const TypeCode_ptr _tc_OctetSeq = &sequence_constants.cells[4];
constinit const TypeCode_ptr _tc_ShortSeq = &sequence_constants.cells[5];
constinit const TypeCode_ptr _tc_UShortSeq = &sequence_constants.cells[6];
constinit const TypeCode_ptr _tc_LongSeq = &sequence_constants.cells[7];
constinit const TypeCode_ptr _tc_ULongSeq = &sequence_constants.cells[8];
constinit const TypeCode_ptr _tc_LongLongSeq = &sequence_constants.cells[9];
constinit const TypeCode_ptr _tc_ULongLongSeq = &sequence_constants.cells[10];
constinit const TypeCode_ptr _tc_FloatSeq = &sequence_constants.cells[11];
constinit const TypeCode_ptr _tc_DoubleSeq = &sequence_constants.cells[12];
constinit const TypeCode_ptr _tc_LongDoubleSeq = &sequence_constants.cells[13];
constinit const TypeCode_ptr _tc_StringSeq = &sequence_constants.cells[14];
constinit const TypeCode_ptr _tc_WStringSeq = &sequence_constants.cells[15];

}  // namespace CORBA::inline callis_orb
