// SPDX-License-Identifier: Apache-2.0
// The servants of a trader, one of each. Each refuses what the service's options forbid by NO_PERMISSION.
#pragma once
#include <services/trading/components.h>

namespace callis::trading {

class LookupServant final : public WithImport<Component<POA_CosTrading::Lookup>> {
 public:
  LookupServant(const Parts& parts, Services& services) : WithImport(parts, services.market), services_(services) {}
  void query(const char* type, const char* constr, const char* pref, const CosTrading::PolicySeq& policies,
             const CosTrading::Lookup::SpecifiedProps& desired_props, CORBA::ULong how_many,
             CosTrading::OfferSeq_out offers, CosTrading::OfferIterator_out offer_itr,
             CosTrading::PolicyNameSeq_out limits_applied) override;

 private:
  Services& services_;
};

class RegisterServant final : public Component<POA_CosTrading::Register> {
 public:
  RegisterServant(const Parts& parts, Market& market, Federation& federation)
      : Component(parts, market), federation_(federation) {}
  char* _cxx_export(CORBA::Object_ptr reference, const char* type,
                    const CosTrading::PropertySeq& properties) override;
  void withdraw(const char* id) override { market_.withdraw(id); }
  CosTrading::Register::OfferInfo* describe(const char* id) override;
  void modify(const char* id, const CosTrading::PropertyNameSeq& del_list,
              const CosTrading::PropertySeq& modify_list) override {
    market_.modify(id, del_list, modify_list);
  }
  void withdraw_using_constraint(const char* type, const char* constr) override { market_.withdraw(type, constr); }
  CosTrading::Register_ptr resolve(const CosTrading::TraderName& name) override;

 private:
  Federation& federation_;
};

class LinkServant final : public WithLink<Component<POA_CosTrading::Link>> {
 public:
  LinkServant(const Parts& parts, Market& market, bool allowed, Federation& federation)
      : WithLink(parts, market), allowed_(allowed), federation_(federation) {}
  void add_link(const char* name, CosTrading::Lookup_ptr target, CosTrading::FollowOption def_pass_on_follow_rule,
                CosTrading::FollowOption limiting_follow_rule) override;
  void remove_link(const char* name) override;
  CosTrading::Link::LinkInfo* describe_link(const char* name) override;
  CosTrading::LinkNameSeq* list_links() override;
  void modify_link(const char* name, CosTrading::FollowOption def_pass_on_follow_rule,
                   CosTrading::FollowOption limiting_follow_rule) override;

 private:
  const bool allowed_;
  Federation& federation_;
};

class ProxyServant final : public Component<POA_CosTrading::Proxy> {
 public:
  using Component::Component;
  char* export_proxy(CosTrading::Lookup_ptr target, const char* type, const CosTrading::PropertySeq& properties,
                     CORBA::Boolean if_match_all, const char* recipe,
                     const CosTrading::PolicySeq& policies_to_pass_on) override;
  void withdraw_proxy(const char* id) override { market_.withdraw_proxy(id); }
  CosTrading::Proxy::ProxyInfo* describe_proxy(const char* id) override;
};

class AdminServant final : public WithLink<WithImport<Component<POA_CosTrading::Admin>>> {
 public:
  AdminServant(const Parts& parts, Market& market, Iterators& iterators, bool allowed)
      : WithLink(parts, market), iterators_(iterators), allowed_(allowed) {}
  CosTrading::Admin::OctetSeq* request_id_stem() override;
  CORBA::ULong set_def_search_card(CORBA::ULong value) override;
  CORBA::ULong set_max_search_card(CORBA::ULong value) override;
  CORBA::ULong set_def_match_card(CORBA::ULong value) override;
  CORBA::ULong set_max_match_card(CORBA::ULong value) override;
  CORBA::ULong set_def_return_card(CORBA::ULong value) override;
  CORBA::ULong set_max_return_card(CORBA::ULong value) override;
  CORBA::ULong set_max_list(CORBA::ULong value) override;
  CORBA::Boolean set_supports_modifiable_properties(CORBA::Boolean value) override;
  CORBA::Boolean set_supports_dynamic_properties(CORBA::Boolean value) override;
  CORBA::Boolean set_supports_proxy_offers(CORBA::Boolean value) override;
  CORBA::ULong set_def_hop_count(CORBA::ULong value) override;
  CORBA::ULong set_max_hop_count(CORBA::ULong value) override;
  CosTrading::FollowOption set_def_follow_policy(CosTrading::FollowOption policy) override;
  CosTrading::FollowOption set_max_follow_policy(CosTrading::FollowOption policy) override;
  CosTrading::FollowOption set_max_link_follow_policy(CosTrading::FollowOption policy) override;
  CORBA::Object_ptr set_type_repos(CORBA::Object_ptr repository) override;
  CosTrading::Admin::OctetSeq* set_request_id_stem(const CosTrading::Admin::OctetSeq& stem) override;
  void list_offers(CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
                   CosTrading::OfferIdIterator_out id_itr) override;
  void list_proxies(CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
                    CosTrading::OfferIdIterator_out id_itr) override;

 private:
  // Changes one member, and returns what it was.
  template<class Member, class T>
  T set(Member member, T value);
  void list(bool proxies, CORBA::ULong how_many, CosTrading::OfferIdSeq_out ids,
            CosTrading::OfferIdIterator_out id_itr);

  Iterators& iterators_;
  const bool allowed_;
};

class RepositoryServant final : public POA_CosTradingRepos::ServiceTypeRepository {
 public:
  RepositoryServant(Types& types, std::chrono::milliseconds operation) : types_(types), operation_(operation) {}
  Repository::IncarnationNumber incarnation() override { return to_idl(types_.incarnation()); }
  Repository::IncarnationNumber add_type(const char* name, const char* if_name,
                                         const Repository::PropStructSeq& props,
                                         const Repository::ServiceTypeNameSeq& super_types) override;
  void remove_type(const char* name) override { types_.remove(name); }
  Repository::ServiceTypeNameSeq* list_types(const Repository::SpecifiedServiceTypes& which_types) override;
  Repository::TypeStruct* describe_type(const char* name) override;
  Repository::TypeStruct* fully_describe_type(const char* name) override;
  void mask_type(const char* name) override { types_.mask(name, true); }
  void unmask_type(const char* name) override { types_.mask(name, false); }

 private:
  Types& types_;
  const std::chrono::milliseconds operation_;
};

}  // namespace callis::trading
