// SPDX-License-Identifier: Apache-2.0
// RTCORBA::Current, the managers of mappings and transforms, and what an ORB has of real time.
#include <callis/rt/priorities/mappings.h>
#include <callis/rt/testing/fixture.h>
#include <pthread.h>
#include <cerrno>

namespace callis::rt {
namespace {

using namespace testing;

// SCHED_FIFO's priority of the calling thread; 0: another policy.
int fifo_priority() {
  int policy = 0;
  sched_param p{};
  pthread_getschedparam(pthread_self(), &policy, &p);
  return policy == SCHED_FIFO ? p.sched_priority : 0;
}

struct RtCurrentTest : RtFixture {
  explicit RtCurrentTest(std::vector<std::string> options = {}) : RtFixture(std::move(options)) {}
  RTCORBA::Current_var current = initial<RTCORBA::Current>("RTCurrent");
};

// An ORB that sets no native priorities.
struct RtCurrentOff : RtCurrentTest {
  RtCurrentOff() : RtCurrentTest({"-ORBRealTime", "off"}) {}
};

TEST_F(RtCurrentOff, is_not_set_at_first) {
  on_a_thread([&] {
    const Thrown e = thrown_by<CORBA::INITIALIZE>([&] { current->the_priority(); });
    EXPECT_EQ(e.minor, kNotSet);
  });
}

TEST_F(RtCurrentOff, belongs_to_the_thread_and_leaves_the_scheduler_alone) {
  on_a_thread([&] {
    current->the_priority(33);
    EXPECT_EQ(current->the_priority(), 33);
    EXPECT_EQ(fifo_priority(), 0);
    on_a_thread([&] { EXPECT_THROW(current->the_priority(), CORBA::INITIALIZE); });
    current->the_priority(0);
    EXPECT_EQ(current->the_priority(), 0);
  });
  EXPECT_FALSE(state()->native());
}

TEST_F(RtCurrentOff, bad_priorities_change_nothing) {
  on_a_thread([&] {
    current->the_priority(33);
    const Thrown low = thrown_by<CORBA::BAD_PARAM>([&] { current->the_priority(-1); });
    EXPECT_EQ(low.minor, kBadPriority);
    EXPECT_NE(low.words.find("priority -1 is not in 0 to 32767"), std::string::npos) << low.words;
    const Thrown high = thrown_by<CORBA::DATA_CONVERSION>([&] { current->the_priority(32767); });
    EXPECT_EQ(high.minor, kUnmapped);
    EXPECT_NE(high.words.find("no native priority for 32767"), std::string::npos) << high.words;
    EXPECT_EQ(current->the_priority(), 33);
  });
}

TEST_F(RtCurrentTest, gives_the_thread_the_native_priority) {
  CALLIS_NEEDS_PRIORITIES();
  ASSERT_TRUE(state()->native());
  on_a_thread([&] {
    current->the_priority(33);
    EXPECT_EQ(fifo_priority(), 34) << "continuous: 0 is 1";
    current->the_priority(0);
    EXPECT_EQ(fifo_priority(), 1);
    EXPECT_THROW(current->the_priority(99), CORBA::DATA_CONVERSION);
    EXPECT_EQ(fifo_priority(), 1) << "as before";
    EXPECT_EQ(current->the_priority(), 0);
  });
}

TEST_F(RtCurrentTest, a_native_priority_that_the_system_has_not_got_is_data_conversion) {
  CALLIS_NEEDS_PRIORITIES();
  struct Beyond final : RTCORBA::PriorityMapping {
    CORBA::Boolean to_native(RTCORBA::Priority, RTCORBA::NativePriority& n) override {
      n = 1000;
      return true;
    }
    CORBA::Boolean to_CORBA(RTCORBA::NativePriority, RTCORBA::Priority&) override { return false; }
  };
  initial<RTCORBA::PriorityMappingManager>("PriorityMappingManager")->mapping(new Beyond);
  on_a_thread([&] {
    const Thrown e = thrown_by<CORBA::DATA_CONVERSION>([&] { current->the_priority(5); });
    EXPECT_EQ(e.minor, kUnmapped);
    EXPECT_NE(e.words.find("1000"), std::string::npos) << e.words;
  });
}

TEST_F(RtCurrentTest, what_the_system_refuses_is_told_with_what_to_set) {
  const std::string words = state()->words_for(33, EPERM);
  EXPECT_NE(words.find("CAP_SYS_NICE"), std::string::npos) << words;
  EXPECT_NE(words.find("RLIMIT_RTPRIO"), std::string::npos) << words;
  EXPECT_NE(words.find("priority 33, of SCHED_FIFO 34"), std::string::npos) << words;
}

struct RtLinear : RtCurrentTest {
  RtLinear() : RtCurrentTest({"-ORBRealTime", "off", "-ORBPriorityMapping", "linear"}) {}
};

TEST_F(RtLinear, the_option_selects_the_mapping) {
  RTCORBA::NativePriority native = 0;
  auto manager_of_it = initial<RTCORBA::PriorityMappingManager>("PriorityMappingManager");
  ASSERT_TRUE(manager_of_it->mapping()->to_native(32767, native));
  EXPECT_EQ(native, NativeRange::of_fifo().most);
  on_a_thread([&] {
    current->the_priority(32767);
    EXPECT_EQ(current->the_priority(), 32767);
  });
}

TEST_F(RtCurrentOff, mapping_and_transform_can_be_ones_own) {
  struct Fixed final : RTCORBA::PriorityMapping {
    CORBA::Boolean to_native(RTCORBA::Priority p, RTCORBA::NativePriority& n) override {
      n = 7;
      return p == 1;
    }
    CORBA::Boolean to_CORBA(RTCORBA::NativePriority, RTCORBA::Priority&) override { return false; }
  };
  struct More final : RTCORBA::PriorityTransform {
    CORBA::Boolean inbound(RTCORBA::Priority& p, const PortableServer::ObjectId&) override {
      ++p;
      return true;
    }
    CORBA::Boolean outbound(RTCORBA::Priority&, const PortableServer::ObjectId&) override { return true; }
  };
  auto mappings = initial<RTCORBA::PriorityMappingManager>("PriorityMappingManager");
  auto transforms = initial<RTCORBA::PriorityTransformManager>("PriorityTransformManager");
  auto* const fixed = new Fixed;
  mappings->mapping(fixed);
  EXPECT_EQ(mappings->mapping(), fixed);
  EXPECT_EQ(state()->mapper().to_native(1), 7);
  on_a_thread([&] { EXPECT_THROW(current->the_priority(2), CORBA::DATA_CONVERSION); });
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { mappings->mapping(nullptr); }).minor, kNilMapping);
  EXPECT_EQ(transforms->transform(), nullptr);
  auto* const more = new More;
  transforms->transform(more);
  EXPECT_EQ(transforms->transform(), more);
  RTCORBA::Priority p = 4;
  EXPECT_TRUE(state()->transformer().inbound(p, {}));
  EXPECT_EQ(p, 5);
  transforms->transform(nullptr);
  EXPECT_EQ(transforms->transform(), nullptr);
}

TEST_F(RtCurrentOff, what_an_orb_has_ends_with_its_shutdown) {
  const auto kept = state();
  orb::Core& c = core();
  EXPECT_TRUE(RealTimeOrb::find(c));
  orb->shutdown(true);
  EXPECT_FALSE(RealTimeOrb::find(c));
  EXPECT_THROW(RealTimeOrb::of(c), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(kept->threadpools(), CORBA::BAD_INV_ORDER);
  on_a_thread([&] {
    current->the_priority(3);  // the thread's own, whatever becomes of the ORB
    EXPECT_EQ(current->the_priority(), 3);
  });
}

TEST_F(RtCurrentOff, every_orb_has_its_own) {
  AnotherOrb other({"-ORBRealTime", "off", "-ORBMaxPropagatedPriority", "9"});
  EXPECT_NE(other.state().get(), state().get());
  EXPECT_EQ(state()->most_propagated(), 32767);
  EXPECT_EQ(other.state()->most_propagated(), 9);
}

TEST_F(RtCurrentOff, without_exceptions_it_is_an_errno) {
  on_a_thread([&] {
    EXPECT_EQ(state()->try_run_at(-1), ERANGE);
    EXPECT_EQ(state()->try_run_at(32767), EDOM);
    EXPECT_EQ(state()->try_run_at(3), 0);
    EXPECT_EQ(thread_priority(), RTCORBA::Priority(3));
  });
}

}  // namespace
}  // namespace callis::rt
