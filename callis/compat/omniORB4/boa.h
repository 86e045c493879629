// SPDX-License-Identifier: Apache-2.0
// The basic object adapter (BOA) of omniORB 2 and of omniORB's -WbBOA, over an adapter of callis:
//
//   CORBA::BOA_var boa = orb->BOA_init(argc, argv, "omniORB4_BOA");
//   Bank_i* bank = new Bank_i;       // derives from _sk_Bank, by callis-idl -bcxx -WbBOA
//   bank->_obj_is_ready(boa);        // the BOA owns the servant from now on
//   boa->impl_is_ready();            // serves, until impl_shutdown() or the end of the ORB
//
// Objects are those of one adapter, the child "BOA" of the root adapter, with a POAManager of its own. A process has
// one BOA at a time, as in omniORB. There are no object keys and no activation records of the BOA's own. Any thread
// may call any member.
#pragma once
#include <callis/omniorb.h>
#include <callis/poa/servant/local_interface.h>
#include <memory>

namespace callis::compat {

class BoaServant;

}  // namespace callis::compat

namespace CORBA::inline callis_orb {

class ImplementationDef;  // no program can make one
using ImplementationDef_ptr = ImplementationDef*;
using BOA_ptr = BOA*;

class BOA final : public virtual LocalObject {
 public:
  CALLIS_LOCAL_INTERFACE(BOA)

  // Lets requests in, and those that have waited. Returns after impl_shutdown(), destroy() or the end of the ORB;
  // at once with no_block.
  void impl_is_ready(ImplementationDef_ptr implementation = nullptr, Boolean no_block = false);
  // Makes requests wait until impl_is_ready() is called again, and lets the callers of impl_is_ready() return.
  void impl_shutdown();
  // Ends the objects of the BOA. Another BOA can be made afterwards.
  void destroy();

  // Makes an object of the servant, and takes over the caller's count. A second call for one servant changes nothing.
  void obj_is_ready(callis::compat::BoaServant* servant, ImplementationDef_ptr implementation = nullptr);
  // Ends the object. Its servant is deleted when no request is in it any more. Throws OBJECT_NOT_EXIST for an object
  // that is not the BOA's.
  void dispose(Object_ptr object);
  void deactivate_obj(Object_ptr object) { dispose(object); }

  // The BOA there is. Throws INITIALIZE if BOA_init() has not been called. The caller owns the count.
  static BOA_ptr getBOA();
  // The adapter; the BOA owns the count.
  PortableServer::POA_ptr callis_adapter() const;

 private:
  friend class ORB;
  struct State;
  explicit BOA(std::shared_ptr<State> state);
  ~BOA() override;
  const std::shared_ptr<State> state_;
};

using BOA_var = callis::classic::ReferenceVar<BOA>;
using BOA_out = callis::classic::ReferenceOut<BOA>;

}  // namespace CORBA::inline callis_orb

namespace callis::compat {

// The base of servants of the BOA, beside their skeletons.
class BoaServant : public virtual PortableServer::ServantBase {
 public:
  void _obj_is_ready(CORBA::BOA_ptr boa) { boa->obj_is_ready(this); }
  // The caller owns the count, as BOA_var does.
  CORBA::BOA_ptr _boa() { return CORBA::BOA::getBOA(); }
  // Ends the object; the servant is deleted when no request is in it any more.
  void _dispose();

  PortableServer::POA_ptr _default_POA() override;

 protected:
  BoaServant() = default;
  ~BoaServant() override;
};

}  // namespace callis::compat
