// SPDX-License-Identifier: Apache-2.0
// ChildAdapters: the children of an adapter, which create_POA() or its AdapterActivator makes (CORBA 3.3 part 1,
// 15.3.4 and 15.3.9). In programs with the feature adapters, every adapter has this part.
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
  // The adapter deletes the result.
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
  // Called without the lock when the adapter is gone. Lets go of the activator.
  CALLIS_OPTIONAL void gone() noexcept;
  bool has_activator() const { return activator_.in() != nullptr; }
  // Called when the adapter is gone. Its AdapterActivator is not asked any more.
  CALLIS_OPTIONAL void end();
  // Called when the child of that name is gone. Gives the child's count up.
  CALLIS_OPTIONAL void remove(const std::string& name);
  // Each calls Adapter's function of its name for every child.
  CALLIS_OPTIONAL void mark_destroying(bool etherealizing);
  CALLIS_OPTIONAL void finish_trees();

  // The adapter whose manager's state applies to a request for an adapter that does not exist. Not counted; nullptr
  // if the request is refused. An AdapterActivator (may_ask) is called in the state of its adapter's manager, like a
  // servant (15.3.2.1). Until a manager is activated for the first time the result is the root, since the server may
  // be about to make the adapter.
  CALLIS_OPTIONAL static Adapter* in_charge_of(const Registry& registry, const ParsedKey& key, bool may_ask);

  // Gives the lock up and asks AdapterActivators for the missing adapters of the path. Returns true with the lock
  // taken again, or false without the lock if an adapter is still missing.
  CALLIS_OPTIONAL static bool activate_path(Registry::Guard& guard, ByteView path);

 private:
  explicit ChildAdapters(Adapter& parent);

  // The last existing adapter on the path; not counted. root is nullptr if there is none.
  static Adapter* nearest(Adapter* root, ByteView path);
  Adapter* child(std::string_view name) const;  // not counted; nullptr for none
  // Returns the child, which the AdapterActivator makes if need be, or nullptr. The caller owns a count. Throws
  // OBJ_ADAPTER (OMG minor 1) if the activator throws.
  Adapter* find_or_activate(const std::string& name);
  // Returns when there is no child of that name. Throws AdapterAlreadyExists if a child has that name. Throws
  // BAD_INV_ORDER if this adapter is being destroyed, or if the child is and the caller is in an upcall.
  void await_place(Registry::Guard& guard, const char* name) const;
  // Waits while a child of that name is being destroyed. Throws BAD_INV_ORDER inside an upcall.
  void await_end_of(const std::string& name);

  Adapter& adapter_;
  Registry& registry_;  // the adapter's
  // Guarded by the registry's lock.
  StringMap<Adapter*> children_;  // a count each
  PortableServer::AdapterActivator_var activator_;
};

}  // namespace callis::poa
