// SPDX-License-Identifier: Apache-2.0
// POAManagerFactory: managers by id, and how long they are known.
#include <callis/orb/base/policy_management.h>
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// CORBA 3.3 part 1, 15.3.3
struct ManagerFactory : PoaTest {
  POAManagerFactory_var factory = root->the_POAManagerFactory();
  std::string id_of(POAManager_ptr m) {
    const CORBA::String_var id = m->get_id();
    return id.in();
  }
  std::vector<std::string> ids() {
    const POAManagerFactory::POAManagerSeq_var list = factory->list();
    std::vector<std::string> all;
    for (CORBA::ULong i = 0; i < list->length(); ++i) all.push_back(id_of(list[i]));
    return all;
  }
};

TEST_F(ManagerFactory, KnowsTheRootsManager) {
  EXPECT_EQ(ids(), std::vector<std::string>{"RootPOAManager"});
  const POAManager_var found = factory->find("RootPOAManager");
  EXPECT_EQ(found.in(), manager.in());
}

TEST_F(ManagerFactory, MakesManagersOfChosenIds) {
  const POAManager_var made = factory->create_POAManager("mine", {});
  EXPECT_EQ(id_of(made.in()), "mine");
  EXPECT_EQ(made->get_state(), POAManager::HOLDING);
  const POAManager_var found = factory->find("mine");
  EXPECT_EQ(found.in(), made.in());
  const POA_var poa = root->create_POA("a", made.in(), {});
  const POAManager_var its = poa->the_POAManager();
  EXPECT_EQ(its.in(), made.in());
  EXPECT_EQ(ids(), (std::vector<std::string>{"RootPOAManager", "mine"}));
}

TEST_F(ManagerFactory, AnIdTakenIsManagerAlreadyExists) {
  const POAManager_var made = factory->create_POAManager("mine", {});
  EXPECT_THROW(POAManager_var(factory->create_POAManager("mine", {})), POAManagerFactory::ManagerAlreadyExists);
  EXPECT_THROW(POAManager_var(factory->create_POAManager("RootPOAManager", {})),
               POAManagerFactory::ManagerAlreadyExists);
}

TEST_F(ManagerFactory, ManagersMadeImplicitlyAreListedUntilTheirLastAdapterIsGone) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var m = a->the_POAManager();
  const POA_var b = root->create_POA("b", m.in(), {});
  const std::string id = id_of(m.in());
  POAManager_var found = factory->find(id.c_str());
  EXPECT_EQ(found.in(), m.in());
  a->destroy(false, true);
  found = factory->find(id.c_str());
  EXPECT_EQ(found.in(), m.in());
  b->destroy(false, true);
  found = factory->find(id.c_str());
  EXPECT_TRUE(CORBA::is_nil(found.in()));
}

TEST_F(ManagerFactory, AManagerUsedAgainIsKnownAgain) {
  const POAManager_var m = factory->create_POAManager("mine", {});
  for (int i = 0; i < 2; ++i) {
    const POA_var a = root->create_POA("a", m.in(), {});
    const POAManager_var found = factory->find("mine");
    EXPECT_EQ(found.in(), m.in());
    a->destroy(false, true);
  }
}

TEST_F(ManagerFactory, AnInactiveManagerStaysKnown) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var m = a->the_POAManager();
  m->deactivate(false, true);
  const POAManager_var found = factory->find(id_of(m.in()).c_str());
  EXPECT_EQ(found.in(), m.in());
}

TEST_F(ManagerFactory, UnknownIdsAreNilAndNullsAreBadParam) {
  EXPECT_TRUE(CORBA::is_nil(factory->find("nobody")));
  EXPECT_THROW(factory->find(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(factory->create_POAManager(nullptr, {}), CORBA::BAD_PARAM);
}

// Of a type that nobody here knows.
class UnknownPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  CORBA::PolicyType policy_type() override { return 4711; }
  CORBA::Policy_ptr copy() override { return new UnknownPolicy; }
  void destroy() override {}
};

TEST_F(ManagerFactory, PoliciesOfManagersAreNotKnownAndPolicyError) {
  const auto reason = [&](CORBA::Policy_ptr policy) -> int {
    CORBA::PolicyList list;
    list.length(1);
    list[0] = policy;
    try {
      factory->create_POAManager("mine", list);
    } catch (const CORBA::PolicyError& e) {
      return e.reason;
    }
    return -1;
  };
  EXPECT_EQ(reason(nullptr), CORBA::BAD_POLICY);
  EXPECT_EQ(reason(new UnknownPolicy), CORBA::BAD_POLICY);
  EXPECT_EQ(reason(root->create_lifespan_policy(PERSISTENT)), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(reason(root->create_thread_policy(static_cast<ThreadPolicyValue>(99))), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(reason(create_collocation_policy(Collocation::Direct)), CORBA::UNSUPPORTED_POLICY);
  EXPECT_TRUE(CORBA::is_nil(factory->find("mine"))) << "nothing was made";
  const POAManager_var made = factory->create_POAManager("mine", {});
  EXPECT_EQ(id_of(made.in()), "mine");
}

TEST_F(ManagerFactory, AfterTheRootNothingIsMadeOrFound) {
  const POAManager_var made = factory->create_POAManager("mine", {});
  root->destroy(false, true);
  EXPECT_THROW(factory->create_POAManager("other", {}), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(CORBA::is_nil(factory->find("mine")));
}

}  // namespace
}  // namespace callis::poa::testing
