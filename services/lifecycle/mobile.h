// SPDX-License-Identifier: Apache-2.0
// Mobile: a servant that can go to another home, because it can write its state. It has LifeCycleObject's operations
// (Life Cycle Service 1.2, 2.3.2).
//
//   // account.idl: interface Account : CosLifeCycle::LifeCycleObject { ... };
//   class AccountServant : public callis::life_cycle::LifeCycleServant<POA_Account> {
//     CORBA::Any write_state() override { ... }
//     ...
//   };
//   home.serves("Account", [](const CORBA::Any& state) { return life_cycle::made(new AccountServant(state)); });
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <functional>
#include <string>
#include "CosLifeCycle_skel.h"

namespace callis::life_cycle {

class Home;

// Any thread.
class Mobile {
 public:
  Mobile() = default;
  Mobile(const Mobile&) = delete;
  Mobile& operator=(const Mobile&) = delete;
  virtual ~Mobile() = default;

  // Returns the state of which the object is made elsewhere. Called while no other request of the object is executed.
  // An exception ends the move or copy with NotMovable or NotCopyable; the object goes on here.
  virtual CORBA::Any write_state() = 0;
  // Before the object is removed by remove(): may throw NotRemovable.
  virtual void about_to_be_removed() {}

 protected:
  // Saves the state of which the object is made if its home ends now and is restored. Called from within a request of
  // the object, before its answer. The state is on the disk when save() returns; without a store save() does nothing.
  // Calls for one object must come in the order of its states, so hold the lock of the state. Throws as
  // services::raise() says; the store is unchanged then.
  void save(const CORBA::Any& state);

  // Implement LifeCycleObject's operations. Throw BAD_INV_ORDER if the object is in no home.
  CosLifeCycle::LifeCycleObject_ptr do_copy(CosLifeCycle::FactoryFinder_ptr there,
                                            const CosLifeCycle::Criteria& criteria);
  void do_move(CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria);
  void do_remove();

 private:
  friend class Home;
  Home& home() const;
  Home* home_ = nullptr;  // lives longer
  std::string identity_;
};

template <class Skeleton>
class LifeCycleServant : public virtual Skeleton, public Mobile {
 public:
  CosLifeCycle::LifeCycleObject_ptr copy(CosLifeCycle::FactoryFinder_ptr there,
                                         const CosLifeCycle::Criteria& criteria) override {
    return do_copy(there, criteria);
  }
  void move(CosLifeCycle::FactoryFinder_ptr there, const CosLifeCycle::Criteria& criteria) override {
    do_move(there, criteria);
  }
  void remove() override { do_remove(); }
};

// A servant and what is mobile of it; the servant's reference is the holder's.
struct Made {
  PortableServer::ServantBase* servant;
  Mobile* mobile;
};
template <class Servant>
Made made(Servant* servant) {
  return {servant, servant};
}
// state: of tk_null where an object is made anew. May throw a CORBA exception: the state cannot be read.
using Make = std::function<Made(const CORBA::Any& state)>;

}  // namespace callis::life_cycle
