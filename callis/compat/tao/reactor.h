// SPDX-License-Identifier: Apache-2.0
// orb->orb_core()->reactor(), for programs with Debian's ACE: the process's ACE_Reactor. A thread serves its timers
// and handles from the first call on, until the process ends. callis's own sockets are served elsewhere. Handlers run
// on that thread, and not in ORB::run(), as TAO's do. <tao/ORB_Core.h> brings this. The shim of ACE has no reactor.
#pragma once
#include <tao/callis.h>
#if __has_include(<ace/Reactor.h>) && !defined(CALLIS_ACE_SHIM)
#include <ace/Reactor.h>
#include <ace/Thread.h>
#include <thread>

namespace callis::compat {

class ReactorThread {
 public:
  ReactorThread()
      : reactor_(ACE_Reactor::instance()), thread_([this] {
          reactor_->owner(ACE_Thread::self());
          reactor_->run_reactor_event_loop();
        }) {}
  ~ReactorThread() {
    reactor_->end_reactor_event_loop();
    if (thread_.get_id() == std::this_thread::get_id()) thread_.detach();  // a handler has ended the process
    else thread_.join();
  }
  ACE_Reactor* reactor() const { return reactor_; }

 private:
  ACE_Reactor* const reactor_;
  std::thread thread_;
};

}  // namespace callis::compat

inline ACE_Reactor* TAO_ORB_Core::reactor() {
  static const callis::compat::ReactorThread thread;
  return thread.reactor();
}
#endif
