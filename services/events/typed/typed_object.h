// SPDX-License-Identifier: Apache-2.0
// TypedObject: the object of a channel that has a typed interface: what get_typed_consumer() and get_typed_supplier()
// of its proxies return. It serves the interface's operations without compiled knowledge of them (the dynamic
// skeleton interface). Any thread.
#pragma once
#include <callis/dynamic.h>
#include <services/events/typed/interface.h>
#include <functional>
#include <memory>
#include <mutex>

namespace callis::events {

class TypedObject final : public PortableServer::DynamicImplementation {
 public:
  // Serves a request: the event's operation, the arguments, and in the pull model whether the request is try_pull_X.
  // In the push model the values are given; in the pull model the function sets them. Returns false for a try without
  // an event. Throws system exceptions.
  using Serve = std::function<bool(const TypedOperation&, CORBA::NVList_ptr arguments, bool tries)>;

  TypedObject(CORBA::ORB_ptr orb, std::shared_ptr<const TypedInterface> interface, TypedInterface::Model model,
              Serve serve)
      : orb_(orb), interface_(std::move(interface)), model_(model), serve_(std::move(serve)) {}

  // Requests that come from now on are OBJECT_NOT_EXIST; what serves is let go.
  void end();

  void invoke(CORBA::ServerRequest_ptr request) override;
  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId& id, PortableServer::POA_ptr poa) override;
  CORBA::Boolean _is_a(const char* id) override { return id && interface_->is_a(id); }

 private:
  const CORBA::ORB_ptr orb_;
  const std::shared_ptr<const TypedInterface> interface_;
  const TypedInterface::Model model_;
  std::mutex mutex_;  // guards serve_
  Serve serve_;       // empty: it has ended
};

}  // namespace callis::events
