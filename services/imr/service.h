// SPDX-License-Identifier: Apache-2.0
// Service: a repository on an ORB: its object with the key ImplRepoService's, the doorway before the adapters.
#pragma once
#include <services/imr/doorway.h>
#include <services/imr/processes.h>
#include <services/imr/servant.h>

namespace callis::imr {

// The initial reference, and the key of corbaloc URLs; TAO's name for it.
inline constexpr const char* kServiceName = "ImplRepoService";

class Service final {
 public:
  // All outlive it. The root's manager still holds requests.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, services::Store& store, services::Counters& counters,
          const Settings& settings);
  // Shuts the ORB down, if that has not been done.
  ~Service();

  // Reads the store, and starts what is to run always.
  void begin();
  CORBA::Object_ptr reference() const { return reference_.in(); }
  Repository& repository() { return repository_; }
  void stop() { repository_.stop(); }

 private:
  orb::Counted<orb::Core> core_;
  Repository repository_;
  Processes processes_{repository_};
  Activators activators_{processes_};
  std::unique_ptr<Doorway> doorway_;
  PortableServer::Servant_var<RepositoryServant> servant_;
  CORBA::Object_var reference_;
};

}  // namespace callis::imr
