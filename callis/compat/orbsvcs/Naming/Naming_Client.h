// SPDX-License-Identifier: Apache-2.0
// TAO_Naming_Client: the root context of a naming service, asked for at the first use. -ORBInitRef NameService=...
// says where it is; nobody is asked by multicast.
#pragma once
#include <orbsvcs/CosNamingC.h>

class TAO_Naming_Client {
 public:
  // 0, or -1 if there is no naming service. The time is not needed: calls have -ORBCallTimeout.
  template <class Time>
  int init(CORBA::ORB_ptr orb, Time*) {
    return init(orb);
  }
  int init(CORBA::ORB_ptr orb) {
    try {
      const CORBA::Object_var object = orb->resolve_initial_references("NameService");
      root_ = CosNaming::NamingContext::_narrow(object.in());
    } catch (const CORBA::Exception&) {
      return -1;
    }
    return CORBA::is_nil(root_.in()) ? -1 : 0;
  }
  CosNaming::NamingContext_ptr operator->() const { return root_.in(); }
  CosNaming::NamingContext_ptr get_context() const { return CosNaming::NamingContext::_duplicate(root_.in()); }

 private:
  CosNaming::NamingContext_var root_;
};
