// SPDX-License-Identifier: Apache-2.0
// An ORB is shut down while many upcalls are under way: all of them are answered, and shutdown(true) returns within
// two seconds of the moment when they may end. Again and again.
//
// The seconds are those of a Metronome: a machine that is busy with other things, or a sanitizer, makes threads late,
// and the shutdown with them; what is looked for are waits that somebody has forgotten to end. So calls have no short
// deadline either.
//
//   soak_shutdown connection|pool|single [--upcalls N] [--times N]
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include "subject.h"

namespace {

using namespace soak;
using Clock = std::chrono::steady_clock;

constexpr unsigned kClients = 8;
constexpr double kBound = 2;  // seconds
constexpr const char* kPatience = "600000";  // milliseconds, of a call: a reply that is lost is found at last

// Counts time as a thread has it that does nothing but sleep for a hundredth of a second, again and again.
class Metronome {
 public:
  Metronome() : thread_([this] { beat(); }) {}
  ~Metronome() {
    ended_ = true;
    thread_.join();
  }
  double seconds() const { return static_cast<double>(beats_) * std::chrono::duration<double>(kBeat).count(); }

 private:
  static constexpr std::chrono::milliseconds kBeat{10};
  void beat() {
    for (; !ended_; ++beats_) std::this_thread::sleep_for(kBeat);
  }

  std::atomic<unsigned> beats_{0};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// Upcalls wait in it.
class Gate {
 public:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void await(unsigned n) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= n; });
  }
  void open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned waiting_ = 0;
  bool open_ = false;
};

class Lingerer final : public Subject {
 public:
  Lingerer(Gate& gate, CORBA::ORB_ptr orb) : gate_(gate), orb_(orb) {}

 private:
  // One of the upcalls asks for what would wait for itself.
  void wait() override {
    gate_.wait();
    if (asked_.exchange(true)) return;
    try {
      orb_->shutdown(true);
      Faults::add("shutdown(true) waited for its own upcall");
    } catch (const CORBA::BAD_INV_ORDER& e) {
      if (e.minor() != (CORBA::OMGVMCID | 3)) Faults::add("shutdown(true) inside an upcall: " + text_of(e));
    }
  }
  Gate& gate_;
  CORBA::ORB_ptr orb_;
  std::atomic<bool> asked_{false};
};

// A thread of the application that serves, for the model single: as many as there are to be upcalls at once.
void serve(CORBA::ORB_ptr server) {
  try {
    server->run();
  } catch (const CORBA::SystemException& e) {
    Faults::add("run() ended in " + text_of(e));
  }
}

// From the gate's opening to the shutdown's end.
struct Took {
  double seconds = 0, beats = 0;  // by the clock, and by the metronome
};
Took once(const std::string& model, unsigned upcalls) {
  // New ones each time: a client keeps connections until they have been idle for long, also those that its server has
  // closed.
  CORBA::ORB_var clients[kClients];
  for (unsigned c = 0; c < kClients; ++c)
    clients[c] = make_orb("client" + std::to_string(c), {"-ORBCallTimeout", kPatience});
  const std::string many = std::to_string(upcalls + 16);
  const CORBA::ORB_var server =
      make_orb("server", {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", model, "-ORBMaxConnectionThreads",
                          many, "-ORBMaxPoolThreads", many, "-ORBMaxConnections", many, "-ORBMaxConnectionsPerPeer",
                          many, "-ORBMaxDispatches", many});
  Gate gate;
  const PortableServer::POA_var root = root_of(server.in());
  std::string text;
  {
    const PortableServer::ServantBase_var servant(new Lingerer(gate, server.in()));
    const PortableServer::ObjectId_var id = root->activate_object(servant.in());
    const CORBA::Object_var reference = root->id_to_reference(id.in());
    text = CORBA::String_var(server->object_to_string(reference.in())).in();
  }
  PortableServer::POAManager_var(root->the_POAManager())->activate();

  std::vector<std::thread> servers;
  if (model == "single")
    for (unsigned i = 0; i < upcalls; ++i) servers.emplace_back(serve, server.in());

  Soak::Subject_var objects[kClients];
  for (unsigned c = 0; c < kClients; ++c) {
    const CORBA::Object_var o = clients[c]->string_to_object(text.c_str());
    objects[c] = Soak::Subject::_unchecked_narrow(o.in());
  }
  std::vector<std::thread> callers;
  for (unsigned i = 0; i < upcalls; ++i)
    callers.emplace_back([&, i] {
      try {
        if (objects[i % kClients]->linger(i) != i + 1) Faults::add("linger returned something else");
      } catch (const CORBA::SystemException& e) {
        Faults::add("a call that was under way ended in " + text_of(e));
      }
    });
  gate.await(upcalls);
  server->shutdown(false);
  Took took;
  {
    const Metronome metronome;
    const auto began = Clock::now();
    gate.open();
    server->destroy();  // waits like shutdown(true)
    took = {std::chrono::duration<double>(Clock::now() - began).count(), metronome.seconds()};
  }
  for (std::thread& t : callers) t.join();
  for (std::thread& t : servers) t.join();
  for (CORBA::ORB_var& c : clients) c->destroy();
  if (Subject::alive != 0) Faults::add("a servant is left over");
  return took;
}

int usage() {
  std::fprintf(stderr, "usage: soak_shutdown connection|pool|single [--upcalls N] [--times N]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) return usage();
  unsigned long upcalls = 1'000, times = 1;
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i];
    unsigned long* const value = name == "--upcalls" ? &upcalls : name == "--times" ? &times : nullptr;
    if (!value) return usage();
    *value = std::strtoul(argv[i + 1], nullptr, 10);
  }
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  Took longest;
  try {
    for (unsigned long t = 0; t < times && Faults::count() == 0; ++t) {
      const Took took = once(argv[1], static_cast<unsigned>(upcalls));
      longest = {std::max(longest.seconds, took.seconds), std::max(longest.beats, took.beats)};
    }
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "FAILED: %s\n", e.what());
    return 1;
  }
  std::printf("%s: %lu shutdowns with %lu upcalls under way, the longest %.3f s (%.2f s of a thread that sleeps)\n",
              argv[1], times, upcalls, longest.seconds, longest.beats);
  if (longest.beats > kBound) Faults::add("a shutdown took longer than two seconds");
  return Faults::count() == 0 ? 0 : 1;
}
