// SPDX-License-Identifier: Apache-2.0
// Priorities of threads, and what an ORB's mapping and transform make of priorities.
#include <callis/rt/priorities/mappings.h>
#include <callis/rt/testing/fixture.h>
#include <pthread.h>

namespace callis::rt {
namespace {

using namespace testing;

int policy_of_this_thread(int& priority) {
  int policy = 0;
  sched_param p{};
  pthread_getschedparam(pthread_self(), &policy, &p);
  priority = p.sched_priority;
  return policy;
}

class Odd final : public RTCORBA::PriorityMapping {
 public:
  CORBA::Boolean to_native(RTCORBA::Priority p, RTCORBA::NativePriority& native) override {
    if (p == 13) throw std::bad_alloc();
    native = static_cast<RTCORBA::NativePriority>(p / 2);
    return p % 2 == 1;
  }
  CORBA::Boolean to_CORBA(RTCORBA::NativePriority native, RTCORBA::Priority& p) override {
    p = static_cast<RTCORBA::Priority>(native == 3 ? -4 : native * 2 + 1);
    return true;
  }
};

TEST(ThreadPriority, is_none_at_first_and_belongs_to_the_thread) {
  on_a_thread([] {
    EXPECT_FALSE(thread_priority());
    set_thread_priority(RTCORBA::Priority(0));
    EXPECT_EQ(thread_priority(), RTCORBA::Priority(0));
    on_a_thread([] { EXPECT_FALSE(thread_priority()); });
    set_thread_priority(std::nullopt);
    EXPECT_FALSE(thread_priority());
  });
}

TEST(ThreadPriority, a_scope_gives_it_back) {
  on_a_thread([] {
    set_thread_priority(RTCORBA::Priority(7));
    {
      const PriorityScope scope;
      set_thread_priority(RTCORBA::Priority(9));
    }
    EXPECT_EQ(thread_priority(), RTCORBA::Priority(7));
  });
}

TEST(NativePriority, is_set_once_and_only_where_it_changes) {
  CALLIS_NEEDS_PRIORITIES();
  on_a_thread([] {
    int priority = 0;
    ASSERT_EQ(set_native(7), 0);
    EXPECT_EQ(policy_of_this_thread(priority), SCHED_FIFO);
    EXPECT_EQ(priority, 7);
    // The system is not asked for a priority that is known: a change behind the thread's back is not seen ...
    const sched_param none{};
    ASSERT_EQ(pthread_setschedparam(pthread_self(), SCHED_OTHER, &none), 0);
    ASSERT_EQ(set_native(7), 0);
    EXPECT_EQ(policy_of_this_thread(priority), SCHED_OTHER);
    // ... until it is said.
    forget_native();
    ASSERT_EQ(set_native(7), 0);
    EXPECT_EQ(policy_of_this_thread(priority), SCHED_FIFO);
    {
      const PriorityScope scope;
      ASSERT_EQ(set_native(9), 0);
      EXPECT_EQ((policy_of_this_thread(priority), priority), 9);
    }
    EXPECT_EQ((policy_of_this_thread(priority), priority), 7);
  });
}

TEST(NativePriority, what_the_system_has_not_got_changes_nothing) {
  on_a_thread([] {
    int before = 0, after = 0;
    const int policy = policy_of_this_thread(before);
    EXPECT_EQ(set_native(NativeRange::of_fifo().most + 1), EINVAL);
    EXPECT_EQ(policy_of_this_thread(after), policy);
    EXPECT_EQ(after, before);
  });
}

TEST(PriorityMapper, asks_the_mapping_for_priorities_alone) {
  const PriorityMapper m(std::make_unique<Odd>());
  EXPECT_EQ(m.to_native(5), 2);
  EXPECT_FALSE(m.to_native(4));
  EXPECT_FALSE(m.to_native(-5)) << "no priority";
  EXPECT_FALSE(m.to_native(13)) << "it throws";
  EXPECT_EQ(m.to_corba(4), RTCORBA::Priority(9));
  EXPECT_FALSE(m.to_corba(3)) << "a priority below 0";
  EXPECT_FALSE(m.to_corba(100'000)) << "no native priority";
}

TEST(PriorityMapper, can_be_given_another_mapping_while_it_is_in_use) {
  PriorityMapper m(make_mapping(MappingKind::Direct, {1, 99}));
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const auto n = m.to_native(5);
      EXPECT_TRUE(n == 5 || n == 6 || n == 2);
    }
  });
  for (int i = 0; i < 100; ++i) {
    m.set(make_mapping(MappingKind::Continuous, {1, 99}));
    m.set(std::make_unique<Odd>());
  }
  done = true;
  reader.join();
  EXPECT_EQ(m.to_native(5), 2);
}

class Halves final : public RTCORBA::PriorityTransform {
 public:
  CORBA::Boolean inbound(RTCORBA::Priority& p, const PortableServer::ObjectId& id) override {
    p = static_cast<RTCORBA::Priority>(p / 2 - (id.length() == 3 ? 100 : 0));
    return p != 21;
  }
  CORBA::Boolean outbound(RTCORBA::Priority& p, const PortableServer::ObjectId&) override {
    if (p == 9) throw CORBA::BAD_PARAM();
    ++p;
    return true;
  }
};

TEST(PriorityTransformer, leaves_priorities_alone_without_a_transform) {
  PriorityTransformer t;
  RTCORBA::Priority p = 11;
  EXPECT_FALSE(t.any());
  EXPECT_TRUE(t.inbound(p, {}));
  EXPECT_TRUE(t.outbound(p, {}));
  EXPECT_EQ(p, 11);
}

TEST(PriorityTransformer, changes_them_and_tells_failures) {
  PriorityTransformer t;
  t.set(std::make_unique<Halves>());
  RTCORBA::Priority p = 40;
  EXPECT_TRUE(t.inbound(p, {}));
  EXPECT_EQ(p, 20);
  EXPECT_TRUE(t.outbound(p, {}));
  EXPECT_EQ(p, 21);
  p = 42;
  EXPECT_FALSE(t.inbound(p, {})) << "it says no";
  p = 9;
  EXPECT_FALSE(t.outbound(p, {})) << "it throws";
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("abc");
  p = 10;
  EXPECT_FALSE(t.inbound(p, id.in())) << "no priority";
  t.set(nullptr);
  EXPECT_FALSE(t.any());
}

}  // namespace
}  // namespace callis::rt
