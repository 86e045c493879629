// SPDX-License-Identifier: Apache-2.0
// The start of an ORB with real time, alone and beside interceptors, which are told of new ORBs, too.
#include <callis/interceptors.h>
#include <callis/rt/testing/fixture.h>

namespace callis::rt {
namespace {

using namespace testing;

// As long as it lives new ORBs call it.
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

}  // namespace
}  // namespace callis::rt
