// SPDX-License-Identifier: Apache-2.0
// An ORB with real time for tests, also with thread pools that are made up; and threads that may have priorities.
#pragma once
#include <callis/orb/core/core.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/poa/testing/orb_fixture.h>
#include <callis/rt.h>
#include <callis/rt/adapters/adapter_policies.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/core/real_time_orb.h>
#include <callis/rt/policies/policies.h>
#include <map>
#include <thread>

namespace callis::rt::testing {

// Pools without threads.
class FakePools final : public Threadpools {
 public:
  explicit FakePools(orb::Core&) { last = this; }
  ~FakePools() override {
    if (last == this) last = nullptr;
  }
  std::uint32_t create(const ThreadpoolTerms& terms) override {
    pools[++count] = terms;
    return count;
  }
  bool destroy(std::uint32_t id) override { return pools.erase(id) != 0; }
  const ThreadpoolTerms* terms(std::uint32_t id) override {
    const auto found = pools.find(id);
    return found == pools.end() ? nullptr : &found->second;
  }

  std::map<std::uint32_t, ThreadpoolTerms> pools;
  static inline std::uint32_t count = 0;
  static inline FakePools* last = nullptr;  // of the ORB that made its pools last, as long as it lives
};

struct RtFixture : poa::testing::OrbFixture {
  RtFixture() : RtFixture(std::vector<std::string>()) {}
  explicit RtFixture(std::vector<std::string> options) : OrbFixture(std::move(options)) {
    rtorb = initial<RTCORBA::RTORB>("RTORB");
  }

  template <class X>
  typename X::_var_type initial(const char* name) {
    const CORBA::Object_var object = orb->resolve_initial_references(name);
    return X::_narrow(object.in());
  }
  orb::Core& core() { return *dynamic_cast<orb::Core*>(orb.in()); }
  orb::Counted<RealTimeOrb> state() { return RealTimeOrb::of(core()); }
  static RTCORBA::ThreadpoolLanes lanes(std::initializer_list<RTCORBA::ThreadpoolLane> all) {
    RTCORBA::ThreadpoolLanes list;
    for (const RTCORBA::ThreadpoolLane& l : all) {
      list.length(list.length() + 1);
      list[list.length() - 1] = l;
    }
    return list;
  }
  RTCORBA::ThreadpoolId pool_with_lanes(std::initializer_list<RTCORBA::ThreadpoolLane> all) {
    return rtorb->create_threadpool_with_lanes(0, lanes(all), false, false, 0, 0);
  }
  static RTCORBA::PriorityBands bands(std::initializer_list<RTCORBA::PriorityBand> all) {
    RTCORBA::PriorityBands list;
    for (const RTCORBA::PriorityBand& b : all) {
      list.length(list.length() + 1);
      list[list.length() - 1] = b;
    }
    return list;
  }

  RTCORBA::RTORB_var rtorb;
};

// The fixture with FakePools.
struct RtFixtureWithFakePools : RtFixture {
  RtFixtureWithFakePools() {
    Threadpools::set_maker(
        [](orb::Core& c) -> std::unique_ptr<Threadpools> { return std::make_unique<FakePools>(c); });
  }
  ~RtFixtureWithFakePools() override { Threadpools::set_maker(maker_before); }

  const Threadpools::Maker maker_before = Threadpools::maker();
};

// Another ORB beside that of the test.
struct AnotherOrb final : RtFixture {
  using RtFixture::RtFixture;
  AnotherOrb() = default;
  void TestBody() override {}
};

// Runs f on a thread of its own, whose priorities end with it.
template <class F>
void on_a_thread(F&& f) {
  std::thread thread(std::forward<F>(f));
  thread.join();
}

// The minor code and the words of the system exception that f throws. The code is 0 if f throws none of that class.
struct Thrown {
  CORBA::ULong minor = 0;
  std::string words;
};
template <class Exception, class F>
Thrown thrown_by(F&& f) {
  try {
    f();
  } catch (const Exception& e) {
    return {e.minor(), e.what()};
  } catch (const CORBA::Exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return {};
  }
  ADD_FAILURE() << "no exception";
  return {};
}

#define CALLIS_NEEDS_PRIORITIES()                                                        \
  do {                                                                                   \
    const ::callis::rt::FifoPermission may = ::callis::rt::FifoPermission::look();       \
    if (!may.granted()) GTEST_SKIP() << may.words();                                     \
  } while (false)

}  // namespace callis::rt::testing
