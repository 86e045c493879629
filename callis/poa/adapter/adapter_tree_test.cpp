// SPDX-License-Identifier: Apache-2.0
// Adapters as a tree: names, making, finding, destroying.
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// CORBA 3.3 part 1, 15.3.9
struct AdapterTree : PoaTest {};

TEST_F(AdapterTree, TheRootHasItsNameAndNoParent) {
  const CORBA::String_var name = root->the_name();
  EXPECT_STREQ(name.in(), "RootPOA");
  const POA_var parent = root->the_parent();
  EXPECT_EQ(parent.in(), nullptr);
}

TEST_F(AdapterTree, ChildrenAreFoundByName) {
  const POA_var a = child("a"), b = child("b");
  const POA_var found = root->find_POA("a", false);
  EXPECT_EQ(found.in(), a.in());
  const CORBA::String_var name = b->the_name();
  EXPECT_STREQ(name.in(), "b");
  const POA_var parent = b->the_parent();
  EXPECT_EQ(parent.in(), root.in());
  const POAList_var list = root->the_children();
  ASSERT_EQ(list->length(), 2u);  // in any order
  EXPECT_EQ(list[list[0] == b.in() ? 1 : 0], a.in());
  EXPECT_EQ(list[list[0] == b.in() ? 0 : 1], b.in());
}

TEST_F(AdapterTree, AdaptersNest) {
  const POA_var a = child("a");
  const POA_var b = a->create_POA("b", nullptr, {});
  const POA_var c = b->create_POA("c", nullptr, {});
  const POA_var found = a->find_POA("b", false);
  const POA_var parent = c->the_parent();
  EXPECT_EQ(found.in(), parent.in());
}

TEST_F(AdapterTree, AdaptersNestToAnyDepthUnderAnyNames) {
  const std::string names[] = {"a", "", "/", "..", " ", "RootPOA", "\xc3\xa9\xff\n", std::string(5000, 'x')};
  CORBA::PolicyList persistent;
  persistent.length(1);
  persistent[0] = root->create_lifespan_policy(PERSISTENT);
  std::vector<POA_var> chain{root};
  std::vector<Key> keys;
  for (std::size_t i = 0; i < 200; ++i) {
    chain.push_back(
        chain.back()->create_POA(names[i % 8].c_str(), manager.in(), i % 2 ? persistent : CORBA::PolicyList()));
    CORBA::Object_var reference;
    activate(reference, chain.back().in());
    keys.push_back(key_of(reference));
  }
  for (const Key& k : keys) EXPECT_EQ(ping(k), "ok");
  POA_var at = root;
  for (std::size_t i = 0; i < 200; ++i) {
    at = at->find_POA(names[i % 8].c_str(), false);
    EXPECT_EQ(at.in(), chain[i + 1].in());
    const POA_var parent = at->the_parent();
    EXPECT_EQ(parent.in(), chain[i].in());
    const CORBA::String_var name = at->the_name();
    EXPECT_EQ(name.in(), names[i % 8]);
  }
  chain[1]->destroy(true, true);
  for (const Key& k : keys) EXPECT_EQ(ping(k), "OBJECT_NOT_EXIST 2 NO");
  const POAList_var left = root->the_children();
  EXPECT_EQ(left->length(), 0u);
}

TEST_F(AdapterTree, ANameTakenIsAdapterAlreadyExists) {
  const POA_var a = child("a");
  EXPECT_THROW(child("a"), POA::AdapterAlreadyExists);
}

TEST_F(AdapterTree, AnUnknownNameIsAdapterNonExistent) {
  EXPECT_THROW(root->find_POA("nobody", true), POA::AdapterNonExistent);
}

TEST_F(AdapterTree, NullNamesAreBadParam) {
  EXPECT_THROW(root->find_POA(nullptr, false), CORBA::BAD_PARAM);
  EXPECT_THROW(root->create_POA(nullptr, nullptr, {}), CORBA::BAD_PARAM);
}

TEST_F(AdapterTree, ANilManagerMakesANewOneThatHolds) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var own = a->the_POAManager();
  EXPECT_NE(own.in(), manager.in());
  EXPECT_EQ(own->get_state(), POAManager::HOLDING);
}

TEST_F(AdapterTree, AManagerIsShared) {
  const POA_var a = child("a");
  const POAManager_var its = a->the_POAManager();
  EXPECT_EQ(its.in(), manager.in());
}

TEST_F(AdapterTree, AManagerOfAnotherOrbIsBadParam) {
  Orb other;
  EXPECT_THROW(root->create_POA("a", other.manager.in(), {}), CORBA::BAD_PARAM);
}

TEST_F(AdapterTree, IdsAreUnique) {
  const POA_var a = child("a"), b = child("b");
  const ObjectId_var ia = a->id(), ib = b->id(), again = a->id();
  EXPECT_TRUE(std::ranges::equal(bytes_of(ia.in()), bytes_of(again.in())));
  EXPECT_FALSE(std::ranges::equal(bytes_of(ia.in()), bytes_of(ib.in())));
}

TEST_F(AdapterTree, ReferencesNarrowToPoa) {
  const CORBA::Object_var object = CORBA::Object::_duplicate(root.in());
  const POA_var poa = POA::_narrow(object.in());
  EXPECT_EQ(poa.in(), root.in());
  EXPECT_EQ(POAManager::_narrow(object.in()), nullptr);
}

// --- destroy ---

TEST_F(AdapterTree, ADestroyedAdapterIsNotFoundAndItsNameIsFree) {
  const POA_var a = child("a");
  a->destroy(true, true);
  EXPECT_THROW(root->find_POA("a", false), POA::AdapterNonExistent);
  const POA_var again = child("a");
  EXPECT_NE(again.in(), a.in());
}

TEST_F(AdapterTree, OperationsOnADestroyedAdapterAreObjectNotExist) {
  const POA_var a = child("a");
  a->destroy(true, true);
  EXPECT_THROW(a->the_name(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->the_parent(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->the_children(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->the_POAManager(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->create_POA("x", nullptr, {}), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->find_POA("x", false), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->destroy(true, true), CORBA::OBJECT_NOT_EXIST);
  const Servant_var<Probe> servant(new Probe);
  EXPECT_THROW(a->activate_object(servant.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->servant_to_id(servant.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->create_reference(kProbeId), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(AdapterTree, DestroyTakesTheSubtreeAndItsServants) {
  const POA_var a = child("a");
  const POA_var b = a->create_POA("b", manager.in(), {});
  CORBA::Object_var in_a, in_b;
  activate(in_a, a.in());
  activate(in_b, b.in());
  EXPECT_EQ(Probe::alive - alive_before, 2);
  a->destroy(true, true);
  EXPECT_EQ(Probe::alive - alive_before, 0);
  EXPECT_THROW(b->the_name(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(ping(key_of(in_b)), "OBJECT_NOT_EXIST 2 NO");
}

TEST_F(AdapterTree, ANewAdapterOfTheSameNameDoesNotAnswerForTransientObjectsOfTheOld) {
  CORBA::Object_var old;
  POA_var a = child("a");
  activate(old, a.in());
  a->destroy(true, true);
  a = child("a");
  CORBA::Object_var young;
  activate(young, a.in());
  EXPECT_EQ(ping(key_of(old)), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(ping(key_of(young)), "ok");
}

TEST_F(AdapterTree, DestroyThatWouldWaitForItsOwnUpcallIsBadInvOrder3) {
  in_upcall([&] {
    try {
      root->destroy(true, true);
      ADD_FAILURE();
    } catch (const CORBA::BAD_INV_ORDER& e) {
      EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 3);
    }
  });
  const CORBA::String_var name = root->the_name();  // still there
}

TEST_F(AdapterTree, DestroyInsideAnUpcallLetsTheUpcallFinish) {
  POA_var a = child("a");
  CORBA::Object_var reference;
  Probe* servant = activate(reference, a.in());
  servant->during = [&] {
    a->destroy(true, false);
    EXPECT_EQ(Probe::alive - alive_before, 1);
    EXPECT_EQ(ping(key_of(reference)), "TRANSIENT 4 NO");
    const CORBA::String_var name = a->the_name();  // until the upcall has ended
    EXPECT_STREQ(name.in(), "a");
    EXPECT_THROW(a->create_POA("x", nullptr, {}), CORBA::BAD_INV_ORDER);
    EXPECT_THROW(child("a"), CORBA::BAD_INV_ORDER);  // would have to wait for this upcall
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
  EXPECT_EQ(Probe::alive - alive_before, 0);
  EXPECT_THROW(a->the_name(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST 2 NO");
}

TEST_F(AdapterTree, DestroyWaitsForRequestsOfOtherThreads) {
  POA_var a = child("a");
  CORBA::Object_var reference;
  std::promise<void> entered, go;
  activate(reference, a.in())->during = [&] {
    entered.set_value();
    go.get_future().wait();
  };
  std::thread client([&] {
    FakeRequest request(key_of(reference), "act");
    call(request);
    EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
  });
  entered.get_future().wait();
  std::atomic<bool> done{false};
  std::thread destroyer([&] {
    a->destroy(true, true);
    done = true;
  });
  await([&] { return ping(key_of(reference)) == "TRANSIENT 4 NO"; });
  EXPECT_FALSE(done);
  EXPECT_EQ(Probe::alive - alive_before, 1);
  go.set_value();
  client.join();
  destroyer.join();
  EXPECT_TRUE(done);
  EXPECT_EQ(Probe::alive - alive_before, 0);
}

TEST_F(AdapterTree, CreatePoaWaitsForTheOldOneOfTheSameName) {
  POA_var a = child("a");
  CORBA::Object_var reference;
  std::promise<void> entered, go;
  activate(reference, a.in())->during = [&] {
    entered.set_value();
    go.get_future().wait();
  };
  std::thread client([&] {
    FakeRequest request(key_of(reference), "act");
    call(request);
  });
  entered.get_future().wait();
  a->destroy(true, false);
  std::atomic<bool> done{false};
  std::thread creator([&] {
    const POA_var again = child("a");
    done = true;
  });
  EXPECT_FALSE(done);
  go.set_value();
  client.join();
  creator.join();
  EXPECT_TRUE(done);
}

TEST_F(AdapterTree, CreatePoaInAnAdapterBeingDestroyedIsBadInvOrder17) {
  const POA_var poa = child("a");
  CORBA::Object_var reference;
  activate(reference, poa.in())->during = [&] {
    poa->destroy(false, false);
    try {
      poa->create_POA("b", manager.in(), {});
      ADD_FAILURE() << "no exception";
    } catch (const CORBA::BAD_INV_ORDER& e) {
      EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 17);
    }
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
}

TEST_F(AdapterTree, DestroyTwiceAtOnceIsHarmless) {
  const POA_var a = child("a");
  CORBA::Object_var reference;
  activate(reference, a.in());
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      try {
        a->destroy(true, true);
      } catch (const CORBA::OBJECT_NOT_EXIST&) {  // another was first
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(Probe::alive - alive_before, 0);
}

TEST_F(AdapterTree, ThousandsOfAdaptersMayComeAndGo) {
  for (int i = 0; i < 2000; ++i) {
    const POA_var a = child("a");
    CORBA::Object_var reference;
    activate(reference, a.in());
    a->destroy(true, true);
  }
  EXPECT_EQ(orb.registry->table().active(), 0u);
}

// --- persistent adapters (15.2.1) ---

struct PersistentAdapter : AdapterTree {
  static POA_ptr persistent(Orb& in, const char* name, POA_ptr parent = nullptr) {
    CORBA::PolicyList list;
    list.length(2);
    list[0] = in.root->create_lifespan_policy(PERSISTENT);
    list[1] = in.root->create_id_assignment_policy(USER_ID);
    return (parent ? parent : in.root.in())->create_POA(name, in.manager.in(), list);
  }
  static Key key_in(Orb& in, POA_ptr poa) {
    const Servant_var<Probe> servant(new Probe);
    const ObjectId_var id = text_id("account");
    poa->activate_object_with_id(id.in(), servant.in());
    const CORBA::Object_var reference = poa->id_to_reference(id.in());
    (void)in;
    return key_of(reference);
  }
};

TEST_F(PersistentAdapter, KeysAreTheSameInTheNextLife) {
  const POA_var a = persistent(orb, "bank");
  const Key key = key_in(orb, a.in());
  Orb next;
  const POA_var b = persistent(next, "bank");
  EXPECT_EQ(key_in(next, b.in()), key);
  FakeRequest request(key, "ping");
  next.dispatcher.handle(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
}

TEST_F(PersistentAdapter, KeysDependOnThePath) {
  const POA_var a = persistent(orb, "a"), b = persistent(orb, "b");
  const POA_var ab = persistent(orb, "b", a.in());
  const Key k1 = key_in(orb, a.in()), k2 = key_in(orb, b.in()), k3 = key_in(orb, ab.in());
  EXPECT_NE(k1, k2);
  EXPECT_NE(k2, k3);
  EXPECT_EQ(ping(k3), "ok");
}

TEST_F(PersistentAdapter, UnknownAdapterIsObjectNotExist2AndUnknownObjectOurOwn) {
  const POA_var a = persistent(orb, "bank");
  const Key key = key_in(orb, a.in());
  Orb empty;
  FakeRequest request(key, "ping");
  empty.dispatcher.handle(request);
  EXPECT_EQ(request.system(), "OBJECT_NOT_EXIST 2 NO");
  Key other = key;
  other.back() ^= 1;
  EXPECT_EQ(ping(other), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(PersistentAdapter, SystemIdsOfTwoLivesDiffer) {
  Orb next;
  const POA_var a = child("p", root->create_lifespan_policy(PERSISTENT));
  CORBA::PolicyList list;
  list.length(1);
  list[0] = next.root->create_lifespan_policy(PERSISTENT);
  const POA_var b = next.root->create_POA("p", next.manager.in(), list);
  const Servant_var<Probe> s1(new Probe), s2(new Probe);
  const ObjectId_var i1 = a->activate_object(s1.in()), i2 = b->activate_object(s2.in());
  EXPECT_FALSE(std::ranges::equal(bytes_of(i1.in()), bytes_of(i2.in())));
  // Ids of the earlier life may be activated in the next.
  const Servant_var<Probe> s3(new Probe);
  b->activate_object_with_id(i1.in(), s3.in());
  const CORBA::Object_var reference = a->id_to_reference(i1.in());
  FakeRequest request(key_of(reference), "ping");
  next.dispatcher.handle(request);
  EXPECT_EQ(s3->pings, 1);
}

}  // namespace
}  // namespace callis::poa::testing
