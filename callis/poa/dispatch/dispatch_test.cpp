// SPDX-License-Identifier: Apache-2.0
// The outcomes of requests: one test for each row of the table in dispatch.h.
#include <callis/poa/testing/fixture.h>
#include <random>

namespace callis::poa::testing {
namespace {

using Outcome = FakeRequest::Outcome;

struct Dispatch : PoaTest {
  CORBA::Object_var reference;
  Probe* probe = activate(reference);
  Key key = key_of(reference);

  // Calls act() with that body; the outcome.
  std::string act(std::function<void()> body) {
    probe->during = std::move(body);
    FakeRequest request(key, "act");
    call(request);
    return request.outcome == Outcome::Reply ? "ok" : request.system();
  }
};

TEST_F(Dispatch, InterpretedOperationReturnsItsResult) {
  FakeRequest request(key, "add");
  request.put(20);
  request.put(22);
  call(request);
  ASSERT_EQ(request.outcome, Outcome::Reply);
  EXPECT_EQ(request.out().get<CORBA::Long>(), 42);
}

TEST_F(Dispatch, InheritedOperationIsInTheTable) {
  EXPECT_EQ(ping(key), "ok");
  EXPECT_EQ(probe->pings, 1);
}

TEST_F(Dispatch, StringsGoInAndOut) {
  FakeRequest request(key, "greet");
  request.put_string("world");
  call(request);
  ASSERT_EQ(request.outcome, Outcome::Reply);
  EXPECT_EQ(request.text(), "hello world");
}

TEST_F(Dispatch, FramesLargerThanTheStackBufferWork) {
  FakeRequest request(key, "sum");
  const std::vector<Byte> block(4096, 3);
  request.write([&](cdr::Encoder& e) { e.put_bytes(block); });
  call(request);
  ASSERT_EQ(request.outcome, Outcome::Reply);
  EXPECT_EQ(request.out().get_octet(), static_cast<Byte>(4096 * 3));
}

TEST_F(Dispatch, OnewayMakesNoReplyBody) {
  FakeRequest request(key, "tick", false);
  request.put(5);
  call(request);
  EXPECT_EQ(request.outcome, Outcome::Nothing);
  EXPECT_EQ(probe->ticks, 5);
}

TEST_F(Dispatch, ATwowayOperationCalledWithoutResponseIsExecuted) {
  FakeRequest request(key, "ping", false);
  call(request);
  EXPECT_EQ(request.outcome, Outcome::Nothing);
  EXPECT_EQ(probe->pings, 1);
}

TEST_F(Dispatch, CompiledOperationServesItself) {
  FakeRequest request(key, "twice");
  request.put(21);
  call(request);
  ASSERT_EQ(request.outcome, Outcome::Reply);
  EXPECT_EQ(request.out().get<CORBA::Long>(), 42);
}

TEST_F(Dispatch, UnknownOperationIsBadOperation) {
  for (const char* name : {"nothing", "", "pin", "pingg", "Ping", "_ping", "_", "add\n"}) {
    FakeRequest request(key, name);
    call(request);
    EXPECT_EQ(request.system(), "BAD_OPERATION 2 NO") << name;
  }
}

TEST_F(Dispatch, RandomOperationNamesAreBadOperations) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string name(random() % 24, '\0');
    for (char& c : name) c = static_cast<char>(random());
    FakeRequest request(key, name);
    call(request);
    EXPECT_EQ(request.system(), "BAD_OPERATION 2 NO");
  }
}

// --- exceptions ---

TEST_F(Dispatch, ListedUserExceptionIsSentByItsPlan) {
  FakeRequest request(key, "greet");
  request.put_string("stranger");
  call(request);
  ASSERT_EQ(request.outcome, Outcome::UserException);
  EXPECT_EQ(request.exception_id, "IDL:test/Refused:1.0");
  EXPECT_EQ(request.text(), "go away");
}

TEST_F(Dispatch, ListedUserExceptionOfACompiledOperationIsSent) {
  FakeRequest request(key, "twice");
  request.put(-1);
  call(request);
  ASSERT_EQ(request.outcome, Outcome::UserException);
  EXPECT_EQ(request.exception_id, "IDL:test/Refused:1.0");
  EXPECT_EQ(request.text(), "negative");
}

TEST_F(Dispatch, UnlistedUserExceptionIsUnknown1) {
  EXPECT_EQ(act([] { throw Refused("not in the raises clause"); }), "UNKNOWN 1 MAYBE");
}

TEST_F(Dispatch, UnlistedUserExceptionOfACompiledOperationIsUnknown1) {
  struct Thrower : Probe {
    bool check(bool) override { throw Refused("unlisted"); }
  };
  CORBA::Object_var other;
  activate<Thrower>(other);
  FakeRequest request(key_of(other), "check");
  request.write([&](cdr::Encoder& e) { e.put_boolean(true); });
  call(request);
  EXPECT_EQ(request.system(), "UNKNOWN 1 MAYBE");
}

TEST_F(Dispatch, SystemExceptionPassesAsItIs) {
  EXPECT_EQ(act([] { throw CORBA::NO_PERMISSION(CORBA::OMGVMCID | 7, CORBA::COMPLETED_YES); }),
            "NO_PERMISSION 7 YES");
}

TEST_F(Dispatch, BadAllocIsNoMemory) { EXPECT_EQ(act([] { throw std::bad_alloc(); }), "NO_MEMORY own 166 MAYBE"); }

TEST_F(Dispatch, AnyOtherCppExceptionIsUnknown) {
  EXPECT_EQ(act([] { throw std::runtime_error("oops"); }), "UNKNOWN own 165 MAYBE");
  EXPECT_EQ(act([] { throw 42; }), "UNKNOWN own 165 MAYBE");
}

TEST_F(Dispatch, BadArgumentsAreMarshalCompletedNo) {
  for (std::size_t n = 0; n < 8; ++n) {
    FakeRequest request(key, "add");
    request.put(1);
    request.put(2);
    request.cut(n);
    call(request);
    EXPECT_EQ(request.system(), "MARSHAL own 1 NO") << n;
  }
}

TEST_F(Dispatch, BadArgumentsOfACompiledOperationAreMarshalCompletedNo) {
  FakeRequest request(key, "check");
  request.write([&](cdr::Encoder& e) { e.put_octet(2); });  // no boolean
  call(request);
  EXPECT_EQ(request.system(), "MARSHAL own 5 NO");
}

TEST_F(Dispatch, AnUnterminatedStringIsMarshalAndTheServantIsNotCalled) {
  struct Counting : Probe {
    char* greet(const char*) override { return ++pings, nullptr; }
  };
  CORBA::Object_var other;
  Counting* servant = activate<Counting>(other);
  FakeRequest request(key_of(other), "greet");
  request.write([&](cdr::Encoder& e) { e.put_ulong(3); });
  const Byte abc[] = {'a', 'b', 'c'};
  request.write([&](cdr::Encoder& e) { e.put_bytes(abc); });
  call(request);
  EXPECT_EQ(request.system(), "MARSHAL own 4 NO");
  EXPECT_EQ(servant->pings, 0);
}

TEST_F(Dispatch, ResultsThatCannotBeEncodedAreBadParamCompletedYes) {
  FakeRequest request(key, "greet");
  request.put_string("null");
  call(request);
  EXPECT_EQ(request.exception_id, "IDL:omg.org/CORBA/BAD_PARAM:1.0");
  EXPECT_EQ(request.completed, CORBA::COMPLETED_YES);
}

TEST_F(Dispatch, AnExceptionThatCannotBeEncodedIsBadParamCompletedYes) {
  struct Bad : Probe {
    char* greet(const char*) override {
      Refused e;
      e.why = static_cast<char*>(nullptr);
      throw e;
    }
  };
  CORBA::Object_var other;
  activate<Bad>(other);
  FakeRequest request(key_of(other), "greet");
  request.put_string("x");
  call(request);
  EXPECT_EQ(request.exception_id, "IDL:omg.org/CORBA/BAD_PARAM:1.0");
  EXPECT_EQ(request.completed, CORBA::COMPLETED_YES);
}

// --- keys ---

TEST_F(Dispatch, KeysOfNoAdapterAreObjectNotExist2) {
  EXPECT_EQ(ping({}), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(ping({'x', 'y', 'z'}), "OBJECT_NOT_EXIST 2 NO");
  Key other_boot = key;
  other_boot[5] ^= 1;
  EXPECT_EQ(ping(other_boot), "OBJECT_NOT_EXIST 2 NO");
}

TEST_F(Dispatch, AKnownAdapterWithoutTheObjectIsObjectNotExist) {
  Key other_generation = key;
  other_generation[20] ^= 1;
  EXPECT_EQ(ping(other_generation), "OBJECT_NOT_EXIST own 160 NO");
  Key other_slot = key;
  other_slot[17] ^= 0x40;
  EXPECT_EQ(ping(other_slot), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(Dispatch, AKeyThatMixesTwoAdaptersIsRefused) {
  const PortableServer::POA_var other = child("other");
  CORBA::Object_var in_other;
  activate(in_other, other.in());
  Key mixed = key;
  const Key theirs = key_of(in_other);
  std::copy(theirs.begin() + 12, theirs.begin() + 16, mixed.begin() + 12);
  EXPECT_EQ(ping(mixed), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(Dispatch, ChangedAndRandomKeysNeverReachAServantOrLeaveStateBehind) {
  std::mt19937 random(11);
  const auto active = orb.registry->table().active();
  for (int i = 0; i < 20000; ++i) {
    Key k = key;
    if (i % 2) {
      k.resize(random() % 40);
      for (Byte& b : k) b = static_cast<Byte>(random());
    } else {
      k[random() % k.size()] ^= static_cast<Byte>(1 + random() % 255);
    }
    FakeRequest request(k, "ping");
    call(request);
    ASSERT_EQ(request.exception_id, "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
  }
  EXPECT_EQ(probe->pings, 0);
  EXPECT_EQ(orb.registry->table().active(), active);
}

TEST_F(Dispatch, LocateFindsActiveObjectsOnly) {
  ior::Ior forward;
  EXPECT_EQ(orb.dispatcher.locate(key, forward), callis::orb::Locate::Here);
  EXPECT_EQ(orb.dispatcher.locate(Key{1, 2, 3}, forward), callis::orb::Locate::Unknown);
  const PortableServer::ObjectId_var id = root->reference_to_id(reference.in());
  root->deactivate_object(id.in());
  EXPECT_EQ(orb.dispatcher.locate(key, forward), callis::orb::Locate::Unknown);
}

// --- pseudo-operations (CORBA 3.3 part 1, 8.3) ---

struct PseudoOperation : Dispatch {
  bool boolean(const char* operation, const char* argument = nullptr) {
    FakeRequest request(key, operation);
    if (argument) request.put_string(argument);
    call(request);
    EXPECT_EQ(request.outcome, Outcome::Reply) << request.system();
    return request.out().get_boolean();
  }
};

TEST_F(PseudoOperation, IsAKnowsTheInterfaceItsBasesAndObject) {
  EXPECT_TRUE(boolean("_is_a", kProbeId));
  EXPECT_TRUE(boolean("_is_a", kBaseId));
  EXPECT_TRUE(boolean("_is_a", "IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(boolean("_is_a", "IDL:test/Other:1.0"));
  EXPECT_FALSE(boolean("_is_a", ""));
}

TEST_F(PseudoOperation, IsAWithBadArgumentIsMarshal) {
  FakeRequest request(key, "_is_a");
  request.write([&](cdr::Encoder& e) { e.put_ulong(100); });
  call(request);
  EXPECT_EQ(request.exception_id, "IDL:omg.org/CORBA/MARSHAL:1.0");
  EXPECT_EQ(request.completed, CORBA::COMPLETED_NO);
}

TEST_F(PseudoOperation, IsAMayBeOverridden) {
  struct Liar : Probe {
    bool _is_a(const char*) override { return true; }
  };
  CORBA::Object_var other;
  activate<Liar>(other);
  FakeRequest request(key_of(other), "_is_a");
  request.put_string("IDL:test/Other:1.0");
  call(request);
  EXPECT_TRUE(request.out().get_boolean());
}

TEST_F(PseudoOperation, NonExistentIsFalseUnderBothNames) {
  EXPECT_FALSE(boolean("_non_existent"));
  EXPECT_FALSE(boolean("_not_existent"));
}

TEST_F(PseudoOperation, NonExistentThatThrowsIsAnswered) {
  struct Thrower : Probe {
    bool _non_existent() override { throw std::runtime_error("no"); }
  };
  CORBA::Object_var other;
  activate<Thrower>(other);
  FakeRequest request(key_of(other), "_non_existent");
  call(request);
  EXPECT_EQ(request.system(), "UNKNOWN own 165 MAYBE");
}

TEST_F(PseudoOperation, RepositoryIdIsTheMostDerived) {
  FakeRequest request(key, "_repository_id");
  call(request);
  EXPECT_EQ(request.text(), kProbeId);
}

TEST_F(PseudoOperation, ComponentIsNil) {
  for (const char* const name : {"_component", "_get_component"}) {  // the second is JacORB's name
    FakeRequest request(key, name);
    call(request);
    ior::Ior ior;
    ASSERT_TRUE(ior::decode(request.out(), ior, Limits{})) << name;
    EXPECT_TRUE(ior.is_nil()) << name;
  }
}

TEST_F(PseudoOperation, InterfaceWithoutARepositoryIsIntfRepos) {
  FakeRequest request(key, "_interface");
  call(request);
  EXPECT_EQ(request.system(), "INTF_REPOS 1 NO");
}

TEST_F(PseudoOperation, DomainManagersAreNotImplemented) {
  FakeRequest request(key, "_domain_managers");
  call(request);
  EXPECT_EQ(request.exception_id, "IDL:omg.org/CORBA/NO_IMPLEMENT:1.0");
}

}  // namespace
}  // namespace callis::poa::testing
