// SPDX-License-Identifier: Apache-2.0
// Accounts, which can move, and servers with a home of them; for tests, and for the server that tests start.
#pragma once
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <services/common/testing/orbs.h>
#include <services/lifecycle/home.h>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "account_skel.h"

namespace callis::life_cycle::testing {

using services::testing::root_of;

inline CORBA::ORB_var new_orb(std::vector<std::string> words = {}) {
  static std::atomic<int> count;
  return services::testing::new_orb(std::move(words), "life-" + std::to_string(++count));
}

// The port in the first profile.
inline std::string port_of(const std::string& reference) {
  const auto profiles = std::get<ior::Ior>(ior::parse_reference(reference)).profiles;
  return std::to_string(ior::parse_iiop(profiles.at(0).data).value().address.port);
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
    if (inside_ != 0) ++state_.anomalies;  // a request runs while the state is written
    CORBA::Any out;
    out <<= state_;
    return out;
  }
  void about_to_be_removed() override {
    const std::lock_guard lock(mutex_);
    if (locked_) throw CosLifeCycle::NotRemovable("the account is locked");
  }

  CORBA::LongLong add(CORBA::ULong client, CORBA::ULong number, CORBA::Long amount) override {
    const Inside inside(inside_);
    const std::lock_guard lock(mutex_);
    if (state_.last[client] + 1 != number) ++state_.anomalies;
    state_.last[client] = number;
    ++state_.executed;
    state_.balance += amount;
    CORBA::Any now;
    now <<= state_;
    save(now);
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
  struct Inside {
    explicit Inside(std::atomic<int>& c) : count(c) { ++count; }
    ~Inside() { --count; }
    std::atomic<int>& count;
  };
  const std::string home_;
  std::mutex mutex_;
  LifeCycleTest::State state_{};
  bool locked_ = false;
  std::atomic<int> inside_{0};
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
  std::string text() const { return CORBA::String_var(orb->object_to_string(home->reference().in())).in(); }
  // At which it listens.
  std::string port() const { return port_of(text()); }
  std::int64_t counter(const std::string& name) { return counters.counter(name).load(); }
};

}  // namespace callis::life_cycle::testing
