// SPDX-License-Identifier: Apache-2.0
// What writes into a Container.
#include <services/ifr/parts.h>
#include <services/ifr/servants.h>

namespace callis::ifr {

namespace {

std::uint32_t value_mode(bool is_custom, bool is_abstract, bool is_truncatable) {
  return (is_custom ? kIsCustom : 0) | (is_abstract ? kIsAbstract : 0) | (is_truncatable ? kIsTruncatable : 0);
}

}  // namespace

Definition ContainerServant::shell(Kind kind, const char* id, const char* name, const char* version) const {
  Definition d;
  d.kind = kind;
  d.container = number();
  d.id = id;
  d.name = name;
  d.version = version;
  return d;
}

CORBA::ModuleDef_ptr ContainerServant::create_module(const char* id, const char* name, const char* version) {
  const auto held = lock_to_change();
  return service().reference_as<CORBA::ModuleDef>(service().create(shell(Kind::Module, id, name, version)));
}

CORBA::ConstantDef_ptr ContainerServant::create_constant(const char* id, const char* name, const char* version,
                                                         CORBA::IDLType_ptr type, const CORBA::Any& value) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Constant, id, name, version);
  d.type = service().type_of(type);
  d.value = constant_bytes(type_codes(), d.type, value);
  return service().reference_as<CORBA::ConstantDef>(service().create(std::move(d)));
}

CORBA::StructDef_ptr ContainerServant::create_struct(const char* id, const char* name, const char* version,
                                                     const CORBA::StructMemberSeq& members) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Struct, id, name, version);
  d.members = service().members_of(members);
  return service().reference_as<CORBA::StructDef>(service().create(std::move(d)));
}

CORBA::UnionDef_ptr ContainerServant::create_union(const char* id, const char* name, const char* version,
                                                   CORBA::IDLType_ptr discriminator_type,
                                                   const CORBA::UnionMemberSeq& members) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Union, id, name, version);
  d.type = service().type_of(discriminator_type);
  d.members = union_parts(service(), members);
  return service().reference_as<CORBA::UnionDef>(service().create(std::move(d)));
}

CORBA::EnumDef_ptr ContainerServant::create_enum(const char* id, const char* name, const char* version,
                                                 const CORBA::EnumMemberSeq& members) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Enum, id, name, version);
  for (CORBA::ULong i = 0; i < members.length(); ++i) d.words.emplace_back(members[i]);
  return service().reference_as<CORBA::EnumDef>(service().create(std::move(d)));
}

CORBA::AliasDef_ptr ContainerServant::create_alias(const char* id, const char* name, const char* version,
                                                   CORBA::IDLType_ptr original_type) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Alias, id, name, version);
  d.type = service().type_of(original_type);
  return service().reference_as<CORBA::AliasDef>(service().create(std::move(d)));
}

CORBA::InterfaceDef_ptr ContainerServant::create_interface(const char* id, const char* name, const char* version,
                                                           const CORBA::InterfaceDefSeq& base_interfaces) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Interface, id, name, version);
  d.bases = service().numbers_of(base_interfaces);
  return service().reference_as<CORBA::InterfaceDef>(service().create(std::move(d)));
}

CORBA::AbstractInterfaceDef_ptr ContainerServant::create_abstract_interface(
    const char* id, const char* name, const char* version, const CORBA::AbstractInterfaceDefSeq& base_interfaces) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::AbstractInterface, id, name, version);
  d.bases = service().numbers_of(base_interfaces);
  return service().reference_as<CORBA::AbstractInterfaceDef>(service().create(std::move(d)));
}

CORBA::LocalInterfaceDef_ptr ContainerServant::create_local_interface(const char* id, const char* name,
                                                                      const char* version,
                                                                      const CORBA::InterfaceDefSeq& base_interfaces) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::LocalInterface, id, name, version);
  d.bases = service().numbers_of(base_interfaces);
  return service().reference_as<CORBA::LocalInterfaceDef>(service().create(std::move(d)));
}

CORBA::ValueDef_ptr ContainerServant::create_value(const char* id, const char* name, const char* version,
                                                   CORBA::Boolean is_custom, CORBA::Boolean is_abstract,
                                                   CORBA::ValueDef_ptr base_value, CORBA::Boolean is_truncatable,
                                                   const CORBA::ValueDefSeq& abstract_base_values,
                                                   const CORBA::InterfaceDefSeq& supported_interfaces,
                                                   const CORBA::InitializerSeq& initializers) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Value, id, name, version);
  d.mode = value_mode(is_custom, is_abstract, is_truncatable);
  if (base_value) d.base = service().number_of(base_value);
  d.bases = service().numbers_of(abstract_base_values);
  d.supported = service().numbers_of(supported_interfaces);
  d.initializers = initializer_parts(service(), initializers);
  return service().reference_as<CORBA::ValueDef>(service().create(std::move(d)));
}

CORBA::ExtValueDef_ptr ContainerServant::create_ext_value(
    const char* id, const char* name, const char* version, CORBA::Boolean is_custom, CORBA::Boolean is_abstract,
    CORBA::ValueDef_ptr base_value, CORBA::Boolean is_truncatable, const CORBA::ValueDefSeq& abstract_base_values,
    const CORBA::InterfaceDefSeq& supported_interfaces, const CORBA::ExtInitializerSeq& initializers) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Value, id, name, version);
  d.mode = value_mode(is_custom, is_abstract, is_truncatable);
  if (base_value) d.base = service().number_of(base_value);
  d.bases = service().numbers_of(abstract_base_values);
  d.supported = service().numbers_of(supported_interfaces);
  d.initializers = initializer_parts(service(), initializers);
  return service().reference_as<CORBA::ExtValueDef>(service().create(std::move(d)));
}

CORBA::ValueBoxDef_ptr ContainerServant::create_value_box(const char* id, const char* name, const char* version,
                                                          CORBA::IDLType_ptr original_type_def) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::ValueBox, id, name, version);
  d.type = service().type_of(original_type_def);
  return service().reference_as<CORBA::ValueBoxDef>(service().create(std::move(d)));
}

CORBA::ExceptionDef_ptr ContainerServant::create_exception(const char* id, const char* name, const char* version,
                                                           const CORBA::StructMemberSeq& members) {
  const auto held = lock_to_change();
  Definition d = shell(Kind::Exception, id, name, version);
  d.members = service().members_of(members);
  return service().reference_as<CORBA::ExceptionDef>(service().create(std::move(d)));
}

CORBA::NativeDef_ptr ContainerServant::create_native(const char* id, const char* name, const char* version) {
  const auto held = lock_to_change();
  return service().reference_as<CORBA::NativeDef>(service().create(shell(Kind::Native, id, name, version)));
}

}  // namespace callis::ifr
