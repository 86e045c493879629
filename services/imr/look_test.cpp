// SPDX-License-Identifier: Apache-2.0
// What the repository makes of a look at a server: whose process it was, and whether it was only too busy.
#include <chrono>
#include <thread>
#include <callis/imr/key.h>
#include <callis/ior/iiop_profile.h>
#include <callis/transport/testing/ports.h>
#include <netinet/tcp.h>
#include <services/imr/testing/world.h>
#include "CallisImr_skel.h"

namespace callis::imr::testing {
namespace {

using State = Machine::State;
using transport::testing::SilentPort;

constexpr Byte kKey[] = {'k'};

struct ImrLook : World {
  ImrLook() { begin(); }

  static ior::Ior process_at(std::uint16_t port) {
    ior::Ior out;
    out.type_id = "IDL:CallisImr/Process:1.0";
    out.profiles.push_back(ior::to_profile({1, 2}, {"127.0.0.1", port}, ByteView(kKey, sizeof kKey), {}));
    return out;
  }
  // The way of a request for an object of the server.
  Repository::Way way(const std::string& server) { return repository().way(make_key(server, kKey), 0); }
};

// Takes connections, answers none, and closes all of them when it ends.
class Mute final : public transport::testing::DeadPort {
 public:
  Mute() { ::listen(fd_, 5); }
  bool is_connected() const {
    tcp_info info{};
    socklen_t n = sizeof info;
    ::getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &n);
    return info.tcpi_unacked != 0;  // of a socket that listens: those that nobody has accepted
  }
};

struct Answers final : POA_CallisImr::Process {
  void ping() override {}
  void shutdown() override {}
};

TEST_F(ImrLook, at_a_process_that_has_ended_is_not_taken_for_one_at_the_next) {
  Record r;
  r.name = "x";
  repository().add(r, false);
  auto former = std::make_unique<Mute>();
  repository().up("x", "", 1, process_at(former->port()));
  Repository::Way found;
  std::jthread request([&] { found = way("x"); });
  wait_until([&] { return former->is_connected(); });
  repository().going_down("x", "");

  const CORBA::ORB_var orb = make_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  Answers next;
  const PortableServer::ObjectId_var id = root->activate_object(&next);
  const CORBA::Object_var self = root->id_to_reference(id.in());
  repository().up("x", "", 2, orb::reference_of(self.in()).ior());

  former.reset();
  request.join();
  EXPECT_EQ(found.kind, Repository::Way::Kind::Forward) << found.why;
  EXPECT_EQ(repository().status("x").state, State::Running);
  EXPECT_EQ(repository().status("x").pid, 2);
  orb->destroy();
}

TEST_F(ImrLook, at_a_process_of_this_host_that_is_too_busy_to_take_a_connection_does_not_end_it) {
  Record r = counter("busy");
  r.command = {"/bin/sh", "-c", "echo $CALLIS_IMR_START > " + notes.string() + "; exec sleep 1000"};
  r.activation = Activation::ByHand;
  repository().add(r, false);
  std::jthread starts([&] { repository().start("busy"); });
  std::string start;
  wait_until([&] { return std::getline(std::ifstream(notes), start) && start.size() == 32; });
  const SilentPort port;
  repository().up("busy", start, 1, process_at(port.port()));
  starts.join();

  EXPECT_EQ(way("busy").kind, Repository::Way::Kind::Forward);
  EXPECT_EQ(repository().status("busy").state, State::Running);
}

TEST_F(ImrLook, at_a_host_that_does_not_answer_finds_nobody) {
  Record r;
  r.name = "far";
  repository().add(r, false);
  const SilentPort port;
  repository().up("far", "", 1, process_at(port.port()));
  EXPECT_EQ(way("far").kind, Repository::Way::Kind::Refused);
  EXPECT_EQ(repository().status("far").state, State::Stopped);
}

// It has ten seconds to answer.
TEST_F(ImrLook, at_an_activator_that_hangs_holds_up_its_own_servers_alone) {
  auto hangs = std::make_unique<Mute>();
  const CORBA::Object_var object = client->string_to_object(ior::to_text(process_at(hangs->port())).c_str());
  const CallisImr::Activator_var activator = CallisImr::Activator::_unchecked_narrow(object.in());
  remote()->attach("far", activator.in(), CallisImr::Words());
  Record theirs = counter("theirs");
  theirs.activator = "far";
  theirs.activation = Activation::ByHand;
  theirs.start_limit = 1;
  repository().add(theirs, false);
  std::jthread starts([&] { EXPECT_THROW(repository().start("theirs"), NotDone); });
  wait_until([&] { return hangs->is_connected(); });
  repository().add(counter(), false);
  const auto begin = std::chrono::steady_clock::now();
  repository().start("counter");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  hangs.reset();
}

TEST_F(ImrLook, at_servers_whose_hosts_do_not_answer_holds_up_no_others) {
  std::vector<std::unique_ptr<SilentPort>> ports;
  for (int i = 0; i < 6; ++i) {
    ports.push_back(std::make_unique<SilentPort>());
    Record r;
    r.name = "far" + std::to_string(i);
    r.command = {"/bin/sleep", "1000"};
    r.endpoint = "127.0.0.1:" + std::to_string(ports.back()->port());
    r.stop_deadline_ms = 100;
    r.activation = Activation::Always;
    repository().add(r, false);
  }
  wait_until([&] {
    const auto status = repository().status("far5");
    return status.state == State::Starting && status.pid != 0;
  });
  repository().add(counter(), false);
  const auto begin = std::chrono::steady_clock::now();
  repository().start("counter");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3)) << "a look at each takes one or two";
}

}  // namespace
}  // namespace callis::imr::testing
