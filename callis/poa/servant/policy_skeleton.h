// SPDX-License-Identifier: Apache-2.0
// POA_CORBA::Policy: the base of skeletons of policies that can be called (CORBA 3.3 part 1, 8.6).
#pragma once
#include <callis/orb/base/policy.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/skeleton.h>

namespace POA_CORBA::inline callis_orb {

class Policy : public virtual PortableServer::ServantBase {
 public:
  CORBA::Policy* _this();
  virtual CORBA::PolicyType policy_type() = 0;
  virtual CORBA::Policy* copy() = 0;
  virtual void destroy() = 0;
  const callis::poa::Skeleton& _callis_skeleton() const override;
  void* _callis_self() override;

 protected:
  Policy() = default;
  ~Policy() override;
};

}  // namespace POA_CORBA::inline callis_orb
