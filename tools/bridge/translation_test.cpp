// SPDX-License-Identifier: Apache-2.0
// In which types references are looked for.
#include <callis/typecode/create.h>
#include <callis/typecode/of_descriptor.h>
#include <gtest/gtest.h>
#include <tools/bridge/translation.h>

namespace callis::tools {
namespace {

CORBA::TypeCode_var structure(const char* id, CORBA::TypeCode_ptr member) {
  CORBA::StructMemberSeq members;
  members.length(1);
  members[0].name = "m";
  members[0].type = CORBA::TypeCode::_duplicate(member);
  return typecode::create_struct_tc(id, "S", members);
}

TEST(Translation, looks_into_structs_within_each_other) {
  const CORBA::TypeCode_var inner = structure("IDL:Inner:1.0", CORBA::_tc_Object);
  EXPECT_TRUE(may_hold_references(*structure("IDL:Outer:1.0", inner.in()).in()));
  const CORBA::TypeCode_var number = structure("IDL:Inner:1.0", CORBA::_tc_long);
  EXPECT_FALSE(may_hold_references(*structure("IDL:Outer:1.0", number.in()).in()));
}

// Which none of them needs (CORBA 3.3 part 2, 9.3.5.1).
TEST(Translation, looks_into_structs_without_repository_ids_within_each_other) {
  using marshal::Kind;
  using marshal::type_word;
  static constexpr marshal::Word words[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Ref, 3),
                                            type_word(Kind::Struct, 1), type_word(Kind::ObjRef, marshal::kNoLink)};
  static constexpr const void* links[] = {nullptr};
  static constexpr marshal::Unit unit = {words, "", links, nullptr, &marshal::kExtension};
  const CORBA::TypeCode_var outer = typecode::type_of_descriptor(unit, type_word(Kind::Ref, 1));
  ASSERT_STREQ(outer->id(), "");
  EXPECT_TRUE(may_hold_references(*outer.in()));
}

TEST(Translation, looks_once_into_types_that_lead_to_themselves) {
  const CORBA::TypeCode_var self = typecode::create_recursive_tc("IDL:Tree:1.0");
  const CORBA::TypeCode_var some = typecode::create_sequence_tc(0, self.in());
  EXPECT_FALSE(may_hold_references(*structure("IDL:Tree:1.0", some.in()).in()));
}

}  // namespace
}  // namespace callis::tools
