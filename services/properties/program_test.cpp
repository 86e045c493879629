// SPDX-License-Identifier: Apache-2.0
// The program, in a process of its own: what it keeps when it is killed while it is written to.
#include <services/common/testing/served_program.h>
#include <services/properties/testing/serving.h>
#include <thread>

namespace callis::properties::testing {
namespace {

struct PropertiesProgram : ::testing::TestWithParam<const char*> {
  const std::unique_ptr<services::testing::Place> place = services::testing::make_place(GetParam());
  CORBA::ORB_var client = new_orb({}, "client-of-the-program");
  services::testing::ServedProgram program;
  std::string reference;

  void SetUp() override {
    if (!place) GTEST_SKIP() << "there is no " << GetParam();
  }
  ~PropertiesProgram() override { client->destroy(); }
  void serve() {
    reference = program.start({CALLIS_BINARY_DIR "/bin/callis-properties", "--store", place->where()});
    ASSERT_EQ(reference.substr(0, 4), "IOR:");
  }
  CallisProperties::Service_var service() {
    const CORBA::Object_var object = client->string_to_object(reference.c_str());
    return CallisProperties::Service::_narrow(object.in());
  }
};

TEST_P(PropertiesProgram, serves_a_client_of_another_process_and_ends_in_good_order) {
  serve();
  const cos::PropertySetDef_var set = service()->named("plant");
  EXPECT_EQ(failed([&] { set->define_properties(properties({{"a", any(1)}, {"", any(1)}, {"b", any("text")}})); }),
            (Failed{{"", cos::invalid_property_name}}));
  cos::Properties_var values;
  EXPECT_FALSE(set->get_properties(names({"a", "c"}), values.out()));
  EXPECT_EQ(long_of(values[0].property_value), 1);
  cos::PropertyNames_var some;
  cos::PropertyNamesIterator_var rest;
  set->get_all_property_names(1, some.out(), rest.out());
  CORBA::String_var name;
  EXPECT_TRUE(rest->next_one(name.out()));
  EXPECT_EQ(program.end(SIGTERM), 0);
  EXPECT_THROW(set->get_number_of_properties(), CORBA::SystemException);
}

// What was acknowledged is there after kill -9 at any moment, and a change that was not is there whole or not at all.
TEST_P(PropertiesProgram, loses_nothing_that_was_acknowledged_when_it_is_killed) {
  for (CORBA::Long round = 0, done = 0; round < 12; ++round) {
    serve();
    const cos::PropertySetDef_var set = service()->named("plant");
    if (done != 0) {
      const CORBA::Long found = long_in(set->get_property_value("count"));
      EXPECT_GE(found, done);
      EXPECT_LE(found, done + 1) << "what was being written may be there";
      cos::Properties_var both;
      EXPECT_TRUE(set->get_properties(names({"count", "copy"}), both.out()));
      EXPECT_EQ(long_of(both[1].property_value), found) << "half of a change";
      done = found;
    }
    std::atomic<CORBA::Long> acknowledged{done};
    std::thread writer([&] {
      try {
        for (;;) {
          const CORBA::Long next = acknowledged + 1;
          set->define_properties(properties({{"count", any(next)}, {"copy", any(next)}}));
          acknowledged = next;
        }
      } catch (const CORBA::SystemException&) {}  // it has been killed
    });
    while (acknowledged < done + 3 + round) std::this_thread::yield();
    program.end(SIGKILL);
    writer.join();
    done = acknowledged;
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, PropertiesProgram, ::testing::Values("sqlite", "etcd"));

}  // namespace
}  // namespace callis::properties::testing
