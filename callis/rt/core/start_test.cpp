// SPDX-License-Identifier: Apache-2.0
// The start of an ORB with real time, alone and beside interceptors, which are told of new ORBs, too.
#include <callis/interceptors.h>
#include <callis/rt/testing/fixture.h>

namespace callis::rt {
namespace {

using namespace testing;

// New ORBs call the initializer as long as it lives.
class Initializer final : public PortableInterceptor::ORBInitializer {
 public:
  void pre_init(PortableInterceptor::ORBInitInfo_ptr) override { ++calls; }
  void post_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    if (!wanted) return;
    ++calls;
    const CORBA::Object_var object = info->resolve_initial_references("RTORB");
    found = !CORBA::is_nil(object.in());
  }

  static inline int calls = 0;
  static inline bool wanted = false, found = false;
};

void register_once() {
  static const bool registered = [] {
    PortableInterceptor::register_orb_initializer(PortableInterceptor::ORBInitializer_var(new Initializer).in());
    PortableInterceptor::register_orb_initializer(PortableInterceptor::ORBInitializer_var(new Initializer).in());
    return true;
  }();
  static_cast<void>(registered);
}

TEST(RtStart, interceptors_and_real_time_both_hear_of_new_orbs) {
  register_once();
  Initializer::calls = 0;
  Initializer::wanted = true;
  {
    AnotherOrb one({"-ORBRealTime", "off", "-ORBMaxPropagatedPriority", "4"});
    EXPECT_EQ(Initializer::calls, 4) << "each of two initializers, once";
    EXPECT_TRUE(Initializer::found);
    EXPECT_EQ(one.state()->mode(), RealTimeMode::Off) << "with the options of this ORB";
    EXPECT_EQ(one.state()->most_propagated(), 4);
  }
  Initializer::wanted = false;
}

TEST(RtStart, options_are_those_of_the_orb_that_the_thread_makes) {
  AnotherOrb off({"-ORBRealTime", "off"});
  AnotherOrb plain;
  on_a_thread([] {
    AnotherOrb linear({"-ORBPriorityMapping", "linear", "-ORBRealTime", "off"});
    EXPECT_TRUE(linear.state()->mapper().to_native(32767));
  });
  EXPECT_EQ(off.state()->mode(), RealTimeMode::Off);
  EXPECT_EQ(plain.state()->mode(), RealTimeMode::Preferred);
  EXPECT_FALSE(plain.state()->mapper().to_native(32767));
}

// Before anything of it uses real time.
struct NewOrb final : poa::testing::OrbFixture {
  explicit NewOrb(std::vector<std::string> options = {}) : OrbFixture(std::move(options)) {}
  void TestBody() override {}
  // The spin of connections that are made from now on.
  std::chrono::microseconds spin() { return dynamic_cast<orb::Core&>(*orb.in()).endpoints().spin(); }
  void resolve(const char* name) { const CORBA::Object_var object = orb->resolve_initial_references(name); }
};

TEST(RtStart, threads_spin_until_the_program_uses_real_time_of_the_orb) {
  NewOrb plain;
  EXPECT_EQ(plain.spin(), orb::kSpin) << "the library alone changes nothing";
  plain.resolve("PriorityMappingManager");
  EXPECT_EQ(plain.spin(), orb::kSpin);
  for (const char* name : {"RTORB", "RTCurrent"}) {
    NewOrb urgent;
    urgent.resolve(name);
    EXPECT_EQ(urgent.spin().count(), 0) << name;
  }
  EXPECT_EQ(plain.spin(), orb::kSpin) << "of one ORB alone";
}

TEST(RtStart, threads_of_a_real_time_orb_spin_where_they_are_told_to) {
  for (const int micros : {100, 7, 0}) {
    NewOrb told({"-ORBSpin", std::to_string(micros)});
    told.resolve("RTORB");
    EXPECT_EQ(told.spin().count(), micros);
  }
}

}  // namespace
}  // namespace callis::rt
