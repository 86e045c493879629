// SPDX-License-Identifier: Apache-2.0
// Interfaces of all flavors, valuetypes, and what they consist of.
#include <services/ifr/parts.h>
#include <services/ifr/servants.h>

namespace callis::ifr {

namespace {

const CORBA::ExceptionDefSeq kNoExceptions{};

class AttributeServant final : public virtual POA_CORBA::ExtAttributeDef, public virtual ContainedServant {
  CORBA::TypeCode_ptr type() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr type_def() override {
    const auto held = lock();
    return service().template reference_as<CORBA::IDLType>(here().type);
  }
  void type_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) { d.type = service().type_of(type); });
  }
  CORBA::AttributeMode mode() override {
    const auto held = lock();
    return static_cast<CORBA::AttributeMode>(here().mode);
  }
  void mode(CORBA::AttributeMode mode) override {
    change([&](Definition& d) { d.mode = static_cast<std::uint32_t>(mode); });
  }
  CORBA::ExcDescriptionSeq* get_exceptions() override {
    const auto held = lock();
    return service().exceptions(here().exceptions);
  }
  void get_exceptions(const CORBA::ExcDescriptionSeq& all) override {
    change([&](Definition& d) { d.exceptions = service().exceptions_of(all); });
  }
  CORBA::ExcDescriptionSeq* set_exceptions() override {
    const auto held = lock();
    return service().exceptions(here().set_exceptions);
  }
  void set_exceptions(const CORBA::ExcDescriptionSeq& all) override {
    change([&](Definition& d) { d.set_exceptions = service().exceptions_of(all); });
  }
  CORBA::ExtAttributeDescription* describe_attribute() override {
    const auto held = lock();
    return new CORBA::ExtAttributeDescription(service().ext_attribute(here()));
  }
};

class OperationServant final : public virtual POA_CORBA::OperationDef, public virtual ContainedServant {
  CORBA::TypeCode_ptr result() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr result_def() override {
    const auto held = lock();
    return service().template reference_as<CORBA::IDLType>(here().type);
  }
  void result_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) { d.type = service().type_of(type); });
  }
  CORBA::ParDescriptionSeq* params() override {
    const auto held = lock();
    return service().parameters(here());
  }
  void params(const CORBA::ParDescriptionSeq& all) override {
    change([&](Definition& d) { d.members = service().parameters_of(all); });
  }
  CORBA::OperationMode mode() override {
    const auto held = lock();
    return static_cast<CORBA::OperationMode>(here().mode);
  }
  void mode(CORBA::OperationMode mode) override {
    change([&](Definition& d) { d.mode = static_cast<std::uint32_t>(mode); });
  }
  CORBA::ContextIdSeq* contexts() override {
    const auto held = lock();
    return new CORBA::ContextIdSeq(service().operation(here()).contexts);
  }
  void contexts(const CORBA::ContextIdSeq& all) override {
    change([&](Definition& d) {
      d.words.clear();
      for (CORBA::ULong i = 0; i < all.length(); ++i) d.words.emplace_back(all[i]);
    });
  }
  CORBA::ExceptionDefSeq* exceptions() override {
    const auto held = lock();
    return service().references_as<CORBA::ExceptionDefSeq, CORBA::ExceptionDef>(here().exceptions);
  }
  void exceptions(const CORBA::ExceptionDefSeq& all) override {
    change([&](Definition& d) { d.exceptions = service().numbers_of(all); });
  }
};

class ValueMemberServant final : public virtual POA_CORBA::ValueMemberDef, public virtual ContainedServant {
  CORBA::TypeCode_ptr type() override {
    const auto held = lock();
    return type_code(here().type);
  }
  CORBA::IDLType_ptr type_def() override {
    const auto held = lock();
    return service().template reference_as<CORBA::IDLType>(here().type);
  }
  void type_def(CORBA::IDLType_ptr type) override {
    change([&](Definition& d) { d.type = service().type_of(type); });
  }
  CORBA::Visibility access() override {
    const auto held = lock();
    return static_cast<CORBA::Visibility>(here().mode);
  }
  void access(CORBA::Visibility access) override {
    if (access != CORBA::PRIVATE_MEMBER && access != CORBA::PUBLIC_MEMBER)
      refuse<CORBA::BAD_PARAM>(0, "a state member is private or public");
    change([&](Definition& d) { d.mode = static_cast<std::uint32_t>(access); });
  }
};

// What makes operations and attributes in an interface or a valuetype.
template<class... Skeletons>
class OperationsServant : public virtual Skeletons..., public virtual ScopeServant {
 public:
  const poa::Skeleton& _callis_skeleton() const override = 0;
  void* _callis_self() override = 0;

 private:
  CORBA::AttributeDef_ptr create_attribute(const char* id, const char* name, const char* version,
                                           CORBA::IDLType_ptr type, CORBA::AttributeMode mode) override {
    const auto held = lock_to_change();
    return service().template reference_as<CORBA::AttributeDef>(
        service().create(attribute(id, name, version, type, mode, kNoExceptions, kNoExceptions)));
  }
  CORBA::ExtAttributeDef_ptr create_ext_attribute(const char* id, const char* name, const char* version,
                                                  CORBA::IDLType_ptr type, CORBA::AttributeMode mode,
                                                  const CORBA::ExceptionDefSeq& get_exceptions,
                                                  const CORBA::ExceptionDefSeq& set_exceptions) override {
    const auto held = lock_to_change();
    return service().template reference_as<CORBA::ExtAttributeDef>(
        service().create(attribute(id, name, version, type, mode, get_exceptions, set_exceptions)));
  }
  CORBA::OperationDef_ptr create_operation(const char* id, const char* name, const char* version,
                                           CORBA::IDLType_ptr result, CORBA::OperationMode mode,
                                           const CORBA::ParDescriptionSeq& params,
                                           const CORBA::ExceptionDefSeq& exceptions,
                                           const CORBA::ContextIdSeq& contexts) override {
    const auto held = lock_to_change();
    return service().template reference_as<CORBA::OperationDef>(
        service().create(operation(id, name, version, result, mode, params, exceptions, contexts)));
  }
};

// What interfaces of all flavors have.
class InterfaceServant : public OperationsServant<POA_CORBA::InterfaceDef, POA_CORBA::InterfaceAttrExtension> {
  using FullInterfaceDescription = CORBA::InterfaceDef::FullInterfaceDescription;
  using FullInterfaceDescription_var = CORBA::InterfaceDef::FullInterfaceDescription_var;
  using ExtFullInterfaceDescription = CORBA::InterfaceAttrExtension::ExtFullInterfaceDescription;
  using ExtFullInterfaceDescription_var = CORBA::InterfaceAttrExtension::ExtFullInterfaceDescription_var;

  CORBA::InterfaceDefSeq* base_interfaces() override {
    const auto held = lock();
    return service().references_as<CORBA::InterfaceDefSeq, CORBA::InterfaceDef>(here().bases);
  }
  void base_interfaces(const CORBA::InterfaceDefSeq& all) override {
    change([&](Definition& d) { d.bases = service().numbers_of(all); });
  }
  CORBA::Boolean is_a(const char* interface_id) override {
    const auto held = lock();
    return std::string_view(interface_id) == "IDL:omg.org/CORBA/Object:1.0" || model().is_a(here(), interface_id);
  }
  FullInterfaceDescription* describe_interface() override {
    const auto held = lock();
    FullInterfaceDescription_var out = new FullInterfaceDescription;
    describe_into(out.inout());
    out->attributes = CORBA::AttrDescriptionSeq_var(attributes()).in();
    return out._retn();
  }
  ExtFullInterfaceDescription* describe_ext_interface() override {
    const auto held = lock();
    ExtFullInterfaceDescription_var out = new ExtFullInterfaceDescription;
    describe_into(out.inout());
    out->attributes = CORBA::ExtAttrDescriptionSeq_var(ext_attributes()).in();
    return out._retn();
  }

  template<class Out>
  void describe_into(Out& out) {
    const Definition& d = here();
    out.name = copy(d.name);
    out.id = copy(d.id);
    out.defined_in = copy(service().id_of(d.container));
    out.version = copy(d.version);
    out.operations = CORBA::OpDescriptionSeq_var(operations()).in();
    out.base_interfaces = CORBA::RepositoryIdSeq_var(service().ids(d.bases)).in();
    out.type = type_codes().of(number());
  }
};

template<class Skeleton>
class FlavoredServant final : public virtual Skeleton, public virtual InterfaceServant {
  const poa::Skeleton& _callis_skeleton() const override { return Skeleton::_callis_skeleton(); }
  void* _callis_self() override { return Skeleton::_callis_self(); }
};

class ValueServant final : public OperationsServant<POA_CORBA::ExtValueDef> {
  const poa::Skeleton& _callis_skeleton() const override { return POA_CORBA::ExtValueDef::_callis_skeleton(); }
  void* _callis_self() override { return POA_CORBA::ExtValueDef::_callis_self(); }
  CORBA::InterfaceDefSeq* supported_interfaces() override {
    const auto held = lock();
    return service().references_as<CORBA::InterfaceDefSeq, CORBA::InterfaceDef>(here().supported);
  }
  void supported_interfaces(const CORBA::InterfaceDefSeq& all) override {
    change([&](Definition& d) { d.supported = service().numbers_of(all); });
  }
  CORBA::InitializerSeq* initializers() override {
    const auto held = lock();
    return service().initializers(here());
  }
  void initializers(const CORBA::InitializerSeq& all) override {
    change([&](Definition& d) { d.initializers = initializer_parts(service(), all); });
  }
  CORBA::ExtInitializerSeq* ext_initializers() override {
    const auto held = lock();
    return service().ext_initializers(here());
  }
  void ext_initializers(const CORBA::ExtInitializerSeq& all) override {
    change([&](Definition& d) { d.initializers = initializer_parts(service(), all); });
  }
  CORBA::ValueDef_ptr base_value() override {
    const auto held = lock();
    return service().template reference_as<CORBA::ValueDef>(here().base);
  }
  void base_value(CORBA::ValueDef_ptr base) override {
    change([&](Definition& d) { d.base = base ? service().number_of(base) : kNone; });
  }
  CORBA::ValueDefSeq* abstract_base_values() override {
    const auto held = lock();
    return service().references_as<CORBA::ValueDefSeq, CORBA::ValueDef>(here().bases);
  }
  void abstract_base_values(const CORBA::ValueDefSeq& all) override {
    change([&](Definition& d) { d.bases = service().numbers_of(all); });
  }
  CORBA::Boolean flag(std::uint32_t which) {
    const auto held = lock();
    return (here().mode & which) != 0;
  }
  void flag(std::uint32_t which, CORBA::Boolean on) {
    change([&](Definition& d) { d.mode = on ? d.mode | which : d.mode & ~which; });
  }
  CORBA::Boolean is_abstract() override { return flag(kIsAbstract); }
  void is_abstract(CORBA::Boolean on) override { flag(kIsAbstract, on); }
  CORBA::Boolean is_custom() override { return flag(kIsCustom); }
  void is_custom(CORBA::Boolean on) override { flag(kIsCustom, on); }
  CORBA::Boolean is_truncatable() override { return flag(kIsTruncatable); }
  void is_truncatable(CORBA::Boolean on) override { flag(kIsTruncatable, on); }
  CORBA::Boolean is_a(const char* id) override {
    const auto held = lock();
    return std::string_view(id) == "IDL:omg.org/CORBA/ValueBase:1.0" || model().is_a(here(), id);
  }

  CORBA::ValueDef::FullValueDescription* describe_value() override {
    const auto held = lock();
    CORBA::ValueDef::FullValueDescription_var out = new CORBA::ValueDef::FullValueDescription;
    describe_into(out.inout());
    out->attributes = CORBA::AttrDescriptionSeq_var(attributes()).in();
    out->initializers = CORBA::InitializerSeq_var(service().initializers(here())).in();
    return out._retn();
  }
  CORBA::ExtValueDef::ExtFullValueDescription* describe_ext_value() override {
    const auto held = lock();
    CORBA::ExtValueDef::ExtFullValueDescription_var out = new CORBA::ExtValueDef::ExtFullValueDescription;
    describe_into(out.inout());
    out->attributes = CORBA::ExtAttrDescriptionSeq_var(ext_attributes()).in();
    out->initializers = CORBA::ExtInitializerSeq_var(service().ext_initializers(here())).in();
    return out._retn();
  }
  template<class Out>
  void describe_into(Out& out) {
    const Definition& d = here();
    out.name = copy(d.name);
    out.id = copy(d.id);
    out.is_abstract = (d.mode & kIsAbstract) != 0;
    out.is_custom = (d.mode & kIsCustom) != 0;
    out.is_truncatable = (d.mode & kIsTruncatable) != 0;
    out.defined_in = copy(service().id_of(d.container));
    out.version = copy(d.version);
    out.operations = CORBA::OpDescriptionSeq_var(operations()).in();
    const std::vector<Number> state = inner(Kind::ValueMember);
    out.members.length(static_cast<CORBA::ULong>(state.size()));
    for (CORBA::ULong i = 0; i < out.members.length(); ++i)
      out.members[i] = service().value_member(model().at(state[i]));
    out.supported_interfaces = CORBA::RepositoryIdSeq_var(service().ids(d.supported)).in();
    out.abstract_base_values = CORBA::RepositoryIdSeq_var(service().ids(d.bases)).in();
    out.base_value = copy(service().id_of(d.base));
    out.type = type_codes().of(number());
  }

  CORBA::ValueMemberDef_ptr create_value_member(const char* id, const char* name, const char* version,
                                                CORBA::IDLType_ptr type, CORBA::Visibility access) override {
    const auto held = lock_to_change();
    if (access != CORBA::PRIVATE_MEMBER && access != CORBA::PUBLIC_MEMBER)
      refuse<CORBA::BAD_PARAM>(0, "a state member is private or public");
    Definition d = shell(Kind::ValueMember, id, name, version);
    d.type = service().type_of(type);
    d.mode = static_cast<std::uint32_t>(access);
    Change change(model());
    const Number made = model().create(std::move(d));
    model().check(made);
    examine(number());
    change.commit(service().store());
    return service().template reference_as<CORBA::ValueMemberDef>(made);
  }
};

}  // namespace

Definition ScopeServant::attribute(const char* id, const char* name, const char* version, CORBA::IDLType_ptr type,
                                   CORBA::AttributeMode mode, const CORBA::ExceptionDefSeq& get,
                                   const CORBA::ExceptionDefSeq& set) {
  Definition d = shell(Kind::Attribute, id, name, version);
  d.type = service().type_of(type);
  d.mode = static_cast<std::uint32_t>(mode);
  d.exceptions = service().numbers_of(get);
  d.set_exceptions = service().numbers_of(set);
  return d;
}

Definition ScopeServant::operation(const char* id, const char* name, const char* version, CORBA::IDLType_ptr result,
                                   CORBA::OperationMode mode, const CORBA::ParDescriptionSeq& params,
                                   const CORBA::ExceptionDefSeq& exceptions, const CORBA::ContextIdSeq& contexts) {
  Definition d = shell(Kind::Operation, id, name, version);
  d.type = service().type_of(result);
  d.mode = static_cast<std::uint32_t>(mode);
  d.members = service().parameters_of(params);
  d.exceptions = service().numbers_of(exceptions);
  for (CORBA::ULong i = 0; i < contexts.length(); ++i) d.words.emplace_back(contexts[i]);
  return d;
}

std::vector<Number> ScopeServant::inner(Kind kind) {
  std::vector<Number> out = chosen(static_cast<CORBA::DefinitionKind>(kind), false);
  service().check_answer(out.size());
  return out;
}

CORBA::OpDescriptionSeq* ScopeServant::operations() {
  const std::vector<Number> all = inner(Kind::Operation);
  CORBA::OpDescriptionSeq_var out = new CORBA::OpDescriptionSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = service().operation(model().at(all[i]));
  return out._retn();
}

CORBA::AttrDescriptionSeq* ScopeServant::attributes() {
  const std::vector<Number> all = inner(Kind::Attribute);
  CORBA::AttrDescriptionSeq_var out = new CORBA::AttrDescriptionSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = service().attribute(model().at(all[i]));
  return out._retn();
}

CORBA::ExtAttrDescriptionSeq* ScopeServant::ext_attributes() {
  const std::vector<Number> all = inner(Kind::Attribute);
  CORBA::ExtAttrDescriptionSeq_var out = new CORBA::ExtAttrDescriptionSeq;
  out->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) out[i] = service().ext_attribute(model().at(all[i]));
  return out._retn();
}

PortableServer::Servant make_interface_servant(Service& service, const Definition& d) {
  switch (d.kind) {
    case Kind::Attribute: return new_servant<AttributeServant>(service, d);
    case Kind::Operation: return new_servant<OperationServant>(service, d);
    case Kind::ValueMember: return new_servant<ValueMemberServant>(service, d);
    case Kind::Interface: return new_servant<FlavoredServant<POA_CORBA::ExtInterfaceDef>>(service, d);
    case Kind::AbstractInterface: return new_servant<FlavoredServant<POA_CORBA::ExtAbstractInterfaceDef>>(service, d);
    case Kind::LocalInterface: return new_servant<FlavoredServant<POA_CORBA::ExtLocalInterfaceDef>>(service, d);
    case Kind::Value: return new_servant<ValueServant>(service, d);
    default: return nullptr;
  }
}

}  // namespace callis::ifr
