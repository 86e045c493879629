// SPDX-License-Identifier: Apache-2.0
// callis lifecycle in a process of its own.
#include <services/common/testing/served_program.h>
#include <services/lifecycle/testing/world.h>

namespace callis::life_cycle::testing {
namespace {

struct LifeCycleProgram : World {
  services::testing::ServedProgram program;

  // Its first line; empty: it has ended.
  std::string serve(std::vector<std::string> words) {
    words.insert(words.begin(), CALLIS_BINARY_DIR "/bin/callis-lifecycle");
    return program.start(std::move(words));
  }
};

TEST_F(LifeCycleProgram, has_a_home_that_has_a_name_make_objects) {
  Site berlin("berlin");
  const CORBA::Object_var object = in(orb.in(), orb.in(), names->reference().in());
  const CosNaming::NamingContext_var root = CosNaming::NamingContext::_narrow(object.in());
  CosNaming::Name factories;
  factories.length(1);
  factories[0].id = "factories";
  const CosNaming::NamingContext_var context = root->bind_new_context(factories);
  context->bind(key_of("Account"), in(orb.in(), berlin.orb.in(), berlin.home->reference().in()).in());

  const CORBA::String_var names_text = orb->object_to_string(names->reference().in());
  const std::string text =
      serve({"--location", "factories", "-ORBInitRef", std::string("NameService=") + names_text.in()});
  ASSERT_EQ(text.substr(0, 4), "IOR:");
  const CORBA::Object_var found = client->string_to_object(text.c_str());
  const CallisLifeCycle::Broker_var broker = CallisLifeCycle::Broker::_narrow(found.in());
  const CORBA::Object_var made = broker->create_object(key_of("Account"), none);
  EXPECT_EQ(home_of(LifeCycleTest::Account_var(LifeCycleTest::Account::_narrow(made.in())).in()), "berlin");
  EXPECT_THROW(broker->create_object(key_of("Boat"), none), CosLifeCycle::NoFactory);
  EXPECT_EQ(program.end(SIGTERM), 0);
}

TEST_F(LifeCycleProgram, ends_with_words_where_it_is_not_told_where_to_look) {
  EXPECT_EQ(serve({}), "");
  EXPECT_EQ(program.end(SIGTERM), 2);
  EXPECT_EQ(serve({"--offers", "Home"}), "");
  EXPECT_EQ(program.end(SIGTERM), 1);
}

}  // namespace
}  // namespace callis::life_cycle::testing
