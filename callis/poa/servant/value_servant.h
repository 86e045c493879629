// SPDX-License-Identifier: Apache-2.0
// PortableServer::ValueRefCountBase: counting for a value that is a servant, too, because its valuetype supports an
// interface that is not abstract (C++ mapping 1.3, 4.18.3):
//
//     class Impl : public virtual OBV_V, public virtual POA_I, public virtual PortableServer::ValueRefCountBase
//
// One count serves both; a new one is 1.
#pragma once
#include <callis/poa/servant/servant.h>
#include <callis/value/value_base.h>

namespace PortableServer::inline callis_orb {

class ValueRefCountBase : public virtual CORBA::ValueBase, public virtual ServantBase {
 public:
  void _add_ref() override { ServantBase::_add_ref(); }
  void _remove_ref() override { ServantBase::_remove_ref(); }
  CORBA::ULong _refcount_value() override { return ServantBase::_refcount_value(); }

 protected:
  ValueRefCountBase() = default;
  ValueRefCountBase(const ValueRefCountBase&) = default;
};

}  // namespace PortableServer::inline callis_orb
