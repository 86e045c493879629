// SPDX-License-Identifier: Apache-2.0
// Lookup, Register, Link, Proxy, and the repository of types, over Market and Query.
#include <services/trading/names.h>
#include <services/trading/servants.h>

namespace callis::trading {

namespace {

[[noreturn]] void forbidden() {
  throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                             "this trader was started with --no-admin: its links and settings do not change");
}

}  // namespace

void LookupServant::query(const char* type, const char* constr, const char* pref,
                          const CosTrading::PolicySeq& policies,
                          const CosTrading::Lookup::SpecifiedProps& desired_props, CORBA::ULong how_many,
                          CosTrading::OfferSeq_out offers, CosTrading::OfferIterator_out offer_itr,
                          CosTrading::PolicyNameSeq_out limits_applied) {
  Results results = trading::query(services_, {type, constr, pref, policies, desired_props, how_many});
  offers = results.offers._retn();
  offer_itr = results.more._retn();
  limits_applied = results.limits._retn();
}

char* RegisterServant::_cxx_export(CORBA::Object_ptr reference, const char* type,
                                   const CosTrading::PropertySeq& properties) {
  return CORBA::string_dup(market_.add(reference, type, properties).c_str());
}

CosTrading::Register::OfferInfo* RegisterServant::describe(const char* id) {
  return new CosTrading::Register::OfferInfo(market_.describe(id));
}

CosTrading::Register_ptr RegisterServant::resolve(const CosTrading::TraderName& name) {
  if (name.length() == 0 || name.length() > kMostTraderNames) throw CosTrading::Register::IllegalTraderName(name);
  for (CORBA::ULong i = 0; i < name.length(); ++i) {
    if (!is_link_name(name[i])) throw CosTrading::Register::IllegalTraderName(name);
  }
  const auto link = market_.links().find(std::string(name[0]));
  if (!link) throw CosTrading::Register::UnknownTraderName(name);
  if (CORBA::is_nil(link->target_reg.in())) throw CosTrading::Register::RegisterNotSupported(name);
  if (name.length() == 1) return CosTrading::Register::_duplicate(link->target_reg.in());
  CosTrading::TraderName rest;
  rest.length(name.length() - 1);
  for (CORBA::ULong i = 1; i < name.length(); ++i) rest[i - 1] = name[i];
  struct Question {
    CosTrading::Register_var target, found;
    CosTrading::TraderName name;
  };
  const auto q = std::make_shared<Question>(Question{link->target_reg, {}, rest});
  if (!federation_.call(link->target_reg.in(), [q] { q->found = q->target->resolve(q->name); },
                        federation_.deadline()))
    throw CORBA::TIMEOUT(0, CORBA::COMPLETED_MAYBE, "the trader behind the link does not answer in time");
  return q->found._retn();
}

void LinkServant::add_link(const char* name, CosTrading::Lookup_ptr target, CosTrading::FollowOption pass_on,
                           CosTrading::FollowOption limit) {
  if (!allowed_) forbidden();
  Links::Info info;
  info.target = CosTrading::Lookup::_duplicate(target);
  info.def_pass_on_follow_rule = pass_on;
  info.limiting_follow_rule = limit;
  if (is_link_name(name) && !CORBA::is_nil(target) && !market_.links().find(name)) {
    struct Question {
      CosTrading::Lookup_var target;
      CosTrading::Register_var found;
    };
    const auto q = std::make_shared<Question>(Question{info.target, {}});
    try {
      if (federation_.call(target, [q] { q->found = q->target->register_if(); }, federation_.deadline()))
        info.target_reg = q->found;
    } catch (const CORBA::SystemException&) {  // it is not there now, or has none
    }
  }
  market_.links().add(name, info, get().max_link_follow_policy);
}

void LinkServant::remove_link(const char* name) {
  if (!allowed_) forbidden();
  market_.links().remove(name);
}

CosTrading::Link::LinkInfo* LinkServant::describe_link(const char* name) {
  return new CosTrading::Link::LinkInfo(market_.links().describe(name));
}

CosTrading::LinkNameSeq* LinkServant::list_links() {
  const auto all = market_.links().all();
  CosTrading::LinkNameSeq_var out = new CosTrading::LinkNameSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < all.size(); ++i) out[i] = all[i].first.c_str();
  return out._retn();
}

void LinkServant::modify_link(const char* name, CosTrading::FollowOption pass_on, CosTrading::FollowOption limit) {
  if (!allowed_) forbidden();
  market_.links().modify(name, pass_on, limit, get().max_link_follow_policy);
}

char* ProxyServant::export_proxy(CosTrading::Lookup_ptr target, const char* type,
                                 const CosTrading::PropertySeq& properties, CORBA::Boolean if_match_all,
                                 const char* recipe, const CosTrading::PolicySeq& policies_to_pass_on) {
  CosTrading::Proxy::ProxyInfo info;
  info.type = type;
  info.target = CosTrading::Lookup::_duplicate(target);
  info.properties = properties;
  info.if_match_all = if_match_all;
  info.recipe = recipe;
  info.policies_to_pass_on = policies_to_pass_on;
  return CORBA::string_dup(market_.add_proxy(info).c_str());
}

CosTrading::Proxy::ProxyInfo* ProxyServant::describe_proxy(const char* id) {
  return new CosTrading::Proxy::ProxyInfo(market_.describe_proxy(id));
}

namespace {

Repository::TypeStruct* described(const ServiceType& type, const std::vector<const PropertyType*>& props,
                                  const std::vector<std::string>& supers) {
  auto out = std::make_unique<Repository::TypeStruct>();
  out->if_name = type.interface.c_str();
  out->props.length(static_cast<CORBA::ULong>(props.size()));
  for (CORBA::ULong i = 0; i < props.size(); ++i) {
    out->props[i].name = props[i]->name.c_str();
    out->props[i].value_type = props[i]->type;
    out->props[i].mode = mode_of(*props[i]);
  }
  out->super_types.length(static_cast<CORBA::ULong>(supers.size()));
  for (CORBA::ULong i = 0; i < supers.size(); ++i) out->super_types[i] = supers[i].c_str();
  out->masked = type.masked;
  out->incarnation = to_idl(type.incarnation);
  return out.release();
}

}  // namespace

Repository::IncarnationNumber RepositoryServant::add_type(const char* name, const char* if_name,
                                                          const Repository::PropStructSeq& props,
                                                          const Repository::ServiceTypeNameSeq& super_types) {
  services::OperationTime time(operation_, "--operation-timeout");
  return to_idl(types_.add(name, if_name, props, super_types, time));
}

Repository::ServiceTypeNameSeq* RepositoryServant::list_types(const Repository::SpecifiedServiceTypes& which) {
  const auto names = types_.list(which._d() == Repository::since ? from_idl(which.incarnation()) : 0);
  Repository::ServiceTypeNameSeq_var out = new Repository::ServiceTypeNameSeq;
  out->length(static_cast<CORBA::ULong>(names.size()));
  for (CORBA::ULong i = 0; i < names.size(); ++i) out[i] = names[i].c_str();
  return out._retn();
}

Repository::TypeStruct* RepositoryServant::describe_type(const char* name) {
  const ServiceTypePtr type = types_.get(name);
  std::vector<const PropertyType*> props;
  for (const PropertyType& p : type->own) props.push_back(&p);
  return described(*type, props, type->supers);
}

Repository::TypeStruct* RepositoryServant::fully_describe_type(const char* name) {
  const ServiceTypePtr type = types_.get(name);
  std::vector<const PropertyType*> props;
  for (const auto& [of, p] : type->all) props.push_back(&p);
  return described(*type, props, type->all_supers);
}

}  // namespace callis::trading
