// SPDX-License-Identifier: Apache-2.0
// Registration: what a server and its repository have to do with each other, for one ORB of the server.
#pragma once
#include <callis/base/thread.h>
#include <callis/imr/option_list.h>
#include <callis/orb/core/core.h>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

namespace callis::imr {

// The repository is told that the server is ready, and told again every -ORBIMRAnnounce seconds: so one that has been
// started anew knows it. Where it cannot be reached, that is tried again after a quarter of a second, and after twice
// as long each time, up to half a minute. One that refuses the server is not asked again.
//
// A server that is one client's alone (CALLIS_IMR_LINGER, milliseconds) ends when no client has been connected to it
// for so long.
//
// Any thread.
class Registration final : public std::enable_shared_from_this<Registration> {
 public:
  // INITIALIZE where the options do not do: no name, or a reference that cannot be read. Calls nobody.
  Registration(orb::Core& server, const ImrOptions& options);
  ~Registration();

  const std::string& server_id() const { return server_id_; }
  const ior::Ior& repository() const { return repository_; }

  // A persistent adapter has been made, whose manager is that one. The repository is told when one of those managers
  // is active; where there is no such adapter and the root has an AdapterActivator, when any is.
  void serves(const std::string& manager, bool active);
  void manager_is_active(const std::string& manager);

 private:
  class Part;

  using Time = std::chrono::steady_clock::time_point;
  enum class Told { Taken, Later, Never };

  // Tells the repository, and begins to keep it told.
  void tell_up();
  // Logs an error where that does not work.
  Told announce();
  // The repository has answered. True: the server began to stop meanwhile, and tell_down() found nothing to tell.
  bool taken();
  void after(Told told);  // under the lock
  void keep();
  // Whether the last client has left long enough ago. Under the lock.
  bool lingers_too_long(Time now);
  void tell_down() noexcept;
  void say_down() noexcept;
  void end() noexcept;
  CORBA::Object_var make_process();
  bool makes_adapters();

  orb::Core& server_;  // lives longer
  const ImrOptions options_;
  const std::string server_id_;
  const std::string start_;  // of the activator
  orb::Counted<orb::Core> client_;  // an ORB of its own for calls to the repository
  CORBA::Object_var to_;
  ior::Ior repository_;

  const std::chrono::milliseconds linger_;  // 0: for ever
  CORBA::Object_var process_;               // since tell_up()
  Thread keeper_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::set<std::string> managers_;
  bool telling_ = false, up_ = false, stop_ = false;
  std::chrono::milliseconds pause_{0};  // before the next try; 0: the last one was taken
  Time announce_at_{}, connected_at_{};
};

}  // namespace callis::imr
