// SPDX-License-Identifier: Apache-2.0
// A server with a process for each client.
#include <callis/imr/key.h>
#include <services/imr/testing/world.h>
#include <signal.h>

namespace callis::imr::testing {
namespace {

struct ImrPerClient : World {
  CORBA::ORB_var another = make_orb({});

  ImrPerClient() { begin(); }
  ~ImrPerClient() override {
    if (another.in()) another->destroy();
  }
  Record server(std::vector<std::string> words = {}) const {
    Record r = counter("counter", std::move(words));
    r.activation = Activation::PerClient;
    return r;
  }
  Repository::Status status() { return repository().status("counter"); }
};

TEST_F(ImrPerClient, each_client_has_a_process_and_all_its_references_lead_there) {
  repository().add(server(), false);
  const CORBA::Long one = object()->pid();
  const CORBA::Long two = object("counter", another.in())->pid();
  EXPECT_NE(one, two);
  EXPECT_EQ(object()->pid(), one);
  EXPECT_EQ(object("counter", another.in())->self()->pid(), two);
  EXPECT_EQ(status().processes, 2u);
  EXPECT_EQ(status().launches, 2u);
  EXPECT_EQ(status().state, Machine::State::Running);
}

TEST_F(ImrPerClient, reference_to_an_object_of_another_client_leads_to_ones_own) {
  repository().add(server(), false);
  const CORBA::String_var text = client->object_to_string(object()->self());
  const CORBA::Object_var handed = another->string_to_object(text.in());
  const auto own = ImrTest::Counter::_unchecked_narrow(handed.in());
  const ImrTest::Counter_var freed(own);
  EXPECT_EQ(own->pid(), object("counter", another.in())->pid());
  EXPECT_NE(own->pid(), object()->pid());
}

TEST_F(ImrPerClient, process_ends_when_its_client_has_gone) {
  Record r = server();
  r.linger_ms = 200;
  repository().add(r, false);
  object()->pid();
  object("counter", another.in())->pid();
  another->destroy();
  another = CORBA::ORB::_nil();
  wait_until([&] { return status().processes == 1; });
  EXPECT_EQ(status().failures, 0u);
  EXPECT_GT(object()->pid(), 0);
}

TEST_F(ImrPerClient, client_whose_process_has_died_gets_another) {
  repository().add(server(), false);
  const auto c = object();
  const CORBA::Long before = c->pid();
  ::kill(before, SIGKILL);
  wait_until([&] { return status().processes == 0; });
  CORBA::Long after = 0;
  try {
    after = c->pid();
  } catch (const CORBA::COMM_FAILURE& e) {  // sent before the end of the connection could be seen
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE);
    after = c->pid();
  }
  EXPECT_NE(after, before);
}

TEST_F(ImrPerClient, more_clients_than_may_be_are_told_so) {
  Record r = server();
  r.max_processes = 1;
  repository().add(r, false);
  object()->pid();
  const std::string why = transient([&] { object("counter", another.in())->pid(); });
  EXPECT_NE(why.find("which is the limit"), std::string::npos) << why;
}

TEST_F(ImrPerClient, failures_of_all_processes_count_together) {
  Record r = server({"crash"});
  r.start_limit = 2;
  r.first_pause_ms = r.longest_pause_ms = 200;  // longer than a waiting call takes to wake, or it starts another
  repository().add(r, false);
  const std::string first = transient([&] { object()->pid(); });
  EXPECT_NE(first.find("exit status 3"), std::string::npos) << first;
  wait_until([&] {
    return transient([&] { object("counter", another.in())->pid(); }).find("callis imr start") != std::string::npos;
  });
  EXPECT_EQ(status().launches, 2u);
  EXPECT_EQ(status().processes, 0u);
  repository().start("counter");
  EXPECT_EQ(status().failures, 0u);
  transient([&] { object()->pid(); });
  EXPECT_EQ(status().launches, 3u);
}

TEST_F(ImrPerClient, stop_ends_all_of_them) {
  repository().add(server(), false);
  object()->pid();
  object("counter", another.in())->pid();
  EXPECT_THROW(repository().remove("counter"), NotDone);
  EXPECT_THROW(repository().add(counter(), true), NotDone) << "another activation, while they run";
  repository().halt("counter");
  EXPECT_EQ(status().processes, 0u);
  EXPECT_EQ(status().state, Machine::State::Stopped);
  repository().add(counter(), true);
  repository().remove("counter");
}

TEST_F(ImrPerClient, objects_are_located_at_the_repository_until_a_request_comes) {
  repository().add(server(), false);
  EXPECT_EQ(repository().leads(make_key("counter", {})), Repository::Leads::ToOneForEachClient);
  EXPECT_EQ(repository().leads(make_key("nobody", {})), Repository::Leads::Nowhere);
  Record one = counter();
  repository().add(one, true);
  EXPECT_EQ(repository().leads(make_key("counter", {})), Repository::Leads::ToOne);
}

TEST_F(ImrPerClient, process_that_was_started_by_hand_is_none) {
  const auto r = remote();
  r->add(server_of(server()), false);
  const CallisImr::Process_var self = CallisImr::Process::_unchecked_narrow(r.in());
  EXPECT_THROW(r->up("counter", "", 1, self.in()), CallisImr::Refused);
  EXPECT_THROW(r->up("counter", "guess", 1, self.in()), CallisImr::Refused);
}

}  // namespace
}  // namespace callis::imr::testing
