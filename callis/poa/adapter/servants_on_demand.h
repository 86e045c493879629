// SPDX-License-Identifier: Apache-2.0
// ServantsOnDemand: gives an adapter the servants of objects that are not active, if its request processing policy is
// USE_DEFAULT_SERVANT or USE_SERVANT_MANAGER (CORBA 3.3 part 1, 15.3.5-15.3.7 and 15.3.9). Part of the feature
// adapters.
//
//   default servant     one slot, hidden, stands for all missing objects; the servant is in it
//   ServantLocator      the same without a servant: it is asked for each request
//   ServantActivator    asked once an object: what it returns is activated. Told of the end of each activation
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/object/servant_map.h>
#include <callis/poa/servant/poa.h>
#include <memory>
#include <mutex>

namespace callis::poa {

class Adapter;
class Manager;

// The fate of a request for an object that is not active: the pinned slot that stands for all such objects, or a
// refusal. If there is neither, ServantsOnDemand::incarnate() is to be called.
struct Missing {
  Slot* slot;
  Refusal refusal;
};

class ServantsOnDemand final {
  using Servant = PortableServer::Servant;

 public:
  // The adapter deletes the result. Returns nullptr if the adapter's policies need no such part.
  CALLIS_OPTIONAL static ServantsOnDemand* make(Adapter& adapter);
  CALLIS_OPTIONAL ~ServantsOnDemand();
  ServantsOnDemand(const ServantsOnDemand&) = delete;
  ServantsOnDemand& operator=(const ServantsOnDemand&) = delete;

  // --- of PortableServer::POA ---

  CALLIS_OPTIONAL PortableServer::ServantManager_ptr get_servant_manager();
  CALLIS_OPTIONAL void set_servant_manager(PortableServer::ServantManager_ptr manager);
  CALLIS_OPTIONAL Servant get_servant();
  CALLIS_OPTIONAL void set_servant(Servant servant);

  // Called only for pinned slots without servant.
  PortableServer::ServantLocator& locator() { return *locator_.in(); }

  // --- under the registry's lock ---

  CALLIS_OPTIONAL Missing missing();
  // The slot of the default servant; kNoSlot for none.
  std::uint32_t hidden() const { return hidden_; }
  // The number of the servant's activations. A caller that activates the servant adds 1. nullptr if nobody needs the
  // number.
  CALLIS_OPTIONAL std::uint32_t* activations_of(Servant servant);
  // An activation of that servant is in the table no more.
  CALLIS_OPTIONAL void object_gone(Servant servant);
  // The number of the adapter's objects whose ends the ServantActivator is told only after the last request in the
  // adapter. left: the number of all the adapter's objects.
  CALLIS_OPTIONAL std::uint32_t waiting_ends(std::uint32_t left);
  // Whether a ServantActivator of the manager's adapters has still to be told of an end.
  CALLIS_OPTIONAL static bool is_etherealizing(Registry& registry, const Manager& manager);

  // Gives the lock up for a while. Has the ServantActivator make the servant of the object with that key, if the
  // servant is still missing. The adapter may be gone afterwards. Throws the ServantActivator's exceptions, and
  // OBJ_ADAPTER if the returned servant cannot be used. Throws without the lock.
  CALLIS_OPTIONAL void incarnate(Registry::Guard& guard, ByteView key);

  // --- without it ---

  // Tells the ServantActivator, if any, of the end of the activation in a Reaping slot. Returns true if the activator
  // has been told. It has then consumed the adapter's count of the servant, which may be deleted (C++ mapping 1.3,
  // 4.38.3).
  CALLIS_OPTIONAL bool etherealize(std::uint32_t slot) noexcept;
  // Whether the end of a Reaping slot waits for the end of all requests in the adapter, which is being destroyed.
  CALLIS_OPTIONAL bool puts_off();
  // Called when the adapter executes no request any more. Ends the activations that have been put off. The caller
  // holds a count of the adapter.
  CALLIS_OPTIONAL void end_put_off() noexcept;
  // Called when the adapter is gone. Lets go of the servant manager: applications delete it after ORB::destroy(),
  // even if they hold the adapter longer.
  CALLIS_OPTIONAL void gone() noexcept;
  // Deactivates the manager's objects that have a ServantActivator, telling it.
  CALLIS_OPTIONAL static void etherealize_all(Registry& registry, const Manager& manager);

 private:
  explicit ServantsOnDemand(Adapter& adapter);

  static bool has_activator(const Adapter& adapter);
  bool has_activations() const;  // policies: USE_SERVANT_MANAGER and RETAIN
  // Held during calls to the ServantActivator. Taken before the registry's lock.
  std::recursive_mutex& activation();
  // Called on the thread that the adapter's policy asks for.
  void incarnate_here(ByteView key);
  bool etherealize_here(std::uint32_t slot) noexcept;
  // Makes the slot that stands for all missing objects. Takes over a count of the servant, if any.
  void put_hidden(Servant servant);

  Adapter& adapter_;
  Registry& registry_;  // the adapter's
  std::recursive_mutex activation_;
  // Guarded by the registry's lock.
  PortableServer::ServantActivator_var activator_;  // set once, like locator_
  PortableServer::ServantLocator_var locator_;
  std::uint32_t hidden_ = kNoSlot;
  ServantMap activations_;     // their number, of each servant
  std::uint32_t put_off_ = 0;  // objects
  bool cleaning_up_ = false;   // the adapter's manager has been deactivated
};

}  // namespace callis::poa
