// SPDX-License-Identifier: Apache-2.0
// ChildAdapters: the adapters below one, which create_POA() or its AdapterActivator makes (CORBA 3.3 part 1, 15.3.4
// and 15.3.9). Every adapter has one in programs with the feature adapters.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/string_map.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/servant/poa.h>
#include <memory>

CALLIS_FEATURE(adapters);

namespace callis::poa {

class Adapter;

class ChildAdapters final {
 public:
  // For the adapter to delete.
  CALLIS_OPTIONAL static ChildAdapters* make(Adapter& parent);
  CALLIS_OPTIONAL ~ChildAdapters();
  ChildAdapters(const ChildAdapters&) = delete;
  ChildAdapters& operator=(const ChildAdapters&) = delete;

  // --- of PortableServer::POA ---

  CALLIS_OPTIONAL PortableServer::POA_ptr create(const char* name, PortableServer::POAManager_ptr manager,
                                                 const CORBA::PolicyList& policies);
  CALLIS_OPTIONAL PortableServer::POA_ptr find(const char* name, CORBA::Boolean activate_it);
  CALLIS_OPTIONAL PortableServer::POAList* list();
  CALLIS_OPTIONAL PortableServer::POAManagerFactory_ptr manager_factory();
  CALLIS_OPTIONAL PortableServer::AdapterActivator_ptr activator();
  CALLIS_OPTIONAL void set_activator(PortableServer::AdapterActivator_ptr activator);

  // --- under the registry's lock ---

  bool empty() const { return children_.empty(); }
  // The adapter is gone: lets go of the activator. Without the lock.
  CALLIS_OPTIONAL void gone() noexcept;
  bool has_activator() const { return activator_.in() != nullptr; }
  // The adapter is gone: its AdapterActivator is not asked any more.
  CALLIS_OPTIONAL void end();
  // The child of that name is gone. Its count goes with it.
  CALLIS_OPTIONAL void remove(const std::string& name);
  // Each calls Adapter's function of its name for every child.
  CALLIS_OPTIONAL void mark_destroying(bool etherealizing);
  CALLIS_OPTIONAL void finish_trees();

  // In whose state a request is whose adapter there is not; not counted; nullptr: nobody's, it is refused. An
  // AdapterActivator (may_ask) is called in the state of its adapter's manager, like a servant (15.3.2.1). Until a
  // manager is activated for the first time it is the root: the server may be about to make the adapter.
  CALLIS_OPTIONAL static Adapter* in_charge_of(const Registry& registry, const ParsedKey& key, bool may_ask);

  // Gives the lock up and asks AdapterActivators for what is missing of the path. False, without the lock, when that
  // did not help; else with it again.
  CALLIS_OPTIONAL static bool activate_path(Registry::Guard& guard, ByteView path);

 private:
  explicit ChildAdapters(Adapter& parent);

  // The last adapter on that path that exists; not counted. root: nullptr for none.
  static Adapter* nearest(Adapter* root, ByteView path);
  Adapter* child(std::string_view name) const;  // not counted; nullptr for none
  // The child, if need be from the AdapterActivator; a count for the caller; nullptr for none.
  // OBJ_ADAPTER (OMG minor 1) when the activator throws.
  Adapter* find_or_activate(const std::string& name);
  // Returns when there is no child of that name. AdapterAlreadyExists; BAD_INV_ORDER where one is being destroyed and
  // the caller is in an upcall, or this adapter is.
  void await_place(Registry::Guard& guard, const char* name) const;
  // Waits while a child of that name is being destroyed. BAD_INV_ORDER inside an upcall.
  void await_end_of(const std::string& name);

  Adapter& adapter_;
  Registry& registry_;  // the adapter's
  // Guarded by the registry's lock.
  StringMap<Adapter*> children_;  // a count each
  PortableServer::AdapterActivator_var activator_;
};

}  // namespace callis::poa
