// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/trading/names.h>
#include <services/trading/rules.h>
#include <set>

namespace callis::trading {

namespace {

void check_value(const ServiceType& type, const CosTrading::Property& p, bool dynamic_allowed) {
  const PropertyType* const declared = type.find(p.name.in());
  const CosTradingDynamic::DynamicProp* dynamic = nullptr;
  const char* const name = type.name.c_str();
  if (is_dynamic(p.value, dynamic)) {
    if (declared && declared->readonly) throw CosTrading::ReadonlyDynamicProperty(name, p.name.in());
    if (!dynamic_allowed || CORBA::is_nil(dynamic->eval_if.in()) || CORBA::is_nil(dynamic->returned_type.in()) ||
        (declared && !dynamic->returned_type->equivalent(declared->type.in())))
      throw CosTrading::PropertyTypeMismatch(name, p);
    return;
  }
  if (!declared) return;
  const CORBA::TypeCode_var given = p.value.type();
  if (!given->equivalent(declared->type.in())) throw CosTrading::PropertyTypeMismatch(name, p);
}

void check_names(const CosTrading::PropertySeq& properties) {
  if (properties.length() > kMostPropertiesOfOffer)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"an offer has more properties than ", Decimal(kMostPropertiesOfOffer)}));
  std::set<std::string_view> seen;
  for (CORBA::ULong i = 0; i < properties.length(); ++i) {
    const char* const name = properties[i].name.in();
    if (!is_property_name(name)) throw CosTrading::IllegalPropertyName(name);
    if (!seen.insert(name).second) throw CosTrading::DuplicatePropertyName(name);
  }
}

}  // namespace

bool is_dynamic(const CORBA::Any& value, const CosTradingDynamic::DynamicProp*& out) { return value >>= out; }

void check_export(const ServiceType& type, const CosTrading::PropertySeq& properties, bool dynamic_allowed) {
  check_names(properties);
  std::set<std::string_view> given;
  for (CORBA::ULong i = 0; i < properties.length(); ++i) {
    check_value(type, properties[i], dynamic_allowed);
    given.insert(properties[i].name.in());
  }
  for (const auto& [name, declared] : type.all) {
    if (declared.mandatory && given.count(name) == 0)
      throw CosTrading::MissingMandatoryProperty(type.name.c_str(), name.c_str());
  }
}

CosTrading::PropertySeq modified(const ServiceType* type, const std::string& type_name,
                                 const CosTrading::PropertySeq& has, const CosTrading::PropertyNameSeq& to_delete,
                                 const CosTrading::PropertySeq& to_put, bool dynamic_allowed) {
  using Register = CosTrading::Register;
  const ServiceType unknown{type_name, {}, {}, {}, false, 0, {}, {}};
  if (!type) type = &unknown;
  std::map<std::string, const CORBA::Any*> all;
  for (CORBA::ULong i = 0; i < has.length(); ++i) all[has[i].name.in()] = &has[i].value;
  std::set<std::string> gone;
  for (CORBA::ULong i = 0; i < to_delete.length(); ++i) {
    const char* const name = to_delete[i];
    if (!is_property_name(name)) throw CosTrading::IllegalPropertyName(name);
    if (!gone.insert(name).second) throw CosTrading::DuplicatePropertyName(name);
    if (all.erase(name) == 0) throw Register::UnknownPropertyName(name);
    const PropertyType* const declared = type->find(name);
    if (declared && declared->mandatory) throw Register::MandatoryProperty(type_name.c_str(), name);
    if (declared && declared->readonly) throw Register::ReadonlyProperty(type_name.c_str(), name);
  }
  check_names(to_put);
  for (CORBA::ULong i = 0; i < to_put.length(); ++i) {
    const char* const name = to_put[i].name.in();
    if (gone.count(name) != 0) throw CosTrading::DuplicatePropertyName(name);
    const PropertyType* const declared = type->find(name);
    if (declared && declared->readonly && all.count(name) != 0)
      throw Register::ReadonlyProperty(type_name.c_str(), name);
    check_value(*type, to_put[i], dynamic_allowed);
    all[name] = &to_put[i].value;
  }
  CosTrading::PropertySeq out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  CORBA::ULong i = 0;
  for (const auto& [name, value] : all) {
    out[i].name = name.c_str();
    out[i++].value = *value;
  }
  check_names(out);
  return out;
}

}  // namespace callis::trading
