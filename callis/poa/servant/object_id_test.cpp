// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/string.h>
#include <callis/poa/servant/object_id.h>
#include <gtest/gtest.h>

using namespace PortableServer;

// C++ mapping 1.3, 4.37
TEST(ObjectId, TextGoesThereAndBack) {
  const ObjectId_var id = string_to_ObjectId("account-1");
  EXPECT_EQ(id->length(), 9u);
  const CORBA::String_var text = ObjectId_to_string(id.in());
  EXPECT_STREQ(text.in(), "account-1");
}

TEST(ObjectId, EmptyTextIsAnEmptyId) {
  const ObjectId_var id = string_to_ObjectId("");
  EXPECT_EQ(id->length(), 0u);
  const CORBA::String_var text = ObjectId_to_string(id.in());
  EXPECT_STREQ(text.in(), "");
}

TEST(ObjectId, AnIdWithANulHasNoText) {
  ObjectId id;
  id.length(3);
  id[0] = 'a';
  id[1] = 0;
  id[2] = 'b';
  EXPECT_THROW(CORBA::String_var(ObjectId_to_string(id)), CORBA::BAD_PARAM);
}

TEST(ObjectId, NullTextIsBadParam) { EXPECT_THROW(string_to_ObjectId(nullptr), CORBA::BAD_PARAM); }
