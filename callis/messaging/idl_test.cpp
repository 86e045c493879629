// SPDX-License-Identifier: Apache-2.0
// IDL files of applications that include <TimeBase.idl> and <Messaging.idl>.
#include <callis/messaging.h>
#include <gtest/gtest.h>
#include "log.h"

namespace callis::messaging {
namespace {

TEST(MessagingIdl, types_of_the_standard_files_are_members_of_others) {
  MessagingLog::Entry entry;
  entry.when = {42, 1, 2, 60};
  entry.scope = Messaging::SYNC_WITH_TARGET;
  entry.policies.length(1);
  entry.policies[0].ptype = Messaging::REBIND_POLICY_TYPE;
  CORBA::Any any;
  any <<= entry;
  const MessagingLog::Entry* read = nullptr;
  ASSERT_TRUE(any >>= read);
  EXPECT_EQ(read->when.time, 42u);
  EXPECT_EQ(read->when.tdf, 60);
  EXPECT_EQ(read->scope, Messaging::SYNC_WITH_TARGET);
  ASSERT_EQ(read->policies.length(), 1u);
  EXPECT_EQ(read->policies[0].ptype, 23u);
}

TEST(MessagingIdl, names_of_orb_idl_for_policies_can_be_used) {
  MessagingLog::Wishes wishes;
  wishes.types.length(2);
  wishes.types[1] = Messaging::SYNC_SCOPE_POLICY_TYPE;
  wishes.how = CORBA::ADD_OVERRIDE;
  wishes.why = CORBA::UNSUPPORTED_POLICY;
  CORBA::Any any;
  any <<= wishes;
  const MessagingLog::Wishes* read = nullptr;
  ASSERT_TRUE(any >>= read);
  ASSERT_EQ(read->types.length(), 2u);
  EXPECT_EQ(read->types[1], 24u);
  EXPECT_EQ(read->how, CORBA::ADD_OVERRIDE);
  EXPECT_EQ(read->why, 1);
}

TEST(MessagingIdl, repository_ids_are_the_OMG_s) {
  EXPECT_STREQ(TimeBase::_tc_UtcT->id(), "IDL:omg.org/TimeBase/UtcT:1.0");
  EXPECT_STREQ(Messaging::RelativeRoundtripTimeoutPolicy::_repository_id(),
               "IDL:omg.org/Messaging/RelativeRoundtripTimeoutPolicy:1.0");
}

}  // namespace
}  // namespace callis::messaging
