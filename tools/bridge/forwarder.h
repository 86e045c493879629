// SPDX-License-Identifier: Apache-2.0
// The servant of one object of a Bridge.
#pragma once
#include <callis/dynamic.h>
#include <tools/bridge/bridge.h>
#include <atomic>

namespace callis::tools {

class Translation;

class Forwarder final : public PortableServer::DynamicImplementation {
 public:
  // interface: nullptr: found when it is needed.
  Forwarder(Bridge& bridge, std::string id, CORBA::Object_ptr target, const idl::ast::Interface* interface)
      : bridge_(bridge), id_(std::move(id)), target_(CORBA::Object::_duplicate(target)), interface_(interface) {}

  void invoke(CORBA::ServerRequest_ptr request) override;
  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId& id, PortableServer::POA_ptr poa) override;
  // All three ask the target.
  CORBA::Boolean _is_a(const char* id) override;
  CORBA::Boolean _non_existent() override;
  CORBA::InterfaceDef_ptr _get_interface() override;

 private:
  // BAD_OPERATION, OMG minor 2: the object has no such operation. INTF_REPOS, OMG minor 2: nothing says which
  // interface it has.
  std::shared_ptr<const KnownOperation> known_operation(const std::string& operation);
  void answer(CORBA::ServerRequest_ptr request, CORBA::Request_ptr call, const KnownOperation& operation,
              Translation& translation);

  Bridge& bridge_;
  const std::string id_;
  const CORBA::Object_var target_;
  std::atomic<const idl::ast::Interface*> interface_;
};

}  // namespace callis::tools
