// SPDX-License-Identifier: Apache-2.0
// Objects and adapters come and go while they are called: eight threads call, two activate and deactivate, one
// destroys adapters and makes them again, one changes the manager's state. Every call must end in the right reply or
// in a refusal that says that it was not executed; no servant may end, or be etherealized, inside an upcall; none may
// be left over. For sanitizers above all.
//
//   soak_life_cycle connection|pool|single [--seconds N | --calls N] [--seed N]
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>
#include "adapters.h"

namespace {

using namespace soak;
using Clock = std::chrono::steady_clock;

constexpr unsigned kCallers = 8, kActivators = 2, kPosts = 48, kClients = 2;

struct Settings {
  std::string model;
  unsigned long long seconds = 0, calls = 20'000, seed = 1;
};

// What callers choose from: references to the same object as its own ORB and the clients see it.
struct Post {
  std::mutex mutex;
  Kind kind = Kind::Plain;
  CORBA::Object_var views[1 + kClients];  // the first is collocated
};

class World {
 public:
  explicit World(const Settings& s) : settings_(s), socket_("/tmp/callis_soak." + std::to_string(::getpid())) {
    server_ = make_orb("server", {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "unix:" + socket_,
                                  "-ORBServerThreads", s.model});
    clients_[0] = make_orb("exclusive", {});
    clients_[1] = make_orb("shared", {"-ORBClientConnections", "shared"});
    adapters_.emplace(server_.in());
    if (s.model == "single")
      for (int i = 0; i < 3; ++i) serving_.emplace_back([this] { server_->run(); });
  }

  void run() {
    Engine random(static_cast<unsigned>(settings_.seed));
    for (unsigned i = 0; i < kPosts; i += try_post(i, static_cast<Kind>(i % kKinds), random)) {
    }
    std::vector<std::thread> threads;
    const auto start = [&](void (World::*what)(Engine), unsigned n) {
      for (unsigned i = 0; i < n; ++i)
        threads.emplace_back([this, what, e = Engine(static_cast<unsigned>(settings_.seed * 1000 + threads.size()))] {
          (this->*what)(e);
        });
    };
    start(&World::call, kCallers);
    start(&World::activate, kActivators);
    start(&World::replace, 1);
    start(&World::change_state, 1);
    watch();
    done_ = true;
    calls_ += kPace;  // lets those go on who wait for calls
    calls_.notify_all();
    for (std::thread& t : threads) t.join();
  }

  void end() {
    for (Post& p : posts_)
      for (CORBA::Object_var& o : p.views) o = CORBA::Object::_nil();
    adapters_.reset();
    server_->destroy();
    for (std::thread& t : serving_) t.join();
    for (CORBA::ORB_var& c : clients_) c->destroy();
    if (Subject::alive != 0) Faults::add(std::to_string(Subject::alive) + " servants are left over");
    if (replies_ == 0 || refusals_ == 0) Faults::add("no call was answered, or none refused");
  }

  void report() const {
    std::printf(
        "%s: %llu calls answered, %llu of them collocated, %llu refused; %u activations, %u adapters destroyed; "
        "%ld MiB resident, %ld at first\n",
        settings_.model.c_str(), replies_.load(), own_.load(), refusals_.load(), Adapters::activations.load(),
        Adapters::destructions.load(), resident(), first_resident_);
  }

 private:
  static constexpr unsigned long long kPace = 200;

  // Until there were so many calls more.
  void pace(unsigned long long calls) {
    const unsigned long long until = calls_ + calls;
    for (auto now = calls_.load(); now < until && !done_; now = calls_) calls_.wait(now);
  }

  void post(unsigned i, Kind kind, Engine& random) {
    const CORBA::Object_var own = adapters_->refer(kind, random);
    const CORBA::String_var text = server_->object_to_string(own.in());
    CORBA::Object_var views[kClients];
    for (unsigned c = 0; c < kClients; ++c) views[c] = clients_[c]->string_to_object(text.in());
    Post& p = posts_[i];
    const std::lock_guard<std::mutex> lock(p.mutex);
    p.kind = kind;
    p.views[0] = own;
    for (unsigned c = 0; c < kClients; ++c) p.views[1 + c] = views[c];
  }

  Soak::Subject_var choose(unsigned view, Engine& random, Kind& kind) {
    Post& p = posts_[below(random, kPosts)];
    const std::lock_guard<std::mutex> lock(p.mutex);
    kind = p.kind;
    return Soak::Subject::_unchecked_narrow(p.views[view].in());
  }

  // What a caller calls a few times, so that what is remembered of its last call is used, and outlives the object.
  struct Chosen {
    unsigned view = 0;
    Kind kind = Kind::Plain;
    Soak::Subject_var object;
  };

  // Returns how many calls were answered.
  unsigned call_once(Engine& random, Chosen& chosen) {
    if (CORBA::is_nil(chosen.object.in()) || below(random, 8) == 0) {
      chosen.view = below(random, 1 + kClients);
      chosen.object = choose(chosen.view, random, chosen.kind);
    }
    const auto& [view, kind, o] = chosen;
    const CORBA::ULongLong nonce = random();
    unsigned calls = 1;
    switch (below(random, 10)) {
      case 0: {
        const std::string text = std::to_string(nonce), backwards(text.rbegin(), text.rend());
        const CORBA::String_var got = o->reverse(text.c_str());
        if (got.in() != backwards) Faults::add("reverse returned something else");
        break;
      }
      case 1:
        try {
          const CORBA::String_var got = o->reverse("!no");
          Faults::add("reverse did not raise Refused");
        } catch (const Soak::Refused& e) {
          if (std::strcmp(e.why.in(), "!no") != 0) Faults::add("Refused says something else");
        }
        break;
      case 2: o->hint(nonce); break;
      case 3: {
        // Servants of SINGLE_THREAD_MODEL, and those of a server with few threads, call none that another thread must
        // serve.
        const bool far = view == 0 && kind != Kind::Single && settings_.model != "single";
        Kind unused{};
        const Soak::Subject_var other = choose(far ? below(random, 1 + kClients) : view, random, unused);
        const CORBA::ULongLong got = o->relay(nonce, other.in());
        if (got != nonce + 1 && got != 0) Faults::add("relay returned something else");
        break;
      }
      case 4: (void)o->_non_existent(); break;
      default:
        if (view == 0) calls = 16;  // those of direct adapters take nanoseconds
        for (unsigned i = 0; i < calls; ++i)
          if (o->touch(nonce + i) != nonce + i + 1) Faults::add("touch returned something else");
    }
    if (view == 0) own_ += calls;
    return calls;
  }

  void call(Engine random) {
    Chosen chosen;
    while (!done_) {
      try {
        replies_ += call_once(random, chosen);
      } catch (const CORBA::SystemException& e) {
        const bool refusal = dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&e) ||
                             dynamic_cast<const CORBA::TRANSIENT*>(&e) || dynamic_cast<const CORBA::OBJ_ADAPTER*>(&e);
        if (!refusal || e.completed() != CORBA::COMPLETED_NO) Faults::add("a call ended in " + text_of(e));
        ++refusals_;
      }
      if (++calls_ % 16 == 0) calls_.notify_all();
    }
  }

  // Whether there was an object to post.
  bool try_post(unsigned i, Kind kind, Engine& random) {
    try {
      post(i, kind, random);
      return true;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the adapter has gone
    } catch (const CORBA::SystemException& e) {
      Faults::add("activation ended in " + text_of(e));
    } catch (const PortableServer::POA::ObjectNotActive&) {
    } catch (const PortableServer::POA::AdapterNonExistent&) {
    } catch (const CORBA::UserException& e) {
      Faults::add(std::string("activation ended in ") + e._name());
    }
    return false;
  }

  void activate(Engine random) {
    while (!done_) {
      try_post(below(random, kPosts), static_cast<Kind>(below(random, kKinds)), random);
      pace(2);
    }
  }

  void replace(Engine random) {
    while (!done_) {
      try {
        adapters_->replace(static_cast<Kind>(below(random, kKinds)), below(random, 2), below(random, 2));
      } catch (const CORBA::Exception& e) {
        Faults::add(std::string("the adapter was not replaced: ") + e._name());
      }
      pace(kPace);
    }
  }

  void change_state(Engine random) {
    PortableServer::POAManager_ptr manager = adapters_->manager();
    while (!done_) {
      // Upcalls that relay wait for requests that are held: who waits for the upcalls as well waits for ever.
      if (below(random, 2)) manager->hold_requests(false);
      else manager->discard_requests(below(random, 2));
      for (unsigned i = below(random, 50); i != 0; --i) std::this_thread::yield();
      manager->activate();
      pace(10 * kPace);
    }
  }

  // In MiB.
  static long resident() {
    long pages = 0, all = 0;
    std::ifstream("/proc/self/statm") >> all >> pages;
    return pages * ::sysconf(_SC_PAGESIZE) >> 20;
  }

  void watch() {
    const auto began = Clock::now();
    for (unsigned tenth = 1; tenth <= 10; ++tenth) {
      if (settings_.seconds != 0) {
        const auto until = began + std::chrono::milliseconds(settings_.seconds * 100 * tenth);
        while (Clock::now() < until) pace(kPace);
      } else {
        while (calls_ < settings_.calls * tenth / 10) pace(kPace);
      }
      if (tenth == 2) first_resident_ = resident();
    }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (resident() > first_resident_ + 32) Faults::add("memory grew");
#endif
  }

  const Settings& settings_;
  const std::string socket_;
  CORBA::ORB_var server_, clients_[kClients];
  std::optional<Adapters> adapters_;
  std::vector<std::thread> serving_;
  Post posts_[kPosts];
  std::atomic<bool> done_{false};
  std::atomic<unsigned long long> calls_{0}, replies_{0}, refusals_{0};
  std::atomic<unsigned long long> own_{0};  // of replies_, from objects of the caller's own ORB
  long first_resident_ = 0;
};

int usage() {
  std::fprintf(stderr, "usage: soak_life_cycle connection|pool|single [--seconds N | --calls N] [--seed N]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) return usage();
  Settings s;
  s.model = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i];
    unsigned long long* const value =
        name == "--seconds" ? &s.seconds : name == "--calls" ? &s.calls : name == "--seed" ? &s.seed : nullptr;
    if (!value) return usage();
    *value = std::strtoull(argv[i + 1], nullptr, 10);
  }
  try {
    World world(s);
    world.run();
    world.end();
    world.report();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "FAILED: %s\n", e.what());
    return 1;
  }
  return Faults::count() == 0 ? 0 : 1;
}
