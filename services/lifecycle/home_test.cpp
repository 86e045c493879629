// SPDX-License-Identifier: Apache-2.0
// Objects that move, are copied and removed; what is refused; what becomes of an object when a home does not answer.
#include <services/lifecycle/testing/world.h>
#include <thread>

namespace callis::life_cycle::testing {
namespace {

struct LifeCycle : World {
  Site berlin{"berlin"}, munich{"munich"};
  CosLifeCycle::FactoryFinder_var to_berlin = finder(berlin), to_munich = finder(munich);
};

TEST_F(LifeCycle, object_moves_with_its_state_and_its_references_stay_good) {
  const std::string text = make(berlin);
  const auto a = account(text);
  EXPECT_EQ(a->add(0, 1, 5), 5);
  EXPECT_EQ(home_of(a.in()), "berlin");
  a->move(to_munich.in(), none);
  EXPECT_EQ(home_of(a.in()), "munich");
  EXPECT_EQ(a->add(0, 2, 2), 7);
  const CORBA::ORB_var other = new_orb();
  EXPECT_EQ(home_of(account(text, other.in()).in()), "munich") << "a client that comes later, by the first reference";
  EXPECT_FALSE(account(text, other.in())->_non_existent());
  other->destroy();
  a->move(to_berlin.in(), none);
  EXPECT_EQ(home_of(a.in()), "berlin");
  const LifeCycleTest::State state = *LifeCycleTest::State_var(a->look()).operator->();
  EXPECT_EQ(state.moves, 2u);
  EXPECT_EQ(state.executed, 2u);
  EXPECT_EQ(berlin.counter("objects.came"), 1);
  EXPECT_EQ(munich.counter("objects.went"), 1);
}

TEST_F(LifeCycle, object_that_moves_to_where_it_is_stays) {
  const auto a = account(make(berlin));
  a->move(to_berlin.in(), none);
  EXPECT_EQ(LifeCycleTest::State_var(a->look())->moves, 0u);
}

TEST_F(LifeCycle, former_homes_hear_of_later_moves) {
  Site ulm("ulm");
  const auto to_ulm = finder(ulm);
  const std::string text = make(berlin);
  const auto a = account(text);
  a->move(to_munich.in(), none);
  a->move(to_ulm.in(), none);
  EXPECT_EQ(home_of(a.in()), "ulm");
  wait_until([&] { return berlin.counter("forwards.renewed") == 1; });
  munich.end();  // the first home forwards past it
  const CORBA::ORB_var other = new_orb();
  EXPECT_EQ(home_of(account(text, other.in()).in()), "ulm");
  other->destroy();
}

TEST_F(LifeCycle, copy_is_an_object_of_its_own) {
  const auto a = account(make(berlin));
  a->add(0, 1, 5);
  const CosLifeCycle::LifeCycleObject_var made = a->copy(to_munich.in(), none);
  const LifeCycleTest::Account_var copy = LifeCycleTest::Account::_narrow(made.in());
  EXPECT_EQ(home_of(copy.in()), "munich");
  EXPECT_EQ(copy->add(0, 2, 1), 6);
  EXPECT_EQ(a->add(0, 2, 2), 7);
  EXPECT_EQ(home_of(a.in()), "berlin");
}

TEST_F(LifeCycle, removed_object_is_gone_from_all_homes) {
  const std::string text = make(berlin);
  const auto a = account(text);
  a->move(to_munich.in(), none);
  a->remove();
  // Until the first home has heard of the move, it leads to the second home, and the second home back to the first.
  const auto heard = [&] {
    try {
      a->add(0, 1, 1);
    } catch (const CORBA::TRANSIENT&) {
      return false;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
    return true;
  };
  while (!heard()) std::this_thread::yield();
  EXPECT_THROW(a->add(0, 1, 1), CORBA::OBJECT_NOT_EXIST);
  const CORBA::ORB_var other = new_orb();
  EXPECT_TRUE(account(text, other.in())->_non_existent());
  other->destroy();
}

TEST_F(LifeCycle, servant_may_refuse_and_the_object_goes_on) {
  const auto a = account(make(berlin));
  a->lock();
  EXPECT_EQ(reason([&] { a->move(to_munich.in(), none); }), "the account is locked");
  EXPECT_THROW(a->copy(to_munich.in(), none), CosLifeCycle::NotCopyable);
  EXPECT_THROW(a->remove(), CosLifeCycle::NotRemovable);
  EXPECT_EQ(a->add(0, 1, 1), 1);
  EXPECT_EQ(home_of(a.in()), "berlin");
}

// A request that waits in the servant, by a client of its own, until the test opens the gate.
struct Inside {
  explicit Inside(const std::string& text) : client(new_orb()) {
    Gate::only().close();
    thread = std::thread([this, text] {
      const CORBA::Object_var object = client->string_to_object(text.c_str());
      LifeCycleTest::Account_var(LifeCycleTest::Account::_unchecked_narrow(object.in()))->wait_inside();
    });
    Gate::only().wait_for_somebody();
  }
  ~Inside() {
    Gate::only().open();
    thread.join();
    client->destroy();
  }
  CORBA::ORB_var client;
  std::thread thread;
};

TEST_F(LifeCycle, move_waits_for_requests_that_run_and_holds_those_that_come) {
  const std::string text = make(berlin);
  std::thread mover, caller;
  std::atomic<bool> moved{false}, end{false};
  CORBA::ULong calls = 0;
  {
    const Inside inside(text);
    mover = std::thread([&] {
      EXPECT_EQ(reason([&] { account(text)->move(to_munich.in(), none); }), "");
      moved = true;
    });
    caller = std::thread([&] {
      const CORBA::ORB_var own = new_orb();
      const auto a = account(text, own.in());
      while (!end) a->add(0, ++calls, 1);
      own->destroy();
    });
    while (berlin.counter("requests.waited") == 0) std::this_thread::yield();
    EXPECT_FALSE(moved);
  }
  mover.join();
  end = true;
  caller.join();
  const auto a = account(text);
  EXPECT_EQ(home_of(a.in()), "munich");
  const LifeCycleTest::State_var state = a->look();
  EXPECT_EQ(state->executed, calls);
  EXPECT_EQ(state->anomalies, 0u);
}

TEST_F(LifeCycle, move_gives_up_when_a_request_does_not_end) {
  Home::Options options;
  options.drain = Milliseconds(100);
  Site hamburg("hamburg", options);
  const std::string text = make(hamburg);
  const auto a = account(text);
  {
    const Inside inside(text);
    EXPECT_EQ(reason([&] { a->move(to_munich.in(), none); }), "1 of its requests have not ended within 100 ms");
    EXPECT_EQ(home_of(a.in()), "hamburg");
  }
  EXPECT_EQ(reason([&] { a->move(to_munich.in(), none); }), "");
  EXPECT_EQ(home_of(a.in()), "munich");
}

TEST_F(LifeCycle, what_is_not_there_is_refused_before_anything_is_done) {
  const auto a = account(make(berlin));
  EXPECT_THROW(a->move(nullptr, none), CosLifeCycle::NoFactory);
  const CosNaming::NamingContext_var root = CosNaming::NamingContext::_narrow(names->reference().in());
  const CosNaming::NamingContext_var empty = root->new_context();
  const PortableServer::Servant_var<NamingFinder> servant = new NamingFinder(empty.in());
  const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  const CORBA::Object_var mine = in(client.in(), orb.in(), CORBA::Object_var(poa->id_to_reference(id.in())).in());
  const auto nowhere = CosLifeCycle::FactoryFinder::_narrow(mine.in());
  const CosLifeCycle::FactoryFinder_var owned(nowhere);
  EXPECT_THROW(a->move(nowhere, none), CosLifeCycle::NoFactory);
  EXPECT_THROW(a->move(to_munich.in(), criteria("colour")), CosLifeCycle::InvalidCriteria);
  EXPECT_THROW(a->move(to_munich.in(), criteria("filter")), CosLifeCycle::InvalidCriteria) << "it is no text";
  EXPECT_THROW(a->copy(to_munich.in(), criteria("initialization")), CosLifeCycle::CannotMeetCriteria);
  EXPECT_EQ(home_of(a.in()), "berlin");
}

TEST_F(LifeCycle, object_stays_where_it_is_when_the_new_home_does_not_answer) {
  const auto a = account(make(berlin));
  munich.end();
  EXPECT_THROW(a->move(to_munich.in(), none), CosLifeCycle::NoFactory);
  EXPECT_EQ(a->add(0, 1, 1), 1);
}

TEST_F(LifeCycle, generic_factory_makes_objects_of_what_it_supports) {
  const CORBA::Object_var object = in(client.in(), berlin.orb.in(), berlin.home->reference().in());
  const CosLifeCycle::GenericFactory_var factory = CosLifeCycle::GenericFactory::_narrow(object.in());
  EXPECT_TRUE(factory->supports(key_of("Account")));
  EXPECT_FALSE(factory->supports(key_of("Boat")));
  CosLifeCycle::Criteria initial = criteria("initialization");
  LifeCycleTest::State state{};
  state.balance = 40;
  state.last.length(64);
  initial[0].value <<= state;
  const CORBA::Object_var made = factory->create_object(key_of("Account"), initial);
  EXPECT_EQ(LifeCycleTest::Account_var(LifeCycleTest::Account::_narrow(made.in()))->add(0, 1, 2), 42);
  EXPECT_THROW(factory->create_object(key_of("Boat"), none), CosLifeCycle::NoFactory);
  EXPECT_THROW(factory->create_object(CosLifeCycle::Key(), none), CosLifeCycle::NoFactory);
  EXPECT_THROW(factory->create_object(key_of("Account"), criteria("x")), CosLifeCycle::InvalidCriteria);
}

}  // namespace
}  // namespace callis::life_cycle::testing
