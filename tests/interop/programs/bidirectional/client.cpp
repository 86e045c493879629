// SPDX-License-Identifier: Apache-2.0
// bidirectional_client IOR [usual.adapters=yes] [-ORB options]. Without usual adapters what it publishes cannot be
// connected to. Prints the failures, then `checks
// N`; exit status 0 when there were none.
#include "mapping.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex printing;
int checks, failures;

void check(bool good, const char* what, int line) {
  const std::lock_guard lock(printing);
  ++checks;
  if (good) return;
  ++failures;
  std::printf("client.cpp:%d: FAILED: %s\n", line, what);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

class ListenerServant final : public POA_BiDirectional::Listener {
 public:
  explicit ListenerServant(BiDirectional::Caller_ptr caller) : caller_(BiDirectional::Caller::_duplicate(caller)) {}
  char* heard(const char* text) override {
    ++heard_;
    return CORBA::string_dup(text);
  }
  int times_heard() const { return heard_; }
  char* asks(CORBA::Long depth) override {
    if (depth <= 0) return CORBA::string_dup("deep");
    const BiDirectional::Listener_var me = _this();
    return caller_->nest(me.in(), depth);
  }
  void told(const char*) override {
    const std::lock_guard lock(mutex_);
    ++told_;
    changed_.notify_all();
  }
  bool wait_for(int told) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return told_ >= told; });
  }

 private:
  const BiDirectional::Caller_var caller_;
  std::atomic<int> heard_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int told_ = 0;
};

bool hears(BiDirectional::Caller_ptr caller, BiDirectional::Listener_ptr me, const std::string& text) {
  const CORBA::String_var back = caller->call_back(me, text.c_str());
  return text == back.in();
}

void run(CORBA::ORB_ptr orb, const char* ior, bool usual) {
  const PortableServer::POA_var poa = interop::bidirectional_adapter(orb, usual);
  const CORBA::Object_var object = orb->string_to_object(ior);
  const BiDirectional::Caller_var caller = BiDirectional::Caller::_narrow(object.in());
  auto* const servant = new ListenerServant(caller.in());
  const CORBA::Object_var listener(interop::activate(poa.in(), servant));
  const BiDirectional::Listener_var me = BiDirectional::Listener::_narrow(listener.in());

  for (int i = 0; i < 3; ++i) CHECK(hears(caller.in(), me.in(), "during a call"));
  CHECK(hears(caller.in(), me.in(), std::string(300'000, 'x')));
  const CORBA::String_var deep = caller->nest(me.in(), 6);
  CHECK(std::string("deep") == deep.in());

  caller->keep(me.in());
  caller->call_later("after it", 5);
  CHECK(servant->wait_for(5));

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      try {
        for (int i = 0; i < 50; ++i) CHECK(hears(caller.in(), me.in(), std::to_string(i)));
      } catch (const CORBA::Exception& e) {
        check(false, e._name(), __LINE__);
      }
    });
  caller->call_later("meanwhile", 20);
  for (std::thread& t : threads) t.join();
  CHECK(servant->wait_for(25));
  CHECK(servant->times_heard() == 3 + 1 + 5 + 4 * 50 + 20);  // each callback came once
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool usual = interop::wants_usual_adapters(argc, argv);
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    run(orb.in(), argv[1], usual);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    check(false, e._name(), __LINE__);
  }
  std::printf("checks %d\n", checks);
  return failures == 0 ? 0 : 1;
}
