// SPDX-License-Identifier: Apache-2.0
// Manager: the POAManager of this ORB. Its state is guarded by the registry's lock; the gates of its adapters
// follow it.
#pragma once
#include <callis/poa/adapter/registry.h>
#include <callis/poa/servant/poa.h>
#include <string>
#include <utility>

namespace callis::poa {

class Manager final : public PortableServer::POAManager {
 public:
  // An empty id is replaced by an id made from a number of this process.
  explicit Manager(Registry& registry, std::string id = {});

  void activate() override;
  void hold_requests(CORBA::Boolean wait_for_completion) override;
  void discard_requests(CORBA::Boolean wait_for_completion) override;
  void deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) override;
  State get_state() override;
  char* get_id() override;

  // The gate of adapters that are not being destroyed. Called under the registry's lock.
  Gate gate() const;
  Registry& registry() const { return *registry_; }

  // The rest is called under the registry's lock.
  const std::string& id() const { return id_; }
  void choose_other_id();  // before anybody else knows it
  // Whether the application has never changed the manager's first state, and has not been told of it. tell: the
  // application is told now.
  bool has_to_be_activated(bool tell) {
    return changes_ == 0 && !known_to_hold_ && (known_to_hold_ = tell, true);
  }
  std::uint32_t adapters = 0;
  Manager* next_gone = nullptr;

 private:
  void change(State to, bool wait, bool etherealize = false);

  const orb::Counted<Registry> registry_;
  std::string id_;  // constant once the registry knows the manager
  State state_ = HOLDING;
  std::uint64_t changes_ = 0;
  bool known_to_hold_ = false;
};

}  // namespace callis::poa
