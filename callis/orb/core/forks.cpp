// SPDX-License-Identifier: Apache-2.0
#include <callis/base/peer_memory.h>
#include <callis/marshal/plan.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/forks.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/server/server.h>
#include <callis/transport/tcp/inherited.h>
#include <pthread.h>
#include <algorithm>

CALLIS_PROVIDE(fork_handlers);

namespace callis::orb {
namespace {

// All followed ORBs. The list is locked from before a fork until after it, and so are the locks that calls hold for a
// moment. Otherwise a child's thread would wait for ever for a lock of another thread of the parent.
struct Followed {
  std::mutex mutex;
  std::vector<Core*> cores;

  static Followed& instance() {
    static Followed& followed = *new Followed;  // never destroyed: ORBs may outlive static objects
    return followed;
  }
};

void before_fork() {
  Followed& f = Followed::instance();
  f.mutex.lock();
  if (CALLIS_HAS(run_time_plans)) marshal::lock_plans();
  Reference::lock_all();
  for (Core* const core : f.cores) core->endpoints().lock_for_fork();
  transport::lock_sockets();
  PeerMemory::lock_for_fork();
}

void after_fork_in_parent() {
  Followed& f = Followed::instance();
  PeerMemory::unlock_after_fork();
  transport::unlock_sockets();
  for (Core* const core : f.cores) core->endpoints().unlock_after_fork();
  Reference::unlock_all();
  if (CALLIS_HAS(run_time_plans)) marshal::unlock_plans();
  f.mutex.unlock();
}

void after_fork_in_child() {
  Followed& f = Followed::instance();
  PeerMemory::unlock_after_fork();
  transport::replace_sockets();
  for (Core* const core : f.cores) core->go_on_in_child();
  Reference::unlock_all();
  if (CALLIS_HAS(run_time_plans)) marshal::unlock_plans();
  f.mutex.unlock();
}

}  // namespace

// The ORB is never destroyed from here on: its threads will not leave the condition variables that they wait at.
void Core::go_on_in_child() {
  add_ref();
  server().go_on_in_child();
  if (server().left_to_parent()) listening_.store(false, std::memory_order_release);
  endpoints().go_on_in_child();
}

void Core::check_serves_here() const {
  if (server().left_to_parent())
    raise<CORBA::BAD_INV_ORDER>(kForked, CORBA::COMPLETED_NO,
                                "make the ORB, or its first adapter, behind fork() or daemon()");
}

void follow_forks(Core& core) {
  static const bool installed = ::pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child) == 0;
  static_cast<void>(installed);
  Followed& f = Followed::instance();
  const std::lock_guard lock(f.mutex);
  f.cores.push_back(&core);
}

void forget_forks(Core& core) noexcept {
  Followed& f = Followed::instance();
  const std::lock_guard lock(f.mutex);
  std::erase(f.cores, &core);
}

}  // namespace callis::orb
