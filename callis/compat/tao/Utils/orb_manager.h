// SPDX-License-Identifier: Apache-2.0
// TAO_ORB_Manager: the few lines at the beginning of most servers. <tao/PortableServer/ORB_Manager.h> and
// <tao/Utils/ORB_Manager.h> are its names.
//
// One thread sets it up. The root adapter is the ORB's; the child has USER_ID and PERSISTENT, as TAO's. Failures are
// exceptions, so the results, which are 0, need no look.
#pragma once
#include <callis/portable_server.h>
#include <tao/callis.h>

class TAO_ORB_Manager {
 public:
  explicit TAO_ORB_Manager(CORBA::ORB_ptr orb = CORBA::ORB::_nil(), PortableServer::POA_ptr poa = nullptr,
                           PortableServer::POAManager_ptr poa_manager = nullptr);
  ~TAO_ORB_Manager() = default;
  TAO_ORB_Manager(const TAO_ORB_Manager&) = delete;
  TAO_ORB_Manager& operator=(const TAO_ORB_Manager&) = delete;

  int init(int& argc, char* argv[], const char* orb_name = nullptr);
  int init_child_poa(int& argc, char* argv[], const char* poa_name, const char* orb_name = nullptr);
  // Destroys the adapter and the ORB.
  int fini();

  // The servant's id as text, which the caller frees. In the second the object's id is the name.
  char* activate(PortableServer::Servant servant);
  void deactivate(const char* id);
  char* activate_under_child_poa(const char* object_name, PortableServer::Servant servant);
  void deactivate_under_child_poa(const char* id);
  int activate_poa_manager();

  int run() {
    orb_->run();
    return 0;
  }
  template <class Time>
    requires requires(Time& t) { t.sec(), t.usec(); }
  int run(Time& time) {
    orb_->run(time);
    return 0;
  }
  template <class Time>
    requires requires(Time& t) { t.sec(), t.usec(); }
  int run(Time* time) {
    return time ? run(*time) : run();
  }

  // The caller owns a count of each.
  CORBA::ORB_ptr orb() { return CORBA::ORB::_duplicate(orb_.in()); }
  PortableServer::POA_ptr root_poa() { return PortableServer::POA::_duplicate(poa_.in()); }
  PortableServer::POA_ptr child_poa() { return PortableServer::POA::_duplicate(child_poa_.in()); }
  PortableServer::POAManager_ptr poa_manager() {
    return PortableServer::POAManager::_duplicate(poa_manager_.in());
  }

 private:
  CORBA::ORB_var orb_;
  PortableServer::POA_var poa_, child_poa_;
  PortableServer::POAManager_var poa_manager_;
};
