// SPDX-License-Identifier: Apache-2.0
// Manager: the POAManager of this ORB. Its state is guarded by the registry's lock; the gates of its adapters
// follow it.
#pragma once
#include <callis/poa/poa.h>
#include <callis/poa/registry.h>
#include <string>

namespace callis::poa {

class Manager final : public PortableServer::POAManager {
 public:
  // The id is made from a number of this process.
  explicit Manager(std::shared_ptr<Registry> registry);

  void activate() override;
  void hold_requests(CORBA::Boolean wait_for_completion) override;
  void discard_requests(CORBA::Boolean wait_for_completion) override;
  void deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) override;
  State get_state() override;
  char* get_id() override;

  // The gate of adapters that are not being destroyed; under the registry's lock.
  Gate gate() const;
  const std::shared_ptr<Registry>& registry() const { return registry_; }

 private:
  void change(State to, bool wait, bool etherealize = false);

  const std::shared_ptr<Registry> registry_;
  const std::string id_;
  State state_ = HOLDING;
  std::uint64_t changes_ = 0;
};

}  // namespace callis::poa
