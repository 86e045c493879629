// SPDX-License-Identifier: Apache-2.0
// The end of an ORB that has adapters (CORBA 3.0.3, 4.2.3). The tests show which operations the application's last
// code may call, and what is left of ORB and adapters afterwards.
#include <callis/poa/testing/orb_fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct EndOfOrb : OrbFixture {
  struct Last final : Probe {
    std::function<void()> at_end;
    ~Last() override { at_end(); }
  };
  // Activates a servant that only the adapter keeps. The servant's destructor calls at_end.
  void activate_last(std::function<void()> at_end) {
    const Servant_var<Last> servant(new Last);
    servant->at_end = std::move(at_end);
    const ObjectId_var id = root->activate_object(servant.in());
  }
  template <class F>
  static std::string thrown(F f) {
    try {
      f();
      return "nothing";
    } catch (const CORBA::SystemException& e) {
      return std::string(e._name()) + " " + std::to_string(e.minor() & 0xfff);
    }
  }
  bool destroyed() {
    return thrown([&] { orb->resolve_initial_references("RootPOA"); }) == "OBJECT_NOT_EXIST 0";
  }
};

TEST_F(EndOfOrb, ShutdownWaitingInAServantsDestructorThatItRunsReturns) {
  int deleted = 0;
  activate_last([&] {
    ++deleted;
    orb->shutdown(true);
  });
  orb->shutdown(true);
  EXPECT_EQ(deleted, 1);
}

TEST_F(EndOfOrb, ShutdownWaitingInAServantsDestructorThatDestroyRunsReturns) {
  int deleted = 0;
  activate_last([&] {
    ++deleted;
    orb->shutdown(true);
  });
  orb->destroy();
  EXPECT_EQ(deleted, 1);
  EXPECT_TRUE(destroyed());
}

TEST_F(EndOfOrb, ShutdownWaitingInAServantsDestructorThatRunRunsReturns) {
  activate_last([&] { orb->shutdown(true); });
  orb->shutdown(false);
  orb->run();
}

TEST_F(EndOfOrb, DestroyInAServantsDestructorIsDoneWhenTheShutdownHasEnded) {
  bool at_once = true;
  activate_last([&] {
    orb->destroy();
    at_once = destroyed();
  });
  orb->shutdown(true);
  EXPECT_FALSE(at_once);
  EXPECT_TRUE(destroyed());
}

TEST_F(EndOfOrb, DestroyInAServantsDestructorThatDestroyRunsReturns) {
  activate_last([&] { orb->destroy(); });
  orb->destroy();
  EXPECT_TRUE(destroyed());
}

TEST_F(EndOfOrb, RunInAServantsDestructorThatShutdownRunsReturns) {
  activate_last([&] { orb->run(); });
  orb->shutdown(true);
}

TEST_F(EndOfOrb, ShutdownWaitingInEtherealizeThatItRunsReturns) {
  struct Etherealizer final : ServantActivator {
    std::function<void()> at_end;
    Servant incarnate(const ObjectId&, POA_ptr) override { return new Probe; }
    void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean) override {
      at_end();
      servant->_remove_ref();
    }
  };
  const POA_var poa(child("on_demand", static_cast<CORBA::Policy*>(root->create_id_assignment_policy(USER_ID)),
                          static_cast<CORBA::Policy*>(root->create_request_processing_policy(USE_SERVANT_MANAGER))));
  const classic::ReferenceVar<Etherealizer> activator(new Etherealizer);
  poa->set_servant_manager(activator.in());
  const CORBA::Object_var object = poa->create_reference_with_id(text_id("a").in(), kProbeId);
  ping(object.in());
  int ended = 0;
  activator.in()->at_end = [&] {
    ++ended;
    EXPECT_EQ(thrown([&] { orb->shutdown(true); }), "nothing");
  };
  orb->shutdown(true);
  EXPECT_EQ(ended, 1);
}

TEST_F(EndOfOrb, AnotherThreadsShutdownStillWaitsForTheEnd) {
  std::promise<void> deleting, go;
  activate_last([&] {
    deleting.set_value();
    go.get_future().wait();
  });
  std::thread first([&] { orb->shutdown(true); });
  deleting.get_future().wait();
  std::atomic<bool> returned{false};
  std::thread second([&] {
    try {
      orb->shutdown(true);
    } catch (const CORBA::BAD_INV_ORDER&) {  // it comes when all is over
    }
    returned = true;
  });
  for (int i = 0; i < 2000; ++i) std::this_thread::yield();
  EXPECT_FALSE(returned);
  go.set_value();
  first.join();
  second.join();
}

// CORBA 3.0.3, 4.2.3.5.
TEST_F(EndOfOrb, OperationsOfADestroyedOrbAreObjectNotExist) {
  const CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:1/k");
  orb->destroy();
  const char* const gone = "OBJECT_NOT_EXIST 0";
  CORBA::ORB_ptr const o = orb.in();
  EXPECT_EQ(thrown([&] { CORBA::String_var(o->id()); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::Object_var(o->string_to_object("corbaloc::h:1/k")); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::String_var(o->object_to_string(object.in())); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::ORB::ObjectIdList_var(o->list_initial_services()); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::Object_var(o->resolve_initial_references("RootPOA")); }), gone);
  EXPECT_EQ(thrown([&] { o->register_initial_reference("Mine", object.in()); }), gone);
  EXPECT_EQ(thrown([&] { o->run(); }), gone);
  EXPECT_EQ(thrown([&] { o->work_pending(); }), gone);
  EXPECT_EQ(thrown([&] { o->perform_work(); }), gone);
  EXPECT_EQ(thrown([&] { o->shutdown(false); }), gone);
  EXPECT_EQ(thrown([&] { o->shutdown(true); }), gone);
  EXPECT_EQ(thrown([&] { o->destroy(); }), gone);
}

TEST_F(EndOfOrb, WhatADestroyedOrbWouldMakeIsObjectNotExist) {
  orb->destroy();
  const char* const gone = "OBJECT_NOT_EXIST 0";
  CORBA::ORB_ptr const o = orb.in();
  const CORBA::Any any;
  CORBA::Context_var context;
  CORBA::NVList_var list;
  CORBA::NamedValue_var value;
  EXPECT_EQ(thrown([&] { CORBA::Policy_var(o->create_policy(16, any)); }), gone);
  EXPECT_EQ(thrown([&] { o->get_default_context(context.out()); }), gone);
  EXPECT_EQ(thrown([&] { o->create_list(1, list.out()); }), gone);
  EXPECT_EQ(thrown([&] { o->create_named_value(value.out()); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::TypeCode_var(o->create_string_tc(3)); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::TypeCode_var(o->create_sequence_tc(3, CORBA::_tc_long)); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::TypeCode_var(o->create_interface_tc("IDL:X:1.0", "X")); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::TypeCode_var(o->create_recursive_tc("IDL:X:1.0")); }), gone);
}

TEST_F(EndOfOrb, FactoriesOfValuesOfADestroyedOrbAreObjectNotExist) {
  struct Factory final : CORBA::ValueFactoryBase {
    CORBA::ValueBase* create_for_unmarshal() override { return nullptr; }
  };
  orb->destroy();
  const char* const gone = "OBJECT_NOT_EXIST 0";
  CORBA::ORB_ptr const o = orb.in();
  const CORBA::ValueFactory_var factory(new Factory);
  EXPECT_EQ(thrown([&] { CORBA::ValueFactory_var(o->register_value_factory("IDL:V:1.0", factory.in())); }), gone);
  EXPECT_EQ(thrown([&] { o->unregister_value_factory("IDL:V:1.0"); }), gone);
  EXPECT_EQ(thrown([&] { CORBA::ValueFactory_var(o->lookup_value_factory("IDL:V:1.0")); }), gone);
}

// 4.2.3.4: between shutdown and destroy the minor code tells why.
TEST_F(EndOfOrb, OperationsAfterShutdownAreStillBadInvOrder4) {
  orb->shutdown(true);
  EXPECT_EQ(thrown([&] { orb->resolve_initial_references("RootPOA"); }), "BAD_INV_ORDER 4");
  EXPECT_EQ(thrown([&] { orb->shutdown(true); }), "BAD_INV_ORDER 4");
}

TEST_F(EndOfOrb, CallsOnReferencesOfADestroyedOrbDoNotSayThatTheObjectIsGone) {
  const CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:1/k");
  orb->destroy();
  const char* const over = "BAD_INV_ORDER 4";
  EXPECT_EQ(thrown([&] { ping(object.in()); }), over);
  EXPECT_EQ(thrown([&] { (void)object->_non_existent(); }), over);
  CORBA::PolicyList_var inconsistent;
  EXPECT_EQ(thrown([&] { (void)object->_validate_connection(inconsistent.out()); }), over);
  EXPECT_EQ(thrown([&] { CORBA::Policy_var(object->_get_policy(CORBA::PolicyType(40))); }), over);
}

// Hundreds of programs end like this.
TEST_F(EndOfOrb, DestroyingAdaptersAfterShutdownIsHarmless) {
  const POA_var below(child("below"));
  orb->shutdown(true);
  root->destroy(true, true);
  below->destroy(true, true);
  root->destroy(false, false);
  orb->destroy();
  root->destroy(true, true);
}

TEST_F(EndOfOrb, DestroyingAnAdapterTwiceBeforeShutdownIsStillObjectNotExist) {
  const POA_var below(child("below"));
  below->destroy(true, true);
  EXPECT_EQ(thrown([&] { below->destroy(true, true); }).substr(0, 16), "OBJECT_NOT_EXIST");
}

}  // namespace
}  // namespace callis::poa::testing
