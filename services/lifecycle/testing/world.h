// SPDX-License-Identifier: Apache-2.0
// Servers with a home each, a naming service with their factories, and clients; all with ORBs of their own, over
// sockets.
#pragma once
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/lifecycle/finder.h>
#include <services/lifecycle/home.h>
#include <services/naming/service.h>
#include <atomic>
#include <string>
#include <vector>
#include "account_skel.h"

namespace callis::life_cycle::testing {

inline CORBA::ORB_var new_orb(std::vector<std::string> words = {}) {
  static std::atomic<int> count;
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), ("life-" + std::to_string(++count)).c_str());
}

inline PortableServer::POA_var root_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  return PortableServer::POA::_narrow(object.in());
}

// Requests that wait in a servant for the test.
class Gate final {
 public:
  static Gate& only() {
    static Gate gate;
    return gate;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    open_ = inside_ = false;
  }
  void pass() {
    std::unique_lock lock(mutex_);
    inside_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void wait_for_somebody() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return inside_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, inside_ = false;
};

class AccountServant final : public LifeCycleServant<POA_LifeCycleTest::Account> {
 public:
  AccountServant(std::string home, const CORBA::Any& state) : home_(std::move(home)) {
    const LifeCycleTest::State* given = nullptr;
    if (state >>= given) state_ = *given;
    else state_.last.length(64);
    if (given) ++state_.moves;
  }
  CORBA::Any write_state() override {
    const std::lock_guard lock(mutex_);
    if (locked_) throw CosLifeCycle::NotMovable("the account is locked");
    EXPECT_EQ(inside_, 0) << "a request runs while the state is written";
    CORBA::Any out;
    out <<= state_;
    return out;
  }
  void about_to_be_removed() override {
    const std::lock_guard lock(mutex_);
    if (locked_) throw CosLifeCycle::NotRemovable("the account is locked");
  }

  CORBA::LongLong add(CORBA::ULong client, CORBA::ULong number, CORBA::Long amount) override {
    const std::lock_guard lock(mutex_);
    ++inside_;
    if (state_.last[client] + 1 != number) ++state_.anomalies;
    state_.last[client] = number;
    ++state_.executed;
    state_.balance += amount;
    CORBA::Any now;
    now <<= state_;
    save(now);
    --inside_;
    return state_.balance;
  }
  LifeCycleTest::State* look() override {
    const std::lock_guard lock(mutex_);
    return new LifeCycleTest::State(state_);
  }
  void wait_inside() override { Gate::only().pass(); }
  void lock() override {
    const std::lock_guard lock(mutex_);
    locked_ = true;
  }
  char* home_of() override { return CORBA::string_dup(home_.c_str()); }

 private:
  const std::string home_;
  std::mutex mutex_;
  LifeCycleTest::State state_{};
  bool locked_ = false;
  int inside_ = 0;
};

inline constexpr const char* kSecret = "what only these homes know";

// A server with a home.
struct Site {
  services::Counters counters;
  CORBA::ORB_var orb;
  PortableServer::POA_var root;
  std::unique_ptr<Home> home;

  explicit Site(const std::string& name, Home::Options options = {}, const std::string& port = "0")
      : orb(new_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + port})), root(root_of(orb.in())) {
    if (options.secret.empty()) options.secret = kSecret;
    home = std::make_unique<Home>(orb.in(), root.in(), "accounts", counters, options);
    home->serves("Account", [name](const CORBA::Any& state) { return made(new AccountServant(name, state)); });
    home->restore();
    PortableServer::POAManager_var(root->the_POAManager())->activate();
  }
  ~Site() { end(); }
  void end() {
    if (!home) return;
    orb->shutdown(true);
    home.reset();
    orb->destroy();
  }
  // At which it listens.
  std::string port() const {
    const std::string text = CORBA::String_var(orb->object_to_string(home->reference().in())).in();
    const auto profiles = std::get<ior::Ior>(ior::parse_reference(text)).profiles;
    return std::to_string(ior::parse_iiop(profiles.at(0).data).value().address.port);
  }
  std::int64_t counter(const std::string& name) { return counters.counter(name).load(); }
};

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
  // A finder of the site's factories, by names: the client's reference.
  CosLifeCycle::FactoryFinder_var finder(const Site& site) {
    const CORBA::Object_var root = in(orb.in(), orb.in(), names->reference().in());
    const CosNaming::NamingContext_var context = CosNaming::NamingContext::_narrow(root.in());
    const CosNaming::NamingContext_var location = context->new_context();
    const CORBA::Object_var factory = in(orb.in(), site.orb.in(), site.home->reference().in());
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
