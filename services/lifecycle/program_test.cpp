// SPDX-License-Identifier: Apache-2.0
// callis lifecycle in a process of its own.
#include <services/lifecycle/testing/world.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callis::life_cycle::testing {
namespace {

struct LifeCycleProgram : World {
  pid_t process = 0;

  ~LifeCycleProgram() override {
    if (process != 0) end();
  }
  // Its first line; empty: it has ended.
  std::string serve(std::vector<std::string> words) {
    int line[2];
    if (::pipe(line) != 0) return "";
    process = ::fork();
    if (process == 0) {
      ::dup2(line[1], 1);
      std::vector<char*> argv;
      words.insert(words.begin(), {"callis-lifecycle", "-ORBEndpoint", "tcp:127.0.0.1:0"});
      for (std::string& w : words) argv.push_back(w.data());
      argv.push_back(nullptr);
      ::execv(CALLIS_BINARY_DIR "/bin/callis-lifecycle", argv.data());
      ::_exit(127);
    }
    ::close(line[1]);
    std::string out;
    for (char c = 0; ::read(line[0], &c, 1) == 1 && c != '\n';) out += c;
    ::close(line[0]);
    return out;
  }
  int end() {
    ::kill(process, SIGTERM);
    int status = 0;
    ::waitpid(process, &status, 0);
    process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  EXPECT_EQ(end(), 0);
}

TEST_F(LifeCycleProgram, ends_with_words_where_it_is_not_told_where_to_look) {
  EXPECT_EQ(serve({}), "");
  EXPECT_EQ(end(), 2);
  EXPECT_EQ(serve({"--offers", "Home"}), "");
  EXPECT_EQ(end(), 1);
}

}  // namespace
}  // namespace callis::life_cycle::testing
