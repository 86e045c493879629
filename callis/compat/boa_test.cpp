// SPDX-License-Identifier: Apache-2.0
// The BOA over an adapter: when requests are served, who owns servants, and how impl_is_ready() ends.
#include <gtest/gtest.h>
#include <callis/base/log.h>

#include <clock.hh>
#include <atomic>
#include <future>
#include <string>
#include <vector>

namespace {

std::atomic<int> servants{0};

class BoaClock : public virtual _sk_Clock {
 public:
  BoaClock() { ++servants; }
  ~BoaClock() override { --servants; }
  CORBA::Long now() override { return 7; }
  CosNaming::Name* place() override { return new CosNaming::Name; }
};

// As programs for omniORB write it: the servant of a derived interface over that of its base.
class BellServant : public virtual Towers::_sk_Bell, public BoaClock {
 public:
  void strike() override { ++struck; }
  std::atomic<int> struck{0};
};

struct Boa : ::testing::Test {
  Boa() {
    orb = make_orb("one", {});
    boa = init(orb.in());
  }
  ~Boa() override {
    boa->destroy();
    orb->destroy();
    EXPECT_EQ(servants, 0);
  }
  static CORBA::ORB_var make_orb(const char* id, std::vector<std::string> words) {
    words.insert(words.begin(), "test");
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(words.size());
    return CORBA::ORB_init(argc, argv.data(), id);
  }
  static CORBA::BOA_ptr init(CORBA::ORB_ptr orb) {
    int argc = 0;
    return orb->BOA_init(argc, nullptr, "omniORB4_BOA");
  }
  Clock_var serve_clock() {
    auto* const clock = new BoaClock;
    clock->_obj_is_ready(boa.in());
    return clock->_this();
  }

  CORBA::ORB_var orb;
  CORBA::BOA_var boa;
};

TEST_F(Boa, takes_its_options_out_of_the_command_line) {
  std::string words[] = {"test", "-BOAid", "omniORB4_BOA", "own", "-BOAno_such"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  int argc = 5;
  const CORBA::BOA_var again = orb->BOA_init(argc, argv, "omniORB4_BOA");
  EXPECT_EQ(again.in(), boa.in());
  ASSERT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "own");
  EXPECT_EQ(argv[2], nullptr);
}

TEST_F(Boa, owns_a_servant_from_its_being_ready_to_its_disposal) {
  boa->impl_is_ready(nullptr, true);
  auto* const clock = new BoaClock;
  clock->_obj_is_ready(boa.in());
  clock->_obj_is_ready(boa.in());  // changes nothing
  const Clock_var object = clock->_this();
  EXPECT_EQ(object->now(), 7);
  clock->_dispose();
  EXPECT_EQ(servants, 0);
  EXPECT_THROW(object->now(), CORBA::OBJECT_NOT_EXIST);
  const Clock_var other = serve_clock();
  boa->dispose(other.in());
  EXPECT_EQ(servants, 0);
  EXPECT_THROW(boa->dispose(other.in()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(boa->dispose(CORBA::Object::_nil()), CORBA::SystemException);
}

TEST_F(Boa, a_servant_of_a_derived_interface_inherits_one_of_its_base) {
  boa->impl_is_ready(nullptr, true);
  auto* const bell = new BellServant;
  bell->_obj_is_ready(boa.in());
  const CORBA::Object_var object = static_cast<Towers::_sk_Bell*>(bell)->_this();
  const Towers::Bell_var reference = Towers::Bell::_narrow(object.in());
  reference->strike();
  EXPECT_EQ(reference->now(), 7);
  EXPECT_EQ(bell->struck, 1);
}

TEST_F(Boa, impl_is_ready_returns_after_impl_shutdown_and_may_be_called_again) {
  for (int round = 0; round < 2; ++round) {
    auto serving = std::async(std::launch::async, [this] { boa->impl_is_ready(); });
    const Clock_var clock = serve_clock();
    EXPECT_EQ(clock->now(), 7) << "served at the latest when impl_is_ready() has been called";
    // Repeated, since a shutdown may come before impl_is_ready() waits.
    while (serving.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) boa->impl_shutdown();
  }
}

TEST_F(Boa, impl_is_ready_returns_at_the_end_of_the_orb) {
  auto serving = std::async(std::launch::async, [this] { boa->impl_is_ready(); });
  EXPECT_EQ(Clock_var(serve_clock())->now(), 7);
  orb->shutdown(true);
  serving.get();
}

TEST_F(Boa, there_is_one_in_a_process) {
  const CORBA::BOA_var same = CORBA::BOA::getBOA();
  EXPECT_EQ(same.in(), boa.in());
  const CORBA::ORB_var other = make_orb("two", {});
  EXPECT_THROW(init(other.in()), CORBA::INITIALIZE);
  boa->destroy();
  EXPECT_THROW(CORBA::BOA::getBOA(), CORBA::INITIALIZE);
  boa = init(other.in());
  boa->impl_is_ready(nullptr, true);
  EXPECT_EQ(Clock_var(serve_clock())->now(), 7);
  boa->destroy();
  boa->destroy();  // changes nothing
  other->destroy();
}

}  // namespace
