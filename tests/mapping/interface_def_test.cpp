// SPDX-License-Identifier: Apache-2.0
// CORBA::InterfaceDef is one class in a program, whichever header a source file knows it from.
#include "interface_def.h"
#include <gtest/gtest.h>

namespace {

class InterfaceDefTest : public ::testing::Test {
 protected:
  InterfaceDefTest() {
    int argc = 0;
    orb = CORBA::ORB_init(argc, nullptr, "interface_def");
    object = orb->string_to_object("corbaloc::192.0.2.1:1/definition");  // nobody calls it
  }
  ~InterfaceDefTest() override { orb->destroy(); }
  CORBA::ORB_var orb;
  CORBA::Object_var object;
};

TEST_F(InterfaceDefTest, HasItsOperationsWhicheverFileNarrowsIt) {
  const CORBA::InterfaceDef_var a = plain::narrowed(object.in()), b = compiled::narrowed(object.in());
  EXPECT_TRUE(compiled::has_operations(a.in()));
  EXPECT_TRUE(compiled::has_operations(b.in()));
}

TEST_F(InterfaceDefTest, IsTheSameObjectForBothFiles) {
  const CORBA::InterfaceDef_var a = plain::narrowed(object.in()), b = compiled::narrowed(object.in());
  for (const CORBA::InterfaceDef_ptr p : {a.in(), b.in()}) {
    EXPECT_EQ(plain::object_of(p), compiled::object_of(p));
    EXPECT_TRUE(plain::object_of(p)->_is_equivalent(object.in()));
  }
}

TEST_F(InterfaceDefTest, HasOneTypeCode) {
  EXPECT_EQ(plain::type(), compiled::type());
  EXPECT_STREQ(plain::type()->id(), "IDL:omg.org/CORBA/InterfaceDef:1.0");
}

TEST_F(InterfaceDefTest, GoesThroughAnysFromFileToFile) {
  const CORBA::InterfaceDef_var p = plain::narrowed(object.in());
  CORBA::Any any, other;
  CORBA::InterfaceDef_ptr found = nullptr;
  plain::put(any, p.in());
  ASSERT_TRUE(compiled::get(any, found));
  EXPECT_TRUE(compiled::has_operations(found));
  compiled::put(other, found);
  ASSERT_TRUE(plain::get(other, found));
  EXPECT_TRUE(plain::object_of(found)->_is_equivalent(object.in()));
}

}  // namespace
