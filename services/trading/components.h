// SPDX-License-Identifier: Apache-2.0
// Components: the attributes that all objects of a trader share (TraderComponents, SupportAttributes,
// ImportAttributes, LinkAttributes), over the skeleton of each.
#pragma once
#include <services/trading/query.h>
#include "CosTradingRepos_skel.h"
#include "CosTrading_skel.h"

namespace callis::trading {

// The objects of a trader; those of an adapter that has gone throw by themselves.
struct Parts {
  CosTrading::Lookup_var lookup;
  CosTrading::Register_var registering;
  CosTrading::Link_var link;
  CosTrading::Proxy_var proxy;
  CosTrading::Admin_var admin;
  CosTradingRepos::ServiceTypeRepository_var types;
};

template<class Skeleton>
class Component : public Skeleton {
 public:
  Component(const Parts& parts, Market& market) : parts_(parts), market_(market) {}
  CosTrading::Lookup_ptr lookup_if() override { return CosTrading::Lookup::_duplicate(parts_.lookup.in()); }
  CosTrading::Register_ptr register_if() override {
    return CosTrading::Register::_duplicate(parts_.registering.in());
  }
  CosTrading::Link_ptr link_if() override { return CosTrading::Link::_duplicate(parts_.link.in()); }
  CosTrading::Proxy_ptr proxy_if() override { return CosTrading::Proxy::_duplicate(parts_.proxy.in()); }
  CosTrading::Admin_ptr admin_if() override { return CosTrading::Admin::_duplicate(parts_.admin.in()); }
  CORBA::Boolean supports_modifiable_properties() override { return get().supports_modifiable_properties; }
  CORBA::Boolean supports_dynamic_properties() override { return get().supports_dynamic_properties; }
  CORBA::Boolean supports_proxy_offers() override { return get().supports_proxy_offers; }
  CORBA::Object_ptr type_repos() override { return CORBA::Object::_duplicate(parts_.types.in()); }

 protected:
  Settings::Values get() const { return market_.settings().get(); }
  const Parts& parts_;
  Market& market_;
};

template<class Base>
class WithImport : public Base {
 public:
  using Base::Base;
  CORBA::ULong def_search_card() override { return this->get().def_search_card; }
  CORBA::ULong max_search_card() override { return this->get().max_search_card; }
  CORBA::ULong def_match_card() override { return this->get().def_match_card; }
  CORBA::ULong max_match_card() override { return this->get().max_match_card; }
  CORBA::ULong def_return_card() override { return this->get().def_return_card; }
  CORBA::ULong max_return_card() override { return this->get().max_return_card; }
  CORBA::ULong max_list() override { return this->get().max_list; }
  CORBA::ULong def_hop_count() override { return this->get().def_hop_count; }
  CORBA::ULong max_hop_count() override { return this->get().max_hop_count; }
  CosTrading::FollowOption def_follow_policy() override { return this->get().def_follow_policy; }
  CosTrading::FollowOption max_follow_policy() override { return this->get().max_follow_policy; }
};

template<class Base>
class WithLink : public Base {
 public:
  using Base::Base;
  CosTrading::FollowOption max_link_follow_policy() override { return this->get().max_link_follow_policy; }
};

}  // namespace callis::trading
