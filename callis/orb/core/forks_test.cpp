// SPDX-License-Identifier: Apache-2.0
// ORBs in children of fork(): what each process may do, and that neither disturbs the other.
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/echo.h>
#include <gtest/gtest.h>
#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

constexpr unsigned kLongestSeconds = 60;

// Runs what gives the child's status: 0 when all is well.
template <class Run>
pid_t in_child(Run&& run) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::alarm(kLongestSeconds);  // a child that hangs ends by a signal
  int status = 99;
  try {
    status = run();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "in the child: %s\n", e.what());
  }
  ::_exit(status);
}

// "0", or what became of the child.
std::string end_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return "no child";
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : std::to_string(WEXITSTATUS(status));
}

// How many of n calls do not give back what they were given; from: their first value.
int wrong_calls(const CORBA::Object_var& o, CORBA::ULong from, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i, ++from) wrong += echo(o, from) != from;
  return wrong;
}

class Forks : public ::testing::TestWithParam<const char*> {
 protected:
  Forks() : server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()}) {}
  EchoServer server;
};
INSTANTIATE_TEST_SUITE_P(EveryModel, Forks, ::testing::Values("connection", "pool"), [](const auto& p) {
  return std::string(p.param);
});

TEST_P(Forks, parent_and_children_call_at_a_time_and_get_their_own_answers) {
  for (const char* connections : {"exclusive", "shared"}) {
    auto client = make_core({"-ORBClientConnections", connections});
    const CORBA::Object_var o = server.object_for(*client);
    EXPECT_EQ(echo(o, 1), 1u);
    std::vector<pid_t> children;
    for (CORBA::ULong i = 1; i <= 4; ++i)
      children.push_back(in_child([&] { return wrong_calls(o, i * 1'000'000, 500); }));
    EXPECT_EQ(wrong_calls(o, 9'000'000, 500), 0);
    for (const pid_t child : children) EXPECT_EQ(end_of(child), "0") << connections;
    EXPECT_EQ(echo(o, 2), 2u);
    client->destroy();
  }
}

TEST_P(Forks, a_childs_end_says_nothing_on_the_parents_connection) {
  auto client = make_core();
  const CORBA::Object_var o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  const std::uint32_t before = server.core->server().connections();
  EXPECT_EQ(end_of(in_child([&] {
              client->destroy();
              return 0;
            })),
            "0");
  EXPECT_EQ(echo(o, 2), 2u);
  EXPECT_EQ(server.core->server().connections(), before) << "the same connection as before";
  client->destroy();
}

TEST_P(Forks, a_child_that_shuts_the_server_down_stops_nothing_in_the_parent) {
  auto client = make_core();
  const CORBA::Object_var o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  for (const bool destroys : {false, true})
    EXPECT_EQ(end_of(in_child([&] {
                server.core->shutdown(true);
                if (destroys) server.core->destroy();
                return 0;
              })),
              "0");
  EXPECT_EQ(echo(o, 2), 2u);
  auto another = make_core();
  EXPECT_EQ(echo(server.object_for(*another), 3), 3u) << "new connections, too";
  another->destroy();
  client->destroy();
}

TEST_P(Forks, an_orb_that_listened_before_does_not_serve_in_a_child_and_says_so) {
  EXPECT_EQ(end_of(in_child([&] {
              int said = 0;
              said += caught<CORBA::BAD_INV_ORDER>([&] { server.core->run(); }).minor() == kForked;
              said += caught<CORBA::BAD_INV_ORDER>([&] { server.core->perform_work(); }).minor() == kForked;
              said += caught<CORBA::BAD_INV_ORDER>([&] { server.core->work_pending(); }).minor() == kForked;
              said += caught<CORBA::BAD_INV_ORDER>([&] {
                        server.core->make_reference("IDL:X:1.0", bytes_of("x"));
                      }).minor() == kForked;
              return said == 4 ? 0 : 1;
            })),
            "0");
}

TEST_P(Forks, an_orb_that_did_not_listen_yet_serves_in_a_child) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  auto early = make_core({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()});
  const pid_t child = in_child([&] {
    EchoHandler handler;
    early->set_handler(&handler);
    const ReferencePtr made = early->make_reference(kEchoType, bytes_of("echo"));
    const std::string text = ior::to_text(made->ior());
    if (::write(ends[1], text.c_str(), text.size() + 1) < 0) return 1;
    for (;;) ::pause();  // until the parent has called
    return 0;
  });
  std::string text;
  for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != 0;) text += c;
  auto client = make_core();
  const CORBA::Object_var o = client->string_to_object(text.c_str());
  EXPECT_EQ(echo(o, 5), 5u);
  ::kill(child, SIGKILL);
  EXPECT_EQ(end_of(child), "signal 9");
  client->destroy();
  early->destroy();
  ::close(ends[0]);
  ::close(ends[1]);
}

// Locks and unsent messages of other threads when a thread forks.
TEST_P(Forks, children_of_busy_processes_call_and_end) {
  for (const char* connections : {"exclusive", "shared"}) {
    auto client = make_core({"-ORBClientConnections", connections, "-ORBSyncScope", "none"});
    const CORBA::Object_var o = server.object_for(*client);
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (CORBA::ULong i = 1; i <= 3; ++i)
      callers.emplace_back([&, i] {
        for (CORBA::ULong n = 0; !over; ++n) {
          tell(o, n);
          wrong += wrong_calls(o, i * 1'000'000 + n, 1);
        }
      });
    for (CORBA::ULong i = 0; i < 25; ++i) {
      const pid_t child = in_child([&] {
        const int bad = wrong_calls(o, 50'000'000 + i, 20);
        client->destroy();
        return bad;
      });
      EXPECT_EQ(end_of(child), "0") << connections << ", child " << i;
    }
    over = true;
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong, 0);
    client->destroy();
  }
}

}  // namespace
}  // namespace callis::orb
