// SPDX-License-Identifier: Apache-2.0
// whereabouts_client [-ORB options]. Does what the lines of its input say, and answers each by a line; ends when they
// do.
//
//   refer NAME IOR         from now on NAME is that object            ok
//   patience NAME MS       calls to it may take so long               ok
//   who NAME, rest NAME    the operation                              said TEXT
//   gone NAME              _non_existent()                            said true, said false
//   locate NAME            asks where it is                           ok
//   keep_on NAME           several threads call once() until told     ok
//   stop                                                             said N N ... refused N maybe TOKEN=WHY ...
//
// keep_on: each thread sends its tokens, THREAD.NUMBER from 0 on, one after the other; one that was COMPLETED_NO
// again. stop says how many tokens each has got through, how many exceptions were COMPLETED_NO, and what was
// COMPLETED_MAYBE.
//
// and instead of all of these: raised EXCEPTION MINOR COMPLETED
#include "mapping.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace {

using Whereabouts::Thing, Whereabouts::Thing_var;

std::string described(const CORBA::SystemException& e, const char* between) {
  std::ostringstream out;
  out << e._name() << between << "0x" << std::hex << e.minor();
  return out.str();
}

// Threads that call once() until they are stopped.
class Load {
 public:
  explicit Load(Thing_var thing) : thing_(std::move(thing)) {
    for (std::size_t t = 0; t < kThreads; ++t) threads_[t] = std::thread([this, t] { run(t); });
  }
  std::string stop() {
    stopped_ = true;
    for (std::thread& t : threads_) t.join();
    std::ostringstream out;
    for (const int n : counts_) out << n << ' ';
    out << "refused " << refused_ << " maybe" << maybe_;
    return out.str();
  }

 private:
  static constexpr std::size_t kThreads = 4;

  void run(std::size_t thread) {
    while (!stopped_) {
      const std::string token = std::to_string(thread) + '.' + std::to_string(counts_[thread]);
      if (got_through(token)) ++counts_[thread];
    }
  }
  bool got_through(const std::string& token) {
    try {
      thing_->once(token.c_str());
    } catch (const CORBA::SystemException& e) {
      if (e.completed() == CORBA::COMPLETED_NO) {
        ++refused_;
        return false;
      }
      const std::lock_guard lock(mutex_);
      maybe_ += ' ' + token + '=' + described(e, "/");
    }
    return true;
  }

  const Thing_var thing_;
  std::atomic<bool> stopped_{false};
  std::atomic<int> refused_{0};
  int counts_[kThreads] = {};
  std::mutex mutex_;
  std::string maybe_;
  std::thread threads_[kThreads];
};

class Client {
 public:
  explicit Client(CORBA::ORB_ptr orb) : orb_(orb) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string verb, name, more;
    words >> verb >> name >> more;
    try {
      return act(verb, things_[name], more);
    } catch (const CORBA::SystemException& e) {
      static const char* const completed[] = {" YES", " NO", " MAYBE"};
      return "raised " + described(e, " ") + completed[e.completed()];
    } catch (const CORBA::Exception& e) {
      return std::string("raised ") + e._name();
    }
  }

 private:
  std::string act(const std::string& verb, Thing_var& thing, const std::string& more) {
    if (verb == "refer") {
      const CORBA::Object_var object = orb_->string_to_object(more.c_str());
      thing = Thing::_unchecked_narrow(object.in());
      return "ok";
    }
    if (verb == "patience") {
      thing = interop::patient(orb_, thing.in(), static_cast<CORBA::ULong>(std::stoul(more)));
      return "ok";
    }
    if (verb == "keep_on") {
      load_ = std::make_unique<Load>(thing);
      return "ok";
    }
    if (verb == "stop") return "said " + load_->stop();
    if (verb == "locate") {
      interop::locate(thing.in());
      return "ok";
    }
    if (verb == "gone") return thing->_non_existent() ? "said true" : "said false";
    if (verb != "who" && verb != "rest") return "what is " + verb + "?";
    const CORBA::String_var said = verb == "who" ? thing->who() : thing->rest();
    return std::string("said ") + said.in();
  }

  CORBA::ORB_ptr orb_;
  std::map<std::string, Thing_var> things_;
  std::unique_ptr<Load> load_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    {
      Client client(orb.in());
      for (std::string line; std::getline(std::cin, line);) interop::print(client.answer(line));
    }
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    interop::print(std::string("client: ") + e._name());
  }
  return 1;
}
