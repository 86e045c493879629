// SPDX-License-Identifier: Apache-2.0
// The servant of one object of a Bridge.
#pragma once
#include <callis/dynamic.h>
#include <tools/bridge/bridge.h>
#include <atomic>
#include <mutex>

namespace callis::tools {

class Translation;

class Forwarder final : public PortableServer::DynamicImplementation {
 public:
  // interface: of what the operator has named; nullptr: strangers have, and it is found when it is needed.
  Forwarder(Bridge& bridge, std::string id, CORBA::Object_ptr target, const idl::ast::Interface* interface)
      : bridge_(bridge), id_(std::move(id)), target_(CORBA::Object::_duplicate(target)),
        named_(interface != nullptr), interface_(interface) {}

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
  // What is called by operations of the interface: the target, where the operator has named it; otherwise as
  // messaging::bound_object() says. NO_PERMISSION: it is not to be called.
  CORBA::Object_var callee();
  void answer(CORBA::ServerRequest_ptr request, CORBA::Request_ptr call, const KnownOperation& operation,
              Translation& translation);

  Bridge& bridge_;
  const std::string id_;
  const CORBA::Object_var target_;
  const bool named_;  // by the operator
  std::atomic<const idl::ast::Interface*> interface_;
  std::mutex mutex_;  // guards what follows
  CORBA::Object_var bound_;
  const idl::ast::Interface* bound_as_ = nullptr;
};

}  // namespace callis::tools
