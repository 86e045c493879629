// SPDX-License-Identifier: Apache-2.0
// Distributable threads that go from this process to another one.
#include <callis/rt/scheduling/testing/pair.h>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace callis::rt::scheduling::testing {
namespace {

// The server of peer.cpp; it ends with this.
class Peer final {
 public:
  Peer() {
    int in[2] = {}, out[2] = {};
    if (::pipe(in) != 0 || ::pipe(out) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
      ::execl(CALLIS_PEER, CALLIS_PEER, "-ORBEndpoint", "tcp:127.0.0.1:0", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = ::fdopen(out[0], "r");
  }
  ~Peer() {
    ::close(in_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_EQ(status, 0);
    if (out_) std::fclose(out_);
  }
  std::string line() {
    std::string all;
    for (int c = std::fgetc(out_); c != EOF && c != '\n'; c = std::fgetc(out_)) all += static_cast<char>(c);
    return all;
  }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  std::FILE* out_ = nullptr;
};

TEST(Processes, cancelling_a_thread_whose_head_is_in_another_process_ends_its_call_there_and_here) {
  Peer peer;
  Options options;
  options.order = Options::Order::Turns;
  Side client(options, {});
  const CORBA::Object_var object = client.orb->string_to_object(peer.line().c_str());
  RTScheduling::DistributableThread_var thread;
  std::string outcome;
  Signal begun;
  std::thread caller([&] {
    client.begin("from here", static_cast<Ticks>(from_now(std::chrono::seconds(10))));
    thread = client.me();
    begun.set();
    outcome = outcome_of([&] { OrbFixture::act(object.in()); });
  });
  begun.wait();
  EXPECT_EQ(peer.line(), "inside from here");
  thread->cancel();
  EXPECT_EQ(peer.line(), "THREAD_CANCELLED");
  caller.join();
  EXPECT_EQ(outcome.substr(0, 20), "THREAD_CANCELLED 224");
  client.orb->destroy();
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
