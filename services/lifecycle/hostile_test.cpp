// SPDX-License-Identifier: Apache-2.0
// The messages between homes, step by step, and the fate of peers that do not know their secret.
#include <services/lifecycle/testing/world.h>
#include <thread>
#include "CallisLifeCycle_skel.h"

namespace callis::life_cycle::testing {
namespace {

// The steps of a move as another home makes them.
struct Steps : World {
  Site munich{"munich"};
  const Trust trust{kSecret};
  std::map<char, std::string> ids;

  CallisLifeCycle::Residence_var there() {
    const CORBA::Object_var object = in(client.in(), munich.orb.in(), munich.home->reference().in());
    return CallisLifeCycle::Residence::_narrow(object.in());
  }
  // The same for the same letter; to munich.
  CallisLifeCycle::Transfer transfer(char letter = 'a') {
    std::string& id = ids[letter];
    if (id.empty()) id = CORBA::String_var(there()->invite()).in();
    CallisLifeCycle::Transfer out;
    out.id = id.c_str();
    out.identity = std::string(32, static_cast<char>(letter + 1)).c_str();
    out.implementation = "Account";
    out.version = 1;
    return out;
  }
  CORBA::Object_ptr prepare(CallisLifeCycle::Residence_ptr home, const CallisLifeCycle::Transfer& what) {
    CORBA::String_var shown;
    const CORBA::String_var text = home->greet(std::string(32, 'c').c_str(), shown.out());
    return home->prepare(what, trust.proof({"prepare", what.id.in(), what.identity.in(), what.implementation.in(),
                                            std::to_string(what.version), text.in()})
                                   .c_str());
  }
  void commit(CallisLifeCycle::Residence_ptr home, const CallisLifeCycle::Transfer& what) {
    home->commit(what.id.in(), trust.proof({"commit", what.id.in()}).c_str());
  }
  void abort(CallisLifeCycle::Residence_ptr home, const CallisLifeCycle::Transfer& what) {
    home->abort(what.id.in(), trust.proof({"abort", what.id.in()}).c_str());
  }
};

TEST_F(Steps, requests_wait_until_the_object_is_committed) {
  const auto home = there();
  const CORBA::Object_var made = prepare(home.in(), transfer());
  const CORBA::String_var text = client->object_to_string(made.in());
  const CORBA::ORB_var other = new_orb();
  std::atomic<bool> committed{false};
  std::thread waits([&] {
    account(text.in(), other.in())->add(0, 1, 1);
    EXPECT_TRUE(committed);
  });
  while (munich.counter("requests.waited") == 0) std::this_thread::yield();
  committed = true;
  commit(home.in(), transfer());
  waits.join();
  commit(home.in(), transfer());  // again
  EXPECT_EQ(munich.counter("objects.came"), 1);
  other->destroy();
}

TEST_F(Steps, aborted_transfer_leaves_nothing_and_cannot_be_prepared_again) {
  const auto home = there();
  const CORBA::Object_var made = prepare(home.in(), transfer());
  abort(home.in(), transfer());
  EXPECT_TRUE(made->_non_existent());
  abort(home.in(), transfer('m'));  // comes before the transfer
  EXPECT_THROW(prepare(home.in(), transfer('m')), CallisLifeCycle::Refused);
  EXPECT_THROW(commit(home.in(), transfer('m')), CallisLifeCycle::Refused);
}

TEST_F(Steps, transfers_that_are_wrong_are_refused) {
  const auto home = there();
  CallisLifeCycle::Transfer bad = transfer();
  bad.identity = "short";
  EXPECT_THROW(prepare(home.in(), bad), CallisLifeCycle::Refused);
  bad = transfer();
  bad.implementation = "Boat";
  EXPECT_THROW(prepare(home.in(), bad), CallisLifeCycle::Refused);
  bad = transfer();
  bad.former.length(1'000);
  EXPECT_THROW(prepare(home.in(), bad), CallisLifeCycle::Refused);
  bad = transfer();
  bad.wanted = criteria("colour");
  EXPECT_THROW(prepare(home.in(), bad), CallisLifeCycle::Refused);
  const CORBA::Object_var first = prepare(home.in(), transfer());
  CallisLifeCycle::Transfer second = transfer();
  second.id = transfer('z').id;
  EXPECT_THROW(prepare(home.in(), second), CallisLifeCycle::Refused) << "the same object twice";
  commit(home.in(), transfer());
  EXPECT_THROW(prepare(home.in(), second), CallisLifeCycle::Refused) << "it is here";
  home->moved(transfer().identity.in(), 1'000, "",
              trust.proof({"moved", transfer().identity.in(), "1000", ""}).c_str());
  EXPECT_FALSE(first->_non_existent()) << "only forwards hear of moves";
}

// An attacker on the way has recorded all messages of the first home, and sends them again.
TEST_F(Steps, recorded_moves_bring_nothing_back) {
  const auto home = there();
  const auto first = transfer();
  const auto again = [&] {
    EXPECT_THROW(prepare(home.in(), first), CallisLifeCycle::Refused);
    commit(home.in(), first);
  };
  const CORBA::Object_var made = prepare(home.in(), first);
  commit(home.in(), first);
  again();
  const CORBA::String_var text = client->object_to_string(made.in());
  account(text.in())->remove();
  again();
  EXPECT_TRUE(munich.home->identities().empty());
  EXPECT_TRUE(made->_non_existent());
}

TEST_F(Steps, recorded_moves_bring_nothing_back_after_a_restart_without_a_store) {
  auto before = std::make_unique<Site>("ulm");
  const std::string port = before->port();
  const auto at = [&](Site& site) {
    const CORBA::Object_var object = in(client.in(), site.orb.in(), site.home->reference().in());
    return CallisLifeCycle::Residence::_narrow(object.in());
  };
  CallisLifeCycle::Residence_var home = at(*before);
  CallisLifeCycle::Transfer what = transfer();
  what.id = CORBA::String_var(home->invite()).in();
  const CORBA::Object_var made = prepare(home.in(), what);
  commit(home.in(), what);
  before.reset();
  Site after("ulm", {}, port);
  home = at(after);
  EXPECT_THROW(prepare(home.in(), what), CallisLifeCycle::Refused);
  commit(home.in(), what);
  EXPECT_TRUE(after.home->identities().empty());
}

TEST_F(Steps, transfers_that_were_not_invited_are_refused) {
  const auto home = there();
  CallisLifeCycle::Transfer what = transfer();
  for (const std::string& id : {std::string(32, 'a'), std::string(32, '0'), new_identity()}) {
    what.id = id.c_str();
    EXPECT_THROW(prepare(home.in(), what), CallisLifeCycle::Refused) << id;
  }
}

TEST_F(Steps, objects_are_counted_in_bytes_and_given_back) {
  services::MemoryBound bound({1u << 20, 1u << 20});
  Home::Options options;
  options.memory = &bound;
  Site ulm("ulm", options);
  const CORBA::Object_var object = in(client.in(), ulm.orb.in(), ulm.home->reference().in());
  const auto factory = CallisLifeCycle::Residence_var(CallisLifeCycle::Residence::_narrow(object.in()));
  int made = 0;
  EXPECT_THROW(
      for (; made < 100'000; ++made)
        CORBA::Object_var(factory->create_object(key_of("Account"), none)),
      CORBA::NO_RESOURCES);
  EXPECT_GT(made, 100);
  EXPECT_LE(bound.held(), 1u << 20);
  for (const std::string& identity : ulm.home->identities()) {
    const CORBA::Object_var one = ulm.home->reference_of(identity);
    const CORBA::String_var text = ulm.orb->object_to_string(one.in());
    account(text.in())->remove();
  }
  EXPECT_EQ(bound.held(), 0u);
}

TEST_F(Steps, peer_without_the_secret_can_neither_bring_nor_take_nor_forward_objects) {
  Site berlin("berlin");
  const std::string text = make(berlin);
  const auto a = account(text);
  const auto to_munich = finder(munich);
  a->move(to_munich.in(), none);
  const auto home = there();
  const Trust guessed("some other secret");
  const std::string proofs[] = {"", std::string(kProofBytes, '0'), guessed.proof({"commit", transfer().id.in()})};
  for (const std::string& shown : proofs) {
    EXPECT_THROW(home->prepare(transfer(), shown.c_str()), CORBA::NO_PERMISSION);
    EXPECT_THROW(home->commit(transfer().id.in(), shown.c_str()), CORBA::NO_PERMISSION);
    EXPECT_THROW(home->abort(transfer().id.in(), shown.c_str()), CORBA::NO_PERMISSION);
    EXPECT_THROW(home->outcome(transfer().id.in(), transfer().id.in(), shown.c_str()), CORBA::NO_PERMISSION);
  }
  // One that has been shown for another operation, transfer or home is none.
  const CORBA::Object_var object = in(client.in(), berlin.orb.in(), berlin.home->reference().in());
  const CallisLifeCycle::Residence_var first = CallisLifeCycle::Residence::_narrow(object.in());
  CORBA::String_var greeted;
  const CORBA::String_var greeting = first->greet("commit", greeted.out());
  EXPECT_THROW(home->commit(transfer().id.in(), greeted.in()), CORBA::NO_PERMISSION);
  // The first home forwards, and is told by nobody else where to.
  const std::string identity = munich.home->identities().at(0);
  EXPECT_THROW(first->moved(identity.c_str(), 1'000, "", greeted.in()), CORBA::NO_PERMISSION);
  EXPECT_EQ(berlin.counter("transfers.refused"), 1);
  const CORBA::ORB_var other = new_orb();
  EXPECT_EQ(home_of(account(text, other.in()).in()), "munich");
  other->destroy();
  EXPECT_GE(munich.counter("transfers.refused"), 12);
}

// A home that says what a genuine one says, and is another.
class Impostor final : public virtual POA_CallisLifeCycle::Residence {
 public:
  explicit Impostor(CallisLifeCycle::Residence_ptr genuine)
      : genuine_(CallisLifeCycle::Residence::_duplicate(genuine)) {}
  CORBA::Boolean supports(const CosLifeCycle::Key&) override { return true; }
  CORBA::Object_ptr create_object(const CosLifeCycle::Key& key, const CosLifeCycle::Criteria&) override {
    throw CosLifeCycle::NoFactory(key);
  }
  char* greet(const char* challenge, CORBA::String_out shown) override {
    if (!CORBA::is_nil(genuine_.in())) return genuine_->greet(challenge, shown);
    shown = std::string(kProofBytes, 'a').c_str();
    return CORBA::string_dup("corbaloc::localhost:1/x");
  }
  CallisLifeCycle::Place* describe() override { return new CallisLifeCycle::Place; }
  char* invite() override { return CORBA::string_dup(std::string(kIdentityBytes, 'a').c_str()); }
  CORBA::Object_ptr prepare(const CallisLifeCycle::Transfer&, const char*) override {
    ADD_FAILURE() << "it has been given an object's state";
    return CORBA::Object::_nil();
  }
  void commit(const char*, const char*) override {}
  void abort(const char*, const char*) override {}
  CallisLifeCycle::Fate outcome(const char*, const char*, const char*) override { return CallisLifeCycle::Committed; }
  void moved(const char*, CORBA::ULongLong, const char*, const char*) override {}

 private:
  const CallisLifeCycle::Residence_var genuine_;
};

class Lure final : public virtual POA_CosLifeCycle::FactoryFinder {
 public:
  explicit Lure(CORBA::Object_ptr to) : to_(CORBA::Object::_duplicate(to)) {}
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key&) override {
    auto* const out = new CosLifeCycle::Factories;
    out->length(1);
    (*out)[0] = CORBA::Object::_duplicate(to_.in());
    return out;
  }

 private:
  const CORBA::Object_var to_;
};

struct Lured : Steps {
  CORBA::Object_var serve(PortableServer::ServantBase* servant) {
    const PortableServer::Servant_var<PortableServer::ServantBase> owned(servant);
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    return poa->id_to_reference(id.in());
  }
  CosLifeCycle::FactoryFinder_var lure_to(CallisLifeCycle::Residence_ptr genuine) {
    const CORBA::Object_var home = serve(new Impostor(genuine)), finder = serve(new Lure(home.in()));
    const CORBA::Object_var mine = in(client.in(), orb.in(), finder.in());
    return CosLifeCycle::FactoryFinder::_narrow(mine.in());
  }
};

TEST_F(Lured, object_does_not_go_to_a_home_that_cannot_show_the_secret) {
  Site berlin("berlin");
  const auto a = account(make(berlin));
  a->add(0, 1, 1);
  const auto lure = lure_to(nullptr);
  EXPECT_EQ(reason([&] { a->move(lure.in(), none); }), "the new home does not know the secret of this one");
  EXPECT_THROW(a->copy(lure.in(), none), CosLifeCycle::NotCopyable);
  EXPECT_EQ(a->add(0, 2, 1), 2);
}

TEST_F(Lured, peer_that_passes_greetings_on_gets_nothing_the_genuine_home_does) {
  Site berlin("berlin");
  const CORBA::Object_var object = in(orb.in(), munich.orb.in(), munich.home->reference().in());
  const CallisLifeCycle::Residence_var genuine = CallisLifeCycle::Residence::_narrow(object.in());
  const auto a = account(make(berlin));
  const auto lure = lure_to(genuine.in());
  EXPECT_EQ(reason([&] { a->move(lure.in(), none); }), "");
  EXPECT_EQ(home_of(a.in()), "munich");
}

TEST_F(Lured, homes_with_other_secrets_exchange_nothing) {
  Home::Options options;
  options.secret = "a secret of its own";
  Site berlin("berlin", options);
  const auto a = account(make(berlin));
  const auto to_munich = finder(munich);
  EXPECT_EQ(reason([&] { a->move(to_munich.in(), none); }), "the new home does not know the secret of this one");
}

}  // namespace
}  // namespace callis::life_cycle::testing
