// SPDX-License-Identifier: Apache-2.0
// bidirectional_server [usual.adapters=yes] [-ORB options]. Prints its reference; ends when its input does.
#include "mapping.h"
#include "../run_until_input_ends.h"
#include <mutex>

namespace {

class CallerServant final : public POA_BiDirectional::Caller {
 public:
  char* call_back(BiDirectional::Listener_ptr whom, const char* text) override { return whom->heard(text); }
  char* nest(BiDirectional::Listener_ptr whom, CORBA::Long depth) override { return whom->asks(depth - 1); }
  void keep(BiDirectional::Listener_ptr whom) override {
    const std::lock_guard lock(mutex_);
    kept_ = BiDirectional::Listener::_duplicate(whom);
  }
  void call_later(const char* text, CORBA::Long times) override {
    BiDirectional::Listener_var whom;
    {
      const std::lock_guard lock(mutex_);
      whom = BiDirectional::Listener::_duplicate(kept_.in());
    }
    try {
      for (CORBA::Long i = 0; i < times; ++i) {
        const CORBA::String_var heard = whom->heard(text);
        whom->told(heard.in());
      }
    } catch (const CORBA::Exception& e) {
      std::printf("call_later: %s\n", e._name());
    }
  }

 private:
  std::mutex mutex_;
  BiDirectional::Listener_var kept_;
};

int serve(int argc, char** argv) {
  const bool usual = interop::wants_usual_adapters(argc, argv);
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  {
    const PortableServer::POA_var poa = interop::bidirectional_adapter(orb.in(), usual);
    const CORBA::Object_var caller(interop::activate(poa.in(), new CallerServant));
    std::printf("%s\n", CORBA::String_var(orb->object_to_string(caller.in())).in());
    std::fflush(stdout);
  }
  interop::run_until_input_ends(orb.in());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::Exception& e) {
    std::printf("server: %s\n", e._name());
  }
  return 1;
}
