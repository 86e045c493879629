// SPDX-License-Identifier: Apache-2.0
// The idioms that programs for other ORBs are written in, as the C++ mapping allows them.
#include <callis/corba.h>
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

struct Mapping : PoaTest {};

TEST_F(Mapping, VarsConvertWhereReferencesAreExpected) {
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1u] = root->create_id_assignment_policy(PortableServer::USER_ID);
  PortableServer::POAManager_var mgr = root->the_POAManager();
  PortableServer::POA_var poa = root->create_POA("child", mgr, policies);
  for (CORBA::ULong i = 0; i < policies.length(); ++i) policies[i]->destroy();

  PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId("x");
  Probe* servant = new Probe;
  PortableServer::ServantBase_var owner = servant;
  poa->activate_object_with_id(oid, servant);
  CORBA::Object_var obj = poa->id_to_reference(oid);
  EXPECT_FALSE(CORBA::is_nil(obj));
  PortableServer::ObjectId_var back = poa->reference_to_id(obj);
  EXPECT_EQ(back->length(), 1u);
  EXPECT_EQ(back[0], 'x');
  poa->deactivate_object(oid);
  poa->destroy(1, 1);
}

TEST_F(Mapping, PoliciesMayBeCopiedIntoTheList) {
  PortableServer::ThreadPolicy_var thread = root->create_thread_policy(PortableServer::ORB_CTRL_MODEL);
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = PortableServer::ThreadPolicy::_duplicate(thread);
  PortableServer::POA_var poa = root->create_POA("child", PortableServer::POAManager::_nil(), policies);
  EXPECT_FALSE(CORBA::is_nil(poa));
}

TEST_F(Mapping, ServantsMayBeHeldByTheirAdapterAlone) {
  {
    Probe* servant = new Probe;
    PortableServer::ObjectId_var oid = root->activate_object(servant);
    servant->_remove_ref();
    EXPECT_EQ(Probe::alive - alive_before, 1);
    PortableServer::Servant found = root->id_to_servant(oid);
    EXPECT_EQ(dynamic_cast<Probe*>(found), servant);
    found->_remove_ref();
    root->deactivate_object(oid);
  }
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(Mapping, ExceptionsAreCaughtByTheirScopedNames) {
  PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId("none");
  try {
    root->deactivate_object(oid);
    FAIL();
  } catch (const PortableServer::POA::ObjectNotActive& e) {
    EXPECT_STREQ(e._rep_id(), "IDL:omg.org/PortableServer/POA/ObjectNotActive:1.0");
    EXPECT_STREQ(e._name(), "ObjectNotActive");
  }
  try {
    root->deactivate_object(oid);
  } catch (const CORBA::Exception& e) {
    EXPECT_NE(PortableServer::POA::ObjectNotActive::_downcast(&e), nullptr);
    EXPECT_EQ(PortableServer::POA::WrongPolicy::_downcast(&e), nullptr);
    EXPECT_THROW(e._raise(), PortableServer::POA::ObjectNotActive);
  }
}

TEST_F(Mapping, EveryExceptionHasItsRepositoryId) {
  using PortableServer::POA;
  const std::string scope = "IDL:omg.org/PortableServer/POA/";
  EXPECT_EQ(POA::AdapterAlreadyExists()._rep_id(), scope + "AdapterAlreadyExists:1.0");
  EXPECT_EQ(POA::AdapterNonExistent()._rep_id(), scope + "AdapterNonExistent:1.0");
  EXPECT_EQ(POA::InvalidPolicy(3)._rep_id(), scope + "InvalidPolicy:1.0");
  EXPECT_EQ(POA::NoServant()._rep_id(), scope + "NoServant:1.0");
  EXPECT_EQ(POA::ObjectAlreadyActive()._rep_id(), scope + "ObjectAlreadyActive:1.0");
  EXPECT_EQ(POA::ObjectNotActive()._rep_id(), scope + "ObjectNotActive:1.0");
  EXPECT_EQ(POA::ServantAlreadyActive()._rep_id(), scope + "ServantAlreadyActive:1.0");
  EXPECT_EQ(POA::ServantNotActive()._rep_id(), scope + "ServantNotActive:1.0");
  EXPECT_EQ(POA::WrongAdapter()._rep_id(), scope + "WrongAdapter:1.0");
  EXPECT_EQ(POA::WrongPolicy()._rep_id(), scope + "WrongPolicy:1.0");
  EXPECT_STREQ(PortableServer::POAManager::AdapterInactive()._rep_id(),
               "IDL:omg.org/PortableServer/POAManager/AdapterInactive:1.0");
  EXPECT_STREQ(PortableServer::Current::NoContext()._rep_id(), "IDL:omg.org/PortableServer/Current/NoContext:1.0");
  EXPECT_STREQ(PortableServer::ForwardRequest()._rep_id(), "IDL:omg.org/PortableServer/ForwardRequest:1.0");
}

TEST_F(Mapping, LocalObjectsAreNotSentAway) {
  EXPECT_EQ(root->_callis_reference(), nullptr);
  EXPECT_FALSE(root->_non_existent());
  EXPECT_TRUE(root->_is_equivalent(root));
}

}  // namespace
}  // namespace callis::poa::testing
