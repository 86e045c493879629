// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// CORBA 3.3 part 1, 15.3.10
struct CurrentTest : PoaTest {
  Current_var current = make_current();
};

TEST_F(CurrentTest, OutsideUpcallsThereIsNoContext) {
  EXPECT_THROW(current->get_POA(), Current::NoContext);
  EXPECT_THROW(current->get_object_id(), Current::NoContext);
  EXPECT_THROW(current->get_reference(), Current::NoContext);
  EXPECT_THROW(current->get_servant(), Current::NoContext);
}

TEST_F(CurrentTest, InsideAnUpcallItTellsAdapterIdReferenceAndServant) {
  const POA_var poa = child("user", root->create_id_assignment_policy(USER_ID));
  const ObjectId_var id = text_id("account");
  const Servant_var<Probe> servant(new Probe);
  poa->activate_object_with_id(id.in(), servant.in());
  const CORBA::Object_var reference = poa->id_to_reference(id.in());
  servant->during = [&] {
    const POA_var p = current->get_POA();
    EXPECT_EQ(p.in(), poa.in());
    const ObjectId_var i = current->get_object_id();
    const CORBA::String_var text = ObjectId_to_string(i.in());
    EXPECT_STREQ(text.in(), "account");
    const CORBA::Object_var r = current->get_reference();
    EXPECT_EQ(key_of(r), key_of(reference));
    const ServantBase_var s(current->get_servant());
    EXPECT_EQ(s.in(), servant.in());
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
  EXPECT_THROW(current->get_POA(), Current::NoContext);
}

TEST_F(CurrentTest, SystemIdsAreThoseOfActivation) {
  CORBA::Object_var reference;
  Probe* probe = activate(reference);
  const ObjectId_var id = root->servant_to_id(probe);
  probe->during = [&] {
    const ObjectId_var mine = current->get_object_id();
    EXPECT_TRUE(std::ranges::equal(bytes_of(mine.in()), bytes_of(id.in())));
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
}

TEST_F(CurrentTest, NestedUpcallsHideAndRestoreTheOuter) {
  CORBA::Object_var outer, inner;
  Probe* o = activate(outer);
  Probe* i = activate(inner);
  i->during = [&] {
    const ServantBase_var s(current->get_servant());
    EXPECT_EQ(s.in(), i);
  };
  o->during = [&] {
    FakeRequest request(key_of(inner), "act");
    call(request);
    const ServantBase_var s(current->get_servant());
    EXPECT_EQ(s.in(), o);
  };
  FakeRequest request(key_of(outer), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
}

TEST_F(CurrentTest, AnExceptionEndsTheContext) {
  CORBA::Object_var reference;
  activate(reference)->during = [] { throw 1; };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_THROW(current->get_POA(), Current::NoContext);
}

}  // namespace
}  // namespace callis::poa::testing
