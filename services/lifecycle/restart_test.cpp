// SPDX-License-Identifier: Apache-2.0
// Homes that end, also in the midst of a move, and begin again with their store. No object is lost, none is served by
// two homes, and uncertainty is reported.
#include <services/lifecycle/testing/world.h>
#include <thread>

namespace callis::life_cycle::testing {
namespace {

// A store that works until the home "dies": from then on commits store nothing.
class MortalStore final : public services::Store {
 public:
  static constexpr int kForEver = 1'000'000;
  services::MemoryStore kept;
  std::atomic<int> left{kForEver};  // commits

  services::Revision read(std::string_view prefix, const std::function<void(services::Pair&&)>& take) override {
    return kept.read(prefix, take);
  }
  services::Outcome commit(const services::Transaction& transaction) override {
    if (left-- <= 0) throw services::StoreFailed(services::StoreFailed::Full, "it has died");
    return kept.commit(transaction);
  }
  services::Revision latest() override { return kept.latest(); }
  void watch(services::Revision from, services::Watcher& watcher) override { kept.watch(from, watcher); }
  bool shared() const override { return false; }
  void announce(const std::string& text) override { kept.announce(text); }
  std::vector<std::string> instances() override { return kept.instances(); }
  std::string life() {
    std::string out;
    (void)kept.read("life", [&](services::Pair&& pair) { out = pair.value; });
    return out;
  }
};

// A site that ends and begins again at the same port, with the same store.
struct Lasting {
  const std::string name;
  MortalStore store;
  std::string port = "0";
  std::unique_ptr<Site> site;

  explicit Lasting(std::string n) : name(std::move(n)) { begin(); }
  void begin() {
    Home::Options options;
    options.store = &store;
    options.again = Milliseconds(10);
    options.ask = Milliseconds(10);
    store.left = MortalStore::kForEver;
    site = std::make_unique<Site>(name, options, port);
    port = site->port();
  }
  void end() { site.reset(); }
  void restart() {
    end();
    begin();
  }
};

struct Restart : World {
  Lasting berlin{"berlin"}, munich{"munich"};
  std::string transfer;  // that was prepared last

  CallisLifeCycle::Residence_var seen(const Lasting& home) {
    const CORBA::Object_var object = in(client.in(), home.site->orb.in(), home.site->home->reference().in());
    return CallisLifeCycle::Residence::_unchecked_narrow(object.in());
  }
  // Has a home of that life, with the reference `from`, prepare an object in Munich. Returns the object's reference.
  std::string prepare(const CallisLifeCycle::Residence_var& from, const std::string& life) {
    const Trust trust(kSecret);
    CallisLifeCycle::Transfer what;
    what.identity = std::string(32, 'b').c_str();
    what.implementation = "Account";
    what.version = 1;
    what.from = from;
    what.life = life.c_str();
    const auto home = seen(munich);
    transfer = CORBA::String_var(home->invite()).in();
    what.id = transfer.c_str();
    CORBA::String_var shown;
    const CORBA::String_var text = home->greet(std::string(32, 'c').c_str(), shown.out());
    const std::string proof = trust.proof({"prepare", what.id.in(), what.identity.in(), "Account", "1", text.in()});
    const CORBA::Object_var made = home->prepare(what, proof.c_str());
    return CORBA::String_var(client->object_to_string(made.in())).in();
  }
  void wait_for_undecided() {
    while (munich.site->home->undecided().empty()) std::this_thread::yield();
  }
};

TEST_F(Restart, objects_and_what_they_saved_are_there_again) {
  const std::string text = make(*berlin.site);
  account(text)->add(0, 1, 5);
  berlin.restart();
  EXPECT_EQ(account(text)->add(0, 2, 2), 7);
  EXPECT_EQ(berlin.site->home->identities().size(), 1u);
  account(text)->remove();
  berlin.restart();
  EXPECT_THROW(account(text)->add(0, 3, 1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Restart, forwards_are_there_again_and_hear_of_later_moves) {
  Lasting ulm("ulm");
  const std::string text = make(*berlin.site);
  const auto to_munich = finder(*munich.site), to_ulm = finder(*ulm.site);
  account(text)->move(to_munich.in(), none);
  berlin.restart();
  munich.restart();
  EXPECT_EQ(home_of(account(text).in()), "munich");
  account(text)->move(to_ulm.in(), none);
  wait_until([&] { return berlin.site->counter("forwards.renewed") == 1; });
  munich.end();
  berlin.restart();
  const CORBA::ORB_var other = new_orb();
  EXPECT_EQ(home_of(account(text, other.in()).in()), "ulm");
  other->destroy();
}

// The old home ends after this number of commits of a move: 0 before "the object is leaving", 1 before the decision,
// 2 before the promise is forgotten.
struct EndsWithinMove : Restart, ::testing::WithParamInterface<int> {};

TEST_P(EndsWithinMove, object_is_in_one_home) {
  const std::string text = make(*berlin.site);
  account(text)->add(0, 1, 5);
  const auto to_munich = finder(*munich.site);
  berlin.store.left = GetParam();
  const std::string refused = reason([&] { account(text)->move(to_munich.in(), none); });
  EXPECT_EQ(refused.empty(), GetParam() >= 2) << refused;
  berlin.restart();
  const CORBA::ORB_var other = new_orb();
  const auto a = account(text, other.in());
  EXPECT_EQ(a->add(0, 2, 1), 6);
  EXPECT_EQ(home_of(a.in()), GetParam() >= 2 ? "munich" : "berlin");
  EXPECT_EQ(berlin.site->home->identities().size() + munich.site->home->identities().size(), 1u);
  a->move(to_munich.in(), none);
  EXPECT_EQ(a->add(0, 3, 1), 7);
  EXPECT_EQ(LifeCycleTest::State_var(a->look())->anomalies, 0u);
  other->destroy();
}
INSTANTIATE_TEST_SUITE_P(Commits, EndsWithinMove, ::testing::Values(0, 1, 2));

TEST_F(Restart, object_that_was_prepared_waits_again_and_is_dropped_when_the_old_home_has_kept_it) {
  const CallisLifeCycle::Residence_var from = seen(berlin);
  berlin.end();
  const std::string text = prepare(from, berlin.store.life());
  munich.restart();
  wait_for_undecided();
  const std::vector<Undecided> all = munich.site->home->undecided();
  EXPECT_EQ(all.at(0).identity, std::string(32, 'b'));
  EXPECT_TRUE(all.at(0).came);
  EXPECT_TRUE(munich.site->home->identities().empty());
  berlin.begin();  // it knows of no such transfer: it had not decided, so the object stayed
  while (!munich.site->home->undecided().empty()) std::this_thread::yield();
  EXPECT_THROW(account(text)->add(0, 1, 1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Restart, object_whose_old_home_forgot_all_is_left_to_an_operator) {
  const std::string text = prepare(seen(berlin), std::string(32, 'x'));  // of a former life
  wait_for_undecided();
  EXPECT_FALSE(munich.site->home->decide(std::string(32, 'z'), true)) << "there is no such object";
  EXPECT_TRUE(munich.site->home->decide(std::string(32, 'b'), true));
  EXPECT_EQ(account(text)->add(0, 1, 1), 1);
  munich.restart();
  EXPECT_EQ(account(text)->add(0, 2, 1), 2);
  const Trust trust(kSecret);
  EXPECT_THROW(seen(munich)->abort(transfer.c_str(), trust.proof({"abort", transfer}).c_str()),
               CallisLifeCycle::Refused)
      << "an old home that comes back is told that the object is served";
}

TEST_F(Restart, operator_may_drop_what_the_old_home_has) {
  const std::string text = prepare(seen(berlin), std::string(32, 'x'));
  wait_for_undecided();
  EXPECT_TRUE(munich.site->home->decide(std::string(32, 'b'), false));
  EXPECT_THROW(account(text)->add(0, 1, 1), CORBA::OBJECT_NOT_EXIST);
  munich.restart();
  EXPECT_THROW(account(text)->add(0, 1, 1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(Restart, object_that_cannot_be_stored_is_not_made_nor_taken) {
  const std::string text = make(*berlin.site);
  const auto to_munich = finder(*munich.site);
  munich.store.left = 0;
  EXPECT_THROW(munich.site->home->create("Account"), CORBA::NO_RESOURCES);
  EXPECT_EQ(reason([&] { account(text)->move(to_munich.in(), none); }),
            "the new home refuses it: it cannot be stored: it has died");
  EXPECT_EQ(home_of(account(text).in()), "berlin");
}

}  // namespace
}  // namespace callis::life_cycle::testing
