// SPDX-License-Identifier: Apache-2.0
// Servers with a home each, a naming service with their factories, and clients; all with ORBs of their own, over
// sockets.
#pragma once
#include <callis/base/testing/soon.h>
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/testing/accounts.h>
#include <services/naming/service.h>
#include <string>

namespace callis::life_cycle::testing {

// Names and finders.
struct World : ::testing::Test {
  services::MemoryStore store;
  naming::Watching watching;
  services::Counters counters;
  CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  PortableServer::POA_var poa = root_of(orb.in());
  std::unique_ptr<naming::Service> names =
      std::make_unique<naming::Service>(orb.in(), poa.in(), store, watching, counters, naming::ServiceOptions());
  CORBA::ORB_var client = new_orb();

  World() { PortableServer::POAManager_var(poa->the_POAManager())->activate(); }
  ~World() override {
    client->destroy();
    orb->shutdown(true);
    names.reset();
    orb->destroy();
  }
  CORBA::Object_var in(CORBA::ORB_ptr to, CORBA::ORB_ptr from, CORBA::Object_ptr object) {
    return to->string_to_object(CORBA::String_var(from->object_to_string(object)).in());
  }
  // A finder of the factories of a home, by names: the client's reference.
  CosLifeCycle::FactoryFinder_var finder(const Site& site) { return finder(site.text()); }
  CosLifeCycle::FactoryFinder_var finder(const std::string& home) {
    const CORBA::Object_var root = in(orb.in(), orb.in(), names->reference().in());
    const CosNaming::NamingContext_var context = CosNaming::NamingContext::_narrow(root.in());
    const CosNaming::NamingContext_var location = context->new_context();
    const CORBA::Object_var factory = orb->string_to_object(home.c_str());
    location->bind(key_of("Account"), factory.in());
    const PortableServer::Servant_var<NamingFinder> servant = new NamingFinder(location.in());
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    const CORBA::Object_var made = poa->id_to_reference(id.in());
    const CORBA::Object_var mine = in(client.in(), orb.in(), made.in());
    return CosLifeCycle::FactoryFinder::_narrow(mine.in());
  }
  // A new account there: its reference as text.
  static std::string make(Site& site) {
    const CORBA::Object_var made = site.home->create("Account");
    return CORBA::String_var(site.orb->object_to_string(made.in())).in();
  }
  LifeCycleTest::Account_var account(const std::string& text, CORBA::ORB_ptr in = nullptr) {
    const CORBA::Object_var object = (in ? in : client.in())->string_to_object(text.c_str());
    return LifeCycleTest::Account::_unchecked_narrow(object.in());
  }
  // Until it holds, or the test has failed.
  template <class Holds>
  static void wait_until(Holds&& holds) {
    ASSERT_TRUE(callis::testing::soon(holds));
  }
  static std::string home_of(LifeCycleTest::Account_ptr account) {
    return CORBA::String_var(account->home_of()).in();
  }
  // Why a move was refused.
  template <class Call>
  static std::string reason(Call&& call) {
    try {
      call();
    } catch (const CosLifeCycle::NotMovable& e) {
      return e.reason.in();
    }
    return "";
  }
  static CosLifeCycle::Criteria criteria(const char* name) {
    CosLifeCycle::Criteria out;
    if (!name) return out;
    out.length(1);
    out[0].name = name;
    return out;
  }
  const CosLifeCycle::Criteria none;
};

}  // namespace callis::life_cycle::testing
