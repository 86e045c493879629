// SPDX-License-Identifier: Apache-2.0
// Registration: what a server and its repository have to do with each other, for one ORB of the server.
#pragma once
#include <callis/imr/option_list.h>
#include <callis/orb/core/core.h>
#include <memory>
#include <mutex>
#include <set>

namespace callis::imr {

// Any thread.
class Registration final : public std::enable_shared_from_this<Registration> {
 public:
  // INITIALIZE where the options do not do: no name, or a reference that cannot be read. Calls nobody.
  Registration(orb::Core& server, const ImrOptions& options);
  ~Registration();

  const std::string& server_id() const { return options_.server_id; }
  const ior::Ior& repository() const { return repository_; }

  // A persistent adapter has been made, whose manager is that one. The repository is told when one of those managers
  // is active; where there is no such adapter and the root has an AdapterActivator, when any is.
  void serves(const std::string& manager, bool active);
  void manager_is_active(const std::string& manager);

 private:
  class Part;

  // Tells the repository; logs an error where that does not work.
  void tell_up();
  void tell_down() noexcept;
  void end() noexcept;
  CORBA::Object_var make_process();
  bool makes_adapters();

  orb::Core& server_;  // lives longer
  const ImrOptions options_;
  const std::string start_;  // of the activator
  orb::Counted<orb::Core> client_;  // an ORB of its own for calls to the repository
  CORBA::Object_var to_;
  ior::Ior repository_;

  std::mutex mutex_;  // guards what follows
  std::set<std::string> managers_;
  bool telling_ = false, up_ = false;
};

}  // namespace callis::imr
